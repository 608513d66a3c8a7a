#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft plan for 16,384 endpoints on switches of 64 ports: twenty fabrics or more within a minute, five of them simulated within ten.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >machine.yaml <<'END'
interweft-plan: 1
title: 16,384 endpoints on 64-port switches
endpoints: 16384
switch: {ports: 64, rate: 400 Gb/s}
END
began=$SECONDS
run 0 "$WEFT" plan machine.yaml simulate=0 --quiet --csv all.csv
at_most $((SECONDS - began)) 60 'seconds of all fabrics'
[[ $(wc -l <all.csv) -gt 20 ]] || fail "$(wc -l <all.csv) lines in the table of fabrics"
head -1 out
began=$SECONDS
run 0 "$WEFT" plan machine.yaml --quiet --html machine.html
at_most $((SECONDS - began)) 600 'seconds with five simulated'
has out 'simulated, 95 % intervals'
has machine.html 'Floor plans'
