#!/usr/bin/env python3
"""Tries the rule of `assay perf diff` on this machine: five pairs of measurements of one build, which have to give no
report, and five pairs in which one decoder is slowed by 10 %, which have to give one each, of that decoder alone.

  bench/decision_live.py                            build/bench: ten pairs, about four minutes on an idle machine
  bench/decision_live.py --pairs 1 --kind same      a piece of it
  bench/decision_live.py --through 'taskset -c 1'   every measurement as an argument of that command

A measurement is one repetition each in nine processes, because what memory a process gets decides over some percent
that its own repetitions do not show: the decoder, another one that nobody slows, and the controls, in random order.
Slowed means that every tenth iteration decodes one more stream (assay_bench --slowed=...). When a pair is judged
wrongly, the database with all measurements is kept and named.

Exit status: 0 every pair is judged rightly; 1 one is not; 2 it could not be measured.
"""

import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

# --- What may be changed ----------------------------------------------------------------------------------------------
ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "build" / "bench" / "bench" / "assay_bench"
ASSAY = ROOT / "build" / "bench" / "assay"
DECODER = "LzssDecode"
BYSTANDER = "LzhufDecode"
CONTROLS = ["MemoryCopy", "LzssTextbookDecode", "LzhufTextbookDecode"]
CORPORA = ["text", "texture", "mesh"]
BYTES = 16384
SLOWED_PERCENT = 10
PROCESSES = 9
REPETITION_SECONDS = 0.02
PAIRS = 5
# ----------------------------------------------------------------------------------------------------------------------


def fail(text):
    print(f"decision_live: {text}", file=sys.stderr)
    sys.exit(2)


def run(command, statuses=(0,)):
    try:
        result = subprocess.run([str(part) for part in command], check=False, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
    except FileNotFoundError:
        fail(f"{command[0]} is not there: cmake --preset bench && cmake --build --preset bench")
    if result.returncode not in statuses:
        fail(f"{shlex.join(map(str, command))} gave status {result.returncode}\n{result.stderr}")
    return result


class Session:
    """The measurements of one run of this script, by label."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.database = folder / "perf.db"

    def measure(self, label, slowed):
        names = "|".join([self.options.decoder, BYSTANDER] + CONTROLS)
        command = shlex.split(self.options.through) + [
            self.options.bench, f"--benchmark_filter=BM_({names})/({'|'.join(CORPORA)})/{BYTES}$",
            f"--benchmark_min_time={REPETITION_SECONDS}", "--benchmark_enable_random_interleaving=true",
            "--benchmark_out_format=json"]
        if slowed:
            command.append(f"--slowed={self.options.decoder}:{SLOWED_PERCENT}")
        results = [self.folder / f"{label}-{process}.json" for process in range(PROCESSES)]
        for result in results:
            run(command + [f"--benchmark_out={result}"])
        run([self.options.assay, "perf", "record", *results, "--db", self.database, "--label", label])

    def reported(self, before, after):
        """The benchmarks reported as slower or faster; every control must have been taken as one."""
        result = run([self.options.assay, "perf", "diff", before, after, "--db", self.database, "--json", "--all"],
                     statuses=(0, 1))
        *rows, summary = [json.loads(line) for line in result.stdout.splitlines()]
        if summary["controls"] != len(CONTROLS) * len(CORPORA):
            fail(f"{summary['controls']} controls, there should be {len(CONTROLS) * len(CORPORA)}")
        for row in rows:
            if not row["control"]:
                print(f"    {row['outcome']:<8} {row['benchmark']:<36} ratio {row['ratio']:.3f}  "
                      f"chance {row['chance']:.4f}")
        print(f"    machine ratio {summary['machine_ratio']:.3f}")
        return {row["benchmark"]: row["outcome"] for row in rows if row["outcome"] != "same"}, result.returncode


def is_right(kind, decoder, reported, status):
    if kind == "same":
        return status == 0 and not reported
    return status == 1 and all(outcome == "slower" and name.startswith(f"BM_{decoder}/")
                               for name, outcome in reported.items())


def judge_pairs(session, kind):
    """Measures the pairs of a kind; gives how many were judged rightly."""
    right = 0
    for pair in range(1, session.options.pairs + 1):
        labels = [f"{kind}-{pair}-before", f"{kind}-{pair}-after"]
        session.measure(labels[0], slowed=False)
        session.measure(labels[1], slowed=kind == "slowed")
        print(f"{kind} {pair}", flush=True)
        reported, status = session.reported(*labels)
        verdict = is_right(kind, session.options.decoder, reported, status)
        print(f"    {len(reported)} reported: {'right' if verdict else 'WRONG'}", flush=True)
        right += verdict
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    parser.add_argument("--assay", type=pathlib.Path, default=ASSAY)
    parser.add_argument("--decoder", default=DECODER,
                        help=f"the one to slow down, not {BYSTANDER} (default %(default)s)")
    parser.add_argument("--kind", choices=["same", "slowed"], help="pairs of this kind only")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of each kind (default %(default)s)")
    parser.add_argument("--through", default="", metavar="COMMAND", help="runs every measurement through this command")
    options = parser.parse_args()
    kinds = [options.kind] if options.kind else ["same", "slowed"]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-decision-"))
    session = Session(options, folder)
    scores = {kind: judge_pairs(session, kind) for kind in kinds}
    print(", ".join(f"{kind}: {right} of {options.pairs} right" for kind, right in scores.items()))
    if all(right == options.pairs for right in scores.values()):
        shutil.rmtree(folder)
        return 0
    print(f"the measurements are in {session.database}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
