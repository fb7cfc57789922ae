# SPDX-License-Identifier: GPL-2.0-only
#
# Fuzz targets: NAME-fuzz.cc is in test/fuzz for the core, and next to the tests of readers
# of files, which need ns-3. Inputs are in test/fuzz/corpus/NAME. With any compiler, a test
# runs the target with these inputs; with clang and AIDC_FUZZ, the program aidc-fuzz-NAME
# looks for more of them.
aidc_find_files(aidc_fuzz_targets test/fuzz/*-fuzz.cc)
aidc_find_files(aidc_file_fuzz_targets test/workload/*-fuzz.cc)

# Adds tests that run targets with their committed inputs, for a library or objects,
# with the prefix in their names and extra compiler options.
function(aidc_add_corpus_tests prefix library targets)
  set(runner ${library}-run-corpus)
  add_library(${runner} OBJECT test/fuzz/run-corpus.cc)
  target_compile_options(${runner} PRIVATE ${ARGN})
  aidc_set_warnings(${runner})
  foreach(source ${targets})
    string(REGEX REPLACE ".*/(.+)-fuzz.cc" "\\1" name ${source})
    set(test ${library}-${name}-corpus)
    add_executable(${test} ${source})
    target_link_libraries(${test} PRIVATE ${library} ${runner})
    target_compile_options(${test} PRIVATE ${ARGN})
    target_link_options(${test} PRIVATE ${ARGN})
    aidc_set_warnings(${test})
    add_test(
      NAME ${prefix}.fuzz-corpus.${name}
      COMMAND ${test} ${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/corpus/${name}
    )
  endforeach()
endfunction()

if(NOT AIDC_FUZZ)
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  message(
    FATAL_ERROR
      "AIDC_FUZZ needs clang, whose libFuzzer it uses, but the compiler is "
      "${CMAKE_CXX_COMPILER_ID}. Configure again with "
      "-DCMAKE_CXX_COMPILER=clang++."
  )
endif()

set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)

# Adds the library NAME of sources that fuzzing watches.
function(aidc_add_fuzzed_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${AIDC_INCLUDE_DIR})
  target_compile_options(
    ${name} PUBLIC -O1 -g -UNDEBUG ${sanitizers} -fsanitize=fuzzer-no-link
  )
  aidc_set_warnings(${name})
endfunction()

# Adds the programs of targets, with a library.
function(aidc_add_fuzz_programs library)
  foreach(source ${ARGN})
    string(REGEX REPLACE ".*/(.+)-fuzz.cc" "\\1" name ${source})
    add_executable(aidc-fuzz-${name} ${source})
    target_link_libraries(aidc-fuzz-${name} PRIVATE ${library})
    target_link_options(
      aidc-fuzz-${name} PRIVATE ${sanitizers} -fsanitize=fuzzer
    )
    aidc_set_warnings(aidc-fuzz-${name})
  endforeach()
endfunction()

aidc_add_fuzzed_library(aidc-fuzz ${aidc_core_sources})
target_link_libraries(
  aidc-fuzz PUBLIC ${aidc_sodium_libraries} ${aidc_scotch_libraries}
)
aidc_add_fuzz_programs(aidc-fuzz ${aidc_fuzz_targets})
if(AIDC_CORE_ONLY)
  return()
endif()

# The readers alone: all of the module takes a quarter of an hour to compile with
# sanitizers
set(readers
    aidc-input-error
    topology-file
    training-step-file
    workload-file-reader
)
list(TRANSFORM readers REPLACE "(.+)" "model/workload/\\1.cc")
aidc_add_fuzzed_library(aidc-fuzz-readers ${readers} model/warning.cc)
target_link_libraries(
  aidc-fuzz-readers PUBLIC aidc-fuzz ${libcore} ${libnetwork}
                           ${aidc_zlib_libraries}
)
aidc_add_fuzz_programs(aidc-fuzz-readers ${aidc_file_fuzz_targets})
