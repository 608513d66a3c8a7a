#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Other processors: aarch64 (little-endian, plain char unsigned) and s390x (big-endian), built by Debian's cross compilers and run by
# qemu-user, and this x86-64 program on a processor without AVX, SSE 4 and POPCNT. Golden results, blocks and threads, random
# scenarios, models, answers and pages are the same bytes; results, checkpoints, networks and programs of either are read by the other; no
# multiplication and addition is fused; the unit and contract tests pass there.
#
#     WEFT_PROCESSORS='s390x'     some of arm64, s390x and x86-64; default: all
#     WEFT_DRAWS=100              random scenarios
#     WEFT_PROCESSOR_FOLDER=F     keeps builds there and goes on with them
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/processors.sh"
read -r -a processors <<<"${WEFT_PROCESSORS:-x86-64 arm64 s390x}"
builds=${WEFT_PROCESSOR_FOLDER:-$PWD/builds}
jobs=${WEFT_JOBS:-$(nproc)}

# scenarios_agree: golden results are those recorded; a few with other numbers of blocks and threads.
scenarios_agree() {
    local name
    WEFT=$theirs "$WEFT_SOURCE/tools/golden" || fail "golden results differ on $processor"
    for name in router-adaptive router-congestion router-jobs shared-queue router-infiniband; do
        same_result "$name" "$WEFT_SOURCE/tests/determinism/scenarios/$name.yaml" --blocks 7 --threads 2
    done
    echo "$processor: golden results as recorded, also in 7 blocks on 2 threads"
}
# random_agree: scenarios that tests/random draws, run on both. Those refused here are refused there with the same words.
random_agree() {
    local draw=$WEFT_BUILD/tests/test_random count=${WEFT_DRAWS:-100} ran=0 refused=0 seed
    [[ -x $draw ]] || { echo 'left out: random scenarios, there is no tests/test_random'; return; }
    for ((seed = 28000000; seed < 28000000 + count; seed++)); do
        "$draw" --show "$seed" >drawn.yaml
        if "$WEFT" check drawn.yaml >/dev/null 2>&1 && timeout 20 "$WEFT" run drawn.yaml --quiet --results tried.weft --new >/dev/null 2>&1; then
            same_result "seed $seed" drawn.yaml
            ran=$((ran + 1))
        else
            same_answer check drawn.yaml
            refused=$((refused + 1))
        fi
    done
    echo "$processor: $ran of $count random scenarios give the same bytes, $refused are refused or do not end alike"
}
# answers_agree: what is computed without a simulation, and pages of results.
answers_agree() {
    local name scenario
    "$WEFT" model | sed -n 's/^  \([a-z0-9-]*\) .*/\1/p' >models.txt
    while read -r name; do
        same_answer model "$name"
    done <models.txt
    same_answer list
    same_answer schema
    same_answer crossbar search scheduler=islip n=4 d=4
    same_answer crossbar search scheduler=wfront n=3 d=4
    for scenario in "$WEFT_SOURCE"/tests/determinism/scenarios/*.yaml; do
        same_answer topology show "$scenario"
    done
    run 0 "$WEFT" run "$WEFT_SOURCE/tests/determinism/scenarios/router-jobs.yaml" --quiet --results page.weft --new
    same_file page.csv report page.weft --csv page.csv
    same_file page.html report page.weft --html page.html
    same_answer export page.weft --format json
    echo "$processor: $(wc -l <models.txt) models, tables, pages and topologies answer alike"
}
# nothing_is_fused TRIPLET PATTERN: no instruction of our objects multiplies and adds with one rounding.
nothing_is_fused() {
    "$1-objdump" -d "$builds/$processor/build/libinterweft.a" >code.txt
    ! grep -m 5 -P "$2" code.txt || fail "fused instructions on $processor"
    echo "$processor: $(wc -l <code.txt) lines of code, nothing is fused"
}
# units_pass: the unit and contract tests, compiled for the processor; without those of METIS and KLU, which tools/cross leaves
# out, and of a limit of memory, which qemu does not keep.
units_pass() {
    local folder=$builds/$processor/build without='test_interop|test_model_chains|test_model_pools|test_kernel_checkpoint_trouble'
    cmake "$folder" -D WEFT_TESTS=ON >/dev/null
    ninja -C "$folder" -j "$jobs" >build.log 2>&1 || { grep -A9 FAILED build.log | head -40; fail "tests do not build for $processor"; }
    ctest --test-dir "$folder" -R '^(unit|contract)/' -E "^unit/($without)\$" -j "$jobs" --timeout 3000 --output-on-failure >tests.log 2>&1 ||
        { tail -100 tests.log; fail "tests fail on $processor"; }
    echo "$processor: $(grep 'tests passed' tests.log)"
}

for processor in "${processors[@]}"; do
    mkdir -p "$builds"
    start=$SECONDS
    if [[ $processor == x86-64 ]]; then
        wants qemu-x86_64
        theirs=$builds/weft-x86-64
        printf '#!/bin/sh\nexec qemu-x86_64 -cpu core2duo "%s" "$@"\n' "$WEFT" >"$theirs"
        chmod +x "$theirs"
        scenarios_agree
        same_answer crossbar search scheduler=islip n=4 d=4
        checkpoints_cross
        echo "x86-64 without AVX: $((SECONDS - start)) s"
        continue
    fi
    triplet=s390x-linux-gnu fused='\t(ma|ms)[de]b?r\b|\tw?v?fn?m[as][ds]b\b'
    [[ $processor != arm64 ]] || triplet=aarch64-linux-gnu fused='\tf(n?m(add|sub)|ml[as])\b'
    wants "$triplet-gcc" "qemu-${triplet%%-*}" ninja
    theirs=$builds/$processor/weft
    "$WEFT_SOURCE/tools/cross" "$processor" "$builds/$processor"
    ninja -C "$builds/$processor/build" -j "$jobs" weft >build.log 2>&1 ||
        { grep -A9 FAILED build.log | head -40; fail "it does not build for $processor"; }
    nothing_is_fused "$triplet" "$fused"
    scenarios_agree
    files_cross
    checkpoints_cross
    answers_agree
    random_agree
    [[ ${WEFT_UNITS:-yes} == no ]] || units_pass
    echo "$processor: $((SECONDS - start)) s"
done
