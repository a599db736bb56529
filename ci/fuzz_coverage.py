"""Which lines of the code under test the fuzz corpora run, and whether that is as many as fuzz/floors.json promises."""

import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess

from lib import JOBS, ROOT, fail, run_logged as run

# --- What may be changed ----------------------------------------------------------------------------------------------
COVERAGE_BUILD = "build/coverage"
COVERAGE_FLAGS = "-O1 -g1 -fprofile-instr-generate -fcoverage-mapping"
FLOORS = ROOT / "fuzz" / "floors.json"
# ----------------------------------------------------------------------------------------------------------------------

# The same programs with a plain main and counters; sanitizers would only slow them.
BUILD_COMMANDS = [["cmake", "-S", ".", "-B", COVERAGE_BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                   "-DCMAKE_CXX_COMPILER=clang++-19", f"-DCMAKE_CXX_FLAGS={COVERAGE_FLAGS}",
                   "-DASSAY_BUILD_TESTS=OFF", "-DASSAY_BUILD_TOOLS=OFF", "-DASSAY_REPLAY=ON"],
                  ["cmake", "--build", COVERAGE_BUILD, "--target", "assay_fuzz", "-j", str(JOBS)]]

GRAPH_SOURCES = [f"parsers/resource/{name}" for name in (
    "archives.cc", "archives.h", "graph.cc", "graph_aspects.cc", "graph_builder.cc", "graph_builder.h", "graph_mission.cc",
    "graph_model.cc", "graph_prototype.cc", "lru_cache.h", "materials.cc", "path.cc", "prototypes.cc", "reach.cc")]


def sources_of(name):
    """The code that a target is there for, below the root."""
    codec = name.removesuffix("_encode").removesuffix("_peer")
    for folder in (f"parsers/formats/{name}", f"parsers/codecs/{codec}"):
        if (ROOT / folder).is_dir():
            return [folder]
    return {"editor": ["parsers/formats"], "manifest_line": ["golden/manifest_line.cc", "golden/strict_json.cc"],
            "campaign_line": ["golden/fuzz/campaign_line.cc"],
            "benchmark_json": ["golden/perf/benchmark_json.cc"], "graph": GRAPH_SOURCES,
            "entry_address": ["parsers/resource/address.cc"],
            "set_expression": ["parsers/base/field_text.cc"],
            "edit_script": ["parsers/resource/edit_script.cc", "parsers/formats/catalogue.cc"],
            "pose": ["parsers/pose", "parsers/resource/skeleton.cc"],
            "meanings": ["parsers/formats/texm/pixels.cc", "parsers/formats/mat0/playback.cc"]}.get(name, [])


def our_sources(folders):
    files = []
    for folder in folders:
        path = ROOT / folder
        if not path.exists():
            fail(f"{folder}, whose coverage is measured, is gone; sources_of() has to follow")
        files += [path] if path.is_file() else sorted(path.rglob("*.cc")) + sorted(path.rglob("*.h"))
    return [str(path) for path in files if "_test" not in path.name]


@functools.cache
def compile_time_lines(path):
    """The lines of `consteval` functions: the compiler runs them and nobody else can."""
    lines, depth, inside = set(), 0, False
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
        inside = inside or bool(re.match(r"\s*(static )?consteval ", line))
        if inside:
            lines.add(number)
            depth += line.count("{") - line.count("}")
            inside = depth > 0 or "}" not in line
    return frozenset(lines)


def line_counts(programs, profile, folders):
    """By source: how many lines can be run, and how many were."""
    sources = our_sources(folders)
    if not sources:
        return {}
    objects = [argument for program in programs[1:] for argument in ("-object", program)]
    result = subprocess.run(["llvm-cov-19", "export", "-format=lcov", programs[0], *objects,
                             f"-instr-profile={profile}", *sources], cwd=ROOT, capture_output=True, text=True,
                            check=False)
    counts, source = {}, None
    for line in result.stdout.splitlines() if result.returncode == 0 else ():
        if line.startswith("SF:"):
            source = line[3:]
            counts[source] = [0, 0]
        elif line.startswith("DA:"):
            number, hits = line[3:].split(",")[:2]
            if int(number) not in compile_time_lines(source):
                counts[source][0] += 1
                counts[source][1] += int(hits) > 0
    return counts


def percent_of(counts):
    lines = sum(total for total, _ in counts.values())
    return 100 * sum(run for _, run in counts.values()) / lines if lines else None


def measure_coverage(targets, state):
    """Line coverage of each target's own code by its corpus, and a report of parsers/ by all of them."""
    programs = ROOT / COVERAGE_BUILD / "fuzz"
    folder = state / "coverage"
    folder.mkdir(exist_ok=True)
    profiles = []

    def measure(target):
        program = programs / f"fuzz_{target.name}"
        raw = folder / f"{target.name}.profraw"
        profile = folder / f"{target.name}.profdata"
        inputs = [str(path) for path in target.inputs()]
        run([program, *inputs], folder / f"{target.name}.log", timeout=1800, LLVM_PROFILE_FILE=str(raw),
            ASSAY_FUZZ_EFFORT="all")
        if not raw.exists() or run(["llvm-profdata-19", "merge", "-sparse", raw, "-o", profile],
                                   folder / f"{target.name}.log") != 0:
            target.problems.append("its coverage could not be measured")
            return None
        raw.unlink()
        target.line_percent = percent_of(line_counts([program], profile, sources_of(target.name)))
        return profile

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        profiles = [str(profile) for profile in pool.map(measure, targets) if profile]
    if not profiles:
        return None, {}
    merged = folder / "all.profdata"
    run(["llvm-profdata-19", "merge", "-sparse", *profiles, "-o", merged], folder / "merge.log")
    first = str(programs / f"fuzz_{targets[0].name}")
    others = [argument for target in targets[1:] for argument in ("-object", str(programs / f"fuzz_{target.name}"))]
    run(["llvm-cov-19", "report", first, *others, f"-instr-profile={merged}", *our_sources(["parsers"])],
        folder / "report.txt")
    run(["llvm-cov-19", "show", "-format=html", f"-output-dir={folder / 'html'}", first, *others,
         f"-instr-profile={merged}", *our_sources(["parsers"])], folder / "html.log")
    counts = line_counts([str(programs / f"fuzz_{target.name}") for target in targets], merged, ["parsers"])
    folders = {}
    for source, (total, ran) in counts.items():
        below = pathlib.Path(source).relative_to(ROOT).parts
        # A codec or a format each, the other folders of parsers/ as a whole.
        name = "/".join(below[1:3] if below[1] in ("codecs", "formats") and len(below) > 3 else below[1:2])
        known = folders.setdefault(name, [0, 0])
        known[0], known[1] = known[0] + total, known[1] + ran
    with open(folder / "folders.txt", "w", encoding="utf-8") as output:
        for name, (total, ran) in sorted(folders.items()):
            output.write(f"{name:<28} {total:>6} lines {100 * ran / max(total, 1):6.1f} %\n")
    return percent_of(counts), {name: 100 * ran / max(total, 1) for name, (total, ran) in folders.items()}


def check_floors(targets, total, folders):
    """A floor is a promise for the whole state folder, so short runs of few targets keep it too."""
    floors = json.loads(FLOORS.read_text(encoding="utf-8")) if FLOORS.exists() else {}
    for target in targets:
        floor = floors.get("targets", {}).get(target.name)
        if floor is not None and target.line_percent is not None and target.line_percent < floor:
            target.problems.append(f"covers {target.line_percent:.1f} % of its lines, its floor is {floor} %")
    problems = []
    floor = floors.get("parsers")
    if floor is not None and total is not None and total < floor:
        problems.append(f"all corpora cover {total:.1f} % of parsers/, the floor is {floor} %")
    for name, floor in floors.get("folders", {}).items():
        if total is not None and folders.get(name, 0) < floor:
            problems.append(f"all corpora cover {folders.get(name, 0):.1f} % of parsers/{name}, the floor is {floor} %")
    return problems
