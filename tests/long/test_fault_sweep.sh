#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every call of every command that writes fails once, and from there on (of a run with thousands of checkpoints, which repeat each
# other, 400 of each kind); and a thousand flips of each kind of file.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
python3 "$WEFT_SOURCE/tests/faults/sweep.py" --sample 400
python3 "$WEFT_SOURCE/tests/faults/damage.py" 1000
