#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a person sees of 36 points of a dragonfly and of two traffic classes, on screens of 80 and 120 columns and in a pipe.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
unset COLUMNS

# screen COLUMNS COMMAND: what a terminal of that width shows, into ./out. The width is that of the terminal, so no line wraps.
screen() {
    script -qec "stty cols $1 rows 40; NO_COLOR=1 $2" /dev/null </dev/null | tr -d '\r' >out
    [[ $(wc -L <out) -le $1 ]] || fail "a line is wider than $1 columns"
}
# rows FILE: the rows of the table, the lines with a load.
rows() {
    grep -E ' 0\.[0-9]  (conv|limit|warm|satu)' "$1" || true
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
run 2 "$WEFT" run dragonfly.yaml --columns accepted,mead
has err "--columns: there is no 'mead' (there are verdict, completion, alone, slowdown, ideal, alpha-beta, vs-ideal, rank-mean,"
has err "; did you mean 'mean'?"
[[ ! -e dragonfly.weft ]] || fail 'ran although a column was wrong'
run 0 "$WEFT" run dragonfly.yaml --quiet
cp out pipe

# A pipe is a screen of 80 columns. Every row tells its point: 36 different ones, curve by curve, each by rising load.
[[ $(rows pipe | wc -l) -eq 36 ]] || fail 'not 36 rows'
rows pipe | awk '{ print $1, $2, $3 }' | sed 's/…//' >points
for routing in minimal-adapt ugal; do
    for pattern in group-adversa uniform; do
        for load in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9; do echo "$routing" "$pattern" "$load"; done
    done
done >wanted
paste -d ' ' points wanted | awk 'index($1, $4) != 1 || index($2, $5) != 1 || $3 != $6 { print; bad = 1 } END { exit bad }' ||
    fail 'a row does not tell its point'
screen 80 "$WEFT run dragonfly.yaml --quiet 2>/dev/null"
diff out pipe || fail 'a screen of 80 columns shows something else than a pipe'
screen 120 "$WEFT run dragonfly.yaml --quiet 2>/dev/null"
rows out | grep -qE '^ugal +group-adversarial +0\.9  limit time: still warming up ' || fail 'not all verdicts fit 120 columns'
COLUMNS=120 "$WEFT" run dragonfly.yaml --quiet 2>/dev/null | diff - out || fail 'COLUMNS is not heeded in a pipe'

# Traffic classes have rows of their own, and their percentiles end where packets do.
cat >classes.yaml <<'END_OF_SCENARIO'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic:
  control: {pattern: uniform, length: 2 flits, load: 0.05}
  bulk: {pattern: uniform, length: 32 flits, load: 0.1}
measure: {limit: {packets: 9000}}
vary:
  traffic.bulk.load: [0.1, 0.2]
END_OF_SCENARIO
run 0 "$WEFT" run classes.yaml --quiet --columns accepted,p99,p99.9,p99.99
awk 'NR > 3 { print $1, $2, NF }' out >rows
is rows 'all 0.1 4
all 0.2 4
bulk 0.1 3
bulk 0.2 4
control 0.1 4
control 0.2 4'
! grep -q "p99\.9" out || fail 'a percentile without packets beyond it'

# So have those that the first point lacks.
cat >more.yaml <<'END_OF_SCENARIO'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic: {}
measure: {limit: {packets: 3000}}
vary:
  traffic: [{alone: {pattern: uniform, length: 4 flits, load: 0.1}},
    {bulk: {pattern: uniform, length: 4 flits, load: 0.1}, control: {pattern: uniform, length: 2 flits, load: 0.05}}]
END_OF_SCENARIO
run 0 "$WEFT" run more.yaml --quiet --columns accepted
[[ $(grep -cw control out) -eq 1 ]] || { cat out; fail 'no row of a class that the first point lacks'; }

# Cycles and nanoseconds: each cell has its unit; they share neither an axis nor a mean.
cat >units.yaml <<'END_OF_SCENARIO'
interweft: 1
clock: 500 MHz
topology: {kind: torus, dims: [4, 4]}
links: {flit: 8 B}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 8 flits, rho: 0.05}
measure: {half-width: 5%, limit: {packets: 5000}}
vary: {traffic.all.rho: [0.05, 0.1], links.rate: [1 flits/cycle, 32 Gb/s]}
END_OF_SCENARIO
run 0 "$WEFT" run units.yaml --quiet --columns mean,hops
sed -E -n 's/^.* ± [0-9.]+ ([a-z]+) .*/\1/p' out | sort | uniq -c | tr -s ' ' >units
is units ' 2 cycles
 2 ns'
! sed '/ ± /,$d' out | grep -qwE 'ns|cycles' || fail 'a column of two units has one'
run 1 "$WEFT" report units.weft --tex units.tex --x rho
has err "'mean' is in cycles and in ns here, which share no axis: --x and --curves choose points of one unit"
[[ ! -e units.tex ]] || fail 'drew two units on one axis'
run 0 "$WEFT" report units.weft --tex units.tex --x rho --curves Gb/s
grep -qF 'ylabel={mean latency (ns)}' units.tex || fail 'the unit of the chosen curve is wrong'
run 0 "$WEFT" report units.weft --tex units.tex --metric accepted --x rho
run 2 "$WEFT" report units.weft --over links.rate
has err "--over: with values of 'links.rate' latency is in cycles and in ns, which have no mean"
run 0 "$WEFT" report units.weft --over rho

# The rate of links is no offered load: the axis is the load, and every rate has its curve.
run 0 "$WEFT" run units.yaml --quiet --results rates.weft 'links.rate=32 Gb/s,64 Gb/s'
run 0 "$WEFT" report rates.weft --tex rates.tex
has rates.tex 'xlabel={offered load'
has rates.tex 'rate 64 Gb/s'

# Points of two versions in one file.
if command -v sqlite3 >/dev/null; then
    ! grep -q 'Points of weft' pipe || fail 'one version is taken for two'
    sqlite3 dragonfly.weft "UPDATE provenance SET version = '0.0.9' WHERE point = 1"
    run 0 "$WEFT" run dragonfly.yaml --quiet
    grep -qE '^Points of weft [0-9.]+ and of weft [0-9.]+; weft run --new runs all anew\.$' out || fail 'points of two versions are not told'
fi

# Classes with long names: what is varied of them is told apart, and all fits.
long=a-class-with-a-name-of-thirty-seven-ch
cat >long.yaml <<END_OF_SCENARIO
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic: {$long: {pattern: uniform, length: 16 flits, rho: 0.3}, b: {pattern: uniform, length: 4 flits, rho: 0.1}}
measure: {half-width: 20%, limit: {packets: 2000}}
vary: {traffic.$long.rho: [0.1, 0.2], traffic.$long.arrival: [poisson, bernoulli], traffic.b.rho: [0.1, 0.2]}
END_OF_SCENARIO
run 0 "$WEFT" run long.yaml --quiet
for width in 120 80; do
    screen $width "$WEFT run long.yaml --quiet 2>/dev/null"
    grep -qE '^a[a-z-]*….arriv[al…]+ +b\.rho +class +a[a-z-]*….rho ' out || fail "$(head -3 out) at $width columns"
done
