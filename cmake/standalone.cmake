# SPDX-License-Identifier: GPL-2.0-only
#
# Builds aidc on its own: options, compiler settings, and stand-ins for the two
# functions of ns-3's build that the module uses, with the same arguments.

set(AIDC_STANDALONE ON)

option(AIDC_CORE_ONLY "Build and test model/core alone, without ns-3" OFF)
option(AIDC_EXAMPLES "Build the experiments of examples/" ON)
option(AIDC_TESTS "Build the tests" OFF)
option(AIDC_BENCH "Build the benchmarks" OFF)
option(AIDC_SANITIZE
       "Run the core's tests with address and undefined sanitizers"
       OFF
)
option(AIDC_FUZZ "Build the fuzz targets (needs clang)" OFF)
option(AIDC_WERROR "Treat all warnings in aidc's own files as errors" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "Kind of build" FORCE
  )
endif()

set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON) # for editors
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # The compiler collects its garbage from a gigabyte on, and not from an eighth: it takes
  # a tenth less time.
  add_compile_options(--param=ggc-min-heapsize=1048576)
endif()
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(AIDC_INCLUDE_DIR ${CMAKE_BINARY_DIR}/include)

# What the configuration leaves out, and why
set_property(GLOBAL PROPERTY aidc_left_out "")
function(aidc_leave_out text)
  set_property(GLOBAL APPEND PROPERTY aidc_left_out "${text}")
endfunction()

# Says what is built and what is not.
function(aidc_print_summary)
  if(AIDC_CORE_ONLY)
    message(STATUS "aidc: the core alone, C++${CMAKE_CXX_STANDARD}")
  else()
    message(
      STATUS "aidc: with ns-3.${AIDC_NS3_MINOR}, C++${CMAKE_CXX_STANDARD}"
    )
  endif()
  get_property(left_out GLOBAL PROPERTY aidc_left_out)
  foreach(text ${left_out})
    message(STATUS "aidc: left out: ${text}")
  endforeach()
endfunction()

# Sets the warnings of one of aidc's own targets.
function(aidc_set_warnings target)
  if(AIDC_WERROR)
    target_compile_options(
      ${target} PRIVATE -Wall -Wextra -Wpedantic -Werror
    )
    # GCC 12 warns of the standard library's own strings (its bug 105545); ns-3
    # turns this warning off as well.
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU
       AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13
    )
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  endif()
endfunction()

# Has a target compiled in two thirds of the time, as no packet passes it.
function(aidc_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Compiles the library NAME, which has other targets' OBJECTS, for speed. Functions call
# each other and ns-3's without a detour: nobody replaces one of them by another of the
# same name. ns-3's assertions are off, as in its own optimized profile.
function(aidc_compile_for_speed name)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    foreach(target ${name} ${ARGN})
      target_compile_options(
        ${target} PRIVATE -fno-semantic-interposition -fno-plt
                          $<$<CONFIG:Release>:-UNS3_ASSERT_ENABLE>
      )
    endforeach()
    if(NOT APPLE)
      target_link_options(${name} PRIVATE LINKER:-Bsymbolic-functions)
    endif()
  endif()
endfunction()

# Lets all targets find Boost in FOLDER. Packages of ns-3 have the Boost that they
# were built with, an old one, among their own headers. So it needs a place before
# these, which the compiler's own folders cannot have: a folder with a link.
function(aidc_prefer_boost folder)
  set(place ${CMAKE_BINARY_DIR}/boost-include)
  file(MAKE_DIRECTORY ${place})
  file(CREATE_LINK ${folder}/boost ${place}/boost SYMBOLIC)
  include_directories(BEFORE SYSTEM ${place})
endfunction()

# Compiles headers, with warnings as errors, to show that each needs no other before it:
# programs and the Python bindings include them one by one and in any order. The
# module's header tells that all can be found as ns3/NAME.
#
# A header that another one includes is compiled in one file with it, before it: the
# other one is compiled as it would be alone, as it includes what stands before it. So
# files have chains of headers. Each header stands there twice, which its guard allows.
function(aidc_check_headers libname)
  set(headers ${ARGN})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  foreach(header ${headers})
    get_filename_component(name ${header} NAME)
    set(path_${name} ${header})
  endforeach()
  set(followed)
  foreach(header ${headers})
    file(STRINGS ${header} includes REGEX "^#include \"")
    foreach(include ${includes})
      string(REGEX REPLACE ".*[\"/](.+)\"" "\\1" name ${include})
      set(included ${path_${name}})
      if(included AND NOT included IN_LIST followed)
        list(APPEND followed ${included})
        set(before_${header} ${included})
        break()
      endif()
    endforeach()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})

  list(REMOVE_ITEM headers ${followed})
  set(sources)
  foreach(last ns3/${libname}-module.h ${headers})
    set(content)
    set(header ${last})
    while(header)
      string(PREPEND content "#include \"${header}\"\n#include \"${header}\"\n")
      set(header ${before_${header}})
    endwhile()
    get_filename_component(name ${last} NAME)
    set(source ${CMAKE_BINARY_DIR}/headers/${name}.cc)
    file(
      GENERATE
      OUTPUT ${source}
      CONTENT "${content}"
    )
    list(APPEND sources ${source})
  endforeach()
  add_library(${libname}-headers OBJECT ${sources})
  target_link_libraries(${libname}-headers PRIVATE ${libname})
  aidc_set_warnings(${libname}-headers)
endfunction()

# Writes ns3/LIBNAME-module.h, which includes all public headers of the module.
function(aidc_write_module_header libname)
  string(TOUPPER ${libname} upper)
  set(text "#ifndef NS3_MODULE_${upper}\n#define NS3_MODULE_${upper}\n\n")
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    string(APPEND text "#include \"ns3/${name}\"\n")
  endforeach()
  string(APPEND text "\n#endif\n")
  file(
    GENERATE
    OUTPUT ${AIDC_INCLUDE_DIR}/ns3/${libname}-module.h
    CONTENT "${text}"
  )
endfunction()

file(MAKE_DIRECTORY ${AIDC_INCLUDE_DIR}/ns3)

# Adds a library of the core's objects, which know nothing of ns-3.
function(aidc_add_core_library name)
  add_library(${name} OBJECT ${aidc_core_sources})
  target_include_directories(${name} PUBLIC ${AIDC_INCLUDE_DIR})
  target_link_libraries(${name} PUBLIC ${aidc_sodium_libraries} ${aidc_scotch_libraries})
  aidc_compile_at_once(${name})
  aidc_set_warnings(${name})
endfunction()

if(AIDC_CORE_ONLY)
  set(CMAKE_CXX_STANDARD 17)

  function(build_lib)
    aidc_publish_headers(${AIDC_INCLUDE_DIR} ${aidc_public_core_headers})
    aidc_add_core_library(aidc-core)
  endfunction()
  return()
endif()

include(cmake/find-ns3.cmake)

# As ns-3's build_lib(): a module's library, its tests and its examples.
function(build_lib)
  cmake_parse_arguments(
    LIB "" "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN}
  )
  aidc_publish_headers(${AIDC_INCLUDE_DIR} ${LIB_HEADER_FILES})
  aidc_write_module_header(${LIB_LIBNAME} ${LIB_HEADER_FILES})

  # The core's objects are in the module's library and in the core's tests.
  aidc_add_core_library(aidc-core)
  # What each packet passes is compiled apart from the rest, for which the first run
  # of an experiment waits.
  add_library(aidc-forwarding OBJECT ${aidc_forwarding_units})
  target_include_directories(aidc-forwarding PUBLIC ${AIDC_INCLUDE_DIR})
  target_link_libraries(aidc-forwarding PUBLIC ${LIB_LIBRARIES_TO_LINK})
  aidc_set_warnings(aidc-forwarding)
  list(REMOVE_ITEM LIB_SOURCE_FILES ${aidc_core_sources} ${aidc_forwarding_units})
  add_library(
    ${LIB_LIBNAME} SHARED
    ${LIB_SOURCE_FILES} ${LIB_HEADER_FILES} $<TARGET_OBJECTS:aidc-core>
    $<TARGET_OBJECTS:aidc-forwarding>
  )
  aidc_compile_quickly(${LIB_LIBNAME})
  target_include_directories(${LIB_LIBNAME} PUBLIC ${AIDC_INCLUDE_DIR})
  target_include_directories(${LIB_LIBNAME} SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/boost-include)
  target_link_libraries(${LIB_LIBNAME} PUBLIC ${LIB_LIBRARIES_TO_LINK})
  aidc_compile_for_speed(${LIB_LIBNAME} aidc-core aidc-forwarding)
  aidc_set_warnings(${LIB_LIBNAME})
  if(AIDC_WERROR)
    aidc_check_headers(
      ${LIB_LIBNAME} ${aidc_core_sources} ${LIB_HEADER_FILES}
      ${LIB_SOURCE_FILES}
    )
  endif()

  # For programs of users (cmake/program)
  export(TARGETS ${LIB_LIBNAME} FILE ${CMAKE_BINARY_DIR}/aidc-targets.cmake)

  set(lib${LIB_LIBNAME} ${LIB_LIBNAME})
  if(AIDC_EXAMPLES AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/examples/CMakeLists.txt)
    add_subdirectory(examples)
  endif()

  if(AIDC_TESTS AND LIB_TEST_SOURCES)
    add_library(${LIB_LIBNAME}-test SHARED ${LIB_TEST_SOURCES})
    target_link_libraries(${LIB_LIBNAME}-test PUBLIC ${LIB_LIBNAME})
    target_compile_definitions(
      ${LIB_LIBNAME}-test
      PRIVATE NS_TEST_SOURCEDIR="contrib/${LIB_LIBNAME}/test"
    )
    aidc_set_warnings(${LIB_LIBNAME}-test)
  endif()
endfunction()

# As ns-3's build_lib_example(): one program.
function(build_lib_example)
  cmake_parse_arguments(
    EXAMPLE "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN}
  )
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(
    ${EXAMPLE_NAME} PRIVATE ${LIB_LIBNAME} ${EXAMPLE_LIBRARIES_TO_LINK}
  )
  aidc_set_warnings(${EXAMPLE_NAME})
  set_property(GLOBAL APPEND PROPERTY aidc_examples ${EXAMPLE_NAME})
endfunction()
