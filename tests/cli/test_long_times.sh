#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Times that do not fit 32 bits of ticks. With ticks of 1 ps that is 4.3 ms: a network that has been idle for longer must
# behave as one that was idle for a moment, and messages that wait for up to a second must be counted as such, in routers
# of every kind.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# Traffic that ends, a pause, and the same traffic again: what comes after the pause takes as long as after a short one.
cat >idle.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: torus, dims: [4, 3]}
links: {rate: 100 Gb/s, latency: 10.001 ns, flit: 64 B}
router: {kind: input-queued, vcs: 4, buffer: 4 KiB}
routing: {kind: dimension-order}
traffic:
  early: {pattern: uniform, arrival: {kind: periodic}, length: 512 B, load: 0.35, start: 0 ns, stop: 20000 ns}
  late: {pattern: uniform, arrival: {kind: periodic}, length: 512 B, load: 0.35, start: 0 ns, stop: 1 ns}
measure: {warmup: 0 ns, half-width: 0.0001%}
END
# value EXPRESSION: its value.
value() {
    awk "BEGIN { printf \"%.9g\", $1 }"
}
# after START_NS SETTING...: what the late class measured, without intervals (batches differ).
after() {
    local start=$1
    shift
    run 0 "$WEFT" run idle.yaml --quiet --new "$@" traffic.late.start="$start ns" \
        traffic.late.stop="$(value "$start + 20000") ns" measure.limit.time="$(value "$start + 120000") ns"
    "$WEFT" export idle.weft --format canonical |
        sed -nE 's/^"" metric "(latency|cut-through|hops)" "late" "([a-z]*)" ([0-9]+) ([^ ]*) .*/\1 \2 \3 \4/p
            /^"" histogram "latency" "late"/p'
}
# 2^31, 2^32, 3 · 2^31 and 2^33 ticks after the first traffic, give or take what a packet takes.
pauses=(2147.503 4294.987 6442.470 8589.950)
kinds=(
    'router.kind=input-queued'
    'router={kind: input-queued, vcs: 4, buffer: 4 KiB, queues: voq}'
    'router={kind: input-queued, vcs: 4, buffer: 4 KiB, queues: voq, refront: 1 ns}'
    'router={kind: input-queued, vcs: 4, buffer: 4 KiB, switching: store-and-forward}'
    'router={kind: input-queued, vcs: 4, buffer: 4 KiB, vc-stage: true}'
    'router={kind: input-queued, vcs: 4, buffer: 4 KiB, output-buffer: 1 KiB, speedup: 2}'
    'router={kind: input-queued, vcs: 4, buffer: 1 KiB, shared: 4 KiB}'
    'router={kind: input-queued, vcs: 4, buffer: 4 KiB, flow-control: pause}'
    'router={kind: input-queued, vcs: 4, buffer: 4 packets, input-speedup: 2}'
    'routing={kind: minimal-adaptive}'
    'routing={kind: ugal}'
    'endpoint={ports: 2, mtu: 256 B, bus-rate: 80 Gb/s, bus-latency: 5 ns, dma: 20 ns}'
    'measure.devices=ports'
    'measure.devices=vcs'
    'router={kind: output-queued}'
    'router={kind: output-queued, fifos: input}'
    'router={kind: shared-queue}'
    'router={kind: shared-queue, queue: [3], holds: all}'
)
for kind in "${kinds[@]}"; do
    settings=("$kind")
    [[ $kind != *ugal* ]] || settings+=('router={kind: input-queued, vcs: 8, buffer: 4 KiB}')
    [[ $kind != *output-queued* ]] || settings+=(endpoint.injection=one-port)
    after 1000000 "${settings[@]}" >expected
    [[ -s expected ]] || fail "$kind: nothing came late"
    for pause in "${pauses[@]}"; do
        after "$(value "20000 + $pause * 1000")" "${settings[@]}" >found
        cmp -s expected found || { (diff expected found | head -20) || true; fail "$kind: other latencies after $pause µs"; }
    done
done
echo "${#kinds[@]} kinds of routers after ${#pauses[@]} pauses"

# is METRIC EXPECTED: within a millionth; the last run.
close() {
    "$WEFT" export long.weft | awk -F, -v name="$1" -v wanted="$2" '
        $1 == name && $2 == "" && $3 == "" { found = $5 }
        END { d = found / wanted - 1; printf "%s %.9g, expected %.9g\n", name, found, wanted; exit !(d < 1e-6 && d > -1e-6) }' ||
        fail "$1: not as expected"
}

# A backlog at one endpoint: its i-th message waits for those before it, up to a second and a little (2^40 ps are 1.0995 s).
cat >long.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: full, routers: 2}
links: {rate: 8 Gb/s, latency: 1.001 ns, flit: 1 B}
endpoint: {backlog: 16000}
traffic:
  all: {pattern: uniform, from: [0], to: [1], length: 64000 B, arrival: periodic, load: 0.00001}
measure: {warmup: 0 ns, half-width: 0.0001%, limit: {time: 1040000000 ns, packets: 16000}, links: off}
END
# 64 µs a message; the way itself is some ns or, where packets are stored, 64 µs more.
for kind in 'router={kind: input-queued, vcs: 1, buffer: 64 KiB}' 'router={kind: output-queued, header: 1 ns, variant: S0}' \
    'router={kind: shared-queue}'; do
    run 0 "$WEFT" run long.yaml --quiet --new "$kind"
    [[ $(metric long.weft delivered) == 16000 ]] || fail "$kind: not all were delivered"
    stored=0
    [[ $kind != *shared* ]] || stored=64000
    close latency "$(value "16001 * 64000 / 2 + $stored")"
    # Σ (64 i)² / n − mean²: the variance of a row of messages
    close 'latency deviation' "$(value '64000 * sqrt((16000 ^ 2 + 16000) / 12)')"
done
# With rate control a message may start every half millisecond: those of a backlog wait for it, and after 6.4 ms without traffic none does.
paced=('router={kind: input-queued, vcs: 1, buffer: 64 KiB}' 'traffic.all={pattern: uniform, from: [0], to: [1], length: 64000 B, arrival: periodic,
    load: 0.00001, response: aimd, rate-jitter: 0, max-rate: 2000, min-rate: 0.99}')
run 0 "$WEFT" run long.yaml --quiet --new "${paced[@]}" endpoint.backlog=17
[[ $(metric long.weft delivered) == 17 ]] || fail 'rate control: not all were delivered'
close latency "$(value '16 * 500000 / 2 + 64008')"
run 0 "$WEFT" run long.yaml --quiet --new "${paced[@]}" endpoint.backlog=0 traffic.all.load=0.01
[[ $(metric long.weft delivered) -gt 100 ]] || fail 'rate control: too little was delivered'
close latency 64008 # 8 ns for the way
# A server that takes 62.5 ms: services of more than 2^31 ticks.
run 0 "$WEFT" run long.yaml --quiet --new 'router={kind: queue, service: 62500000 ns, scv: 0}' 'topology={kind: full, routers: 1, hosts: 2}' \
    'traffic.all={pattern: uniform, length: 1 flits, arrival: periodic, load: 0.000001}' endpoint.backlog=8
[[ $(metric long.weft delivered) == 16 ]] || fail 'queue: not all were served'
close latency 531250000

# In the network: 60 endpoints send to one, 128 µs a message, in turn. A packet at the head of its buffer waits for 59
# others, 7.6 ms, and for VOQ and FIFO alike one message leaves every 128 µs.
hot=('topology={kind: full, routers: 1, hosts: 61}' 'traffic.all={pattern: uniform, from: [1-60], to: [0], length: 64000 B, arrival: periodic, load: 0.00002}'
    'links.rate=4 Gb/s' endpoint.backlog=60 'measure.limit={time: 1000000000 ns, packets: 3600}')
for queues in fifo voq; do
    for devices in off ports; do
        run 0 "$WEFT" run long.yaml --quiet --new "${hot[@]}" measure.devices=$devices \
            "router={kind: input-queued, vcs: 1, buffer: 192 KiB, queues: $queues}"
        [[ $(metric long.weft delivered) == 3600 ]] || fail "hot spot, $queues: not all were delivered"
        close latency "$(value '3601 * 128000 / 2')"
    done
    # flits × ticks in the buffers are counted whole: three messages in each, nearly all the time
    "$WEFT" export long.weft | awk -F, '$1 == "buffer occupancy" && $3 == "mean" { mean = $5 }
        END { exit !(mean > 180000 && mean < 3 * 64000) }' || fail "hot spot, $queues: buffers are not full"
done

# What cannot be kept in 32 bits is refused with the figure.
run 1 "$WEFT" run long.yaml --new 'router={kind: input-queued, vcs: 1, buffer: 64 KiB}' links.latency='2000000.001 ns'
has err 'links.host.latency takes 2e+06 ns, 2000000001 ticks of 0.001 ns; less than 2^30'
run 1 "$WEFT" run long.yaml --new 'router={kind: input-queued, vcs: 1, buffer: 64 KiB}' links.rate='100 Mb/s' traffic.all.load=0.01
has err 'links.rate: the longest packet takes 5.12e+06 ns'
