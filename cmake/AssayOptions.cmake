# The flags that every target of the project shares, as one INTERFACE target linked PRIVATE.
add_library(assay_options INTERFACE)
target_compile_features(assay_options INTERFACE cxx_std_23)
target_include_directories(assay_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(
  assay_options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            # At -O3 GCC 12 warns about its own std::string (GCC bug 105651) and about writes into vectors whose size it
            # loses track of while inlining; the asan preset looks at what is really written.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
            $<$<BOOL:${ASSAY_WERROR}>:-Werror>)

if(ASSAY_SANITIZE)
  target_compile_options(assay_options INTERFACE -fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
  target_link_options(assay_options INTERFACE -fsanitize=${ASSAY_SANITIZE})
endif()

# What fuzzing explores is instrumented for coverage; harness, oracles and seeds are not, because their branches would
# pass for progress and every counter costs time with every input. Only the targets link libFuzzer's main.
# The flag is empty where the compiler instruments by itself (AFL++) or the flags come from outside (fuzz/oss-fuzz).
set(ASSAY_FUZZ_INSTRUMENTATION "-fsanitize=fuzzer-no-link" CACHE STRING "How explored code is instrumented")
add_library(assay_explored INTERFACE)
if(ASSAY_FUZZ)
  target_compile_options(assay_explored INTERFACE ${ASSAY_FUZZ_INSTRUMENTATION})
endif()

# parsers/ has one failure channel, so exceptions are switched off there.
add_library(assay_parser_options INTERFACE)
target_link_libraries(assay_parser_options INTERFACE assay_options assay_explored)
target_compile_options(assay_parser_options INTERFACE -fno-exceptions)
