#!/usr/bin/env bash
# Runs build.sh with the environment that an OSS-Fuzz container sets, then each built target on its seed zip.
#
#   fuzz/oss-fuzz/check.sh SCRATCH [TARGET...]       all targets when none is named
#
# Exit status: 0 every target was built, has seeds and dictionary, and runs its seeds; 1 otherwise.
set -euo pipefail

(($# >= 1)) || { echo "usage: check.sh SCRATCH [TARGET...]" >&2; exit 2; }
scratch=$(realpath -m -- "$1")
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$scratch"
rm -rf "$scratch/out"

flags="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
flags+=" -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
export CC=clang-19 CXX=clang++-19 CFLAGS=$flags CXXFLAGS=$flags LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export SANITIZER=address FUZZING_ENGINE=libfuzzer ARCHITECTURE=x86_64
export OUT=$scratch/out WORK=$scratch/work SRC=$scratch ASSAY_FUZZ_ONLY="$*"
mkdir -p "$OUT" "$WORK"
bash -eu "$here/build.sh"

count=0
for zip in "$OUT"/fuzz_*_seed_corpus.zip; do
  program=${zip%_seed_corpus.zip}
  [[ -x $program && -s $program.dict ]] || { echo "check: $program lacks itself or its dictionary" >&2; exit 1; }
  seeds=$WORK/run/$(basename "$program")
  rm -rf "$seeds" && mkdir -p "$seeds"
  python3 -m zipfile -e "$zip" "$seeds"
  "$program" -runs=0 -dict="$program.dict" "$seeds" >"$seeds.log" 2>&1 || { tail -n 30 "$seeds.log" >&2; exit 1; }
  count=$((count + 1))
done
((count > 0)) || { echo "check: nothing was built" >&2; exit 1; }
(($# == 0 || count == $#)) || { echo "check: $count targets of $#" >&2; exit 1; }
echo "$count targets ran their seeds"
