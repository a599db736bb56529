#!/bin/bash -eu
# ClusterFuzzLite builds what OSS-Fuzz builds.
exec bash -eu "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../fuzz/oss-fuzz/build.sh"
