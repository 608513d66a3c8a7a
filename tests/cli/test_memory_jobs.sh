#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `weft check` foretells of the memory of jobs is what they use, or up to half more: generated and stored ones, with
# logs of their ranks, and with loads of links over time. A region may get a huge page of 2 MiB more or less.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
grep -q __asan_init "$WEFT" && exit 77

cat >tree.yaml <<'END'
interweft: 1
topology: {kind: fat-tree, arity: 16, levels: 3}
router: {kind: input-queued, vcs: 1, buffer: 32 flits}
routing: {kind: d-mod-k}
links: {flit: 64 B}
jobs:
  sum: {collective: allreduce/recursive-doubling, size: 64 B}
measure: {links: off}
END
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 4}
routing: {kind: dimension-order}
links: {flit: 64 B}
jobs:
  trace: {file: trace.goal}
measure: {limit: {time: 4000 cycles}}
END
awk -v ranks=64 -v steps=4000 -f "$WEFT_SOURCE/tests/data/workloads/exchange.awk" >trace.goal

# foretold NAME SCENARIO SETTINGS...
foretold() {
    local name=$1 estimate used
    shift
    run 0 "$WEFT" check "$@" --threads 1
    estimate=$(awk '/^memory while running/ { printf "%d", $4 * 1048576 }' out)
    run 0 "$WEFT" run "$@" --quiet --new --threads 1 --results used.weft
    used=$(peak used.weft)
    echo "$name: foretold $((estimate >> 20)) MiB, used $((used >> 20)) MiB"
    ((estimate + 2097152 >= used)) || fail "$name uses $used bytes, more than the $estimate foretold"
    ((2 * estimate <= 3 * used)) || fail "$name uses $used bytes, much less than the $estimate foretold"
}
foretold 'a collective of 65,536 ranks' tree.yaml topology.levels=4
foretold 'a log of operations' tree.yaml measure.timeline=operations measure.timeline-limit=1000000
foretold 'a log of states' tree.yaml measure.timeline=states
foretold 'a stored program' torus.yaml
foretold 'a program that is divided' torus.yaml measure.ideal-limit=0
foretold 'loads of links' torus.yaml measure.link-series=true measure.series='20 cycles'
