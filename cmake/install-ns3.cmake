# SPDX-License-Identifier: GPL-2.0-only
#
# Copies into the folder lib/.ns3 of an installation what aidc_files need of the folder
# ns3_folder: libraries of ns-3, and theirs. A package for pip that depended on the package
# ns3 instead would depend on a compiler, as ns3 depends on cppyy. The folder is hidden
# from ns-3's own bindings, which search for libraries and refuse two of a name.

file(
  GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${aidc_files}
  RESOLVED_DEPENDENCIES_VAR found
  UNRESOLVED_DEPENDENCIES_VAR missing
)
if(missing)
  message(FATAL_ERROR "${missing} are not found, which the files of this build need")
endif()
file(REAL_PATH ${ns3_folder} ns3_folder)
set(to $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/.ns3)

# Some name the GNU Scientific Library, whose license (GPL 3) is not ns-3's, without
# using it: the name is taken out.
set(unused "^libgsl(cblas)?-")

foreach(path ${found})
  file(REAL_PATH ${path} real)
  get_filename_component(name ${path} NAME)
  cmake_path(IS_PREFIX ns3_folder ${real} is_of_ns3)
  if(NOT is_of_ns3 OR name MATCHES "${unused}")
    continue()
  endif()
  file(INSTALL ${real} DESTINATION ${to})
  list(APPEND copies ${to}/${name})
endforeach()

if(CMAKE_HOST_SYSTEM_NAME STREQUAL Linux)
  find_program(patchelf patchelf REQUIRED)
  foreach(copy ${copies})
    execute_process(
      COMMAND ${patchelf} --print-needed ${copy}
      OUTPUT_VARIABLE needed OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
    )
    string(REPLACE "\n" ";" needed "${needed}")
    list(FILTER needed INCLUDE REGEX "${unused}")
    foreach(library ${needed})
      execute_process(
        COMMAND ${patchelf} --remove-needed ${library} ${copy} COMMAND_ERROR_IS_FATAL ANY
      )
    endforeach()
  endforeach()
endif()
