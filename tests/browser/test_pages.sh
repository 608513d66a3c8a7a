#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reports in a browser: made by `weft report`, opened in Chromium without a window, used as a person
# would use them. Screenshots are left in <build>/tests/browser-pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/browser/lib.sh"
run 0 "$WEFT_BUILD/tests/test_pages" .
run 0 "$WEFT" report matrix.weft
if [[ ! -s matrix.html ]]; then
    echo 'skipped: this build has no report page'
    exit 77
fi
for name in sweep dragonfly cube tree hostile; do
    run 0 "$WEFT" report "$name.weft" --html "$name.html" --csv "$name.csv"
done
# Times in nanoseconds, as in the metrics, wherever they are drawn.
cat >units.yaml <<'END'
interweft: 1
title: Nanoseconds and gigabits
clock: 1 GHz
topology: {kind: dragonfly, groups: 5, routers: 4, hosts: 2}
links: {rate: 200 Gb/s, flit: 64 B, local: {latency: 5.001 ns}, global: {latency: 100 ns}, host: {latency: 5 ns}}
router: {kind: input-queued, vcs: 6, buffer: 16 KiB}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 2 KiB, load: 0.2}}
measure: {half-width: 2%, series: 500 ns, devices: ports, links: all, limit: {packets: 30000}}
vary: {traffic.all.load: [0.1, 0.3, 0.5]}
END
run 0 "$WEFT" run units.yaml --quiet
run 0 "$WEFT" report units.weft --html units.html --csv units.csv
run 0 "$WEFT" report sweep.weft other.weft --html compare.html --csv compare.csv

# Ten thousand commits wait for the disk, so they go where there is none.
here=$PWD big=$PWD
[[ ! -d /dev/shm ]] || big=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$here" "$big"' EXIT
run 0 "$WEFT_BUILD/tests/test_pages" "$big" big
run 0 "$WEFT" report "$big/big.weft" --html big.html

browse pages.mjs "$here" "$WEFT_BUILD/tests/browser-pictures"
