#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 500 points killed ten times: tests/cli/test_study_kills.sh at length; then one changed key runs the points that depend on
# it and no other.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/study_lib.sh"
killed_study 500 10
sed -i 's/long: {traffic.all.length: 24 flits}/long: {traffic.all.length: 32 flits}/' paper.yaml
again 250 'series=long' "$WEFT" study paper.yaml --quiet
sed -i 's/\[4, 7\]}/[4, 7], routing.selection: random}/' paper.yaml
again 50 'scenario=s4 ' "$WEFT" study paper.yaml --quiet
again 0 . "$WEFT" study paper.yaml --quiet
printf 'one key of a series: 250 of 500 points; of a scenario: 50; nothing: 0\n'
