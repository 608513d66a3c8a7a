#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft crossbar: counts, runs and searches; its worst cases and their witnesses; messages; a search that is stopped
# or killed goes on and counts every matrix once; one switch at a time gives the same bytes as many at once.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# Counts.
run 0 "$WEFT" crossbar count n=5 d=7
is out 'n=5 d=7  976395820 matrices'
run 0 "$WEFT" crossbar count 'n=[3,4]' d=8
is out $'n=3 d=8  1035 matrices\nn=4 d=8  981541 matrices'

# One matrix: the commands of the paper's headlines.
run 0 "$WEFT" crossbar run scheduler=islip iterations=1 'matrix=[[5,6,9],[9,1,10],[6,13,1]]' --slots 4
has out $'     0  2 2 1      2 · 1  1\n     1  0 0 0      0 2 ·  2\n'
has out 'throughput  37/60 = 0.616667 of the slots of all outputs'
has out 'exact: repeats itself every 20 slots'
has out 'by lot      0.756'
run 0 "$WEFT" crossbar run 'matrix=[[10,10,0],[0,5,15],[10,5,5]]' --slots 1
has out 'throughput  7/12 = 0.583333'
has out 'by lot      0.775'
run 0 "$WEFT" crossbar run iterations=4 'matrix=[[1,1,4,2],[2,5,1,0],[4,0,3,1],[1,2,0,5]]' --slots 1
has out 'throughput  21/32 = 0.656250'
has out 'by lot      0.85'
run 0 "$WEFT" crossbar run matrix=uniform n=4 input=bursty burst=16 queues=fifo --slots 1
has out 'throughput  16/61'
run 0 "$WEFT" crossbar run matrix=diagonal n=8 rho=0.9 scheduler=max-weight --slots 1
has out 'throughput  9/10 = 0.900000'
run 0 "$WEFT" crossbar run matrix=uniform n=3 'starts=[[0,1,2],[2,0,1],[1,2,0]]' --slots 1
has out 'exact'
printf '# a matrix\n1,2\n2,1\n' >two.csv
run 0 "$WEFT" crossbar run matrix=two.csv 'scheduler=[islip, wavefront]' --slots 1
has out 'scheduler=wavefront'

# Schedulers of a list have the settings that were given before, however that was.
run 0 "$WEFT" crossbar run iterations=2 'scheduler=[islip, firm]' matrix=two.csv --slots 1
mv out apart
run 0 "$WEFT" crossbar run 'scheduler={kind: islip, iterations: 2}' 'scheduler=[islip, firm]' matrix=two.csv --slots 1
diff apart out || fail 'settings of a scheduler are lost in a list'

# A load below 1 is a matrix of more cells in more slots: three quarters here, of every one of the four.
run 0 "$WEFT" crossbar search scheduler=islip iterations=1 n=2 d=3 rho=0.75 --results quarter.weft --quiet
[[ $(grep -c '^  0\.750000  exact 3/4 ' out) -eq 4 ]] || { cat out; fail 'not all of a load of 0.75 gets through'; }

# RRM: phases that grow for ever.
run 0 "$WEFT" crossbar run scheduler=rrm 'matrix=[[0,0,0,7],[3,4,0,0],[2,1,4,0],[2,2,3,0]]' --slots 1
has out 'the state does not recur within'
has out 'times as long as the one like it before'
# Of small cells it neither recurs nor has phases: nothing is said of why.
run 0 "$WEFT" crossbar run scheduler=rrm cap=100 'matrix=[[5,6,9],[9,1,10],[6,13,1]]' --slots 1
has out 'the state does not recur within 320 slots (setting cap)
by lot '

# Messages.
run 1 "$WEFT" crossbar run 'matrix=[[1,2],[2,2]]'
has err 'all rows and columns must have the same sum; row 0 has 3, row 1 has 4'
run 1 "$WEFT" crossbar run 'matrix=[[1,2],[2,1,0]]'
has err 'matrix: row 1 must be a list of 2 numbers'
run 1 "$WEFT" crossbar run matrix=unifrm n=4
has err 'or uniform, diagonal, log-diagonal, lin-diagonal or unbalanced, found'
run 1 "$WEFT" crossbar run matrix=uniform
has err 'a named matrix needs n, such as n=4'
run 1 "$WEFT" crossbar run n=4 d=7
has err 'a run needs a matrix'
printf '1,2\n2\n' >bad.csv
run 1 "$WEFT" crossbar run matrix=bad.csv
has err 'bad.csv:2: a matrix is as many lines'
run 1 "$WEFT" crossbar search n=4 d=7 itertions=2
has err "has no setting 'itertions'; did you mean 'iterations'?"
run 1 "$WEFT" crossbar search n=4 d=7 scheduler=ilsip
has err "did you mean 'islip'?"
run 1 "$WEFT" crossbar search n=2 d=3 --lanes 2
is err 'lanes must be 1, 64, 256 or 512, as many as the processor can compute at once, or left out; this one cannot do 2'
run 1 "$WEFT" crossbar search 'matrix=[[1,2],[2,1]]'
has err 'a search goes through many matrices: give n and d instead of matrix'
run 1 "$WEFT" crossbar count n=65 d=3
has err 'matrices are counted up to n = 8 and d = 255, found n = 65 and d = 3'
for word in run count; do
    run 2 "$WEFT" crossbar $word n=2 d=3 matrix=uniform -o kept.weft
    is err "weft: crossbar $word prints its answer and keeps no results: --results, -o and --new are for search"
    run 2 "$WEFT" crossbar $word n=2 d=3 matrix=uniform --new
done
run 1 "$WEFT" crossbar search n=4
has err 'n and d of the matrices to search'
run 1 "$WEFT" crossbar search n=4 d=7 rho=0.33333
has err 'rho must be a whole number of thousandths'
run 1 "$WEFT" crossbar search n=9 d=7
has err 'matrices are counted up to n = 8'
run 1 "$WEFT" crossbar run scheduler=max-weight weight=age matrix=uniform n=2
has err 'looks at the ages of cells, which the laboratory does not keep'
run 2 "$WEFT" crossbar look n=4
has err 'weft crossbar run, search or count'
run 2 "$WEFT" crossbar search n=4 d=3 --lanes 1000
has err '--lanes takes a whole number from 1 to 512'
run 1 "$WEFT" crossbar search n=2 d=2 --lanes 3
is err 'lanes must be 1, 64, 256 or 512, as many as the processor can compute at once, or left out; this one cannot do 3'

# The worst of 4-iSLIP: exactly four matrices, the rotations of one.
run 0 "$WEFT" crossbar search scheduler=islip iterations=4 n=4 d=8 --results worst.weft
has out '0.656250  exact 21/32            294891  [[1,1,4,2],[2,5,1,0],[4,0,3,1],[1,2,0,5]]'
has out '[[1,2,0,5],[1,1,4,2],[2,5,1,0],[4,0,3,1]]'
has out '[[2,5,1,0],[4,0,3,1],[1,2,0,5],[1,1,4,2]]'
has out '[[4,0,3,1],[1,2,0,5],[1,1,4,2],[2,5,1,0]]'
[[ $(metric worst.weft at-worst) == 4 ]] || fail 'not four'
[[ $(metric worst.weft matrices) == 981541 ]] || fail 'not all'
# The same command finds it done.
run 0 "$WEFT" crossbar search scheduler=islip iterations=4 n=4 d=8 --results worst.weft
# Another search is not put into the same file.
run 1 "$WEFT" crossbar search scheduler=islip iterations=3 n=4 d=8 --results worst.weft
has err '--new'

# n = 3, d = 20: 35/60 on one matrix, then five with 37/60; 2/3 with four iterations.
run 0 "$WEFT" crossbar search 'iterations=[1,4]' n=3 d=20 --results three.weft
"$WEFT" export three.weft >three.csv
grep -q '0.5833333' three.csv || fail 'no 35/60'
run 0 "$WEFT" crossbar search n=3 d=20 --results one.weft
has out '0.583333  exact 7/12'
has out '[[10,10,0],[0,5,15],[10,5,5]]'
[[ $(grep -c 'exact 37/60' out) -eq 5 ]] || fail 'not five with 37/60'
has out '[[5,6,9],[9,1,10],[6,13,1]]'
has out '[[13,7,0],[2,8,10],[5,5,10]]'
run 0 "$WEFT" crossbar search iterations=4 n=3 d=20 --results four.weft
has out '0.666667  exact 2/3'
has out '[[0,10,10],[10,0,10],[10,10,0]]'

# The same bytes with any number of switches at once, and of threads.
for how in '--lanes 1' '--lanes 64' '--threads 1' '--threads 2' '--threads 5'; do
    # shellcheck disable=SC2086
    run 0 "$WEFT" crossbar search 'scheduler=[rrm,drrm2]' n=3 d=12 cap=2000 --results "some.weft" $how --new
    canonical some.weft >>sums
done
run 0 "$WEFT" crossbar search 'scheduler=[rrm,drrm2]' n=3 d=12 cap=2000 --results some.weft --new
canonical some.weft >>sums
[[ $(sort -u sums | wc -l) -eq 1 ]] || fail 'the bytes differ'

# Killed, it goes on from what it had kept; the bytes are those of a run that was left alone.
run 0 "$WEFT" crossbar search scheduler=firm n=4 d=8 --results whole.weft
"$WEFT" crossbar search scheduler=firm n=4 d=8 --lanes 1 --results cut.weft --quiet >/dev/null 2>&1 &
pid=$!
for _ in {1..600}; do
    [[ -e cut.weft.search ]] && break
    sleep 0.1
done
kill -9 "$pid"
wait "$pid" || true
[[ -e cut.weft.search ]] || fail 'nothing was kept'
run 0 "$WEFT" crossbar search scheduler=firm n=4 d=8 --results cut.weft
[[ $(metric cut.weft matrices) == 981541 ]] || fail 'a matrix was lost or repeated'
[[ $(canonical cut.weft) == "$(canonical whole.weft)" ]] || fail 'the bytes differ after a kill'
[[ ! -e cut.weft.search ]] || fail 'the state was left behind'

# A report of it.
run 0 "$WEFT" report worst.weft
has out 'point  worst'
run 0 "$WEFT" report worst.weft --html worst.html
[[ -s worst.html ]] || fail 'no page'

# Settings of schedulers hold for every one of a list, wherever they stand.
run 0 "$WEFT" crossbar search n=3 d=3 'scheduler=[islip, firm]' iterations=3 --quiet --new
cp out after
run 0 "$WEFT" crossbar search n=3 d=3 iterations=3 'scheduler=[islip, firm]' --quiet --new
cmp after out || fail 'the order of settings decides'

# A disk that takes no more when a search is finished: its parts are kept, and the same command writes what was found.
cat >full.sh <<'END'
trap '' XFSZ
ulimit -f 44
exec "$WEFT" crossbar search scheduler=islip n=3 d=4 --results full.weft
END
run 4 bash full.sh
[[ $(stat -c %s full.weft.search) -gt 24 ]] || fail 'a finished search was thrown away'
run 0 "$WEFT" crossbar search scheduler=islip n=3 d=4 --results full.weft
run 0 "$WEFT" crossbar search scheduler=islip n=3 d=4 --results free.weft
[[ $(canonical full.weft) == "$(canonical free.weft)" ]] || fail 'a search that met a full disk has other results'
