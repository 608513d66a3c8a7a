#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Links of a fabric have the rates and latencies of their own: a latency that can be computed by hand on a line of three switches,
# and a slow link that saturates at its rate.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >line.edges <<'END'
a b rate=100Gb/s latency=5ns
b c rate=25Gb/s latency=9ns
host a 1 rate=50Gb/s latency=2ns
host b 2
host c 1 rate=200Gb/s latency=2ns
END
cat >line.yaml <<'END'
interweft: 1
topology: {kind: file, path: line.weftnet}
routing: {kind: up-down}
router: {kind: input-queued, vcs: 1, buffer: 64 flits, receive: 0 ns, route: 10 ns, allocate: 0 ns, crossbar: 10 ns}
links: {flit: 64 B, rate: 100 Gb/s, latency: 4 ns}
traffic: {all: {pattern: uniform, arrival: periodic, length: 256 B, load: 0.001, from: router a, to: router c}}
measure: {limit: {time: 1 ms}}
END
run 0 "$WEFT" import edges line.edges -o line.weftnet

# A packet of four flits, 10.24 ns each from the host, then 5.12, 20.48 and 2.56: three routers take 20 ns each, wires
# 2 + 5 + 9 + 2 ns; behind a slower link three flits have to be waited for, 3 (10.24 - 5.12) and 3 (20.48 - 2.56) ns; the last flits
# follow in 3 × 2.56 ns: 154.8 ns.
run 0 "$WEFT" run line.yaml
has out 'latency mean  154.8 ns'
run 0 "$WEFT" check line.yaml
has out 'endpoints              4'
has out 'throughput bound       0.25: link b:p1->c saturates first (channel load 4)'
# Zero load is told by classes, exactly where hosts are alike, as the simulation of one packet is; else not at all.
grep -q '^zero-load latency' out && fail 'a zero-load latency for hosts that differ'
alike="{'host *': {rate: 100 Gb/s, latency: 2 ns}}"
run 0 "$WEFT" check line.yaml links.where="$alike"
has out 'zero-load latency      '
latency=$(awk '/^zero-load latency/ { printf "%.1f", $3 }' out)
run 0 "$WEFT" run line.yaml --results alike.weft links.where="$alike"
has out "latency mean  $latency ns"

# Rates of the file are times in seconds, as those of the scenario are: beside cycles they need a clock.
cat >cycles.yaml <<'END'
interweft: 1
topology: {kind: file, path: rates.weftnet}
routing: {kind: minimal}
router: {kind: input-queued, vcs: 1}
traffic: {all: {pattern: uniform, length: 8 flits, load: 0.1}}
END
printf '%s\n' 'host a 1' 'host b 1' 'a b rate=100Gb/s' >rates.edges
run 0 "$WEFT" import edges rates.edges -o rates.weftnet
run 1 "$WEFT" check cycles.yaml
has err 'router.crossbar (by default 1 cycle) is in cycles, and the file of the topology gives times or rates of links in seconds; give the section'
run 1 "$WEFT" check cycles.yaml links.rate='100 Gb/s'
has err "router.crossbar (by default 1 cycle) is in cycles and links.rate in seconds; give the section 'clock', such as clock: 1 GHz"
run 0 "$WEFT" check cycles.yaml clock='1 GHz'
run 0 "$WEFT" check cycles.yaml links.local.rate='1 flits/cycle'
printf '%s\n' 'host a 1' 'host b 1' 'a b latency=30' >rates.edges
run 0 "$WEFT" import edges rates.edges -o rates.weftnet
run 0 "$WEFT" check cycles.yaml
router='{kind: input-queued, vcs: 1, receive: 0 ns, route: 10 ns, allocate: 0 ns, crossbar: 10 ns}'
run 1 "$WEFT" check cycles.yaml router="$router" links.rate='100 Gb/s'
has err 'the file of the topology gives latencies in cycles, and other times or rates are in seconds; give the section'

# At its rate it is full, whatever is offered; and as fast as the others it is not.
fast="{'host *': {rate: 100 Gb/s}}"
run 0 "$WEFT" run line.yaml --results full.weft traffic.all.load=0.4 links.where="$fast"
has out 'saturated'
has out 'accepted      0.25'
run 0 "$WEFT" check line.yaml traffic.all.load=0.4 links.where="{'host *': {rate: 100 Gb/s}, 'b:p1->c': {rate: 100 Gb/s}}"
has out 'throughput bound       1: injection ports saturate'
# A class by name holds for all its links, whatever the file says.
run 0 "$WEFT" check line.yaml links.local.rate='50 Gb/s' links.host.rate='100 Gb/s'
has out 'throughput bound       0.5: link a:p0->b saturates first (channel load 2)'

# refused WHERE MESSAGE
refused() {
    run 1 "$WEFT" check line.yaml links.where="$1"
    is err "command line: $2"
}
refused '{d: {rate: 1 Gb/s}}' "links.where.d: there is no router 'd'"
refused '{a - c: {rate: 1 Gb/s}}' 'links.where.a - c: no link joins a and c'
refused "{'a:p7->b': {rate: 1 Gb/s}}" "links.where.a:p7->b: there is no link 'a:p7->b'; did you mean 'a:p0->b'?"
refused "{'x:p12->yyyy': {rate: 1 Gb/s}}" "links.where.x:p12->yyyy: there is no link 'x:p12->yyyy'; one is 'a:p0->b'"
refused '{host 4: {rate: 1 Gb/s}}' "links.where.host 4: the endpoints of this network are 0 … 3, found '4'"
run 1 "$WEFT" check line.yaml router=output-queued clock='1 GHz'
has err 'links have rates or latencies of their own (links.where, or the file of the topology): routers of kind output-queued join links of one kind; use input-queued'

# A load is in the rate of most hosts' links, also where most links between routers have the same one: 0.5 of 50 Gb/s in messages of
# 8 B, for 7 of 8 hosts.
cat >most.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: full, routers: 8}
routing: {kind: minimal}
router: {kind: input-queued, vcs: 1}
links: {rate: 100 Gb/s}
traffic: {all: {pattern: uniform, length: 8 flits, load: 0.5}}
END
for between in 50 40 100; do
    run 0 "$WEFT" check most.yaml links.where="{'*': {rate: $between Gb/s}, 'host 1-7': {rate: 50 Gb/s}}"
    has out '3.90625e+08 messages/s per endpoint'
    has out 'throughput bound       1: '
done
