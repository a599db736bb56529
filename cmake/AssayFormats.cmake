# assay_read_formats(OUT) reads the ids of parsers/formats.def, the one list of formats, into OUT.
function(assay_read_formats out)
  set(list_file "${PROJECT_SOURCE_DIR}/parsers/formats.def")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list_file}")
  file(STRINGS "${list_file}" lines REGEX "^ASSAY_FORMAT\\(")
  set(ids "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^ASSAY_FORMAT\\(([a-z0-9_]+).*$" "\\1" id "${line}")
    list(APPEND ids "${id}")
  endforeach()
  set(${out} "${ids}" PARENT_SCOPE)
endfunction()

# assay_add_format(ID SOURCES file... TESTS file... [DEPS target...])
#
# Declares the library `assay_format_ID` of parsers/formats/ID and its test. A format without a test does not configure.
function(assay_add_format id)
  cmake_parse_arguments(arg "" "" "SOURCES;TESTS;DEPS" ${ARGN})
  if(NOT arg_TESTS)
    message(FATAL_ERROR "format ${id}: no TESTS given; each format has a test beside its code")
  endif()
  assay_add_library(assay_format_${id} PARSER SOURCES ${arg_SOURCES} DEPS assay_format_interface ${arg_DEPS})
  assay_add_test(${id}_test SOURCES ${arg_TESTS} DEPS assay_formats LABELS unit)
endfunction()
