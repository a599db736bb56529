#!/usr/bin/env python3
"""What mutation by structure is worth: every format's target from its seeds, without it and with it.

    fuzz/compare_mutation.py [--seconds N] [--build FOLDER] [TARGET...]

Each run gets N seconds of processor time (default 30), one process and the same engine seed, and prints a row of a
Markdown table: runs, edges and features of both.
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A shared machine gives a process only part of the time, so the wall clock is a bound and no measure.
WALL_FACTOR = 6


def run(program, seeds, seconds, structure_percent):
    with tempfile.TemporaryDirectory(prefix="assay-mutation-") as corpus:
        result = subprocess.run(
            ["prlimit", f"--cpu={seconds}", program, "-seed=1", f"-max_total_time={seconds * WALL_FACTOR}",
             f"-dict={seeds}.dict", "-print_final_stats=1", f"-artifact_prefix={corpus}/", corpus, seeds],
            env=os.environ | {"ASSAY_FUZZ_STRUCTURE": str(structure_percent)}, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    # The limit ends the process with a signal; its last status line stands for the end.
    lines = re.findall(r"(?m)^#(\d+)\t\w+\s+cov: (\d+) ft: (\d+)", result.stderr)
    return tuple(int(number) for number in lines[-1]) if lines else (0, 0, 0)


def main():
    parser = argparse.ArgumentParser(description="What mutation by structure is worth, target by target.")
    parser.add_argument("--seconds", type=int, default=30, help="processor time of each run (default 30)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "fuzz", help="default build/fuzz")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="formats; all of parsers/formats.def when none")
    options = parser.parse_args()
    formats = re.findall(r"(?m)^ASSAY_FORMAT\((\w+)", (ROOT / "parsers" / "formats.def").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="assay-seeds-") as folder:
        subprocess.run([options.build / "fuzz" / "assay_write_seeds", folder], check=True)
        print("| target | without: runs, edges, features | with: runs, edges, features |\n|---|---|---|", flush=True)
        for name in options.targets or formats:
            program = options.build / "fuzz" / f"fuzz_{name}"
            cells = [" / ".join(f"{number:,}" for number in run(program, pathlib.Path(folder, name), options.seconds, percent))
                     for percent in (0, 25)]
            print(f"| `{name}` | {cells[0]} | {cells[1]} |", flush=True)


if __name__ == "__main__":
    main()
