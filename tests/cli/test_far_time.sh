#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Time past 2^32 ticks: the same batches of messages, milliseconds apart instead of microseconds, take as long, packet by
# packet, as near tick 0. Batches of one source meet each other, those of different sources do not. WEFT_FAR: also past
# 2^48 ticks, days apart, which takes long.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >far.yaml <<'END'
interweft: 1
seed: 5
clock: 1 GHz
topology: {kind: torus, dims: [3, 3]}
links: {rate: 8 Gb/s, flit: 1 B, latency: 1.001 ns}
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

for router in output-queued '{kind: input-queued, vcs: 4, buffer: 4 packets}' shared-queue; do
    run 0 "$WEFT" run far.yaml router="$router" --quiet --new --results near.weft
    packets near.weft >near
    [[ $(wc -l <near) -ge 20 ]] || fail 'nothing to compare'
    [[ $(ticks near.weft) -lt $((1 << 32)) ]] || fail 'near is not near'
    for far in '100 32' ${WEFT_FAR:+'0.01 48'}; do
        read -r rate bits <<<"$far"
        run 0 "$WEFT" run far.yaml router="$router" traffic.all.rate="$rate" --quiet --new --results far.weft
        [[ $(ticks far.weft) -gt $((1 << bits)) ]] || fail "no 2^$bits ticks: $(ticks far.weft)"
        packets far.weft >far
        diff near far || fail "packets take another time past 2^$bits ticks"
        echo "$router: $(ticks far.weft) ticks, $(metric far.weft delivered) messages: as near 0"
    done
done
