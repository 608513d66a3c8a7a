#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Screens of 80 × 24 and 120 × 40 while 36 points of a dragonfly run, a saturation load is searched, a scenario is checked
# and help is read: no line is wider than the screen or ends within a word, progress leaves nothing behind, no nan.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
unset COLUMNS

# screen COLUMNS ROWS COMMAND: every line that was ever drawn into ./drawn, what is left of them in the end into ./out.
screen() {
    script -qec "stty cols $1 rows $2; NO_COLOR=1 $3" /dev/null </dev/null >raw || true
    tr '\r' '\n' <raw | sed 's/\x1b\[K//' | grep . >drawn || true
    sed 's/\r$//; s/.*\r\x1b\[K//' raw >out
    [[ $(wc -L <drawn) -le $1 ]] || {
        awk -v most="$1" 'length($0) > most' drawn
        fail "a line is wider than $1 columns: $3"
    }
    ! grep -qiE '(^|[ =])-?nan' drawn || fail "nan on the screen: $3"
}
# long_screen COLUMNS ROWS COMMAND SETTING UNIT VALUES...: the first of these values with which the command shows progress.
long_screen() {
    local size="$1 $2" command=$3 setting=$4 unit=$5 value
    shift 5
    for value; do
        # shellcheck disable=SC2086
        screen $size "$command $setting='$value$unit'"
        ! grep -q 'points done' drawn || break
    done
}
# progress PATTERN: lines of this form were drawn while it ran, each of them whole, and nothing of them is left.
progress() {
    grep -qE "^$1\$" drawn || {
        cat drawn
        fail "no progress such as $1"
    }
    ! grep -E 'points done|tries' drawn | grep -vE "^$1\$" || fail 'a line of progress was cut'
    ! grep -qE 'points done|running|tries' out || fail 'progress was left on the screen'
}

cat >dragonfly.yaml <<'END_OF_SCENARIO'
interweft: 1
title: Minimal and UGAL routing on a dragonfly
topology: {kind: dragonfly, groups: 33, routers: 8, hosts: 4, global: 4}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.1}
measure: {limit: {time: 60 cycles}}
vary:
  routing: [{kind: minimal-adaptive}, {kind: ugal}]
  traffic.all.pattern: [{kind: uniform}, {kind: group-adversarial}]
  traffic.all.load: {from: 0.1, to: 0.9, step: 0.1}
END_OF_SCENARIO
cat >torus.yaml <<'END_OF_SCENARIO'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, length: 16 flits}
measure: {limit: {packets: 100000}}
vary:
  routing.kind: [dimension-order, valiant]
  traffic.all.load: [0.1, 0.2, 0.3]
END_OF_SCENARIO

count='[0-9]+ of [0-9]+ points done(, [0-9]+ running, [0-9]+ left)?'
times='[0-9]+ (s|min|h)(, about [0-9]+ (s|min|h) left)?'
number='[0-9]+(\.[0-9]+)?'
for size in '80 24' '120 40'; do
    # shellcheck disable=SC2086
    long_screen $size "$WEFT run dragonfly.yaml --new --jobs 2" measure.limit.time ' cycles' 60 600 6000
    progress "$count  $times(  latency $number( ± $number)?)?(  [a-z]+[.a-z]*=.*)?"
    [[ $(grep -cE '^(minimal-a|ugal)[^ ]* +(uniform|group-adv[^ ]*) +0\.[1-9]  ' out) -eq 36 ]] || fail 'not 36 rows'
    awk '/^(minimal-a|ugal)/ { print $1, $2, $3 }' out | sort | uniq -d >twice
    none twice

    # One search for three loads: it scales the traffic itself.
    # shellcheck disable=SC2086
    long_screen $size "$WEFT saturate torus.yaml --new --jobs 2 --tolerance 0.05" measure.limit.packets '' 100000 1000000
    progress "$count  $times(  tries (load )?$number(, saturation)? in $number … $number)?(  [a-z]+[.a-z]*=.*)?"
    [[ $(grep -c '^  saturation   ' out) -eq 2 ]] || fail 'not one search for a routing'
done

# folded COMMAND: on 80 columns every line is whole words, and the words are those of a pipe.
folded() {
    screen 80 24 "$1"
    $1 >pipe 2>&1 || true
    diff <(tr -s ' \n' '\n' <out) <(tr -s ' \n' '\n' <pipe) || fail "other words than in a pipe: $1"
}
folded "$WEFT help"
folded "$WEFT run --help"
folded "$WEFT list"
folded "$WEFT describe dragonfly"
folded "$WEFT topology show dragonfly.yaml"
folded "$WEFT run torus.yaml routing.kind=valiand"
folded "$WEFT runn torus.yaml"
folded "$WEFT check dragonfly.yaml"
# Settings are a scenario also where they go on in the next line.
sed -n '/^interweft/,/^$/p' out >again.yaml
run 0 "$WEFT" check again.yaml
diff <(sed -n '/^interweft/,/^$/p' out) <(sed -n '/^interweft/,/^$/p' pipe) || fail 'other settings'
# The column of texts stays one.
screen 80 24 "$WEFT help"
has out '
  weft check     FILE [key=value …]  settings as understood, bounds, memory and
                                     time estimate; runs nothing. Several
'
