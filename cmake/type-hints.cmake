# SPDX-License-Identifier: GPL-2.0-only
#
# Type hints of the Python package, which Doxygen and ns-3 tell: the target
# aidc-type-hints writes them next to the package's modules, bindings/aidc/ns.pyi.

find_package(Python3 3.9 COMPONENTS Interpreter QUIET)
if(NOT Python3_FOUND)
  return()
endif()

add_executable(aidc-print-attributes EXCLUDE_FROM_ALL doc/print-attributes.cc)
target_link_libraries(
  aidc-print-attributes PRIVATE -Wl,--no-as-needed aidc
)
aidc_set_warnings(aidc-print-attributes)

set(AIDC_TYPE_HINTS ${CMAKE_CURRENT_SOURCE_DIR}/bindings/aidc/ns.pyi)
add_custom_target(
  aidc-type-hints
  COMMAND
    Python3::Interpreter -B -m tools.type_hints --ns3
    "$<TARGET_PROPERTY:${libcore},INTERFACE_INCLUDE_DIRECTORIES>" --aidc
    ${AIDC_INCLUDE_DIR} --attributes $<TARGET_FILE:aidc-print-attributes>
    ${AIDC_TYPE_HINTS}
  DEPENDS aidc-print-attributes
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  COMMENT "Writing type hints"
  VERBATIM
)
