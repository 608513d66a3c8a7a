#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Points side by side in one process: the same bytes for any --jobs, however it was interrupted, within the memory there
# is; and a results file keeps every point that still holds: another load, title or half-width runs what is missing.
# shellcheck source=tests/cli/lib.sh
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >grid.yaml <<'END'
interweft: 1
title: Nine loads
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, length: 8 flits}
measure: {half-width: 5%}
vary:
  traffic.all.rho: {from: 0.1, to: 0.9, step: 0.1}
END

# The same bytes, and a line that says what is done.
for jobs in 1 2 5; do
    run 0 "$WEFT" run grid.yaml --jobs "$jobs" --results "$jobs.weft"
    cp err "err$jobs"
done
has err1 '9 points, one at a time'
has err2 '9 points, 2 at a time'
has err5 '9 points, 5 at a time'
whole=$(canonical 1.weft)
[[ $(canonical 2.weft) == "$whole" && $(canonical 5.weft) == "$whole" ]] || fail 'results depend on --jobs'
run 0 "$WEFT" check grid.yaml --jobs 3
has out 'points                 9, 3 at a time'
has out 'on 3 cores'
# --threads limits all of a process; what one point needs, so many at a time need.
run 0 "$WEFT" check grid.yaml --threads 1
has out $'points                 9\n'
has out 'on one core'
run 0 "$WEFT" check grid.yaml --jobs 8 --memory 28MiB
has out 'points                 9, 2 at a time'
run 0 "$WEFT" saturate grid.yaml traffic.all.rho=0.1 vary.seed='[1, 2]' measure.limit.packets=20000 --jobs 1
has err '2 points, one at a time'
cp out one
run 0 "$WEFT" saturate grid.yaml traffic.all.rho=0.1 vary.seed='[1, 2]' measure.limit.packets=20000 --jobs 3 --new
has err '2 points, 2 at a time'
cmp one out || fail 'saturation depends on --jobs'
run 0 "$WEFT" model mm1 lambda='[0.2, 0.4, 0.6]' --simulate --jobs 1
has err '3 points, one at a time'
cp out one
run 0 "$WEFT" model mm1 lambda='[0.2, 0.4, 0.6]' --simulate --jobs 3
has err '3 points, 3 at a time'
cmp one out || fail 'a simulated model depends on --jobs'

# Killed, then told to stop: what was committed stays, the rest is run.
for signal in KILL INT; do
    "$WEFT" run grid.yaml --jobs 3 --quiet measure.half-width=3% >/dev/null 2>&1 </dev/null &
    sleep 0.3
    kill -"$signal" $! 2>/dev/null || true
    wait $! || true
done
run 0 "$WEFT" run grid.yaml --jobs 3 --quiet measure.half-width=3%
run 0 "$WEFT" run grid.yaml --jobs 1 --quiet measure.half-width=3% --results alone.weft
[[ $(canonical grid.weft) == "$(canonical alone.weft)" ]] || fail 'interrupted and resumed: other results'

# Another load, a corrected title, a narrower grid.
run 0 "$WEFT" run grid.yaml --jobs 2 --results 1.weft vary.traffic.all.rho='[0.1, 0.95]' title='Ten loads'
has err '1 point; 1 is there already'
run 0 "$WEFT" run grid.yaml --results 1.weft traffic.all.rho=0.5
run 0 "$WEFT" run grid.yaml --results 1.weft
has err 'all 9 points are there already'
run 0 "$WEFT" report 1.weft --csv one.csv
[[ $("$WEFT" export 1.weft --format json | grep -c '"verdict"') -eq 10 ]] || fail 'a point is lost'
# A narrower half-width runs a point anew, a wider one keeps it.
run 0 "$WEFT" run grid.yaml --jobs 2 --results 1.weft vary.traffic.all.rho='[0.1, 0.2]' measure.half-width=4%
has err '2 points, 2 at a time; 2 of them again, for a narrower half-width or another limit'
run 0 "$WEFT" run grid.yaml --results 1.weft
has err 'all 9 points are there already'
# What cannot be kept is named, and stays.
before=$(sha256sum <1.weft)
run 1 "$WEFT" run grid.yaml --results 1.weft router.header='2 cycles'
is err '1.weft: 10 of its 10 points were run with router.header 1 cycle, this scenario has 2 cycles; --results FILE starts another file beside it, --new starts this one anew'
run 1 "$WEFT" run grid.yaml --results 1.weft vary.seed='[1, 2]'
is err '1.weft: 10 of its 10 points were run in a grid over traffic.all.rho, this one is over seed, traffic.all.rho and has other seeds; --results FILE starts another file beside it, --new starts this one anew'
[[ $(sha256sum <1.weft) == "$before" ]] || fail 'a refused command changed the results'
