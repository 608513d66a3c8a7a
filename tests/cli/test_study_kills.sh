#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A study killed at random moments gives the bytes of one that was left alone; tests/long has 500 points.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/study_lib.sh"
killed_study 50 3
