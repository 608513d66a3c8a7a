#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A thousand kills, and stops of a minute: tests/faults/test_kills.sh at length.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
python3 "$WEFT_SOURCE/tests/faults/kills.py" 1000 --pause 60 --pauses 3
