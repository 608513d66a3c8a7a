#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Routers with virtual channels: what is wrong is told with its place by check, run and saturate alike, before
# anything is simulated; what check says of VCs, buffers, credits, ticks and memory.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# Every file of tests/data/scenarios/wrong/router against the text beside it.
cp "$WEFT_SOURCE"/tests/data/scenarios/wrong/router/* .
count=0
for scenario in *.yaml; do
    for verb in check run saturate; do
        run 1 "$WEFT" "$verb" "$scenario"
        none out
        diff "${scenario%.yaml}.txt" err || fail "weft $verb $scenario says something else"
    done
    count=$((count + 1))
done
[[ $count -ge 10 ]] || fail 'scenarios are missing'
[[ $(echo *.weft*) == '*.weft*' ]] || fail 'a run that did not start left files'

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 16 flits, load: 0.3}
END
run 0 "$WEFT" check torus.yaml
has out 'tick                   1 cycle
'
has out 'virtual channels       4: 2 for packets that will pass a dateline, 2 for the others
buffers                64 flits for every virtual channel of 5 inputs
round trip             4 cycles: 3 from router to router, 1 for a credit
covered                yes: one virtual channel can keep a link busy (from 19 flits on)
deadlock               none possible: the channel dependency graph is acyclic (896 channels, 14 levels)
window                 1 cycle, bound by credits (router.credit)
'
run 0 "$WEFT" check torus.yaml router.speedup=2 router.output-buffer='32 flits' router.queues=voq \
    links.latency='100 cycles'
has out 'tick                   1/2 cycle; a flit takes 2 ticks
'
has out 'round trip             203.5 cycles: 103 from router to router, 100.5 for a credit
covered                no: packets of 16 flits need 219 flits for one virtual channel to keep a link busy
'
for extra in 'for VOQ' 'for output buffers' 'for counts of links'; do
    has out "$extra"
done
run 0 "$WEFT" check torus.yaml 'routing={kind: minimal-adaptive}' router.buffer='4 packets' \
    router.shared='8 packets'
has out 'virtual channels       4: 2 open to all packets, 2 for the escape path, of these 1 for packets that will pass a dateline, 1 for the others
buffers                4 packets for every virtual channel of 5 inputs, and 8 for those of an input together
'
has out 'deadlock               none possible: the escape channels are acyclic (864 channels, 23 levels)
'
run 0 "$WEFT" check torus.yaml topology.kind=mesh router.vcs=1
has out 'virtual channels       1
'
has out 'deadlock               none possible: the channel dependency graph is acyclic (224 channels, 14 levels)
'
run 0 "$WEFT" check torus.yaml 'topology.dims=[24,20,16]'
has out 'deadlock               none possible: dimensions are visited in order, and along each the channel dependency graph is acyclic (23 levels)
'
run 0 "$WEFT" check torus.yaml 'router={kind: output-queued}'
has out 'deadlock               none possible: buffers are unbounded
'

# The buffer that check calls sufficient is, and one flit less is not.
cat >pair.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [2]}
router: {kind: input-queued, vcs: 1}
links: {latency: 20 cycles}
traffic:
  all: {pattern: uniform, length: 16 flits, load: 1.5, overload: true}
measure: {warmup: 10000 cycles, limit: {time: 30000 cycles}}
END
run 0 "$WEFT" check pair.yaml
has out 'can keep a link busy (from 59 flits on)'
for buffer in 58 59; do
    run 0 "$WEFT" run pair.yaml --quiet --results "$buffer.weft" router.buffer="$buffer flits"
done
[[ $(metric 59.weft accepted) == 1 ]] || fail '59 flits do not keep the link busy'
[[ $(metric 58.weft accepted) == 0.9* ]] || fail '58 flits should not keep the link busy'

# Too large, before or while it runs: the figure is told. Past saturation finite buffers do not grow.
run 1 "$WEFT" check torus.yaml 'topology.dims=[32,32,32,32]' --memory 1GiB
has err 'before the first packet moves'
run 1 "$WEFT" check torus.yaml 'topology.dims=[32,32,32,32]' traffic.all.load=1 --memory 2GiB
has err 'with its packets in flight needs about'
running() {
    run 0 "$WEFT" check torus.yaml traffic.all.load="$1" measure.warmup='1000 cycles' \
        measure.limit.time="$2"
    awk '/^memory while running/ { printf "%d", $4 * 10 }' out
}
short=$(running 1 '1000000 cycles')
at_most "$(running 1 '100000000 cycles')" $((short + 1)) 'tenths of a MiB after a hundred times as long'

# On several processes the limit is each one's, and it is said how many would do, where any number does.
ask() {
    run "$1" "$WEFT" check torus.yaml router={} 'routing={kind: minimal-oblivious}' --threads 1 "${@:2}"
}
ask 1 'topology.dims=[512, 512, 512]' --memory 1GiB --ranks 4
has err ' MiB in each of 4 processes before the first packet moves ('
grep -qE ', set measure.links: off, run it on [0-9]+ processes or more, or allow more with --memory$' err || fail 'no number'
ask 1 'topology.dims=[64, 64, 64]' --memory 20MiB
has err ', set measure.links: off, or allow more with --memory'
# How many processes the events of a window are enough for.
ask 0 --ranks 8
has out '; one rank for each point is enough
'
ask 0 'topology.dims=[64, 64]' --ranks 8
hardly=$(sed -n 's/^events per window  *\([0-9]*\), [0-9]* a rank; more than \([0-9]*\) ranks for one point hardly pay$/\1 \2/p' out)
[[ $(awk '{ printf "%.0f", $1 / 1000 }' <<<"$hardly") == "${hardly#* }" ]] || fail "events and ranks: $hardly"
# A million packets that wait from the start take room, in GiB from 1 on.
ask 0 'topology.dims=[4, 4]' endpoint.backlog=4000000 --memory 8GiB
grep -qE '^memory while running   [34]\.[0-9]{2} GiB$' out || fail 'no GiB'
# Points run side by side as far as the memory goes.
ask 0 vary='{seed: [1, 2]}' --jobs 2 --memory 64MiB
has out 'points                 2, 2 at a time
'
ask 0 vary='{seed: [1, 2]}' --jobs 2 --memory 12MiB
has out 'points                 2
'

# Source routes of a single router: there are none, and no mean of none.
: >routes.txt
cat >single.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 1, hosts: 3}
router: {kind: input-queued}
routing: {kind: source, file: routes.txt}
traffic: {all: {length: 4 flits, load: 0.2}}
END
run 0 "$WEFT" check single.yaml
has out 'mean path              0 hops'

# Points run at the same time: as many as OMP_NUM_THREADS says, whatever the cores.
for threads in 3 300; do
    OMP_NUM_THREADS=$threads run 0 "$WEFT" check torus.yaml 'vary={seed: {from: 1, to: 7, step: 1}}'
    has out "points                 7, $((threads < 7 ? threads : 7)) at a time"
done

# Credits that come later than heads bound no window, however long the links of a class are that the network does not have.
cat >window.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
links: {latency: 5 cycles, global: {latency: 20 cycles}}
router: {kind: input-queued, vcs: 2, buffer: 64 flits, credit: 9 cycles}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1}}
END
run 0 "$WEFT" check window.yaml
[[ $(grep '^window' out) == 'window                 8 cycles' ]] || fail "$(grep '^window' out)"
