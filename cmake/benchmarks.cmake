# SPDX-License-Identifier: GPL-2.0-only
#
# The programs of bench/, run by ./aidc bench. Where warnings are errors, they are
# compiled together with the tests.

if(NOT (AIDC_BENCH OR AIDC_WERROR) OR AIDC_CORE_ONLY)
  return()
endif()

# ns-3's NixVector is measured against where the installed ns-3 has it.
aidc_find_module(nix-vector-routing libnix-vector-routing OPTIONAL)
if(libnix-vector-routing)
  aidc_clean_target(${libnix-vector-routing})
endif()

add_custom_target(aidc-benchmarks)
aidc_find_files(programs bench/*.cc)
foreach(source ${programs})
  get_filename_component(name ${source} NAME_WE)
  set(program aidc-bench-${name})
  add_executable(${program} ${source})
  target_link_libraries(${program} PRIVATE aidc-experiment ${libnix-vector-routing})
  if(libnix-vector-routing)
    target_compile_definitions(${program} PRIVATE AIDC_HAS_NIX_VECTOR)
  endif()
  aidc_set_warnings(${program})
  add_dependencies(aidc-benchmarks ${program})
endforeach()
