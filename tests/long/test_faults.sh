#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills at 160 random moments: tests/mpi/test_faults.sh at length.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/faults.sh"

faults one 50 --ranks 3
faults all 50 --ranks 3
faults first 50
faults launcher 10 --ranks 3
