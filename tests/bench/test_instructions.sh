#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The speed that does not depend on the machine: instructions per packet-hop of S2, per event of
# PHOLD, per traversal of an input-queued router and per message of a closed loop, in a release build by gcc. Skipped (77)
# where that cannot be counted.
set -euo pipefail
declare -A most=([s2-16x16]=311 [phold-65536]=200 [router-.1]=708 [router-.6]=993 [router-1]=1252 [router-flit]=838
    [router-4d-.1]=576 [closed]=6760)

skip() {
    echo "skipped: $1"
    exit 77
}
setting() {
    sed -n "s/^$1:[A-Z]*=//p" "$WEFT_BUILD/CMakeCache.txt"
}
command -v valgrind >/dev/null || skip 'valgrind is missing'
[[ -x $WEFT_BUILD/bench/bench_s2 ]] || skip 'the benchmarks are not built'
[[ $(setting CMAKE_BUILD_TYPE) == Release ]] || skip 'not a release build'
[[ -z $(setting WEFT_SANITIZE) && -z $(setting WEFT_MARCH) ]] || skip 'not the flags of a release'
"$WEFT_CC" --version | grep -q 'Free Software Foundation' || skip 'not gcc'
if nm "$WEFT_BUILD/bench/bench_s2" | grep -q __assert_fail; then
    skip 'assertions are on'
fi

good=0
while read -r bench count; do
    echo "$bench: $count instructions, at most ${most[$bench]}"
    if awk -v count="$count" -v most="${most[$bench]}" 'BEGIN { exit !(count > 0 && count <= most) }'; then
        good=$((good + 1))
    fi
done < <("$WEFT_SOURCE/bench/instructions" "$WEFT_BUILD")
[[ $good -eq ${#most[@]} ]]
