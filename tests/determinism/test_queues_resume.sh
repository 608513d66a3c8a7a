#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Routers with one queue, chains with credits and single servers: stopped, gone on with in other blocks, stopped again, they
# give the same result bytes as a run without a stop. And what they cannot be used for is refused with the reason.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# resumes NAME TIME: a run of this simulated time is interrupted twice.
resumes() {
    local scenario=$WEFT_SOURCE/tests/determinism/scenarios/$1.yaml settings=(measure.limit.time="$2") status
    run 0 "$WEFT" run "$scenario" --quiet --results whole.weft --new "${settings[@]}"
    rm -rf part.weft*
    for blocks in 1 3; do
        "$WEFT" run "$scenario" --quiet --results part.weft --blocks "$blocks" "${settings[@]}" \
            >out 2>err </dev/null &
        sleep 0.15
        kill -s INT $! 2>/dev/null || true
        status=0
        wait $! || status=$?
        [[ $status -eq 4 || $status -eq 0 ]] || { cat err; fail "$1: status $status after SIGINT"; }
        echo "$1: stopped with status $status"
    done
    run 0 "$WEFT" run "$scenario" --quiet --results part.weft --blocks 2 "${settings[@]}"
    [[ $(canonical part.weft) == $(canonical whole.weft) ]] || fail "$1: interrupted, other results"
}
resumes shared-queue '40000 cycles'
resumes shared-queue-list '20000 cycles'
resumes shared-queue-ports '500000 cycles'
resumes credit-chain '20000000 cycles'
resumes queue '20000000 cycles'

# refuse TEXT SETTING...: the base scenario with these settings.
cat >base.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [3]}
router: {kind: shared-queue}
traffic: {all: {length: 4 flits, load: 0.1}}
measure: {limit: {time: 1000 cycles}}
END
refuse() {
    local text=$1
    shift
    run 1 "$WEFT" check base.yaml "$@"
    has err "$text"
}
run 0 "$WEFT" run base.yaml --quiet
refuse 'router.full wait needs router.queue, the room there is' router.full=wait
refuse 'only endpoints of the first router may send, but endpoint 1 does (traffic.all)' \
    router.full=wait 'router.queue=[3]'
refuse 'only endpoints of the first router may send, but endpoint 1 does (traffic.more)' router.full=wait 'router.queue=[3]' \
    traffic.all.from=0 'traffic.more={length: 4 flits, load: 0.1}'
refuse 'router.full wait is for a chain of routers' router.full=wait 'router.queue=[3]' 'topology.dims=[3, 3]'
refuse 'router.queue must be one number, or one for each of the 3 routers, found 2' 'router.queue=[3, 4]'
refuse 'router.order event-list needs endpoint.reception unlimited' router.order=event-list
refuse 'router.order event-list needs one endpoint at every router' router.order=event-list topology.hosts=2
refuse 'router.order event-list needs packets of one length' router.order=event-list endpoint.reception=unlimited \
    'traffic.all.length={kind: exponential, mean: 4 flits}'
refuse 'router.order event-list needs links without latency' router.order=event-list endpoint.reception=unlimited \
    'links.latency=2 cycles'
refuse 'router.order event-list needs links of one class' router.order=event-list endpoint.reception=unlimited \
    'topology={kind: dragonfly, groups: 3, routers: 2, hosts: 1}'
refuse 'router.order event-list needs a single traffic class' router.order=event-list endpoint.reception=unlimited \
    'traffic.more={length: 4 flits, load: 0.1}'
refuse 'router.order event-list needs routing minimal-oblivious or minimal-adaptive' router.order=event-list \
    endpoint.reception=unlimited routing=valiant
refuse 'router.order event-list needs router.full drop' router.order=event-list endpoint.reception=unlimited \
    router.full=wait 'router.queue=[3]' traffic.all.from=0
refuse 'endpoint.injection must be left out' endpoint.injection=one-port
refuse 'lengths that are drawn anew at every hop need a router that stores packets whole' \
    router.kind=output-queued 'traffic.all.length={kind: redraw, of: {kind: exponential, mean: 4 flits}}'
refuse 'needs messages of one packet' 'router.queue=[3]' 'endpoint.mtu=2 flits'
refuse 'router queue is a single queue: use topology {kind: full, routers: 1' 'router={kind: queue, service: 9 cycles}'
cat >base.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 1, hosts: 2}
router: {kind: queue, service: 9 cycles}
traffic: {all: {length: 1 flits, load: 0.01}}
END
refuse 'router.rates must list one rate more than router.thresholds, found 1 for 1' 'router.thresholds=[3]'
refuse 'router.thresholds must rise, found 3 after 4' 'router.thresholds=[4, 3]' 'router.rates=[1, 2, 3]'
refuse 'router.scv must be 0 or at least 1, found 0.5' router.scv=0.5
refuse 'router.semantics borrow needs at least two router.channels' router.semantics=borrow
refuse 'router.capacity must be a multiple of the number of rates (2)' router.semantics=borrow router.channels=2 \
    router.capacity=7 'router.thresholds=[3]' 'router.rates=[1, 2]'
