# SPDX-License-Identifier: GPL-2.0-only
#
# The library aidc-experiment, which has what experiments share, in addition to the
# module's own; and the experiments' classes for the module's tests. An ns-3 tree builds
# both, too: a module has one build_lib(), so that these are plain targets.

# The headers are ns3/NAME for targets that link the library, and for nobody else.
set(frame_include ${CMAKE_CURRENT_BINARY_DIR}/experiment-include)
aidc_publish_headers(${frame_include} ${aidc_public_frame_headers})

# The version that summaries name: each build asks, and compiles a new answer.
set(aidc_version_source ${CMAKE_CURRENT_BINARY_DIR}/aidc-version.cc)
add_custom_target(
  aidc-version
  COMMAND
    ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}
    -DOUTPUT=${aidc_version_source} -P
    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write-version.cmake
  BYPRODUCTS ${aidc_version_source}
  COMMENT "Asking git for the version"
  VERBATIM
)

add_library(
  aidc-experiment SHARED
  ${aidc_frame_sources} ${aidc_version_source}
)
target_include_directories(aidc-experiment PUBLIC ${frame_include})
aidc_compile_at_once(aidc-experiment)
add_dependencies(aidc-experiment aidc-version)
if(AIDC_STANDALONE)
  target_link_libraries(aidc-experiment PUBLIC aidc)
  aidc_compile_quickly(aidc-experiment)
  aidc_set_warnings(aidc-experiment)
  export(TARGETS aidc-experiment APPEND
         FILE ${CMAKE_BINARY_DIR}/aidc-targets.cmake
  )
else()
  target_link_libraries(aidc-experiment PUBLIC ${libaidc})
  set_target_properties(
    aidc-experiment
    PROPERTIES OUTPUT_NAME ns${NS3_VER}-aidc-experiment${build_profile_suffix}
  )
endif()

# What Python alone needs of C++ (bindings/aidc/namespace.py)
add_library(aidc-python SHARED bindings/python-process.cc)
target_include_directories(aidc-python PRIVATE bindings)
if(AIDC_STANDALONE)
  target_link_libraries(aidc-python PRIVATE aidc)
  aidc_set_warnings(aidc-python)
else()
  target_link_libraries(aidc-python PRIVATE ${libaidc})
  set_target_properties(
    aidc-python
    PROPERTIES OUTPUT_NAME ns${NS3_VER}-aidc-python${build_profile_suffix}
  )
endif()

# The release that summaries name; where the build does not know it, the headers
# are asked.
if(DEFINED NS3_VER)
  set(AIDC_NS3_RELEASE ${NS3_VER})
endif()
if(AIDC_NS3_RELEASE)
  set_source_files_properties(
    helper/experiment/aidc-version.cc PROPERTIES COMPILE_DEFINITIONS
                                     "AIDC_NS3_RELEASE=\"${AIDC_NS3_RELEASE}\""
  )
endif()

# The experiments' classes are compiled once, for the programs and for the suites, which
# make the networks of all experiments. So main() has a name of its own in each, which
# the program calls (examples/CMakeLists.txt).
foreach(experiment ${aidc_experiments})
  set(objects aidc-${experiment}-objects)
  file(GLOB sources CONFIGURE_DEPENDS
       ${CMAKE_CURRENT_SOURCE_DIR}/examples/${experiment}/*.cc
  )
  add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${sources})
  string(MAKE_C_IDENTIFIER aidc-${experiment}-main entry)
  target_compile_definitions(${objects} PRIVATE main=${entry})
  target_link_libraries(${objects} PRIVATE aidc-experiment)
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  aidc_compile_at_once(${objects})
  if(AIDC_STANDALONE)
    aidc_compile_quickly(${objects})
    aidc_set_warnings(${objects})
  endif()
endforeach()

# The library of the suites has other names in other releases.
foreach(tests aidc-test libaidc-test)
  if(NOT TARGET ${tests})
    continue()
  endif()
  # Whichever signature of target_link_libraries() the tree has used
  set_property(TARGET ${tests} APPEND PROPERTY LINK_LIBRARIES aidc-experiment)
  foreach(experiment ${aidc_experiments})
    target_sources(
      ${tests} PRIVATE $<TARGET_OBJECTS:aidc-${experiment}-objects>
    )
  endforeach()
endforeach()
