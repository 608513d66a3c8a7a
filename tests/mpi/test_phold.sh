#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernel between processes: PHOLD sees the same on any ranks and threads, with messages of a few
# events and with some that outgrow their buffers again and again.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
program=$WEFT_BUILD/tests/test_phold

for entities in 300 40000; do
    until=$((entities > 1000 ? 1500 : 4000))
    expected=$("$program" "$entities" 1 1 "$until")
    for kind in $(mpi_kinds); do
        for ranks in 2 3 4 8; do
            for threads in 1 2; do
                sum=$(on_ranks "$kind" "$ranks" "$program" "$entities" 24 "$threads" "$until")
                [[ $sum == "$expected" ]] ||
                    fail "$entities entities on $ranks ranks of $kind × $threads threads: $sum, not $expected"
            done
        done
    done
    echo "$entities entities: $expected"
done
