# shellcheck shell=bash
# Functions for the scripts in ci/. Source it; it changes into the root of the repository.
#
# Sets:  root       the root of the repository
#        jobs       how many processes to start (ASSAY_JOBS, else the number of cores)
#        log_dir    where step logs go; set it before the first step (default build/logs)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 2
# shellcheck disable=SC2034  # used by the scripts that source this
jobs=${ASSAY_JOBS:-$(nproc)}
log_dir=${log_dir:-build/logs}
log_tail_lines=${log_tail_lines:-60}

# Builds read compilations from ccache where it is installed. Only a first configure looks at this variable.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  # A copy of the tree below build/ finds what the tree itself compiled.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
fi

# step NAME COMMAND...: runs the command quietly and prints one line with its outcome and time.
#
# Output goes to $log_dir/NAME.log, whose tail is printed when the command fails. Returns the command's status.
# $step_log is the log of the last step.
step() {
  local name=$1
  shift
  local status=0 started=$SECONDS
  mkdir -p "$log_dir"
  step_log=$log_dir/${name//[^A-Za-z0-9_.-]/-}.log
  printf '%-18s ' "$name"
  "$@" >"$step_log" 2>&1 || status=$?
  if ((status == 0)); then
    printf 'ok      %4d s\n' $((SECONDS - started))
  else
    printf 'FAILED  %4d s   exit status %d, log %s\n' $((SECONDS - started)) "$status" "$step_log"
    tail -n "$log_tail_lines" "$step_log" | sed 's/^/    /'
  fi
  return "$status"
}
