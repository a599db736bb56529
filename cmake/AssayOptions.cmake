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
if(ASSAY_FUZZ)
  # The whole tree is instrumented for coverage; only the targets link libFuzzer's main.
  target_compile_options(assay_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# parsers/ has one failure channel, so exceptions are switched off there.
add_library(assay_parser_options INTERFACE)
target_link_libraries(assay_parser_options INTERFACE assay_options)
target_compile_options(assay_parser_options INTERFACE -fno-exceptions)
