#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fresh random scenarios give the same bytes on 3 ranks, stopped at a random time and gone on with, as in one process;
# random/test_random.c draws them and prints their seeds. WEFT_DRAWS: how many; 30.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"

first=$(od -An -N4 -tu4 /dev/urandom)
for kind in $(mpi_kinds); do
    run 0 on_ranks "$kind" 3 "$WEFT_BUILD/tests/test_random" --ranks "${first// /}" "${WEFT_DRAWS:-30}"
    cat out
done
