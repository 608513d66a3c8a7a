#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranks over time in a browser: three jobs, a thousand ranks, and bins where operations are not kept. Screenshots are left in
# <build>/tests/browser-pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/browser/lib.sh"

cat >mix.yaml <<'YAML'
interweft: 1
title: Three jobs on a fat tree
topology: {kind: fat-tree, arity: 4, levels: 2}
links: {latency: 20 cycles, flit: 16 B}
router: {kind: input-queued, vcs: 2, buffer: 64 flits}
routing: {kind: d-mod-k}
endpoint: {mtu: 256 B}
host: {overhead: 30 cycles, eager: 2 KiB}
jobs:
  ring: {collective: allreduce/ring, ranks: 5, size: 20000 B, repeat: 3, placement: random, sum: 1}
  doubling: {collective: allreduce/recursive-doubling, ranks: 6, size: 900 B, repeat: 6, placement: round-robin}
  exchange: {collective: all-to-all/pairwise, size: 4000 B, repeat: 4, start: 500 cycles}
traffic:
  noise: {length: 128 B, load: 5%}
measure: {timeline: operations, series: 1000 cycles, link-series: true}
YAML
cat >big.yaml <<'YAML'
interweft: 1
title: Recursive doubling on 1,024 ranks
topology: {kind: fat-tree, arity: 16, levels: 3}
links: {latency: 20 cycles, flit: 64 B}
router: {kind: input-queued, vcs: 2, buffer: 64 flits}
routing: {kind: d-mod-k}
endpoint: {mtu: 1 KiB}
host: {overhead: 100 cycles}
jobs:
  reduce: {collective: allreduce/recursive-doubling, ranks: 1024, size: 4096 B, sum: 1, placement: random}
measure: {timeline: operations}
YAML
run 0 "$WEFT" run mix.yaml --quiet
run 0 "$WEFT" run big.yaml --quiet
run 0 "$WEFT" run big.yaml --quiet measure.timeline=states jobs.reduce.ranks=200 --results states.weft
run 0 "$WEFT" report mix.weft
if [[ ! -s mix.html ]]; then
    echo 'skipped: this build has no report page'
    exit 77
fi
run 0 "$WEFT" report big.weft --html big.html
run 0 "$WEFT" report states.weft --html states.html
browse ranks.mjs "$PWD" "$WEFT_BUILD/tests/browser-pictures"
