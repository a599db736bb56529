#!/usr/bin/env bash
# A short campaign of one target from its seeds, always the same one: does it still run, mutate and learn?
#
#   fuzz/smoke.sh PROGRAM SEEDS SCRATCH
#
# Exit status: 0 nothing was found and the corpus grew or all there is to reach was reached; otherwise the engine's.
set -euo pipefail

(($# == 3)) || { echo "usage: smoke.sh PROGRAM SEEDS SCRATCH" >&2; exit 2; }
program=$1 seeds=$2 scratch=$3

# As many inputs as take a second or so; slow targets stop at the time.
runs=10000
seconds=4

rm -rf "$scratch"
mkdir -p "$scratch"
"$program" -seed=1 -runs="$runs" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -dict="$seeds.dict" \
  -artifact_prefix="$scratch/" -print_final_stats=1 "$scratch" "$seeds" 2>&1 | tail -n 40
