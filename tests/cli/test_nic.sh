#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A message of 1 MiB over an I/O bus that is slower than, equal to and faster than the link takes, to the tick,
#
#     D + 2 B + path + (n − 1) p + (L − 1) (max(b, f) + max(0, b − f)),   p = max(L max(b, f), B + (L − 1) max(0, b − f))
#
# with n packets of L flits, b and f the times of a flit on the bus and on a link, B the latency of the bus, D the set-up of the
# DMA engine: a packet is fetched when the one before has started on the link, and starts when the bus cannot fall behind. If messages
# follow each other without a gap, one takes (n − 1) p + max(p, D + B + (L − 1) max(0, b − f)), and that is the throughput.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

flits=16384 f=5
sed '/^vary:/,$d' "$WEFT_SOURCE/studies/hinetsim/nic.yaml" >nic.yaml

max() { echo $(($1 > $2 ? $1 : $2)); }

# message BUS MTU B D: BUS in ns a flit, MTU in flits, latency and set-up in ns. Sets once (one message) and each (in a row).
message() {
    local b=$1 L=$2 B=$3 D=$4 n=$((flits / $2)) path=$((30 + 3 * 50 + 2 * (20 + 20 + 10)))
    local slower slow p
    slower=$(max 0 $((b - f)))
    slow=$(max "$b" "$f")
    p=$(max $((L * slow)) $((B + (L - 1) * slower)))
    once=$((D + 2 * B + path + (n - 1) * p + (L - 1) * (slow + slower)))
    each=$(((n - 1) * p + $(max "$p" $((D + B + (L - 1) * slower)))))
}

# settings BUS MTU B D: the same as settings of the scenario.
settings() {
    given=("endpoint.bus-rate=$((512 / $1)).$((5120 / $1 % 10)) Gb/s" "endpoint.mtu=$(($2 * 64)) B"
        "endpoint.bus-latency=$3 ns" "endpoint.dma=$4 ns")
}

for bus in 8 5 4; do
    for rest in '64 250 1000' '16 250 1000' '16 40 0' '256 0 3000' '64 700 20000'; do
        read -r mtu latency dma <<<"$rest"
        message "$bus" "$mtu" "$latency" "$dma"
        settings "$bus" "$mtu" "$latency" "$dma"

        run 0 "$WEFT" run nic.yaml --quiet --new "${given[@]}"
        [[ $(metric nic.weft 'message latency') == "$once" && $(metric nic.weft 'latency deviation') == 0 ]] ||
            fail "$rest on a bus of $bus ns: $(metric nic.weft 'message latency') instead of $once ns"

        # 21 messages that wait from the start: the last is through 20 periods after the first, the mean 10.
        run 0 "$WEFT" run nic.yaml --quiet --new "${given[@]}" endpoint.backlog=21 traffic.all.load=0.0001 \
            measure.limit.time="$((once + 21 * each)) ns"
        mean=$(metric nic.weft 'message latency')
        [[ $mean == "$((once + 10 * each))" && $(metric nic.weft delivered) == 42 ]] ||
            fail "$rest on a bus of $bus ns: a mean of $mean instead of $((once + 10 * each)) ns"
        echo "bus $bus ns, mtu $mtu flits, latency $latency, dma $dma: $once ns, then one every $each ns," \
            "$((1000 * flits * f / each)) thousandths of a link"
    done
done
