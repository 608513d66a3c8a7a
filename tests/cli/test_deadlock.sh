#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Networks that are known to deadlock: check says so and shows who waits for whom, and a run stops with status 3 and says
# the same. What is only too loaded does not.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 2, buffer: 4 flits}
routing: {kind: dimension-order, dateline: none}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 1.0}
measure: {warmup: 0 cycles, limit: {time: 20000 cycles}}
END
cat >torus-4.5d.yaml <<'END'
interweft: 1
topology:
  kind: hierarchy
  outer: {kind: torus, dims: [4, 4, 3, 2]}
  inner: {kind: full, routers: 4, hosts: 2}
  attach: [0, 0, 1, 1, 2, 2, 3]
  inner-vcs: 1
router: {kind: input-queued, vcs: 2, buffer: 4 flits}
routing: {kind: dimension-order, dateline: per-hop}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 1.0}
measure: {warmup: 0 cycles, limit: {time: 20000 cycles}}
END

# bad SCENARIO SETTING...: both verdicts.
bad() {
    run 0 "$WEFT" check "$@"
    has out 'deadlock               possible: '
    has out 'cycle                  a packet from router '
    run 3 "$WEFT" run "$@" --quiet --new --results bad.weft
    has err 'deadlock at tick '
    has err ' waits for output '
    first=$(cat err)
    run 3 "$WEFT" run "$@" --quiet --new --results bad.weft --blocks 5
    is err "$first"
}
# good SCENARIO SETTING...: the same load, and no deadlock.
good() {
    run 0 "$WEFT" check "$@"
    has out 'deadlock               none possible: '
    run 0 "$WEFT" run "$@" --quiet --new --results good.weft
    has out 'saturated'
}

# A torus without datelines, and with them.
bad torus.yaml
bad torus.yaml router.vcs=4 router.queues=voq
good torus.yaml routing.dateline=on-entry
good torus.yaml routing.dateline=per-hop
# BookSim2's three vcs: the middle one is shared, and a packet chooses before there is room.
bad torus.yaml routing.dateline=shared router.vcs=3 router.vc-stage=true
good torus.yaml routing.dateline=shared router.vcs=3
good torus.yaml routing.dateline=shared router.vcs=4 router.vc-stage=true
# The 4.5D torus whose inner links have one VC class, and with as many as it wants.
bad torus-4.5d.yaml
good torus-4.5d.yaml topology.inner-vcs=2

# The rest of the network goes on: it is said so.
run 3 "$WEFT" run torus.yaml --quiet --new --results bad.weft
has err 'virtual channels wait for each other and none of them will ever move, while others do: router '
# What is shown of a circle is cut where it gets long.
run 0 "$WEFT" check torus.yaml 'topology.dims=[40]'
has out 'and so on: 40 packets
                       and 40 more fill the other channels that these could take
'

# Three flits go wherever there is room for three, so eight never find room for eight: starvation is neither deadlock nor a failure.
cat >unfair.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 4], hosts: 2}
router: {kind: input-queued, vcs: 4, buffer: 8 flits, shared: 16 flits}
routing: {kind: dimension-order, dateline: per-hop}
traffic:
  long: {pattern: uniform, length: 8 flits, load: 0.3}
  short: {pattern: neighbour, length: 3 flits, load: 0.2}
measure: {warmup: 1000 cycles, limit: {time: 60000 cycles}}
END
run 0 "$WEFT" run unfair.yaml --quiet --new --results unfair.weft
has err 'starvation, not deadlock: packets of '
