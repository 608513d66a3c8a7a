#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cut and flipped files; tests/long/test_fault_sweep.sh has more.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
python3 "$WEFT_SOURCE/tests/faults/damage.py" 25
