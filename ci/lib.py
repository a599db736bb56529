"""What the Python programs in ci/ share, as lib.sh is for the shell: where the tree is and how to run something."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# How many processes to start.
JOBS = int(os.environ.get("ASSAY_JOBS", os.cpu_count() or 1))


def fail(text):
    """The program itself cannot work; exit status 2."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr)
    sys.exit(2)


def use_ccache():
    """Builds read compilations from ccache where it is installed, and a copy of the tree below build/ finds those of the
    tree itself. Only a first configure looks at the launcher."""
    if shutil.which("ccache"):
        os.environ.setdefault("CMAKE_CXX_COMPILER_LAUNCHER", "ccache")
        os.environ.setdefault("CCACHE_BASEDIR", str(ROOT))
        os.environ.setdefault("CCACHE_NOHASHDIR", "1")


def run_logged(command, log, cwd=ROOT, append=False, timeout=None, **environment):
    """Exit status; stdout and stderr go to `log`. A timeout is status 124."""
    with open(log, "ab" if append else "wb") as output:
        try:
            return subprocess.run(command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT, timeout=timeout,
                                  env=os.environ | environment, check=False).returncode
        except subprocess.TimeoutExpired:
            return 124
        except FileNotFoundError:
            fail(f"{command[0]} is not installed; ci/deps installs it")


def text_of(log):
    return pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
