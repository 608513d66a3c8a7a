#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unusual uses: flags without what they belong to, results in the way of a page, sizes out of range, traffic that ends, a terminal
# that is closed.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >small.yaml <<'YAML'
interweft: 1
topology: {kind: torus, dims: [3, 3]}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 20%, limit: {packets: 3000}}
YAML
# refused STATUS SENTENCE ARGUMENT...
refused() {
    run "$1" "$WEFT" "${@:3}"
    none out
    has err "$2"
}
for flag in --no-wait '--tasks 7' '--nodes 2' '--time 1h' '--partition p' '--account a' '--slurm-options x'; do
    # shellcheck disable=SC2086
    refused 2 "${flag%% *} is for --slurm, which is not given" run small.yaml $flag
done
for size in 0.5 0.9B 1e14GB 9e14GiB -1 nan; do
    refused 2 "--memory takes a size such as 4GiB, found '$size'" run small.yaml --memory "$size"
done

# One file of a kind.
refused 2 '-o is --results: there is one results file, not b.weft and a.weft' run small.yaml --results a.weft -o b.weft
refused 2 '--results is given twice: a.weft and b.weft' run small.yaml --results a.weft --results=b.weft
refused 2 '--svg is given twice: a.svg and b.svg' report small.weft --svg a.svg -o b.svg
run 0 "$WEFT" run small.yaml --results a.weft -o a.weft --quiet

# Settings and flags without what they belong to.
refused 1 'measure.link-series needs measure.series, the width of a bin' run small.yaml measure.link-series=true
refused 1 'measure.link-series needs the loads of links, and measure.links is off' \
    run small.yaml measure.link-series=true measure.series='100 cycles' measure.links=off
run 0 "$WEFT" run small.yaml -o shown.weft --quiet
refused 2 '--columns is of the table, which is printed where no file is named' report shown.weft --columns p99 --csv shown.csv
[[ ! -e shown.csv ]] || fail 'a table with columns that nobody asked for'

# A packet that cannot be is told before the run.
refused 1 '--trace fastest: neither slowest, a number of packets (10), nor a packet' run small.yaml -o never.weft --trace fastest
refused 1 '--trace 1001: 1 to 1000 packets' run small.yaml -o never.weft --trace 1001
refused 1 '--trace: '"'.x'"' behind the name of a packet' run small.yaml -o never.weft --trace 3:4.x
[[ ! -e never.weft ]] || fail 'a run before its packet was looked at'

# Results keep their place.
run 0 "$WEFT" run small.yaml --quiet
cp small.weft kept.weft
for words in 'export small.weft -o small.weft' 'export small.weft --format json -o kept.weft' 'report small.weft --html small.weft' \
    'report small.weft --csv kept.weft' 'topology export small.yaml --format edges -o small.weft'; do
    # shellcheck disable=SC2086
    run 1 "$WEFT" $words
    has err 'it is a results file; remove it, or name another'
    cmp small.weft kept.weft || fail "weft $words"
done

# Traffic that ends.
run 0 timeout 60 "$WEFT" run small.yaml traffic.all.stop='500 cycles' --quiet --new
[[ $(head -n 1 out) == *'verdict       completed' ]] || fail "$(head -n 1 out)"
is err 'results in small.weft'
run 0 timeout 60 "$WEFT" run small.yaml traffic.all.stop='60 cycles' --quiet --new
has out 'verdict       completed: still warming up'
has err 'all traffic has stopped and arrived before the warm-up was over: measure.warmup: 0 measures all of it'
run 0 timeout 60 "$WEFT" run small.yaml traffic.all.stop='60 cycles' measure.warmup='0 cycles' --quiet --new
[[ $(head -n 1 out) == *'verdict       completed' ]] || fail "$(head -n 1 out)"
is err 'results in small.weft'
refused 1 'a class stops after it has started: stop is 1000 cycles, and start 2000 cycles' \
    run small.yaml traffic.all.start='2000 cycles' traffic.all.stop='1000 cycles' --new
refused 1 'a class stops after it has started: stop is 0 cycles, and start 0 cycles' run small.yaml traffic.all.stop='0 cycles' --new

# A terminal that is closed: the run stops as at SIGTERM, and goes on; with nohup it does not notice.
long=(run small.yaml measure.half-width='0.01%' measure.limit.packets=20000000 -o long.weft --quiet)
# begun: the run in the background has its results, and so heeds signals.
begun() {
    for _ in {1..600}; do
        [[ ! -e long.weft.lock ]] || return 0
        sleep 0.1
    done
    fail 'a run has not begun after a minute'
}
"$WEFT" "${long[@]}" 2>told &
begun
sleep 0.5
kill -HUP $!
status=0
wait $! || status=$?
[[ $status -eq 4 ]] || fail "status $status at SIGHUP"
[[ -d long.weft.checkpoint ]] || fail 'no checkpoint at SIGHUP'
(
    trap '' HUP
    exec "$WEFT" "${long[@]}" 2>told
) &
begun
sleep 0.5
kill -HUP $!
sleep 0.2
kill -0 $! || fail 'a run under nohup ends at SIGHUP'
kill -TERM $!
wait $! || true

# Nobody reads the progress any more: the run goes on. Nobody reads what it prints: its results are there.
mkfifo unread
two=(run small.yaml 'vary.seed=[1,2]' -o two.weft --new)
run 0 "$WEFT" "${two[@]}" --quiet
whole=$(canonical two.weft)
: <unread &
"$WEFT" "${two[@]}" >out 2>unread || fail "status $? without a reader of the progress"
[[ $(canonical two.weft) == "$whole" ]] || fail 'other results without a reader of the progress'
: <unread &
status=0
"$WEFT" "${two[@]}" --quiet >unread 2>err || status=$?
[[ $status -eq 141 ]] || fail "status $status without a reader of the table"
is err "results in two.weft"
[[ $(canonical two.weft) == "$whole" ]] || fail 'other results without a reader of the table'
