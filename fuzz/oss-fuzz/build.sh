#!/bin/bash -eu
# Builds the fuzz targets into $OUT as OSS-Fuzz and ClusterFuzzLite want them: each with its seeds in a zip, its
# dictionary, and the shared libraries that the runner does not have.
#
# Honours $CC $CXX $CFLAGS $CXXFLAGS $LIB_FUZZING_ENGINE $OUT and $WORK. ASSAY_FUZZ_ONLY names the targets to build, apart
# by blanks; all when it is empty.
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
build=$WORK/assay

# The instrumentation stands in $CXXFLAGS already.
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DASSAY_FUZZ=ON -DASSAY_BUILD_TOOLS=OFF \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CXXFLAGS" \
  -DASSAY_FUZZ_INSTRUMENTATION= -DASSAY_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,'\$ORIGIN/lib'" -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON

goals=(assay_fuzz)
if [[ -n ${ASSAY_FUZZ_ONLY-} ]]; then
  goals=(assay_write_seeds)
  for name in $ASSAY_FUZZ_ONLY; do
    goals+=("fuzz_$name")
  done
fi
cmake --build "$build" --target "${goals[@]}"

# Writing the seeds runs our own code, in which leaks and the like are none of this script's business.
seeds=$WORK/seeds
ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=${LD_LIBRARY_PATH-} "$build/fuzz/assay_write_seeds" "$seeds"

mkdir -p "$OUT/lib"
for program in "$build"/fuzz/fuzz_*; do
  [[ -f $program && -x $program ]] || continue
  name=$(basename "$program")
  target=${name#fuzz_}
  cp "$program" "$OUT/$name"
  rm -f "$OUT/${name}_seed_corpus.zip"
  (cd "$seeds/$target" && python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" ./*)
  cp "$seeds/$target.dict" "$OUT/$name.dict"
  # The runner has the C and C++ runtime and nothing else.
  ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|libresolv)\.so' |
    while read -r library; do cp -u "$library" "$OUT/lib/"; done || true
done
