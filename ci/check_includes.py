#!/usr/bin/env python3
"""Checks the arrows of docs/architecture.md, and a few promises of parsers/, from the text of the sources.

    ci/check_includes.py [ROOT]        exit 0: clean; 1: problems, one a line as file:line: message; 2: bad usage
    ci/check_includes.py --self-test   builds small trees with one fault each and sees that every fault is named
"""

import argparse
import pathlib
import re
import sys
import tempfile

# ---------------------------------------------------------------------------------------------------------------------
# The house. A layer may include itself and what its row names. `format` is one folder below parsers/formats,
# `interface` the files directly in parsers/formats and the list parsers/formats.def, `catalogue` the files that know
# every format.

BELOW_FORMATS = {"base", "codecs", "interface"}
PARSERS = BELOW_FORMATS | {"format", "catalogue", "pose", "resource"}
MAY_INCLUDE = {
    "base": set(),
    "codecs": {"base"},
    "interface": {"base", "codecs"},
    "format": BELOW_FORMATS,
    "catalogue": BELOW_FORMATS | {"format"},
    # Takes plain values, so that it depends on no format.
    "pose": BELOW_FORMATS,
    "resource": PARSERS,
    "oracles": PARSERS,
    "synth": PARSERS,
    "golden": PARSERS | {"oracles", "synth"},
    "reports": PARSERS | {"oracles", "synth", "golden"},
    "tools": PARSERS | {"oracles", "synth", "golden", "reports"},
    # The lines of a manifest are an input of ours, hence golden.
    "fuzz": PARSERS | {"oracles", "synth", "golden"},
    # The scan and the store are timed too, hence golden.
    "bench": PARSERS | {"oracles", "synth", "golden"},
}
# What a test may include beyond what its folder may.
TEST_EXTRAS = {"oracles", "synth"}

TOP_FOLDERS = {"parsers", "oracles", "synth", "golden", "reports", "tools", "fuzz", "bench"}
PARSER_FOLDERS = {"base", "codecs", "pose", "resource"}
# Written by CMake into the build tree.
GENERATED = {"fuzz/fuzz_targets.def"}
# Not searched for sources.
SKIPPED_FOLDERS = {"build", "cmake", "ci", "docs"}

# parsers/ opens no file, prints nothing, reads no clock, starts no thread.
PARSERS_BANNED_HEADERS = {
    "chrono", "condition_variable", "ctime", "fcntl.h", "filesystem", "fstream", "future", "iostream", "mutex", "print",
    "sys/time.h", "syncstream", "thread", "time.h", "unistd.h",
}
PARSERS_BANNED_PREFIXES = ("nlohmann/", "fmt/")
TEST_PREFIXES = ("gtest/", "gmock/")
BENCH_PREFIXES = ("benchmark/",)

PRINTING = re.compile(
    r"(?<![\w.:>])(?:std::|fmt::|::)?"
    r"(?:(?P<call>v?f?printf|puts|fputs|putchar|fputc|putc|perror)\s*\("
    r"|(?<=std::)(?P<stream>cout|cerr|clog)\b"
    r"|(?<=std::)(?P<std_print>print|println)\s*\("
    r"|(?<=fmt::)(?P<fmt_print>print|println)\s*\()")
ABORTING = re.compile(r"(?<![\w.>])(?<!->)(?:std::|::)?\b(abort|exit|_Exit|_exit|quick_exit|terminate)\s*\(")

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?:\"([^\"\n]+)\"|<([^>\n]+)>)", re.MULTILINE)
PRAGMA_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
FORMAT_LINE = re.compile(r"^ASSAY_FORMAT\(\s*(\w+)\s*(?:,\s*USES\(([^)]*)\)\s*)?\)", re.MULTILINE)
COMMENT_OR_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?:u8|[uUL])?R\"(?P<tag>[^()\\ \t\n]*)\(.*?\)(?P=tag)\"|\"(?:\\.|[^\"\\\n])*\""
    r"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'",
    re.DOTALL)


def blank(text, keep_includes):
    """`text` with comments and literals turned into spaces, line for line; the name in an #include is a literal too."""

    def replace(match):
        found = match.group(0)
        if keep_includes and not found.startswith("/"):
            line_start = text.rfind("\n", 0, match.start()) + 1
            if re.fullmatch(r"[ \t]*#[ \t]*include[ \t]*", text[line_start:match.start()]):
                return found
        return re.sub(r"[^\n]", " ", found)

    return COMMENT_OR_STRING.sub(replace, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def includes_of(text):
    """Yields (line, name, quoted) for every #include of a source text that is not commented out."""
    code = blank(text, keep_includes=True)
    for match in INCLUDE.finditer(code):
        yield line_of(code, match.start()), match.group(1) or match.group(2), match.group(1) is not None


def is_test(path):
    parts = pathlib.PurePosixPath(path)
    return parts.stem.endswith("_test") or is_test_support(path)


def is_test_support(path):
    parts = pathlib.PurePosixPath(path)
    return "test_support" in parts.parts[:-1] or parts.stem.endswith("test_support")


def layer_of(path):
    """(layer, format id or None) of a path relative to the root; layer None when it belongs to no room."""
    parts = path.split("/")
    if is_test_support(path) and parts[0] == "test_support":
        return "test_support", None
    if parts[0] != "parsers":
        return (parts[0], None) if parts[0] in TOP_FOLDERS and len(parts) > 1 else (None, None)
    if path == "parsers/formats.def":
        return "interface", None
    if len(parts) < 3:
        return None, None
    if parts[1] in PARSER_FOLDERS:
        return parts[1], None
    if parts[1] != "formats":
        return None, None
    if len(parts) == 3:
        return ("catalogue" if parts[2].startswith("catalogue") else "interface"), None
    if parts[2] == "test_support":
        return "interface", None
    return "format", parts[2]


def read_uses(root):
    """Format id -> the ids that parsers/formats.def lets it include."""
    list_file = root / "parsers/formats.def"
    if not list_file.exists():
        return {}
    text = blank(list_file.read_text(encoding="utf-8"), keep_includes=False)
    return {match.group(1): set(re.findall(r"\w+", match.group(2) or "")) for match in FORMAT_LINE.finditer(text)}


def sources(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        folder = relative.parts[0]
        if folder.startswith(".") or folder in SKIPPED_FOLDERS or not path.is_file():
            continue
        if path.suffix in {".h", ".cc", ".def", ".cpp", ".hpp", ".cxx", ".hh", ".c"}:
            yield relative.as_posix()


class Checker:
    def __init__(self, root):
        self.root = root
        self.uses = read_uses(root)
        self.problems = []

    def report(self, path, line, message):
        self.problems.append(f"{path}:{line}: {message}")

    def run(self):
        for path in sources(self.root):
            self.check_file(path)
        self.check_formats_list()
        return self.problems

    def check_file(self, path):
        if pathlib.PurePosixPath(path).suffix not in {".h", ".cc", ".def"}:
            self.report(path, 1, "sources end in .h or .cc")
            return
        layer, _ = layer_of(path)
        if layer is None:
            self.report(path, 1, "lies in no room of the house (docs/architecture.md)")
            return
        text = (self.root / path).read_text(encoding="utf-8")
        includes = list(includes_of(text))
        code = blank(text, keep_includes=False)
        if path.endswith(".h") and not PRAGMA_ONCE.search(code):
            self.report(path, 1, "a header starts with #pragma once")
        self.check_own_header(path, includes)
        for line, name, quoted in includes:
            self.check_include(path, line, name, quoted)
        self.check_calls(path, layer, code)

    def check_own_header(self, path, includes):
        if not path.endswith(".cc"):
            return
        own = path[:-len(".cc")] + ".h"
        if (self.root / own).exists() and (not includes or includes[0][1] != own):
            self.report(path, includes[0][0] if includes else 1, f'the first include is the own header, "{own}"')

    def check_include(self, path, line, name, quoted):
        rooted = name.split("/")[0] in TOP_FOLDERS | {"test_support"} and "/" in name
        if not quoted and not (rooted and (self.root / name).exists()):
            self.check_foreign(path, line, name)
        elif not quoted:
            self.report(path, line, f"<{name}> is ours; write it in quotes")
        elif not rooted or ".." in name.split("/"):
            self.report(path, line, f'"{name}" is not rooted at the repository, like "parsers/base/bytes.h"')
        elif name in GENERATED:
            pass
        elif not (self.root / name).exists():
            self.report(path, line, f'"{name}" does not exist')
        else:
            self.check_arrow(path, line, name)

    def check_foreign(self, path, line, name):
        layer, _ = layer_of(path)
        if name.startswith(TEST_PREFIXES) and not is_test(path):
            self.report(path, line, f"<{name}> belongs to tests")
        if name.startswith(BENCH_PREFIXES) and layer != "bench":
            self.report(path, line, f"<{name}> belongs to bench/")
        if path.startswith("parsers/") and not is_test(path):
            if name in PARSERS_BANNED_HEADERS or name.startswith(PARSERS_BANNED_PREFIXES):
                self.report(path, line, f"parsers/ may not include <{name}>: it gets bytes and gives values")

    def check_arrow(self, path, line, name):
        layer, own_format = layer_of(path)
        target, target_format = layer_of(name)
        if target is None:
            self.report(path, line, f'"{name}" lies in no room of the house')
            return
        if is_test(name) and not is_test(path):
            self.report(path, line, f'"{name}" is for tests only')
            return
        if is_test(path) and (target in TEST_EXTRAS or is_test_support(name)):
            return
        if layer == "test_support" and target in PARSERS:
            return
        if layer == "format" and target == "format":
            if target_format != own_format and target_format not in self.uses.get(own_format, set()):
                self.report(path, line, f"format {own_format} may not include format {target_format}; "
                            f"parsers/formats.def would have to say USES({target_format})")
            return
        if is_test(path) and layer in {"format", "interface"} and target == "catalogue":
            return
        if target != layer and target not in MAY_INCLUDE.get(layer, set()):
            self.report(path, line, f'{layer} may not include {target} ("{name}"): the arrow points the other way')

    def check_calls(self, path, layer, code):
        if is_test(path) or layer == "test_support":
            return
        if layer not in {"tools", "fuzz", "bench"}:
            for match in PRINTING.finditer(code):
                self.report(path, line_of(code, match.start()),
                            f"{match.group(0).strip(' (')} prints; only tools/ prints")
        if path.startswith("parsers/"):
            for match in ABORTING.finditer(code):
                self.report(path, line_of(code, match.start()),
                            f"{match.group(1)}() ends the process; parsers/ returns a Result")

    def check_formats_list(self):
        """USES names known formats only, and leads to no circle."""
        for format_id, used in sorted(self.uses.items()):
            for other in sorted(used - self.uses.keys()):
                self.report("parsers/formats.def", 1, f"format {format_id} uses {other}, which is not in the list")
            seen, open_ids = set(), set(used)
            while open_ids:
                other = open_ids.pop()
                if other not in seen:
                    seen.add(other)
                    open_ids |= self.uses.get(other, set())
            if format_id in seen:
                self.report("parsers/formats.def", 1, f"format {format_id} uses itself in a circle")


def check(root):
    return Checker(pathlib.Path(root)).run()


# ---------------------------------------------------------------------------------------------------------------------
# Self-test: a clean tree passes, and each damaged one gives exactly the problem it was made for.

CLEAN = {
    "parsers/formats.def": "ASSAY_FORMAT(nres)\nASSAY_FORMAT(msh, USES(nres))\n",
    "parsers/base/bytes.h": "#pragma once\n#include <span>\n",
    "parsers/base/bytes.cc": '#include "parsers/base/bytes.h"\n// std::abort() would be wrong here\n'
                             'const char* text = "printf(x)";\nint big = 1\'000\'000;\n',
    "parsers/base/bytes_test.cc": '#include "parsers/base/bytes.h"\n#include <gtest/gtest.h>\n#include <iostream>\n'
                                  '#include "oracles/round_trip.h"\nint main() { std::cout << 1; exit(1); }\n',
    "parsers/codecs/lzss/lzss.h": '#pragma once\n#include "parsers/base/bytes.h"\n',
    "parsers/formats/format.h": '#pragma once\n#include "parsers/base/bytes.h"\n#include "parsers/formats.def"\n',
    "parsers/formats/catalogue.h": "#pragma once\n",
    "parsers/formats/catalogue.cc": '#include "parsers/formats/catalogue.h"\n#include "parsers/formats/nres/nres.h"\n',
    "parsers/formats/nres/nres.h": '#pragma once\n#include "parsers/formats/format.h"\n',
    "parsers/formats/nres/nres_test.cc": '#include "parsers/formats/catalogue.h"\n#include "synth/nres.h"\n',
    "parsers/formats/msh/msh.h": '#pragma once\n#include "parsers/formats/nres/nres.h"\n',
    "parsers/pose/key.h": '#pragma once\n#include "parsers/base/bytes.h"\n#include "parsers/formats/format.h"\n',
    "parsers/resource/cache.h": '#pragma once\n#include "parsers/formats/catalogue.h"\n'
                                '#include "parsers/pose/key.h"\n',
    "oracles/round_trip.h": '#pragma once\n#include "parsers/formats/format.h"\n',
    "oracles/peers/lhasa.cc": '#include "oracles/round_trip.h"\n#include <lhasa.h>\n',
    "synth/nres.h": '#pragma once\n#include "parsers/formats/nres/nres.h"\n',
    "golden/scan.cc": '#include "oracles/round_trip.h"\nvoid f(A* a) { a->print(1); std::snprintf(b, 1, "x"); }\n',
    "reports/html.cc": '#include "reports/html.h"\n#include "synth/nres.h"\n',
    "tools/main.cc": '#include "parsers/base/bytes.h"\nint main() { std::cout << 1; std::exit(0); }\n',
    "fuzz/nres.cc": '#include "oracles/round_trip.h"\nint main() { printf("x"); abort(); }\n',
    "bench/scan.cc": '#include <benchmark/benchmark.h>\n#include "oracles/round_trip.h"\n',
}
OWN = '#include "parsers/base/bytes.h"\n'
FAULTS = [
    ("base includes a codec", "parsers/base/bytes.h", '#pragma once\n#include "parsers/codecs/lzss/lzss.h"\n',
     "parsers/base/bytes.h:2: base may not include codecs"),
    ("a codec includes a format", "parsers/codecs/a.h", '#pragma once\n#include "parsers/formats/nres/nres.h"\n',
     "parsers/codecs/a.h:2: codecs may not include format"),
    ("the interface includes a format", "parsers/formats/format.h",
     '#pragma once\n#include "parsers/formats/nres/nres.h"\n', "format.h:2: interface may not include format"),
    ("a format includes the catalogue", "parsers/formats/nres/a.h",
     '#pragma once\n#include "parsers/formats/catalogue.h"\n', "a.h:2: format may not include catalogue"),
    ("a format includes another", "parsers/formats/nres/a.h", '#pragma once\n#include "parsers/formats/msh/msh.h"\n',
     "a.h:2: format nres may not include format msh"),
    ("a test includes another format", "parsers/formats/nres/a_test.cc", '#include "parsers/formats/msh/msh.h"\n',
     "a_test.cc:1: format nres may not include format msh"),
    ("a format includes resource", "parsers/formats/nres/a.h", '#pragma once\n#include "parsers/resource/cache.h"\n',
     "a.h:2: format may not include resource"),
    ("a format includes pose", "parsers/formats/nres/a.h", '#pragma once\n#include "parsers/pose/key.h"\n',
     "a.h:2: format may not include pose"),
    ("pose includes a format", "parsers/pose/a.h", '#pragma once\n#include "parsers/formats/nres/nres.h"\n',
     "a.h:2: pose may not include format"),
    ("pose includes the catalogue", "parsers/pose/a.h", '#pragma once\n#include "parsers/formats/catalogue.h"\n',
     "a.h:2: pose may not include catalogue"),
    ("pose includes resource", "parsers/pose/a.h", '#pragma once\n#include "parsers/resource/cache.h"\n',
     "a.h:2: pose may not include resource"),
    ("a parser includes an oracle", "parsers/resource/a.h", '#pragma once\n#include "oracles/round_trip.h"\n',
     "a.h:2: resource may not include oracles"),
    ("an oracle includes synth", "oracles/a.cc", '#include "synth/nres.h"\n', "a.cc:1: oracles may not include synth"),
    ("synth includes an oracle", "synth/a.cc", '#include "oracles/round_trip.h"\n',
     "a.cc:1: synth may not include oracles"),
    ("golden includes reports", "golden/a.cc", '#include "reports/html.h"\n', "a.cc:1: golden may not include reports"),
    ("fuzz includes reports", "fuzz/a.cc", '#include "reports/html.h"\n', "a.cc:1: fuzz may not include reports"),
    ("a test includes golden", "oracles/a_test.cc", '#include "golden/store.h"\n',
     "a_test.cc:1: oracles may not include golden"),
    ("not rooted", "parsers/base/a.cc", '#include "bytes.h"\n', 'a.cc:1: "bytes.h" is not rooted'),
    ("upwards path", "parsers/base/a.cc", '#include "parsers/codecs/../base/bytes.h"\n', "a.cc:1: "),
    ("missing file", "parsers/base/a.cc", '#include "parsers/base/none.h"\n', '"parsers/base/none.h" does not exist'),
    ("ours in angle brackets", "parsers/base/a.cc", "#include <parsers/base/bytes.h>\n", "a.cc:1: <parsers/base"),
    ("own header not first", "parsers/base/bytes.cc", "#include <span>\n" + OWN,
     'bytes.cc:1: the first include is the own header, "parsers/base/bytes.h"'),
    ("no own header", "parsers/base/bytes.cc", "int x;\n", "bytes.cc:1: the first include is the own header"),
    ("no pragma once", "parsers/base/a.h", "// #pragma once\nint x;\n", "a.h:1: a header starts with #pragma once"),
    ("iostream in a parser", "parsers/base/a.cc", "#include <iostream>\n", "a.cc:1: parsers/ may not include <io"),
    ("clock in a parser", "parsers/base/a.cc", "\n#include <chrono>\n", "a.cc:2: parsers/ may not include <chrono>"),
    ("json in a parser", "parsers/base/a.cc", "#include <nlohmann/json.hpp>\n", "may not include <nlohmann/json.hpp>"),
    ("fmt in a parser", "parsers/base/a.cc", "#include <fmt/format.h>\n", "may not include <fmt/format.h>"),
    ("gtest outside tests", "golden/a.cc", "#include <gtest/gtest.h>\n", "a.cc:1: <gtest/gtest.h> belongs to tests"),
    ("benchmark outside bench", "golden/a.cc", "#include <benchmark/benchmark.h>\n", "a.cc:1: <benchmark/benchmark.h>"),
    ("printf in a parser", "parsers/base/a.cc", OWN + 'void f() { printf("x"); }\n', "a.cc:2: printf prints"),
    ("std::fputs", "golden/a.cc", 'void f() { std::fputs("x", stdout); }\n', "a.cc:1: std::fputs prints"),
    ("cout in golden", "golden/a.cc", "\nvoid f() { std::cout << 1; }\n", "a.cc:2: std::cout prints"),
    ("println in reports", "reports/a.cc", 'void f() { std::println("x"); }\n', "a.cc:1: std::println prints"),
    ("fmt::print in synth", "synth/a.cc", 'void f() { fmt::print("x"); }\n', "a.cc:1: fmt::print prints"),
    ("abort in a parser", "parsers/base/a.cc", OWN + "void f() { std::abort(); }\n", "a.cc:2: abort() ends"),
    ("exit in a parser", "parsers/formats/nres/a.cc", "void f() { exit(1); }\n", "a.cc:1: exit() ends the process"),
    ("a room that does not exist", "misc/a.cc", "int x;\n", "misc/a.cc:1: lies in no room"),
    ("a loose file in parsers", "parsers/a.cc", "int x;\n", "parsers/a.cc:1: lies in no room"),
    ("another suffix", "golden/a.cpp", "int x;\n", "golden/a.cpp:1: sources end in .h or .cc"),
    ("test header used by code", "oracles/a.cc", '#include "parsers/base/test_support.h"\n', "a.cc:1: "),
    ("USES of an unknown format", "parsers/formats.def", "ASSAY_FORMAT(nres, USES(none))\n",
     "format nres uses none, which is not in the list"),
    ("USES in a circle", "parsers/formats.def", "ASSAY_FORMAT(nres, USES(msh))\nASSAY_FORMAT(msh, USES(nres))\n",
     "format nres uses itself in a circle"),
    ("USES taken away", "parsers/formats.def", "ASSAY_FORMAT(nres)\nASSAY_FORMAT(msh)\n",
     "msh.h:2: format msh may not include format nres"),
]
# Headers that only the damaged trees include.
EXTRAS = {"reports/html.h": "#pragma once\n", "golden/store.h": "#pragma once\n",
          "parsers/base/test_support.h": "#pragma once\n"}


def problems_of_tree(files):
    with tempfile.TemporaryDirectory(prefix="assay-includes-") as folder:
        for path, text in files.items():
            target = pathlib.Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return check(folder)


def self_test():
    failures = [f"clean tree: {problem}" for problem in problems_of_tree({**CLEAN, **EXTRAS})]
    for name, path, text, expected in FAULTS:
        problems = problems_of_tree({**CLEAN, **EXTRAS, path: text})
        if not any(expected in problem for problem in problems):
            failures.append(f"{name}: wanted a problem with '{expected}', got {problems}")
        unrelated = [problem for problem in problems if not problem.startswith(path) and expected not in problem]
        if unrelated and path != "parsers/formats.def":
            failures.append(f"{name}: also got {unrelated}")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(FAULTS) + 1} trees, {len(failures)} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="Checks the include arrows and the promises of parsers/.")
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true", help="test this script on small damaged trees")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if not (options.root / "parsers").is_dir():
        print(f"{options.root}: no parsers/ folder, so not the root of the repository", file=sys.stderr)
        return 2
    problems = check(options.root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
