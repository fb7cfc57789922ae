# SPDX-License-Identifier: GPL-2.0-only
#
# Run as a test: fails unless RUNNER --list names exactly the suites EXPECTED.

cmake_minimum_required(VERSION 3.20)
execute_process(
  COMMAND ${RUNNER} --list
  OUTPUT_VARIABLE output
  RESULT_VARIABLE result
)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${RUNNER} --list failed: ${result}")
endif()
string(REGEX MATCHALL "[^ \n]+" listed "${output}")
list(SORT listed)
list(SORT EXPECTED)
if(NOT listed STREQUAL EXPECTED)
  message(
    FATAL_ERROR
      "aidc_test_suites of CMakeLists.txt has: ${EXPECTED}\n"
      "but the compiled suites are: ${listed}"
  )
endif()
message(STATUS "${listed}")
