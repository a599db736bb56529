#!/usr/bin/env python3
"""Whether streams that are made to cost the most stay within their bounds (docs/performance.md, "Hostile streams").

  bench/hostile_bounds.py                            build/bench, about a minute on an idle machine
  bench/hostile_bounds.py --through 'taskset -c 1'   the measurement as an argument of that command

LZSS, LZHUF and XOR may take 2 microseconds a call and 20 ns for each byte of input and output; Deflate may take 1.1
times as long as libdeflate alone. XOR has no hostile streams, because it does not depend on its data; noise stands in
for them, and in a short stream costs LZHUF as much as any other.
Processor times, medians of nine repetitions in random order.

Exit status: 0 all bounds hold; 1 one does not; 2 it could not be measured.
"""

import argparse
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

# --- What may be changed ----------------------------------------------------------------------------------------------
BENCH = pathlib.Path(__file__).resolve().parent.parent / "build" / "bench" / "bench" / "assay_bench"
CALL_NS = 2000
BYTE_NS = 20
MOST_TIMES_LIBDEFLATE = 1.1
SIZES = [1024, 4096, 16384, 131072]
BOUNDED = [("LzssDecode", "slow"), ("LzssScalarDecode", "slow"), ("XorLzssDecode", "slow"), ("LzhufDecode", "slow"),
           ("LzhufDecode", "noise"), ("XorStreamApply", "noise")]
DEFLATE = "DeflateDecode"
LIBDEFLATE = "DeflateLibdeflateDecode"
REPETITIONS = 9
REPETITION_SECONDS = 0.05
# ----------------------------------------------------------------------------------------------------------------------


def measure(options):
    """Nanoseconds a call and bytes of input and output by (decoder, data, bytes of output)."""
    pairs = BOUNDED + [(DEFLATE, "slow"), (LIBDEFLATE, "slow")]
    names = "|".join(f"{decoder}/{corpus}" for decoder, corpus in pairs)
    with tempfile.NamedTemporaryFile(prefix="assay-hostile-", suffix=".json") as result:
        command = shlex.split(options.through) + [
            str(options.bench), f"--benchmark_filter=BM_({names})/({'|'.join(map(str, SIZES))})$",
            f"--benchmark_repetitions={REPETITIONS}", f"--benchmark_min_time={REPETITION_SECONDS}",
            "--benchmark_enable_random_interleaving=true", f"--benchmark_out={result.name}",
            "--benchmark_out_format=json"]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            print(f"hostile_bounds: {error}; cmake --preset bench && cmake --build --preset bench", file=sys.stderr)
            sys.exit(2)
        rows = json.loads(pathlib.Path(result.name).read_text(encoding="utf-8"))["benchmarks"]
    times, touched = {}, {}
    for row in rows:
        if row.get("error_occurred"):
            print(f"hostile_bounds: {row['name']}: {row['error_message']}", file=sys.stderr)
            sys.exit(2)
        if row["run_type"] == "iteration":
            decoder, data, size = row["name"].removeprefix("BM_").split("/")
            times.setdefault((decoder, data, int(size)), []).append(row["cpu_time"])
            touched[decoder, data, int(size)] = row["packed_bytes"] + int(size)
    return {key: (statistics.median(values), touched[key]) for key, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    parser.add_argument("--through", default="", metavar="COMMAND", help="runs the measurement through this command")
    figures = measure(parser.parse_args())
    broken = 0
    for (decoder, data, size), (nanoseconds, touched) in sorted(figures.items()):
        line = f"{decoder:24} {data:5} {size:7} B  {nanoseconds / touched:8.3f} ns a byte of input and output"
        if (decoder, data) in BOUNDED:
            share = nanoseconds / (CALL_NS + BYTE_NS * touched)
            broken += share > 1
            line += f"  {100 * share:6.1f} % of the bound"
        elif decoder == DEFLATE:
            ratio = nanoseconds / figures[LIBDEFLATE, data, size][0]
            broken += ratio > MOST_TIMES_LIBDEFLATE
            line += f"  {ratio:6.3f} x libdeflate"
        print(line)
    print(f"{broken} bounds broken" if broken else "all bounds hold")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
