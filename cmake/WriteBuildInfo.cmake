# cmake -DSOURCE=folder -DOUTPUT=header -DPRESET=name -DFLAGS=flags -P WriteBuildInfo.cmake
#
# Writes the header with what the benchmarks say about their build; touches it only when that has changed.
find_package(Git QUIET)
set(commit "unknown")
if(Git_FOUND)
  execute_process(
    COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY "${SOURCE}"
    OUTPUT_VARIABLE described
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(described)
    set(commit "${described}")
  endif()
endif()
string(STRIP "${FLAGS}" FLAGS)
set(text "#pragma once\n\n")
string(APPEND text "#define ASSAY_BENCH_COMMIT \"${commit}\"\n")
string(APPEND text "#define ASSAY_BENCH_PRESET \"${PRESET}\"\n")
string(APPEND text "#define ASSAY_BENCH_FLAGS \"${FLAGS}\"\n")
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
