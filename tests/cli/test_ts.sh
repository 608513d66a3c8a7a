#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft ts: ts' options, its output to the letter, the example of its README, debugging lines, messages.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# The example: its 13 lines and the two that ts has come to print since. Numbers lie within 4 standard deviations of a run
# of this length (counts 1,600, performance 0.0016 pkt/mtu, load 0.033 %, hops 0.001, channel time 0.08 mtu).
run 0 "$WEFT" ts --r=c --lambda=0.01 --d=4 --bl=1000 --quiet
none err
number='[0-9]\.[0-9]{6}e[+-][0-9]{2}'
patterns=(
    '^\*{5} Input information \*{5}$'
    '^torus dimensions d=4, size k=4$'
    '^lambda=1\.000000e-02, cht=100, bl=1000$'
    '^switching rule c$' '^$' '^simulating\.\.\.$' '^$'
    '^\*{5} Simulation Statistics \*{5}$'
    '^simulation time: 1000001 \(mtu\)$'
    '^generated packets: [0-9]+$'
    '^delevered packets: [0-9]+$'
    '^queued packets: [0-9]+$'
    '^dropped packets: 0 \(0\.000000e\+00 %\)$'
    "^torus performanse: $number \\(pkt/mtu\\)\$"
    "^torus load: $number \\(%\\)\$"
    "^average hops per packet: $number\$"
    "^average packet channel time: $number \\(mtu\\)\$")
mapfile -t lines <out
[[ ${#lines[@]} -eq ${#patterns[@]} ]] || { cat out; fail 'another number of lines'; }
for i in "${!patterns[@]}"; do
    [[ ${lines[i]} =~ ${patterns[i]} ]] || fail "line $((i + 1)) is not like ts': ${lines[i]}"
done
# near WHAT FIELD THEIRS MOST: the field behind the colon differs by so much at most.
near() {
    awk -F': ' -v what="$1" -v theirs="$2" -v most="$3" '
        $1 == what { split($2, part, " "); off = part[1] - theirs
                     printf "%s: %s (theirs %s)\n", what, part[1], theirs
                     found = off <= most && -off <= most }
        END { exit !found }' out || fail "$1 is off"
}
near 'generated packets' 2572820 6400
near 'delevered packets' 2571241 6400
near 'torus performanse' 2.571238 0.0064
near 'torus load' 50.43945 0.132
near 'average hops per packet' 4.016371 0.004
near 'average packet channel time' 147.4520 0.32

# Defaults; a seed; the same whatever the blocks and threads, and as a scenario.
run 0 "$WEFT" ts --maxst=2000
has out 'torus dimensions d=3, size k=4'
has out 'lambda=1.000000e-02, cht=100, bl=10000'
has out 'switching rule a'
cp out first
run 0 "$WEFT" ts --maxst 2000 --seed 1 --blocks 5 --threads 2
cmp first out || fail 'blocks and threads give other results'
run 0 "$WEFT" ts --maxst=2000 --seed=2
cmp -s first out && fail 'two seeds give the same run'
run 0 "$WEFT" ts --maxst=2000 --scenario
cp out ts.yaml
run 0 "$WEFT" run ts.yaml --quiet
ours=$("$WEFT" export ts.weft | awk -F, '$1 == "generated" { print $5 }')
more=$(($(awk '/^generated/ { print $3 }' first) - ours)) # ts goes on to the first event after its time
[[ $more -ge 0 && $more -le 5 ]] || fail "the scenario generates $more packets less"

# A queue of no packets: what cannot go on at once is dropped; a size of two.
run 0 "$WEFT" ts --d=5 --k=2 --bl=0 --lambda=0.02 --maxst=3000
has out 'queued packets: 0'
grep -Eq '^dropped packets: [1-9][0-9]+ \([0-9.]+e\+0[0-9] %\)$' out || fail 'nothing was dropped'

# Debugging: one line for every event of a packet; all that are generated are somewhere at the end.
run 0 "$WEFT" ts --d=2 --k=3 --lambda=0.05 --cht=20 --bl=1 --r=f --maxst=300 --dbg=1
grep -c 'generated at' out >generated
[[ $(cat generated) -eq $(awk '/^generated packets/ { print $3 }' out) ]] || fail 'a generation is missing'
[[ $(grep -c 'delivered at .* in [0-9]* mtu, [0-9]* hops$' out) -eq $(awk '/^delevered/ { print $3 }' out) ]] ||
    fail 'a delivery is missing'
[[ $(grep -c 'dropped at' out) -eq $(awk '/^dropped packets/ { print $3 }' out) ]] || fail 'a drop is missing'
grep -Eqx 'time [0-9]+: packet from \([0-2],[0-2]\) to \([0-2],[0-2]\) goes to channel [0-3] of \([0-2],[0-2]\)' out ||
    fail 'no packet goes to a channel'
run 0 "$WEFT" ts --d=2 --k=3 --lambda=0.05 --cht=20 --bl=4 --r=b --maxst=300 --dbg=2
grep -Eq '^queue of \([0-2],[0-2]\): from \([0-2],[0-2]\) to \([0-2],[0-2]\)(, from .*)?$' out || fail 'no queue'
grep -Eqx 'queue of \([0-2],[0-2]\): empty' out || fail 'no empty queue'

# From level 3 on ts' own lines, to the letter (tests/data/ts/README.md).
data=$WEFT_SOURCE/tests/data/ts
run 0 "$WEFT" ts --d=2 --k=2 --r=a --cht=7 --bl=1 --lambda=0.2 --maxst=10 --seed=5 --dbg=4
diff "$data/dbg-a.txt" out || fail 'other debugging lines by rule a'
run 0 "$WEFT" ts --d=2 --k=3 --r=c --cht=7 --bl=1 --lambda=0.2 --maxst=8 --dbg=3
diff "$data/dbg-c.txt" out || fail 'other debugging lines by rule c'
run 0 "$WEFT" ts --d=2 --k=3 --r=d --cht=7 --bl=1 --lambda=0.2 --maxst=8 --dbg=3
diff "$data/dbg-d.txt" out || fail 'other debugging lines by rule d'
# Many events at a time, and every rule: all packets that the lines tell of are those of the statistics.
for rule in a b c d e f; do
    run 0 "$WEFT" ts --d=2 --k=3 --r=$rule --cht=1 --bl=1 --lambda=0.8 --maxst=40 --dbg=3
    awk '/^process_event_gen_pkt$/ { made++ }   /^packet delivered from/ { came++ }
         /^\*\*\*packet goes to queue$/ { wait++ } /^\*\*\*packet goes from queue$/ { wait-- }
         /^generated packets/ { off = off || made != $3 } /^delevered packets/ { off = off || came != $3 }
         /^queued packets/ { wait -= $3 }  /^dropped packets/ { off = off || wait != $3 }
         END { exit off || NR < 1000 }' out || fail "rule $rule: the lines do not add up"
done

# What is far in one dimension may be drawn in another; of a ring of two, both wait for each other.
run 0 "$WEFT" ts --d=3 --k=3 --r=c --cht=7 --bl=1 --lambda=0.2 --maxst=20 --dbg=3
has out 'j=2, rz='
run 0 "$WEFT" ts --d=1 --k=2 --r=a --cht=1 --bl=3 --lambda=1 --maxst=40 --dbg=3
[[ $(grep -c '^process_event_gen_pkt$' out) -eq $(awk '/^generated packets/ { print $3 }' out) ]] ||
    fail 'a generation of two that wait for each other is missing'

# Messages.
run 2 "$WEFT" ts --r=g
is err "weft: --r takes a rule from a to f, found 'g'"
run 2 "$WEFT" ts --d=two
is err "weft: --d takes a whole number, found 'two'"
run 1 "$WEFT" ts --k=1
is err 'k must be a whole number from 2 to 65535, found 1'
run 1 "$WEFT" ts --lambda=0
is err 'lambda must be a rate from 1e-12 to 1000 packets per mtu, found 0'
run 2 "$WEFT" ts --depth=3
is err "weft: ts has no flag '--depth'; \`weft ts --help\` lists them"
run 1 "$WEFT" ts --d=24 --k=9
has err 'topology.dims'
run 0 "$WEFT" ts --help
has out '--lambda     RATE  packets per mtu and router; default 0.01'
