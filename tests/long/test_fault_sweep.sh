#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every call of every command that writes fails once, and from there on; and a thousand flips of each kind of file.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
python3 "$WEFT_SOURCE/tests/faults/sweep.py"
python3 "$WEFT_SOURCE/tests/faults/damage.py" 1000
