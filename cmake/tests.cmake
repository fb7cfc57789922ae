# SPDX-License-Identifier: GPL-2.0-only
#
# All tests of a standalone build, for ctest. Names begin with what is tested:
# core, or sanitized (the core under sanitizers), suite, example, peer (real BGP
# daemons), python.

include(cmake/fuzz.cmake)

if(NOT AIDC_TESTS)
  return()
endif()
enable_testing()

# Has tests run by ./aidc test --all alone: they check in one more way what others check, or
# take long for what they find.
function(aidc_run_with_all)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS all)
endfunction()

# Adds a small program that tests run, from a file and libraries. It takes longer to
# compile than to run.
function(aidc_add_test_program name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${ARGN})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  aidc_set_warnings(${name})
endfunction()

# --- The core, without ns-3 ---

# RapidCheck's templates take half of the compiler's time: files with generators are
# compiled together, so that fewer units have them. What a unit needs of memory, with
# sanitizers too, is in tools/console.py.
aidc_find_files(core_test_files test/core/*-test.cc)
# Tests that spend seconds in loops of their own, which -O0 makes many times slower
set(core_loop_files
    test/core/fare/path-bandwidth-tables-test.cc
    test/core/pre-ecn/edge-loop-test.cc
    test/core/pre-ecn/explicit-rate-loop-test.cc
    test/core/workload/collective-schedule-test.cc
    test/core/workload/collective-sizes-test.cc
    test/core/workload/collective-times-test.cc
)
list(REMOVE_ITEM core_test_files ${core_loop_files})
set(core_suites)
foreach(file ${core_test_files} ${core_loop_files})
  file(STRINGS ${file} cases REGEX "^(TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP)\\(")
  list(TRANSFORM cases REPLACE "^[A-Z_]+\\(([A-Za-z0-9]+).*" "\\1")
  list(APPEND core_suites ${cases})
endforeach()
list(REMOVE_DUPLICATES core_suites)
set_property(
  DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${core_test_files} ${core_loop_files}
)
set(core_generator_files)
foreach(file ${core_test_files})
  file(STRINGS ${file} generators REGEX "rc::gen" LIMIT_COUNT 1)
  if(generators)
    list(APPEND core_generator_files ${file})
  endif()
endforeach()
list(REMOVE_ITEM core_test_files ${core_generator_files})
aidc_join_tests(core_test_units core-tests 28 ${core_test_files})
aidc_join_tests(core_generator_units core-generator-tests 24 ${core_generator_files})
aidc_join_tests(core_loop_units core-loop-tests 6 ${core_loop_files})
set_source_files_properties(${core_loop_units} PROPERTIES COMPILE_OPTIONS -O1)
list(APPEND core_test_units ${core_generator_units} ${core_loop_units})
add_custom_target(aidc-core-test-units DEPENDS ${core_test_units})

# Adds the program LIBRARY-tests, the core's tests for objects of the core, with
# extra compiler options; and the tests of the corpora, with the prefix in their
# names. With -O0 the tests take half the time to compile that they take with -O1, and a few
# seconds more to run.
function(aidc_add_core_tests prefix library)
  set(program ${library}-tests)
  add_executable(${program} ${core_test_units} test/core/random-draw.cc)
  add_dependencies(${program} aidc-core-test-units)
  target_link_libraries(
    ${program} PRIVATE ${library} rapidcheck GTest::gtest GTest::gtest_main
  )
  target_compile_options(${program} PRIVATE ${ARGN})
  target_link_options(${program} PRIVATE ${ARGN})
  aidc_set_warnings(${program})
  aidc_add_corpus_tests(
    ${prefix} ${library} "${aidc_fuzz_targets}" ${ARGN}
  )
endfunction()

find_package(GTest QUIET)
find_package(rapidcheck CONFIG QUIET)
if(GTest_FOUND AND rapidcheck_FOUND)
  if(AIDC_SANITIZE)
    # What a trace of the stack needs is -g1.
    set(options
        -g1
        -UNDEBUG
        -fno-omit-frame-pointer
        -fsanitize=address,undefined
        -fno-sanitize-recover=all
    )
    aidc_add_core_library(aidc-core-sanitized)
    target_compile_options(aidc-core-sanitized PRIVATE -Og ${options})
    # The core's objects are checked for all that UBSan knows. In the tests the checks
    # of pointers are left to ASan: they take a third of the time to compile.
    aidc_add_core_tests(
      sanitized aidc-core-sanitized -O0 ${options}
      -fno-sanitize=null,alignment,vptr,object-size
    )
    # Starting the program takes a quarter of a second, most tests nothing.
    set(shards 4)
    foreach(shard RANGE 1 ${shards})
      set(test sanitized.tests-${shard}-of-${shards})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${test} COMMAND aidc-core-sanitized-tests)
      set_tests_properties(
        ${test}
        PROPERTIES COST 20
                   ENVIRONMENT
                   "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}"
      )
    endforeach()
  else()
    aidc_add_core_tests(core aidc-core $<$<CONFIG:Release>:-O0>)
    # A test for each suite of GoogleTest: with one for each of its cases, half of the time
    # would go to starting the program.
    foreach(suite ${core_suites})
      set(filter "${suite}.*:*/${suite}.*:${suite}/*")
      string(APPEND core_filters ":${filter}")
      add_test(NAME core.${suite} COMMAND aidc-core-tests --gtest_filter=${filter})
    endforeach()
    add_test(NAME core.all-are-listed COMMAND aidc-core-tests --gtest_filter=-${core_filters})
    set_tests_properties(
      core.all-are-listed PROPERTIES PASS_REGULAR_EXPRESSION "Running 0 tests"
    )
  endif()
else()
  aidc_leave_out("tests of the core (need GoogleTest and RapidCheck)")
endif()

if(AIDC_CORE_ONLY)
  return()
endif()

# --- ns-3 test suites ---

aidc_add_test_program(
  aidc-test-runner test/aidc-test-runner.cc -Wl,--no-as-needed aidc-test
)

foreach(suite ${aidc_test_suites})
  add_test(NAME suite.${suite} COMMAND aidc-test-runner --suite=${suite}
                                       --verbose
  )
endforeach()

# Readers of files, with what fuzzing has found
aidc_add_corpus_tests(
  program aidc "${aidc_file_fuzz_targets}"
)

# Programs that tests start, in one: the first argument is the name of a file
aidc_find_files(program_files test/*-pcap.cc test/*-processes.cc test/*-sweep.cc)
aidc_join_tests(program_unit test-programs 100 ${program_files})
aidc_add_test_program(
  aidc-test-programs
  "${program_unit};test/processes/random-parallel-network.cc" aidc
)

# Between processes; here in one
foreach(name pause-processes arp-processes)
  add_test(NAME program.${name} COMMAND aidc-test-programs ${name})
endforeach()

# Processes that fail, which test/python/test_processes.py starts
aidc_add_test_program(
  aidc-process-faults test/helper/experiment/process-faults.cc aidc-experiment
)

# A speaker on a tap device, which test/python/bgp_real_peers.py needs, by ns-3's
# device on a file descriptor
aidc_find_module(fd-net-device libfd-net-device OPTIONAL)
if(libfd-net-device)
  aidc_clean_target(${libfd-net-device})
  aidc_add_test_program(
    aidc-bgp-tap-speaker test/bgp/bgp-tap-speaker.cc aidc ${libfd-net-device}
  )
endif()

# A suite that is compiled but not listed here would never run.
add_test(
  NAME suite.all-are-listed
  COMMAND
    ${CMAKE_COMMAND} "-DRUNNER=$<TARGET_FILE:aidc-test-runner>"
    "-DEXPECTED=${aidc_test_suites}" -P
    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/check-suites.cmake
)

# --- Experiments: small variants against committed summaries ---

find_package(Python3 3.9 COMPONENTS Interpreter QUIET)
if(NOT Python3_FOUND)
  aidc_leave_out("checks in Python (need Python 3.9)")
  return()
endif()

set(aidc_bindings PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}/bindings)

# Adds a test that runs the small variant of an experiment by COMMAND. What takes
# longest begins first (COST), so that no processor waits for it. A timeout of RoCEv2
# without a loss, and a packet that is repeated for nothing, are faults
# (FindNeedlessRepeats() of helper/monitor/fabric-recorder.cc).
function(aidc_add_experiment_run test)
  set(out ${CMAKE_BINARY_DIR}/test-results/${test})
  add_test(NAME ${test} COMMAND ${ARGN} --small --out=${out})
  set_tests_properties(
    ${test} PROPERTIES FIXTURES_SETUP ${test} TIMEOUT 900 COST 10
                       FAIL_REGULAR_EXPRESSION "without a lost packet"
                       ENVIRONMENT "${aidc_bindings}"
  )
endfunction()

# Runs the small variant of an experiment by a command and compares its summary
# with EXPECTED.json of its folder.
function(aidc_add_experiment_test test experiment expected)
  set(out ${CMAKE_BINARY_DIR}/test-results/${test})
  aidc_add_experiment_run(${test} ${ARGN})
  add_test(
    NAME ${test}.summary
    COMMAND
      Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/test/check-summary.py
      ${CMAKE_CURRENT_SOURCE_DIR}/examples/${experiment}/expected/${expected}.json
      ${out}/summary.json
  )
  set_tests_properties(
    ${test}.summary PROPERTIES FIXTURES_REQUIRED ${test} TIMEOUT 900 COST 10
  )
endfunction()

# How to add a part of one's own: examples/extend
get_property(extensions GLOBAL PROPERTY aidc_examples)
list(FILTER extensions INCLUDE REGEX "^aidc-add-")
set(aidc-add-congestion-control_prints "The first flow took")
set(aidc-add-queue-disc_prints "[1-9][0-9]* packets were marked")
set(aidc-add-selector_prints "64 flows")
set(aidc-add-workload_prints "The last flow took")
foreach(example ${extensions})
  string(REGEX REPLACE "^aidc-" "example." test ${example})
  add_test(NAME ${test} COMMAND ${example})
  set_tests_properties(
    ${test} PROPERTIES PASS_REGULAR_EXPRESSION "${${example}_prints}"
  )
endforeach()

# Adds a test that OTHER, run by COMMAND, writes the same bytes as the test TEST. The
# figures of TEST are enough.
function(aidc_add_identical_test test other)
  set(out ${CMAKE_BINARY_DIR}/test-results)
  aidc_add_experiment_run(${other} ${ARGN} --no-figures)
  add_test(
    NAME ${other}.identical
    COMMAND
      Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/test/check-identical.py
      ${out}/${test} ${out}/${other}
  )
  set_tests_properties(
    ${other}.identical PROPERTIES FIXTURES_REQUIRED "${test};${other}" TIMEOUT 900 COST 10
  )
  aidc_run_with_all(${other} ${other}.identical)
endfunction()

# Adds a variant of ${experiment}, with options.
function(aidc_add_variant_test variant)
  set(test example.${experiment}.${variant})
  aidc_add_experiment_test(
    ${test} ${experiment} ${variant} ${aidc_run} ${ARGN} --no-figures
  )
  aidc_run_with_all(${test} ${test}.summary)
endfunction()

# The expectations of a variant fail for a scheme that lacks the mechanism: each
# argument is SCHEME=OTHER.
function(aidc_add_without_test variant)
  set(test example.${experiment}.${variant})
  set(options ${ARGN})
  list(TRANSFORM options PREPEND "--without=")
  add_test(
    NAME ${test}.without
    COMMAND
      Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/test/check-summary.py
      ${CMAKE_CURRENT_SOURCE_DIR}/examples/${experiment}/expected/${variant}.json
      ${CMAKE_BINARY_DIR}/test-results/${test}/summary.json ${options}
  )
  set_tests_properties(${test}.without PROPERTIES FIXTURES_REQUIRED ${test})
  aidc_run_with_all(${test}.without)
endfunction()

# A Python that has ns-3's bindings and cppyy runs the experiments' scripts.
set(AIDC_PYTHON
    ""
    CACHE FILEPATH "Python with ns-3's bindings, for the experiments in Python"
)

# Runs of these experiments are long: to compare ways of running them, the schemes and
# scenarios that use most of the module are enough.
set(pre-ecn_compared --schemes=two-threshold-both)
set(fabric-failures_compared --scenarios=silent-direction,restart-leaf,maintenance)
set(fare-clos_compared --scenarios=one-link-lost-3,degraded-5
                       --schemes=fare,fare-spray
)
set(two-sites_compared --schemes=baseline,all)

# What others check in parts, and these together for half a minute
set(aidc_long_experiments fabric-failures two-sites)

# Adds tests that ${experiment} writes the same bytes by ns-3's default simulator, in
# one process, and through ns-3's stack. Where the experiment has a script, the script makes the first
# of these runs: it runs the program, and passes its command line on.
function(aidc_add_way_tests)
  set(options ${${experiment}_compared})
  set(like example.${experiment})
  if(options)
    set(like example.${experiment}.compared)
    aidc_add_experiment_run(${like} ${aidc_run} ${options} --no-figures)
    aidc_run_with_all(${like})
  endif()
  aidc_add_identical_test(
    ${like} example.${experiment}.datapath ${aidc_run} --datapath=stack ${options}
  )
  set(script ${folder}/${experiment}.py)
  if(AIDC_PYTHON AND EXISTS ${script})
    aidc_add_identical_test(
      ${like} python.${experiment}.simulator ${AIDC_PYTHON} ${script}
      --simulator=default --jobs=1 ${options}
    )
    set_property(
      TEST python.${experiment}.simulator
      APPEND PROPERTY ENVIRONMENT AIDC_BUILD_DIR=${CMAKE_BINARY_DIR}
    )
    return()
  endif()
  aidc_add_identical_test(
    ${like} example.${experiment}.simulator ${aidc_run} --simulator=default
    --jobs=1 ${options}
  )
  if(EXISTS ${script})
    aidc_leave_out("python.${experiment} (AIDC_PYTHON is not set)")
  endif()
endfunction()

# How a test starts an MPI program in N processes, on a machine with fewer processors, too;
# empty without MPI. The variables are Open MPI's, which refuses both at first.
set(aidc_mpirun "")
if(AIDC_MPI AND MPI_CXX_FOUND AND MPIEXEC_EXECUTABLE)
  set(aidc_mpirun ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG})
endif()
set(aidc_mpirun_environment
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    OMPI_MCA_mpi_yield_when_idle=1
)

# Adds a test that ${experiment} writes the same bytes in N processes as in one.
function(aidc_add_processes_test variant n)
  set(test example.${experiment}.${variant})
  if(NOT aidc_mpirun)
    aidc_leave_out("${test}-processes (needs an MPI)")
    return()
  endif()
  aidc_add_experiment_run(${test} ${aidc_run} ${ARGN} --jobs=1 --no-figures)
  aidc_run_with_all(${test})
  aidc_add_identical_test(
    ${test} ${test}-processes ${aidc_run} ${ARGN} --processes=${n}
  )
  set_property(
    TEST ${test}-processes APPEND PROPERTY ENVIRONMENT ${aidc_mpirun_environment}
  )
  set_tests_properties(${test}-processes PROPERTIES PROCESSORS ${n})
endfunction()

foreach(experiment ${aidc_experiments})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/examples/${experiment})
  if(NOT TARGET aidc-${experiment})
    continue()
  endif()
  set(aidc_run Python3::Interpreter -B -m aidc.experiments
               $<TARGET_FILE:aidc-${experiment}>
  )
  if(NOT EXISTS ${folder}/expected/small.json)
    aidc_leave_out("example.${experiment} (no expected/small.json)")
    continue()
  endif()
  aidc_add_experiment_test(
    example.${experiment} ${experiment} small ${aidc_run} --jobs=3
  )
  if(experiment IN_LIST aidc_long_experiments)
    aidc_run_with_all(example.${experiment} example.${experiment}.summary)
  endif()
  aidc_add_way_tests()
  # Figures of parts of these results, as other options make them
  set(test example.${experiment})
  add_test(
    NAME ${test}.figures
    COMMAND
      Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/test/check-figures.py
      ${folder} ${CMAKE_BINARY_DIR}/test-results/${test}
  )
  set_tests_properties(
    ${test}.figures PROPERTIES FIXTURES_REQUIRED ${test} SKIP_RETURN_CODE 77
                               TIMEOUT 900 COST 10
  )
  aidc_run_with_all(${test}.figures)
  # Variants, where the experiment has some
  include(${folder}/tests.cmake OPTIONAL)
endforeach()

# --- Small networks, which several processes simulate as one does ---

# Adds a test that a program prints the same with several processes as with one. Its first
# argument is the number of processes.
function(aidc_add_process_program_test program)
  add_test(
    NAME program.${program}-mpi
    COMMAND
      Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/test/check-processes.py
      --processes=2,3 "--mpirun=${aidc_mpirun}"
      "$<TARGET_FILE:aidc-test-programs> ${program}" ${ARGN}
  )
  set_tests_properties(
    program.${program}-mpi
    PROPERTIES ENVIRONMENT "${aidc_mpirun_environment}" PROCESSORS 2 TIMEOUT 900
               COST 10 SKIP_RETURN_CODE 77
  )
endfunction()

# 40 networks, from seed 1 on
aidc_add_process_program_test(random-processes 1 40)
# 10 networks of servers
aidc_add_process_program_test(server-processes 1 10)
aidc_add_process_program_test(pause-processes)
aidc_add_process_program_test(arp-processes)

# --- Python ---

# Has a test that waits for others most of the time run from the beginning on, one after
# another with its like, so that the processors have something to do meanwhile.
function(aidc_run_beside_others test)
  set_tests_properties(${test} PROPERTIES COST 60 RESOURCE_LOCK waiting)
endfunction()

# Real BGP daemons peer with speakers, in real time: where there are root, a daemon and
# ns-3's device on a file descriptor. Else a test is skipped.
foreach(
  peer
  bgp_real_peers-bird
  bgp_real_peers-frr
  bgp_real_peers-gobgp
  bgp_real_restart-bird
  bgp_real_restart-frr
  bgp_real_transit-frr
  bfd_real_peers-bird
  bfd_real_peers-frr
)
  string(REPLACE "-" ";" words ${peer})
  list(GET words 0 script)
  list(GET words 1 daemon)
  # peer.bird, but peer.restart-bird and peer.bfd-bird
  string(REGEX REPLACE "^bgp_real_(peers-)?|_real_peers" "" name ${peer})
  string(PREPEND name peer.)
  add_test(
    NAME ${name}
    COMMAND
      Python3::Interpreter -B
      ${CMAKE_CURRENT_SOURCE_DIR}/test/python/${script}.py ${daemon}
  )
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  aidc_run_beside_others(${name})
  if(TARGET aidc-bgp-tap-speaker)
    set_property(
      TEST ${name}
      PROPERTY ENVIRONMENT
               "AIDC_BGP_TAP_SPEAKER=$<TARGET_FILE:aidc-bgp-tap-speaker>"
    )
  endif()
endforeach()

# The manual: its C++ blocks as a program, which test/python/test_manual.py runs, and
# what ns-3 tells of attributes, which test_attributes.py compares with the chapter.
set_target_properties(aidc-print-attributes PROPERTIES EXCLUDE_FROM_ALL OFF)

set(manual_sources)
foreach(part RANGE 1 2)
  list(APPEND manual_sources ${CMAKE_CURRENT_BINARY_DIR}/manual/samples-${part}.cc)
endforeach()
file(GLOB chapters CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/doc/*.rst)
add_custom_command(
  OUTPUT ${manual_sources}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/manual
  COMMAND Python3::Interpreter -B test/python/manual.py ${manual_sources}
  DEPENDS ${chapters} README.md test/python/manual.py
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  VERBATIM
)
add_executable(aidc-manual-samples EXCLUDE_FROM_ALL ${manual_sources})
target_link_libraries(aidc-manual-samples PRIVATE aidc-experiment)
target_compile_options(aidc-manual-samples PRIVATE $<$<CONFIG:Release>:-O0>)
add_test(NAME python.manual-samples COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR}
                                            --target aidc-manual-samples
)
set_tests_properties(
  python.manual-samples PROPERTIES FIXTURES_SETUP manual-samples TIMEOUT 900 COST 60
)
aidc_run_with_all(python.manual-samples)

# What is written in Python itself: the command ./aidc, the checks, the package, and
# the scripts of examples/wiring; and what experiments check of themselves
set(aidc_long_python_tests
    bad_input
    experiment_program
    interrupts
    manual
    notebooks
    options
    programs
    results_folder
    type_hints
    wiring
)
file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/python/test_*.py
     ${CMAKE_CURRENT_SOURCE_DIR}/examples/*/test_*.py
)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^test_" "" name ${name})
  set(python Python3::Interpreter)
  if(AIDC_PYTHON AND name MATCHES "^(reports|sweep_dask)$")
    set(python ${AIDC_PYTHON}) # which has plotly, Selenium and Dask
  endif()
  add_test(
    NAME python.${name}
    COMMAND ${python} -B run_tests.py ${file}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/test/python
  )
  # Before the suites, which take a second each: else one of these is left at the end.
  set_tests_properties(
    python.${name} PROPERTIES SKIP_RETURN_CODE 77 COST 5
  )
  if(name IN_LIST aidc_long_python_tests OR name MATCHES "^(processes|sweep_|two_sites)")
    aidc_run_with_all(python.${name})
  endif()
  if(name MATCHES "^(reports|sweep_.*)$") # wait for a browser and clusters
    aidc_run_beside_others(python.${name})
  elseif(name STREQUAL two_sites) # runs for a minute
    set_tests_properties(python.two_sites PROPERTIES COST 40)
  endif()
  if(AIDC_PYTHON)
    set_property(
      TEST python.${name} APPEND
      PROPERTY ENVIRONMENT "AIDC_PYTHON=${AIDC_PYTHON}"
               "AIDC_BUILD_DIR=${CMAKE_BINARY_DIR}"
    )
  endif()
  set_property(
    TEST python.${name} APPEND
    PROPERTY ENVIRONMENT "AIDC_MANUAL_SAMPLES=$<TARGET_FILE:aidc-manual-samples>"
             "AIDC_PRINT_ATTRIBUTES=$<TARGET_FILE:aidc-print-attributes>"
             "AIDC_TEST_PROGRAMS=$<TARGET_FILE:aidc-test-programs>"
  )
endforeach()
set_tests_properties(python.manual PROPERTIES FIXTURES_REQUIRED manual-samples)
