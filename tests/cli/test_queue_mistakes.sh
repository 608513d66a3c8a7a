#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Settings of a single queue that do not go together, each with its sentence; at the bounds themselves they do.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >queue.yaml <<'END2'
interweft: 1
topology: {kind: full, routers: 1, hosts: 2}
router: {kind: queue, service: 50 cycles}
traffic: {all: {pattern: uniform, length: 1 flits, load: 0.005}}
END2
# takes SETTINGS, refuses SETTINGS SENTENCE
takes() {
    run 0 "$WEFT" check queue.yaml "router={kind: queue, service: 50 cycles, $1}"
}
refuses() {
    run 1 "$WEFT" check queue.yaml "router={kind: queue, service: 50 cycles, $1}"
    is err "command line: router.$2"
}
refuses 'thresholds: [5], rates: [1]' 'rates must list one rate more than router.thresholds, found 1 for 1 thresholds'
refuses 'thresholds: [5, 5], rates: [1, 2, 3]' 'thresholds must rise, found 5 after 5'
takes 'thresholds: [5, 6], rates: [1, 2, 3]'
refuses 'scv: 0.5' 'scv must be 0 or at least 1, found 0.5: no generalised exponential distribution varies less than an exponential one'
takes 'scv: 1'
refuses 'channels: 3, shared: 1' 'shared needs router.semantics borrow or share, found follow'

# A packet is the whole of its message, of one flit.
run 1 "$WEFT" check queue.yaml 'endpoint.mtu=2 flits' 'traffic.all.length=4 flits'
is err 'queue.yaml:3:9: router queue needs messages of one packet: use length 1 flits'

# Twelve places in three parts: a VC has four, and four more of each that it takes.
shared='rates: [1, 2, 3], semantics: share'
takes "capacity: 12, thresholds: [4, 8], $shared, channels: 4"
refuses "capacity: 12, thresholds: [5, 8], $shared, channels: 4" \
    'thresholds: number 1 must be at most 4, the room of one VC, or it is never reached; found 5'
refuses "capacity: 12, thresholds: [4, 9], $shared, channels: 4" \
    'thresholds: number 2 must be at most 8, the room of that many VCs, or it is never reached; found 9'
takes "thresholds: [50, 80], $shared, channels: 4" # no capacity, no bound
refuses "capacity: 13, thresholds: [4, 8], $shared, channels: 4" \
    'capacity must be a multiple of the number of rates (3): a VC has its part of it, and as much more with every VC it borrows'
refuses "capacity: 12, thresholds: [4, 8], $shared" 'semantics share needs at least two router.channels'
takes "thresholds: [4, 8], $shared, channels: 4, shared: 3"
refuses "thresholds: [4, 8], $shared, channels: 4, shared: 4" 'shared must be below router.channels (4), found 4'

# A chain of shared queues: credits are for packets that go on.
cat >chain.yaml <<'END2'
interweft: 1
topology: {kind: mesh, dims: [4]}
router: {kind: shared-queue, full: wait, queue: [4]}
traffic: {all: {pattern: uniform, from: 0, length: 1 flits, load: 0.1}}
END2
run 0 "$WEFT" check chain.yaml
run 1 "$WEFT" check chain.yaml routing=valiant
has err 'router.full wait: packets may only go on from the first router, but routing valiant leads some of them back: use a minimal one'
run 1 "$WEFT" check chain.yaml 'router.queue=[4, 5]'
has err 'router.queue must be one number, or one for each of the 4 routers, found 2'

# A kind of marking looks at its own settings.
run 1 "$WEFT" check "$WEFT_SOURCE/tests/data/scenarios/wrong/router/62-marking-from-above-to.yaml"
has err 'router.marking.min must be below max (10 packets), found 20'
