# SPDX-License-Identifier: GPL-2.0-only
#
# What the pip package has in addition to Python (pyproject.toml): the target aidc-wheel
# builds it, and the component wheel installs it, in the folders of a build: bin, lib and
# include, and examples. Programs and libraries find each other from where they are.

if(AIDC_CORE_ONLY OR NOT AIDC_EXAMPLES)
  return()
endif()

set(aidc_programs ${aidc_experiments})
list(TRANSFORM aidc_programs PREPEND aidc-)

# The library without MPI and Scotch, which belong to a machine and not to a package:
# the objects of the library that do not use them. The others are compiled again.
set(aidc_users_of_mpi ${aidc_mpi_user} ${aidc_scotch_user})
set(objects $<TARGET_OBJECTS:aidc> $<TARGET_OBJECTS:aidc-core>
            $<TARGET_OBJECTS:aidc-forwarding>
)
set(sources)
foreach(user ${aidc_users_of_mpi})
  get_filename_component(name ${user} NAME)
  set(objects $<FILTER:${objects},EXCLUDE,/${name}>)
  set(source ${CMAKE_BINARY_DIR}/wheel/${name})
  file(
    GENERATE
    OUTPUT ${source}
    CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${user}\"\n"
  )
  list(APPEND sources ${source})
endforeach()
add_library(aidc-one-process SHARED ${sources} ${objects})
get_target_property(links aidc LINK_LIBRARIES)
list(REMOVE_ITEM links ${aidc_mpi_libraries} ${aidc_scotch_libraries})
target_link_libraries(aidc-one-process PRIVATE ${links})
target_include_directories(aidc-one-process PRIVATE ${AIDC_INCLUDE_DIR})
aidc_compile_for_speed(aidc-one-process)
set_target_properties(
  aidc-one-process
  PROPERTIES EXCLUDE_FROM_ALL TRUE
             LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/wheel
             LIBRARY_OUTPUT_NAME aidc
)

set(aidc_libraries aidc-one-process aidc-experiment aidc-python)
add_custom_target(aidc-wheel DEPENDS ${aidc_libraries} ${aidc_programs})

if(APPLE)
  set(origin @loader_path)
else()
  set(origin $ORIGIN)
endif()
set_target_properties(
  ${aidc_libraries} PROPERTIES INSTALL_RPATH "${origin};${origin}/.ns3"
)
set_target_properties(
  ${aidc_programs} PROPERTIES INSTALL_RPATH
                              "${origin}/../lib;${origin}/../lib/.ns3"
)
install(
  TARGETS ${aidc_libraries} ${aidc_programs}
  RUNTIME DESTINATION bin COMPONENT wheel
  LIBRARY DESTINATION lib COMPONENT wheel
)

# Type hints, where Doxygen can make them
find_program(AIDC_DOXYGEN doxygen)
if(AIDC_DOXYGEN AND TARGET aidc-type-hints)
  add_dependencies(aidc-wheel aidc-type-hints)
  install(FILES ${AIDC_TYPE_HINTS} DESTINATION . COMPONENT wheel)
endif()

aidc_install_headers(
  include/ns3 wheel ${aidc_public_core_headers} ${aidc_public_headers}
)
install(
  FILES ${AIDC_INCLUDE_DIR}/ns3/aidc-module.h
  DESTINATION include/ns3
  COMPONENT wheel
)

install(
  DIRECTORY examples
  DESTINATION .
  COMPONENT wheel
  PATTERN expected EXCLUDE
  PATTERN CMakeLists.txt EXCLUDE
  PATTERN tests.cmake EXCLUDE
  PATTERN __pycache__ EXCLUDE
)

# With the libraries of ns-3 that ours need
set(files ${aidc_libraries} ${aidc_programs})
list(TRANSFORM files REPLACE "(.+)" "$<TARGET_FILE:\\1>")
install(
  CODE
    "set(aidc_files \"${files}\")
  set(ns3_folder \"$<TARGET_FILE_DIR:${libcore}>\")"
  COMPONENT wheel
)
install(SCRIPT cmake/install-ns3.cmake COMPONENT wheel)
