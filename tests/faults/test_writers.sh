#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Several processes at the same files at once: one writes results, the others are refused and say who writes, or come later and find
# everything done; readers see whole points; pages and fabrics are one process's whole file.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >grid.yaml <<'END2'
interweft: 1
title: Points that two want to write
topology: {kind: torus, dims: [4, 4]}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 1%, limit: {packets: 5000}}
vary: {traffic.all.rho: [0.1, 0.2, 0.3]}
END2
# together COUNT COMMAND...: so many at once; their statuses in ./statuses, what they said in err.1 …
together() {
    local i count=$1 status
    local -a processes=()
    shift
    for ((i = 1; i <= count; i++)); do
        "$@" >"out.$i" 2>"err.$i" </dev/null &
        processes+=($!)
    done
    : >statuses
    for i in "${processes[@]}"; do
        status=0
        wait "$i" || status=$?
        echo "$status" >>statuses
    done
}
# judged REFUSAL: each is done or was refused in these words.
judged() {
    local i=0 status
    grep -qx 0 statuses || {
        cat err.*
        fail 'nobody came through'
    }
    while read -r status; do
        i=$((i + 1))
        [[ $status -eq 0 ]] || { [[ $status -eq 1 ]] && has "err.$i" "$1"; } || fail "status $status"
    done <statuses
}
run 0 "$WEFT" run grid.yaml --quiet --results whole.weft
whole=$(canonical whole.weft)
for _ in 1 2 3 4; do
    rm -f grid.weft
    together 3 "$WEFT" run grid.yaml --quiet
    judged 'grid.weft'
    [[ $(canonical grid.weft) == "$whole" ]] || fail 'other results of two writers'
    [[ -z $(compgen -G 'grid.weft?*') ]] || fail "left over: $(compgen -G 'grid.weft?*')"
done

# Readers beside a writer.
rm -f grid.weft
"$WEFT" export whole.weft --format canonical >lines
"$WEFT" run grid.yaml --quiet measure.limit.packets=40000 >out 2>err </dev/null &
writer=$!
while kill -0 $writer 2>/dev/null; do
    status=0
    "$WEFT" export grid.weft --format csv >seen 2>said || status=$?
    [[ $status -eq 0 || $(cat said) == *grid.weft* ]] || fail "a reader failed: $(cat said)"
done
wait $writer || fail 'the writer was disturbed'

# Files that are written at once.
cp "$WEFT_SOURCE/tests/data/fabrics/small.edges" .
run 0 "$WEFT" import edges small.edges -o one.weftnet
run 0 "$WEFT" report whole.weft -o one.html
run 0 "$WEFT" report whole.weft --tex one.tex
for _ in 1 2 3 4; do
    together 3 "$WEFT" import edges small.edges -o many.weftnet
    judged 'cannot write many.weftnet: another process writes it; try again when that has ended'
    cmp one.weftnet many.weftnet || fail 'a fabric of several writers'
    together 3 "$WEFT" report whole.weft -o many.html
    judged 'cannot write many.html: another process writes it'
    cmp one.html many.html || fail 'a page of several writers'
    together 3 "$WEFT" report whole.weft --tex many.tex
    judged 'cannot write many.tex: another process writes it'
    cmp one.tex many.tex || fail 'a figure of several writers'
    [[ -z $(compgen -G '*.part') ]] || fail "left over: $(compgen -G '*.part')"
done
# What a killed one left is no hindrance.
echo half >many.weftnet.part
run 0 "$WEFT" import edges small.edges -o many.weftnet
cmp one.weftnet many.weftnet
