#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What weft explain runs again is the point of the results: with its files, its settings and its seed; what it cannot do it says.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# settings that are varied are tried like others, with the messages of the point itself
cat >vcs.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [4, 4]}
links: {latency: 1 cycle}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: transpose, length: 4 flits, load: 0.4}}
vary: {router.vcs: [2, 4]}
measure: {limit: {time: 4000 cycles}}
END
run 0 "$WEFT" run vcs.yaml --quiet
run 0 "$WEFT" explain vcs.weft vcs=4 --try
grep -q '(.* to .*)  router.vcs=8$' out || fail 'the setting that was varied is not tried'
[[ $(cat out) != *'has no point'* ]] || fail 'the point is lost'

# twice as fast is twice what the scenario has
# one SETTING...: a point of its own in one.weft
one() {
    sed '/^vary:/d' vcs.yaml >one.yaml
    run 0 "$WEFT" run one.yaml "$@" --quiet --new
}
one links.local.rate='4 flits/cycle' endpoint.ports=4
run 0 "$WEFT" explain one.weft --try
has out '  links.local.rate=8 flits/cycle and links.global.rate=2 flits/cycle'
has out '  endpoint.ports=8'
sed '/^vary:/d; s/latency: 1 cycle/rate: 100 Gb\/s, flit: 16 B, latency: 5 ns/; s/time: 4000 cycles/time: 4 us/' vcs.yaml >fast.yaml
echo 'clock: 1 GHz' >>fast.yaml
run 0 "$WEFT" run fast.yaml --quiet
run 0 "$WEFT" explain fast.weft --try
has out '  links.local.rate=200 Gb/s and links.global.rate=200 Gb/s'

# ports of an endpoint have names of their own
one 'traffic.all.pattern={kind: hot-spot, node: 5, share: 50%}' endpoint.ports=2
run 0 "$WEFT" explain one.weft
has out 'endpoint 5 port 0 '
has out 'endpoint 5 port 1 '

# names of packets that there cannot be
one
for packet in 3:-1 -3:1 3:+1 '3: 1' 3:all:-1 -1; do
    run 1 "$WEFT" explain one.weft --trace="$packet"
    has err "--trace $packet: neither slowest, a number of packets (10), nor a packet, ENDPOINT:MESSAGE"
done
for packet in 3:4294967299 4294967299:3 3:0.4294967296 3:99999999999999999999; do
    run 1 "$WEFT" explain one.weft --trace "$packet"
    has err "--trace $packet: numbers end at 4294967295"
done
within 5 1 "$WEFT" explain one.weft --trace 3:4294967295
has err 'endpoint 3 has not come to message 4294967295 when the run ends'
run 0 "$WEFT" explain one.weft --trace 3:all:5
cp out named
run 0 "$WEFT" explain one.weft --trace 3:5
diff out named || fail 'another packet by the name of its class'

# what does not go together is refused, and nothing is left out in silence
for flag in --json '--svg x.svg' '--png x.png' --try; do
    # shellcheck disable=SC2086
    run 2 "$WEFT" explain one.weft --trace slowest $flag
    has err "--trace prints text; ${flag%% *} does not go with it"
done
run 0 "$WEFT" explain one.weft --json --svg both.svg
has err 'wrote both.svg'
has both.svg '<svg'
python3 -c 'import json; assert json.load(open("out"))["verdicts"]' || fail 'no JSON beside a picture'
cat >jobs.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 3, order: absolute}
links: {flit: 1 B, latency: 1 cycle}
router: {kind: input-queued, vcs: 1, buffer: 5000 flits}
jobs: {ring: {collective: allreduce/ring, ranks: 3, size: 3000 B}}
measure: {timeline: operations}
END
run 0 "$WEFT" run jobs.yaml --quiet
for flag in --json '--trace slowest' --try; do
    # shellcheck disable=SC2086
    run 2 "$WEFT" explain jobs.weft $flag
    has err "${flag%% *} is for points without jobs; jobs.weft has jobs"
done

# jobs that did not complete: the verdict says why
run 0 "$WEFT" run jobs.yaml measure.limit.time='100 cycles' --quiet --new
run 1 "$WEFT" explain jobs.weft
has out 'no job has completed: '
has err 'jobs.weft has no completed jobs: weft explain tells what decided their ends'

# files that the scenario names are found in its folder, and are those of the results
mkdir there
printf '0,5\n1,5\n2,7\n' >there/flows.csv
cp "$WEFT_SOURCE/tests/data/fabrics/small.weftnet" there/f.weftnet
sed '/^vary:/d; s/pattern: transpose/pattern: {kind: flows, file: flows.csv}/' vcs.yaml >there/flows.yaml
run 0 "$WEFT" run there/flows.yaml --quiet --trace slowest
has out 'packet '
run 1 "$WEFT" explain flows.weft
has err 'flows.weft: the file flows.csv that its scenario names cannot be read as flows.csv; --folder FOLDER says where such files are'
run 0 "$WEFT" explain flows.weft --folder there
cp out told
printf '3,9\n' >flows.csv
for flags in '' '--trace slowest' --try; do
    # shellcheck disable=SC2086
    run 1 "$WEFT" explain flows.weft $flags
    has err 'flows.weft: flows.csv is another file than the flows.csv of these results, or has changed since; --folder FOLDER says where'
done
cp there/flows.csv .
run 0 "$WEFT" explain flows.weft
diff out told || fail 'another text from files beside the results'
run 0 "$WEFT" explain flows.weft --folder there --trace slowest
sed '/^vary:/d; s/{kind: mesh.*/{kind: file, path: f.weftnet}/; s/kind: dimension-order/kind: up-down/; s/transpose/uniform/' vcs.yaml >there/net.yaml
run 0 "$WEFT" run there/net.yaml --quiet
run 1 "$WEFT" explain net.weft
has err 'the file f.weftnet that its scenario names cannot be read'
run 0 "$WEFT" explain net.weft --folder there
