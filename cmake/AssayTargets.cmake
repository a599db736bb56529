# assay_add_library(NAME SOURCES file... [DEPS target...] [PRIVATE_DEPS target...] [PARSER])
#
# A library with the project's flags: static, unless BUILD_SHARED_LIBS asks otherwise, as ci/mutants does to relink one
# library for a change instead of every program. PARSER marks code below parsers/, which is built without exceptions.
function(assay_add_library name)
  cmake_parse_arguments(arg "PARSER" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(${name} ${arg_SOURCES})
  if(arg_PARSER)
    target_link_libraries(${name} PRIVATE assay_parser_options)
  else()
    target_link_libraries(${name} PRIVATE assay_options)
  endif()
  target_link_libraries(${name} PUBLIC ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS})
endfunction()

# assay_add_test(NAME SOURCES file... DEPS target... [LABELS label...] [TIMEOUT seconds])
#
# A Google Test program whose cases ctest runs as one test each program, so that start-up is paid once.
function(assay_add_test name)
  if(NOT ASSAY_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE assay_options ${arg_DEPS} GTest::gtest_main GTest::gmock)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(
    ${name}
    PROPERTIES LABELS
               "${arg_LABELS}"
               TIMEOUT
               ${arg_TIMEOUT}
               ENVIRONMENT
               "ASSAY_SOURCE_DIR=${PROJECT_SOURCE_DIR};ASSAY_BINARY_DIR=${PROJECT_BINARY_DIR}")
endfunction()
