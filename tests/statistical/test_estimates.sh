#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `weft check` says beforehand against what `weft run` takes, on ten scenarios of different kinds
# and sizes for each kind of router, the mean of three seeds where these decide how long a run is, else the faster of two runs: the
# peak of the resident set within a fifth (a region may get one huge page more or less), processor time on one thread within a factor
# of two each (a run that ends at a half-width is twice as long with one seed as with another) and of 1.25 for half of them. The
# constants are those of one machine: how fast this one is, and how busy with something else, is the median of all twenty; that one
# is within a factor of two as well.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# A sanitizer's own memory and time would be measured with the rest.
if grep -q __asan_init "$WEFT" || grep -q __tsan_init "$WEFT"; then
    echo 'skipped: built with a sanitizer'
    exit 77
fi
timed=yes
grep -qE '^CMAKE_BUILD_TYPE:[A-Z]+=(Release|RelWithDebInfo)$' "$WEFT_BUILD/CMakeCache.txt" || timed=no

exponential='traffic.all.length={kind: exponential, mean: 64 flits}'
endless=(measure.half-width=0.0001% measure.limit.packets=1000000000)

# number NAME: a quantity that check printed, in MiB or seconds.
number() {
    awk -v name="$1" '
        BEGIN { unit["MiB"] = 1; unit["GiB"] = 1024; unit["s"] = 1; unit["min"] = 60; unit["h"] = 3600 }
        index($0, name) == 1 { sub(name " +(about )?", ""); print $1 * unit[$2] }' out
}

# compare WHAT FLAG-OR-SETTING...: one scenario, checked and run.
compare() {
    local what=$1 memory seconds peaks='' spent='' seeds='1 2 3'
    shift
    run 0 "$WEFT" check base.yaml --threads 1 "$@"
    memory=$(number 'memory while running')
    seconds=$(number time)
    # the same run twice: whatever else the machine does can only make it slower
    [[ $* != *measure.limit.time=* ]] || seeds='1 1'
    for seed in $seeds; do
        TIMEFORMAT=%U
        { time run 0 "$WEFT" run base.yaml --quiet --new --threads 1 "$@" seed="$seed"; } 2>used
        spent+=" $(tail -1 used)"
        peaks+=" $(peak base.weft)"
    done
    awk -v what="$what" -v memory="$memory" -v seconds="$seconds" -v peaks="$peaks" -v spent="$spent" -v same="$seeds" '
        BEGIN {
            n = split(peaks, p, " ")
            split(spent, s, " ")
            for (i = 1; i <= n; i++) { peak += p[i] / n / 1048576; used += s[i] / n }
            if (same == "1 1") used = s[1] < s[2] ? s[1] : s[2]
            printf "%-50s %8.1f %8.1f %6.2f  %8.2f %8.2f %6.2f\n", what, memory, peak, memory / peak,
                seconds, used, seconds / used
        }' | tee -a compared
}

# median: of the numbers on standard input.
median() {
    sort -n | awk '{ at[NR] = $1 } END { print NR % 2 ? at[(NR + 1) / 2] : (at[NR / 2] + at[NR / 2 + 1]) / 2 }'
}

# judge: how many of the lines of `compared` are wrong.
judge() {
    local pace off
    pace=$(awk '{ print $NF }' compared | median)
    off=$(awk -v pace="$pace" '{ r = $NF / pace; print r < 1 ? 1 / r : r }' compared | median)
    echo "estimated over spent, the median: $pace; off by a factor of, the median: $off"
    awk -v pace="$pace" -v off="$off" -v timed="$timed" '
        { space = $(NF - 3); time = $NF / pace; bad = space < 0.8 || space > 1.2 }
        timed == "yes" && (time < 0.5 || time > 2) { bad = 1 }
        bad { print "wrong: " $0; wrong++ }
        END { exit wrong > 0 || (timed == "yes" && (pace < 0.5 || pace > 2 || off > 1.25)) }' compared
}

measure_output_queued() {
    cat >base.yaml <<'END'
interweft: 1
title: Estimates
topology: {kind: torus, dims: [16, 16]}
traffic:
  all: {pattern: uniform, length: 16 flits, rho: 0.3}
END
    compare '16x16, rho 0.3, to 0.3 %' measure.half-width=0.3%
    compare '4x4, exponential, rho 0.3, to 0.5 %' 'topology.dims=[4,4]' "$exponential" \
        measure.half-width=0.5%
    compare '16x16, exponential, rho 0.8, to 2 %' "$exponential" traffic.all.rho=0.8 measure.half-width=2%
    compare '8x8x8, rho 0.6, by hops, to 0.5 %' 'topology.dims=[8,8,8]' traffic.all.rho=0.6 \
        measure.by=hops measure.half-width=0.5%
    compare '64x64, diagonal, rho 0.7' 'topology.dims=[64,64]' "$exponential" traffic.all.rho=0.7 \
        'routing={kind: minimal-adaptive, selection: diagonal}' measure.limit.time='40000 cycles' \
        "${endless[@]}"
    compare '32x32, three classes, injection ports' 'topology.dims=[32,32]' endpoint.injection=one-port \
        'traffic={a: {pattern: uniform, length: 16 flits, rho: 0.2}, b: {pattern: uniform, length: 64 flits, rho: 0.2}, c: {pattern: transpose, length: 8 flits, rho: 0.05}}' \
        measure.limit.time='40000 cycles' "${endless[@]}"
    compare '16x16x16, rho 1.2, until it is known' 'topology.dims=[16,16,16]' traffic.all.rho=1.2 traffic.all.overload=true \
        measure.links=off
    compare '32x32x32, rho 0.05, all links' 'topology.dims=[32,32,32]' traffic.all.rho=0.05 \
        measure.links=all measure.limit.time='4000 cycles' "${endless[@]}"
    compare '16^4, 64 blocks, 16-cycle links, rho 0.3' 'topology.dims=[16,16,16,16]' --blocks 64 \
        links.latency='16 cycles' measure.links=off measure.limit.time='1200 cycles' "${endless[@]}"
    compare '32^4, 16-cycle links, rho 0.1' 'topology.dims=[32,32,32,32]' links.latency='16 cycles' \
        'traffic.all={pattern: uniform, length: 64 flits, rho: 0.1}' measure.links=off \
        measure.limit.time='700 cycles' "${endless[@]}"
}
# Input-queued: links cannot carry all they could, buffers are bounded, what waits outside costs nothing.
measure_input_queued() {
    cat >base.yaml <<'END'
interweft: 1
title: Estimates of input-queued routers
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 16 flits, load: 0.3}
END
    compare 'iq 8x8, load 0.3, to 0.3 %' measure.half-width=0.3%
    compare 'iq 8x8, 2 VCs, load 0.45, to 1 %' router.vcs=2 traffic.all.load=0.45 measure.half-width=1%
    compare 'iq 16x16, load 1, until it is known' 'topology.dims=[16,16]' traffic.all.load=1
    compare 'iq 8x8, load 1, a given span' traffic.all.load=1 measure.warmup='50000 cycles' \
        measure.limit.time='200000 cycles'
    compare 'iq 8^4, load 0.3' 'topology.dims=[8,8,8,8]' measure.links=off \
        measure.limit.time='4000 cycles' "${endless[@]}"
    compare 'iq 8^4, load 1' 'topology.dims=[8,8,8,8]' traffic.all.load=1 measure.warmup='500 cycles' \
        measure.limit.time='3000 cycles' "${endless[@]}"
    compare 'iq 16x16, adaptive, load 0.3, to 0.7 %' 'topology.dims=[16,16]' traffic.all.load=0.3 \
        'routing={kind: minimal-adaptive}' measure.half-width=0.7%
    compare 'iq butterfly 8x8, 8 hosts, VOQ, load 0.6' router.queues=voq traffic.all.load=0.6 \
        'topology={kind: flattened-butterfly, dims: [8, 8], hosts: 8}' \
        measure.limit.time='20000 cycles' "${endless[@]}"
    compare 'iq 32x32, speed-up 2, 64-cycle links, load 0.15' 'topology.dims=[32,32]' router.speedup=2 \
        router.output-buffer='64 flits' links.latency='64 cycles' router.buffer='192 flits' \
        traffic.all.load=0.15 measure.limit.time='20000 cycles' "${endless[@]}"
    compare 'iq 16^4, 8 blocks, 1 flit, load 0.1' 'topology.dims=[16,16,16,16]' --blocks 8 \
        links.latency='16 cycles' router.buffer='48 flits' \
        'traffic.all={pattern: uniform, length: 1 flit, load: 0.1}' measure.links=off \
        measure.limit.time='400 cycles' "${endless[@]}"
}
# fastest: of lines with the same name the one with the least time.
fastest() {
    awk '{ name = substr($0, 1, 50) }
        !(name in spent) { order[++n] = name }
        !(name in spent) || $(NF - 1) < spent[name] { spent[name] = $(NF - 1); line[name] = $0 }
        END { for (i = 1; i <= n; i++) print line[order[i]] }' compared >fastest
    mv fastest compared
}

printf '%-50s %8s %8s %6s  %8s %8s %6s\n' scenario 'est. MiB' peak ratio 'est. s' spent ratio
measure_output_queued
measure_input_queued
[[ $timed == yes ]] || echo 'times are not compared: this is not a release build'
judge || {
    echo 'once more: whatever else the machine does can only make it slower'
    measure_output_queued
    measure_input_queued
    fastest
    judge || fail 'not all of the twenty estimates are right'
}
