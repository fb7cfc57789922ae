# SPDX-License-Identifier: GPL-2.0-only
#
# How users' programs get at headers: as ns3/NAME.h, for the public ones. Each of these
# files includes the header where it is, as in ns-3's own build, so that the header can
# include others by their relative paths.

# Makes FOLDER/ns3 have the headers, and none that were there before.
function(aidc_publish_headers folder)
  set(names)
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    list(APPEND names ${name})
    set(stub ${folder}/ns3/${name})
    # In folders of former versions: it must not be written through.
    if(IS_SYMLINK ${stub})
      file(REMOVE ${stub})
    endif()
    # The same in each clone, so that caches of compilers know it
    file(RELATIVE_PATH path ${folder}/ns3 ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    file(GENERATE OUTPUT ${stub} CONTENT "#include \"${path}\"\n")
  endforeach()
  file(GLOB published RELATIVE ${folder}/ns3 ${folder}/ns3/*)
  list(REMOVE_ITEM published ${names} aidc-module.h)
  foreach(name ${published})
    file(REMOVE ${folder}/ns3/${name})
  endforeach()
endfunction()

# Has the installation of COMPONENT put all headers into TO/aidc, a folder of their own,
# and for each public one a file into TO that includes it. In ns-3's build, this takes
# the place of the header itself, which that build has put next to its own.
function(aidc_install_headers to component)
  install(
    DIRECTORY model helper
    DESTINATION ${to}/aidc
    COMPONENT ${component}
    FILES_MATCHING
    PATTERN "*.h"
  )
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    set(stub ${CMAKE_CURRENT_BINARY_DIR}/installed-headers/${name})
    file(GENERATE OUTPUT ${stub} CONTENT "#include \"aidc/${header}\"\n")
    install(
      FILES ${stub}
      DESTINATION ${to}
      COMPONENT ${component}
    )
  endforeach()
endfunction()
