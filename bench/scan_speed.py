#!/usr/bin/env python3
"""How fast a scan is beside sha256sum, on a synthetic corpus in the proportions of a game.

  bench/scan_speed.py                      build/release/assay, 200 MB, 8,000 entries, 2 threads, 7 rounds
  bench/scan_speed.py --folder ~/games/IS  the same over a folder of one's own

Each round runs a first scan into a new database, N sha256sum processes that share the files, and a second scan that
reuses the first. Medians of wall time and of processor time (all threads and processes, user and system), and their
ratios to sha256sum. Wall times mean nothing while other programs are at work; the processor times suffer less.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def timed(commands):
    """Runs the commands at once; gives wall and processor seconds of all of them together."""
    before = os.times()
    started = time.monotonic()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    statuses = [process.wait() for process in running]
    wall = time.monotonic() - started
    after = os.times()
    if any(status not in (0, 1) for status in statuses):
        sys.exit(f"failed: {commands}")
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, processor


def share(files, parts):
    """Splits the files into lists of about equal size."""
    lists = [[0, []] for _ in range(parts)]
    for file in sorted(files, key=lambda one: -one.stat().st_size):
        smallest = min(lists, key=lambda one: one[0])
        smallest[0] += file.stat().st_size
        smallest[1].append(str(file))
    return [names for _, names in lists if names]


def measure(arguments, folder, scratch):
    files = [file for file in pathlib.Path(folder).rglob("*") if file.is_file()]
    database = pathlib.Path(scratch, "runs.db")
    scan = [[arguments.assay, "scan", str(folder), "--db", str(database), "--jobs", str(arguments.jobs)]]
    hashing = [["sha256sum", "--"] + names for names in share(files, arguments.jobs)]
    results = {"sha256sum": [], "first scan": [], "second scan": []}
    timed(hashing)  # Brings the files into the page cache.
    for _ in range(arguments.rounds):
        for file in pathlib.Path(scratch).glob("runs.db*"):
            file.unlink()
        results["first scan"].append(timed(scan))
        results["sha256sum"].append(timed(hashing))
        results["second scan"].append(timed(scan))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default="build/release/assay")
    parser.add_argument("--folder", help="a folder to scan instead of a synthetic one")
    parser.add_argument("--entries", type=int, default=8000)
    parser.add_argument("--size", default="200MB")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    arguments.assay = str(pathlib.Path(arguments.assay).resolve())
    with tempfile.TemporaryDirectory(prefix="assay-scan-speed-") as scratch:
        folder = arguments.folder
        if folder is None:
            folder = str(pathlib.Path(scratch, "corpus"))
            subprocess.run([arguments.assay, "synth", "resources", "-o", folder, "--entries", str(arguments.entries),
                            "--size", arguments.size], check=True)
        results = measure(arguments, folder, scratch)
    medians = {name: [statistics.median(column) for column in zip(*values)] for name, values in results.items()}
    for name, (wall, processor) in medians.items():
        print(f"{name:12}  wall {wall:.3f} s, {wall / medians['sha256sum'][0]:.2f} x  "
              f"processor {processor:.3f} s, {processor / medians['sha256sum'][1]:.2f} x")


if __name__ == "__main__":
    main()
