# SPDX-License-Identifier: GPL-2.0-only
#
# Compiles several files at once, standalone and in an ns-3 tree: the headers that files
# share take most of the compiler's time.

option(AIDC_UNITY "Compile several files at once, which share their headers" ON)
if(CMAKE_VERSION VERSION_LESS 3.20) # which an ns-3 tree may have
  set(AIDC_UNITY OFF)
endif()

# Has the files of a target compiled several at once: the headers that they share
# take most of the compiler's time. Thirty need some 1.5 GB of memory. The files
# that are named are compiled as one, so that the compiler sees through their calls
# of each other.
function(aidc_compile_at_once target)
  set_target_properties(
    ${target} PROPERTIES UNITY_BUILD ${AIDC_UNITY} UNITY_BUILD_MODE GROUP
  )
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  set(count_core 0)
  set(count_ns3 0)
  foreach(source ${sources})
    if(source IN_LIST ARGN)
      set(group one)
    else()
      # A library of its own, or not: the core's files are compiled together
      set(part ns3)
      if(source MATCHES "model/core/")
        set(part core)
      endif()
      math(EXPR group "${count_${part}} / 30")
      math(EXPR count_${part} "${count_${part}} + 1")
      string(PREPEND group ${part}_)
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# Lets a target's files have log components, which ns-3 calls g_log in all of them,
# when they are compiled at once.
function(aidc_number_log_components target)
  set_target_properties(
    ${target}
    PROPERTIES UNITY_BUILD_UNIQUE_ID AIDC_FILE_NUMBER
               UNITY_BUILD_CODE_BEFORE_INCLUDE
               "#include \"${CMAKE_CURRENT_SOURCE_DIR}/cmake/log-names.h\""
  )
endfunction()

# Sets OUT to sources that have several of a folder's FILES each, so that the tests
# share their headers. Tests have the same names in several files: each file gets a
# namespace.
function(aidc_join_tests out folder at_once)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/cmake/join-tests.cmake)
  set(units)
  set(files)
  set(left ${ARGN})
  while(left)
    list(POP_FRONT left file)
    list(APPEND files ${file})
    list(LENGTH files count)
    if(count EQUAL at_once OR NOT left)
      list(LENGTH units number)
      set(unit ${CMAKE_CURRENT_BINARY_DIR}/${folder}/${number}.cc)
      list(JOIN files "," names)
      set(join ${CMAKE_COMMAND} -DOUTPUT=${unit} -DFILES=${names}
               -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -P ${script}
      )
      if(NOT EXISTS ${unit}) # ns-3's build reads what it compiles
        execute_process(COMMAND ${join})
      endif()
      add_custom_command(
        OUTPUT ${unit} COMMAND ${join} DEPENDS ${files} ${script} VERBATIM
      )
      list(APPEND units ${unit})
      set(files)
    endif()
  endwhile()
  set(${out}
      ${units}
      PARENT_SCOPE
  )
endfunction()


# Has a library of joined suites compiled fast: suites spend their time in other
# libraries, and at -O1 they take half as long again to compile.
function(aidc_compile_suites target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  # Joined suites are one file each: nobody else sees their unnamed namespaces.
  if(AIDC_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
