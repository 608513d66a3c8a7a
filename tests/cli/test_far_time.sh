#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Time past 2^32 and 2^48 ticks of 1 ps: the same batches of messages, further apart, take as long, packet by packet, as before.
# Batches of one source meet each other, those of different sources do not.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >far.yaml <<'END'
interweft: 1
seed: 5
clock: 1 GHz
topology: {kind: torus, dims: [3, 3]}
links: {rate: 8 Gb/s, flit: 1 B, latency: 1.001 ns}
endpoint: {mtu: 4 flits}
traffic: {all: {pattern: uniform, arrival: {kind: ge, scv: 9}, length: {kind: exponential, mean: 6 flits}, rate: 10000}}
measure: {half-width: 0.0001%, warmup: 0 ns, by: hops, limit: {packets: 256}, links: all}
END
# packets RESULTS: what packets and links did, without what is per time.
packets() {
    "$WEFT" export "$1" --format canonical | sed -E '/ links /s/ [0-9]+$//' |
        grep -E ' (links|histogram) |metric "(latency|hops|generated|delivered|packets|tick)" ' | grep -v bound
}
# ticks RESULTS: how many have passed.
ticks() {
    "$WEFT" export "$1" | awk -F, '$1 == "time" { printf "%.0f", 1000 * $5 }' # a tick is 1 ps
}

spans=('256 10000 100 32' '4096 100 1 48')
most=4096
if grep -q __asan_init "$WEFT"; then # two million sync points are too slow there
    spans=('256 10000 100 32')
    most=256
fi
for router in output-queued '{kind: input-queued, vcs: 4, buffer: 4 packets}' shared-queue; do
    for far in "${spans[@]}"; do
        read -r packets often seldom bits <<<"$far"
        given=(router="$router" measure.limit.packets="$packets")
        run 0 "$WEFT" run far.yaml "${given[@]}" traffic.all.rate="$often" --quiet --new --results near.weft
        run 0 "$WEFT" run far.yaml "${given[@]}" traffic.all.rate="$seldom" --quiet --new --results far.weft
        packets near.weft >near
        packets far.weft >far
        [[ $(wc -l <near) -ge 20 ]] || fail 'nothing to compare'
        [[ $(ticks near.weft) -lt $((1 << bits)) && $(ticks far.weft) -gt $((1 << bits)) ]] ||
            fail "2^$bits ticks are not between $(ticks near.weft) and $(ticks far.weft)"
        diff near far || fail "packets take another time past 2^$bits ticks"
        echo "$router: $(ticks far.weft) ticks, $(metric far.weft delivered) messages: as near 0"
    done
done
# Stopped again and again, and gone on with: the same bytes.
given=(router='{kind: input-queued, vcs: 4, buffer: 4 packets}' measure.limit.packets="$most" traffic.all.rate=1)
pieces=0
status=4
while [[ $status -eq 4 ]]; do
    status=0
    timeout --preserve-status -s TERM 1 "$WEFT" run far.yaml "${given[@]}" --quiet --results pieces.weft >out 2>err || status=$?
    pieces=$((pieces + 1))
done
[[ $status -eq 0 ]] || fail "piece $pieces ended with status $status: $(cat err)"
run 0 "$WEFT" run far.yaml "${given[@]}" --quiet --new --results far.weft
[[ $(canonical pieces.weft) == "$(canonical far.weft)" ]] || fail "other results in $pieces pieces"
echo "input-queued: the same in $pieces pieces"

# Programs that calculate for minutes between their messages.
cat >job.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: torus, dims: [3, 3]}
links: {rate: 8 Gb/s, flit: 1 B, latency: 1.001 ns}
router: {kind: input-queued, vcs: 4, buffer: 4 packets}
endpoint: {mtu: 64 B}
jobs: {ring: {ranks: 9, repeat: 4, phases: {step: {compute: 1 us}, sum: {collective: allreduce/ring, size: 900 B}}}}
END
run 0 "$WEFT" run job.yaml --quiet --new --results near.weft
run 0 "$WEFT" run job.yaml jobs.ring.phases.step.compute='100 s' --quiet --new --results far.weft
for name in latency hops generated delivered; do
    [[ $(metric near.weft $name) == "$(metric far.weft $name)" ]] ||
        fail "$name $(metric near.weft $name) at first, $(metric far.weft $name) past 2^48 ticks"
done
awk -v near="$(metric near.weft completion)" -v far="$(metric far.weft completion)" 'BEGIN { late = far - near - 4 * (100e9 - 1e3); exit !(late < 0.01 && late > -0.01) }' ||
    fail "completion: $(metric near.weft completion) ns and $(metric far.weft completion) ns"
echo "a ring of 9 ranks: completed after $(metric far.weft completion) ns"
