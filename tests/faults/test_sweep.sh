#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A full disk, I/O errors, short writes and an fsync that fails, each at drawn calls (WEFT_SEED draws others); tests/long/test_fault_sweep.sh takes all.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
python3 "$WEFT_SOURCE/tests/faults/sweep.py" --draw 60 --seed "${WEFT_SEED:-28}"
