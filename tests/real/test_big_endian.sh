#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A processor whose numbers begin with the most significant byte, s390x: built by Debian's cross compiler, without optimisation to be
# quick, and run by qemu-user. The smallest scenarios give the bytes of this machine; results, checkpoints, networks
# and programs of either are read by the other. All scenarios, and aarch64: tests/long/test_processors.sh.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/processors.sh"

wants s390x-linux-gnu-gcc qemu-s390x ninja
export processor=s390x theirs=$PWD/s390x/weft
"$WEFT_SOURCE/tools/cross" s390x s390x -D WEFT_REPORT=OFF -D CMAKE_C_FLAGS_RELEASE='-O0 -DNDEBUG'
ninja -C s390x/build weft >build.log 2>&1 || { grep -A9 FAILED build.log; fail 'it does not build for s390x'; }
for name in queue credit-chain seconds router-voq shared-queue-ports router-imported; do
    same_result "$name" "$WEFT_SOURCE/tests/determinism/scenarios/$name.yaml"
done
echo 'results: the same bytes'
files_cross
checkpoints_cross
same_answer model cut-through
same_answer crossbar search scheduler=islip n=3 d=3
