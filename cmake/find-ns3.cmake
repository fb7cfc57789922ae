# SPDX-License-Identifier: GPL-2.0-only
#
# Finds an installed ns-3 (the ns3 package of PyPI, or a user's own by
# -Dns3_DIR=), sets lib<module> as ns-3's own build does, AIDC_NS3_MINOR (44 for
# ns-3.44) and the C++ standard of that release.

set(aidc_ns3_modules
    core
    network
    internet
    flow-monitor
    traffic-control
    point-to-point
    csma
    bridge
    applications
    virtual-net-device
)

find_package(ns3 CONFIG)
if(NOT ns3_FOUND)
  message(
    FATAL_ERROR
      "No installed ns-3 was found. Set -Dns3_DIR= to the folder that holds its "
      "ns3Config.cmake, or let ./aidc fetch one. (Inside an ns-3 tree, clone "
      "aidc to contrib/aidc and use ./ns3 configure instead; model/core alone "
      "builds with -DAIDC_CORE_ONLY=ON.)"
  )
endif()

# Sets RESULT to the imported target of a module: its name carries a "lib" up to
# ns-3.42. A module that is not there is an error, unless OPTIONAL is given; then
# RESULT is empty.
function(aidc_find_module module result)
  foreach(target ns3::${module} ns3::lib${module})
    if(TARGET ${target})
      set(${result}
          ${target}
          PARENT_SCOPE
      )
      return()
    endif()
  endforeach()
  if(ARGV2 STREQUAL OPTIONAL)
    set(${result}
        ""
        PARENT_SCOPE
    )
    return()
  endif()
  message(
    FATAL_ERROR "The ns-3 in ${ns3_DIR} was built without its module ${module}"
  )
endfunction()

# Removes from an imported target, and from those it links, what belongs to the
# machine that ns-3 was built on: the exported targets of a package name every
# include folder and library found there. What exists here is kept, except for
# the compiler's own folders, which must not move forward in its search order.
function(aidc_clean_target target)
  get_property(cleaned GLOBAL PROPERTY aidc_cleaned_targets)
  if(${target} IN_LIST cleaned)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY aidc_cleaned_targets ${target})

  set(folders)
  get_target_property(exported ${target} INTERFACE_INCLUDE_DIRECTORIES)
  foreach(folder ${exported})
    if(EXISTS "${folder}"
       AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES
       AND NOT folder MATCHES "^/usr(/local)?(/include)?/?$"
    )
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  set_target_properties(
    ${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folders}"
  )

  set(libraries)
  get_target_property(exported ${target} INTERFACE_LINK_LIBRARIES)
  foreach(library ${exported})
    if(TARGET ${library})
      aidc_clean_target(${library})
    elseif(IS_ABSOLUTE "${library}" AND NOT EXISTS "${library}")
      continue()
    endif()
    list(APPEND libraries "${library}")
  endforeach()
  set_target_properties(
    ${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}"
  )
endfunction()

foreach(module ${aidc_ns3_modules})
  aidc_find_module(${module} lib${module})
  aidc_clean_target(${lib${module}})
endforeach()

# ns-3's package version is "3.dev" in many builds; each release's deprecated.h
# names that release.
get_target_property(folders ${libcore} INTERFACE_INCLUDE_DIRECTORIES)
set(macros)
foreach(folder ${folders})
  if(EXISTS ${folder}/ns3/deprecated.h)
    file(STRINGS ${folder}/ns3/deprecated.h macros
         REGEX "define NS_DEPRECATED_3_"
    )
    break()
  endif()
endforeach()
set(AIDC_NS3_MINOR 0)
foreach(macro ${macros})
  if(macro MATCHES "NS_DEPRECATED_3_([0-9]+)"
     AND CMAKE_MATCH_1 GREATER AIDC_NS3_MINOR
  )
    set(AIDC_NS3_MINOR ${CMAKE_MATCH_1})
  endif()
endforeach()
if(AIDC_NS3_MINOR LESS 37)
  message(FATAL_ERROR "The ns-3 in ${ns3_DIR} is older than ns-3.37")
endif()

# The standard that each release builds its own modules with
if(AIDC_NS3_MINOR LESS_EQUAL 40)
  set(CMAKE_CXX_STANDARD 17)
elseif(AIDC_NS3_MINOR LESS_EQUAL 45)
  set(CMAKE_CXX_STANDARD 20)
else()
  set(CMAKE_CXX_STANDARD 23)
endif()

# Packages before ns-3.41 export no definitions. Their libraries have logging and
# assertions, so programs must be compiled with both.
get_target_property(definitions ${libcore} INTERFACE_COMPILE_DEFINITIONS)
if(NOT definitions)
  set_target_properties(
    ${libcore} PROPERTIES INTERFACE_COMPILE_DEFINITIONS
                          "NS3_LOG_ENABLE;NS3_ASSERT_ENABLE"
  )
endif()
message(STATUS "Found ns-3.${AIDC_NS3_MINOR} in ${ns3_DIR}")
