#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/howto/jobs.md: its commands run, and print the lines that it shows.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
command -v gnuplot >/dev/null || {
    echo 'no gnuplot: skipped'
    exit 0
}
follow jobs 10
