#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page "A paper's evaluation in one file": its commands run and print the lines that it shows.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
export COLUMNS=80
page=evaluation
follow $page 16
for file in paper.html paper.csv paper-figures/uniform-latency.svg paper-figures/tornado-throughput.svg; do
    [[ -s $page/$file ]] || fail "there is no $file"
done
has err '30 points'
has err '30 of them again, as their settings have changed'
[[ $(grep -c 'src="data:image/svg+xml' $page/paper.html) -eq 2 ]] || fail 'the page lacks a picture'
