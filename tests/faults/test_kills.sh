#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Signals at random moments; tests/long/test_kills.sh has a thousand.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# A sanitizer's search for leaks at the end cannot stand signals; other tests look for leaks.
export ASAN_OPTIONS=detect_leaks=0
python3 "$WEFT_SOURCE/tests/faults/kills.py" 20 --pause 2 --pauses 1 --seed "${WEFT_SEED:-28}"
