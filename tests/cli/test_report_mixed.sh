#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft report of points that differ in unit, version or class, axes that were asked for, and a gnuplot that fails.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
command -v sqlite3 >/dev/null || exit 77

cat >plain.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 3, buffer: 32 flits}
routing: {kind: dimension-order}
traffic:
  a: {pattern: uniform, length: 4 flits, load: 0.1}
  b: {pattern: transpose, length: 8 flits, load: 0.1}
measure: {limit: {packets: 500}}
vary: {traffic.a.load: [0.05, 0.2], seed: [1, 2], routing: [dimension-order, {kind: minimal-adaptive}]}
END
run 0 "$WEFT" run plain.yaml --quiet
# Without checksums, as results of old versions are: one point in ns, one of another version, one saturated at its limit.
cp plain.weft mixed.weft
last='(SELECT id FROM point ORDER BY key DESC LIMIT 1)' first='(SELECT id FROM point ORDER BY key LIMIT 1)'
sqlite3 mixed.weft "UPDATE provenance SET build = 'gcc';
    UPDATE metric SET unit = 'ns' WHERE unit = 'cycles' AND point = $last;
    UPDATE point SET saturated = 1 WHERE id = $first;
    UPDATE provenance SET version = '0.1.0' WHERE point = $first"

# ---- the table: units in cells, where those of a column differ ----
run 0 "$WEFT" report plain.weft --columns mean
[[ $(grep -c ' cycles$' out) -eq 1 ]] || fail 'not one head with the unit'
run 0 "$WEFT" report mixed.weft --columns verdict,mean
[[ $(grep -cE ' ± [0-9.]+ ns$' out) -eq 3 && $(grep -cE ' ± [0-9.]+ cycles$' out) -eq 21 ]] || { cat out; fail 'not a unit in every cell'; }
[[ $(grep -c 'limit packets, saturated\| saturated ' out) -eq 1 ]] || { cat out; fail 'not one saturated point'; }
version=$("$WEFT" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)
has out "Points of weft 0.1.0 and of weft $version; weft run --new runs all anew."

# ---- pictures ----
# refused STATUS MESSAGE ARGUMENT...: no picture, and this message.
refused() {
    run "$1" "$WEFT" report "${@:3}"
    is err "$2"
    [[ ! -e no.svg && ! -e no.tex && -z $(find . -name '*.part*') ]] || fail 'a picture that was refused'
}
apart='which share no axis: --x and --curves choose points of one unit, and --metric accepted has none'
refused 1 "'mean' is in cycles and in ns here, $apart" mixed.weft --tex no.tex
refused 2 "weft: --over: with values of 'seed' latency is in cycles and in ns, which have no mean" mixed.weft --tex no.tex --over seed
sqlite3 mixed.weft "UPDATE metric SET unit = 'messages/ns' WHERE unit = 'messages/cycle' AND point = $last"
refused 1 "'rate' is in messages/cycle and in messages/ns here, $apart" mixed.weft --tex no.tex --metric accepted --x rate
refused 2 'weft: --metric: a verdict is no number' plain.weft --tex no.tex --metric verdict
refused 1 "nothing to draw: no point has both a place on the axis and a value of 'mean' of class c" plain.weft --tex no.tex --metric c.mean
refused 2 "weft: --log is auto, x, y, both or none, found 'z'" plain.weft --tex no.tex --log z
refused 2 "weft: --curves: none holds 'zz' (there are 'dimension-order', 'minimal-adaptive')" plain.weft --tex no.tex --over seed --curves zz
for size in 9999cmx6cm 6cmx9999cm 1cmx6cm 6cmx1cm; do
    refused 2 "weft: --size: sides are 4 to 130 cm (150 to 5000 pixels), found '$size'" plain.weft --tex no.tex --size $size
done
# drawn TEXT ARGUMENT...: the TeX has this text.
drawn() {
    run 0 "$WEFT" report plain.weft --over seed --tex it.tex "${@:2}"
    is err 'wrote it.tex'
    has it.tex "$1"
}
drawn 'ylabel={mean latency of class a (cycles)}' --metric a.mean
drawn 'xlabel={offered rate (messages/cycle per endpoint)}' --x rate
drawn 'xticklabels={{dimension-order},{minimal-adaptive}}' --x routing
drawn 'only marks' --x routing
for log in x=1,0 y=0,1 both=1,1 none=0,0; do
    drawn '\addplot' --log "${log%=*}"
    [[ $(grep -c xmode=log it.tex),$(grep -c ymode=log it.tex) == "${log#*=}" ]] || fail "--log ${log%=*} is not heard"
done
# Length of a side without a unit: that of the other.
drawn 'width=' --size 10cmx6
cp it.tex wide.tex
drawn 'width=' --size 10x6cm
cmp it.tex wide.tex

if command -v gnuplot >/dev/null; then
    run 0 "$WEFT" report plain.weft --over seed --log both --svg both.svg
    grep -q '>0.2<' both.svg || fail 'no tic on the axis of loads'
fi
# A gnuplot that is not one.
mkdir fake
# gnuplot SCRIPT MESSAGE: so it fails.
gnuplot() {
    printf '#!/bin/sh\ncat >/dev/null\n%s\n' "$1" >fake/gnuplot
    chmod +x fake/gnuplot
    PATH=$PWD/fake:$PATH refused 1 "$2" plain.weft --svg no.svg
}
gnuplot 'printf "\n  line 3: no\n    ^\nsecond\n" >&2; exit 1' 'gnuplot failed: line 3: no; second'
gnuplot 'exit 127' 'cannot run gnuplot'
gnuplot 'exit 0' 'gnuplot drew nothing into no.svg'
gnuplot 'echo "<svg>"' 'cannot write all of no.svg: is the disk full?'
gnuplot 'kill -9 $$' 'gnuplot failed: '
echo nothing >fake/gnuplot
run 1 env PATH="$PWD/fake" "$WEFT" report plain.weft --svg no.svg
is err 'cannot start gnuplot: Exec format error'
