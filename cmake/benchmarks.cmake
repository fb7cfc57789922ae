# SPDX-License-Identifier: GPL-2.0-only
#
# The programs of bench/, run by ./aidc bench.

if(NOT AIDC_BENCH OR AIDC_CORE_ONLY)
  return()
endif()
add_custom_target(aidc-benchmarks)
foreach(name ${aidc_benchmarks})
  set(program aidc-bench-${name})
  add_executable(${program} bench/${name}.cc)
  target_link_libraries(${program} PRIVATE aidc)
  aidc_set_warnings(${program})
  add_dependencies(aidc-benchmarks ${program})
endforeach()
