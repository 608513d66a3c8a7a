#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Selection least-occupied: where routers have FIFOs at their outputs a packet waits in the shortest, which is quicker than any order
# that does not look; where they have credits these decide anyway, and only islip, which asks for all ports, is told to
# ask for the best alone.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
routing: {kind: minimal-adaptive, selection: least-occupied}
traffic: {all: {pattern: uniform, length: 8 flits, rho: 0.8}}
measure: {half-width: 1%, limit: {packets: 200000}}
END
# latency SELECTION SETTING...: "low high" of its interval.
latency() {
    run 0 "$WEFT" run torus.yaml --quiet --new routing.selection="$1" "${@:2}"
    "$WEFT" export torus.weft | awk -F, '$1 == "latency" && $2 == "" && $3 == "" { print $6, $7 }'
}
read -r _ best <<<"$(latency least-occupied)"
for other in dimension-order random diagonal; do
    read -r low _ <<<"$(latency "$other")"
    awk -v a="$best" -v b="$low" 'BEGIN { exit !(a < b) }' ||
        fail "least-occupied: up to $best cycles, $other from $low"
    echo "least-occupied below $best cycles, $other above $low"
done

# bytes SELECTION SETTING...: results on an input-queued router.
bytes() {
    run 0 "$WEFT" run torus.yaml --quiet --new traffic.all.rho=0.4 measure.limit.time='3000 cycles' \
        routing.selection="$1" "${@:2}"
    "$WEFT" export torus.weft | sha256sum
}
router='router={kind: input-queued, vcs: 4, buffer: 16 flits}'
[[ $(bytes least-occupied "$router") == "$(bytes dimension-order "$router")" ]] ||
    fail 'credits do not decide'
router='router={kind: input-queued, vcs: 4, buffer: 16 flits, scheduler: islip}'
[[ $(bytes least-occupied "$router") != "$(bytes dimension-order "$router")" ]] ||
    fail 'islip is not told to look'

run 1 "$WEFT" check torus.yaml routing.kind=minimal-oblivious
has err 'selection least-occupied chooses between ports at the router: it needs routing minimal-adaptive'

# Up and down by one port: packets are sorted when they come, or given their channel first.
for setting in router.queues=voq router.vc-stage=true; do
    run 0 "$WEFT" run torus.yaml --quiet --new router.kind=input-queued router.vcs=2 router.buffer='16 flits' \
        routing=up-down traffic.all.rho=0.1 measure.limit.time='3000 cycles' "$setting"
done
run 1 "$WEFT" check torus.yaml router.kind=input-queued router.vcs=2 router.buffer='16 flits' \
    routing='{kind: up-down, adaptive: true}' router.queues=voq
has err 'routing up-down decides later: use fifo, or routing dimension-order'

# A list of more than 32 numbers: 40 outer ports on the routers of a group.
attach=$(seq -s, 0 39)
run 0 "$WEFT" check torus.yaml routing=minimal-oblivious \
    topology="{kind: hierarchy, outer: {kind: full, routers: 41}, inner: {kind: full, routers: 40}, attach: [$attach]}"
has out 'routers                1640'
