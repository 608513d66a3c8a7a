#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Memory in small: what a router costs at rest, what a packet costs in flight, that memory is
# flat wherever the network carries its load, and that a run without bound stops at its limit.
# tests/long has the million routers.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
title: Memory
topology: {kind: torus, dims: [16, 16, 16, 16]}
links: {latency: 16 cycles}
traffic:
  all: {pattern: uniform, length: {kind: exponential, mean: 16 flits}, rho: 0.3}
measure: {links: off, half-width: 0.0001%, limit: {time: 2000 cycles, packets: 1000000000}}
END
# small KEY=VALUE...: one run of the scenario with these settings.
small() {
    run 0 "$WEFT" run torus.yaml --quiet --new "$@"
}

# A network that does not fit is refused before it is built, with the figures, by run and by check.
for verb in run check; do
    run 1 "$WEFT" "$verb" torus.yaml 'topology.dims=[512,512,512]' --memory 1GiB
    none out torus.weft
    has err 'MiB before the first packet moves'
    has err '134217728 routers'
    has err '1024.0 MiB may be used'
    has err 'processes or more'
done
# On several processes the limit is each one's, and it is said how many would do.
run 1 "$WEFT" check torus.yaml 'topology.dims=[512,512,512]' --memory 1GiB --ranks 4
none out
has err 'MiB in each of 4 processes before the first packet moves'
fits=$(sed -n 's/.*run it on \([0-9]*\) processes or more.*/\1/p' err)
run 0 "$WEFT" check torus.yaml 'topology.dims=[512,512,512]' --memory 1GiB --ranks "$fits"
grep -qE '^memory per process +[0-9.]+ MiB$' out || fail 'no figure for a process'
run 0 "$WEFT" check torus.yaml 'topology.dims=[4,4]' --ranks 8
has out 'one rank for each point is enough'
# Packets that will be in flight are thought of before they are.
run 1 "$WEFT" run torus.yaml measure.limit.time='100000 cycles' --memory 24MiB
has err 'with its packets in flight needs about'
none out
[[ ! -e torus.weft ]] || fail 'a refused run left a results file'

# At its limit a run stops, says where, is marked saturated, and that is no failure.
small 'topology.dims=[64,64]' traffic.all.rho=3 traffic.all.overload=true measure.limit.time='8000 cycles' --memory 16MiB
has out 'saturated: memory limit'
grep -qE 'saturated: memory limit at [0-9.]+ MiB' err || fail 'no figure'
"$WEFT" export torus.weft | awk -F, 'NR > 1 && $NF != 1 { exit 1 }' || fail 'not marked saturated'

# At rest, as `weft check` says.
for dims in '[4,4,4,4]' '[16,16,16,16]' '[32,32,32,32]'; do
    run 0 "$WEFT" check torus.yaml "topology.dims=$dims"
    at_most "$(awk '/^per router at rest/ { print $5 }' out)" 512 "bytes per router of $dims"
done

# The rest is measured, and a sanitizer's own memory would be measured with it.
if grep -q __asan_init "$WEFT"; then
    exit 0
fi
small 'topology.dims=[4,4,4,4]' traffic.all.rho=0.000001 measure.limit.time='130 cycles'
rest=$(peak torus.weft)
small traffic.all.rho=0.000001 measure.limit.time='130 cycles'
at_most $((($(peak torus.weft) - rest) / (65536 - 256))) 512 'bytes per router at rest, measured'

# 65,536 routers take a sixteenth of what a million may.
small
has out 'limit time'
at_most "$(peak torus.weft)" $(((64 << 20) + rest)) 'bytes of 16^4 routers at rho 0.3'

# The limit holds within an interval too: eight million packets at once are refused, or stopped soon.
status=0
"$WEFT" run torus.yaml --quiet --new 'topology.dims=[4,4]' endpoint.backlog=500000 --memory 32MiB \
    >out 2>err || status=$?
[[ $status -eq 1 ]] || at_most "$(peak torus.weft)" $((64 << 20)) 'bytes under --memory 32MiB'

# Offered load 1.0 through one port per endpoint: messages that wait cost nothing.
port=('topology.dims=[4,4,4,4]' endpoint.injection=one-port endpoint.reception=unlimited
    'traffic.all={pattern: uniform, length: 16 flits, load: 1.0}')
small "${port[@]}" measure.limit.time='64000 cycles'
short=$(peak torus.weft)
waiting=$(metric torus.weft waiting)
small "${port[@]}" measure.limit.time='640000 cycles'
[[ $(metric torus.weft waiting) -gt $waiting ]] || fail 'nothing had to wait'
at_most "$(peak torus.weft)" $((short * 125 / 100 + (1 << 20))) 'bytes after ten times as long'

# The same with finite buffers, far past saturation: what does not fit waits at its source.
router=('topology.dims=[4,4,4,4]' 'links.latency=1 cycle' routing=dimension-order 'measure.warmup=8000 cycles'
    'router={kind: input-queued, vcs: 4, buffer: 64 flits}'
    'traffic.all={pattern: uniform, length: 16 flits, load: 1.0}')
# How much of the libraries is resident is chance, some MiB; a million messages wait in the end.
small "${router[@]}" measure.limit.time='16000 cycles'
short=$(peak torus.weft)
for time in 64000 640000; do
    small "${router[@]}" measure.limit.time="$time cycles"
    [[ $(metric torus.weft time) == "$time" ]] || fail 'not the whole time was run'
    [[ $(metric torus.weft waiting) -gt $((256 * time / 400)) ]] || fail 'hardly anything had to wait'
    at_most "$(peak torus.weft)" $((short * 102 / 100 + (5 << 19))) \
        "bytes after $time cycles at load 1.0 (16000: $short)"
done
echo "waiting then: $(metric torus.weft waiting) messages"

# Past saturation, FIFOs without bound grow by at most 64 B a packet.
full=('topology.dims=[64,64]' traffic.all.length='16 flits' measure.limit.time='24000 cycles')
small "${full[@]}" traffic.all.rho=0.5
calm=$(peak torus.weft)
small "${full[@]}" traffic.all.rho=1.5 traffic.all.overload=true
has out 'saturated'
at_most $((($(peak torus.weft) - calm) / $(metric torus.weft 'in flight'))) 64 'bytes per waiting packet'
