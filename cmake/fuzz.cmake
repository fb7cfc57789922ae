# SPDX-License-Identifier: GPL-2.0-only
#
# Fuzz targets of the core: each NAME of aidc_fuzz_targets is
# test/fuzz/NAME-fuzz.cc, and its inputs are in test/fuzz/corpus/NAME. With any
# compiler, a test runs the target with these inputs; with clang and AIDC_FUZZ,
# the program aidc-fuzz-NAME looks for more of them.

# Adds tests that run the targets with their committed inputs, for objects of the
# core, with the prefix in their names and extra compiler options.
function(aidc_add_corpus_tests prefix library)
  set(runner ${library}-run-corpus)
  add_library(${runner} OBJECT test/fuzz/run-corpus.cc)
  target_compile_options(${runner} PRIVATE ${ARGN})
  aidc_set_warnings(${runner})
  foreach(name ${aidc_fuzz_targets})
    set(test ${library}-${name}-corpus)
    add_executable(${test} test/fuzz/${name}-fuzz.cc)
    target_link_libraries(${test} PRIVATE ${library} ${runner})
    target_compile_options(${test} PRIVATE ${ARGN})
    target_link_options(${test} PRIVATE ${ARGN})
    aidc_set_warnings(${test})
    add_test(
      NAME ${prefix}.fuzz-corpus.${name}
      COMMAND ${test} ${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/corpus/${name}
    )
    set_tests_properties(
      ${prefix}.fuzz-corpus.${name} PROPERTIES LABELS ${prefix}
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
add_library(aidc-fuzz STATIC ${aidc_core_sources})
target_include_directories(aidc-fuzz PUBLIC ${AIDC_INCLUDE_DIR})
target_link_libraries(aidc-fuzz PUBLIC ${aidc_sodium_libraries} ${aidc_scotch_libraries})
target_compile_options(
  aidc-fuzz PUBLIC -O1 -g -UNDEBUG ${sanitizers} -fsanitize=fuzzer-no-link
)
aidc_set_warnings(aidc-fuzz)
foreach(name ${aidc_fuzz_targets})
  add_executable(aidc-fuzz-${name} test/fuzz/${name}-fuzz.cc)
  target_link_libraries(aidc-fuzz-${name} PRIVATE aidc-fuzz)
  target_link_options(
    aidc-fuzz-${name} PRIVATE ${sanitizers} -fsanitize=fuzzer
  )
  aidc_set_warnings(aidc-fuzz-${name})
endforeach()
