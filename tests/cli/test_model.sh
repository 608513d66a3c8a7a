#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft model: the tables it prints, grids, CSV, pictures, results files, what it says when something is wrong, the
# simulation beside it, and how fast it is.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# ---- what there is ----
run 0 "$WEFT" model
has out 'model: what can be answered'
for name in cut-through credit threshold mm1 md1 mg1 mm1k mmc erlang-b erlang-c ge-ge-1 ge-ge-1-n priority jackson; do
    has out "  $name "
    run 0 "$WEFT" describe "model/$name"
    has out "model $name: "
    run 0 "$WEFT" model
done
run 0 "$WEFT" list model
has out 'ge-ge-1-n'
run 0 "$WEFT" page model
has out '## cut-through'
has out '| rates of the server: at first, and from each threshold on | a list of numbers such as [8, 16.5] |'

# ---- one point ----
run 0 "$WEFT" model cut-through rho=0.3 h=5 selection=diagonal
is out 'cut-through: virtual cut-through on a torus of two dimensions
  cut-through  0.796982
  latency      253.115 cycles
  two ways     0.46182
  hops         5 hops'
none err
run 0 "$WEFT" model credit lambda=5 mu1=6 mu2=8 n=12 m=2
has out '  loss                  0.115768'
has out '  credit stall          0.225668'
has out '  throughput of node 2  4.42116 packets/time unit'
run 0 "$WEFT" model threshold lambda=4 'mu=[8,16]' 'thresholds=[8]' capacity=16 ca2=5 cs2=7
has out '  loss                               0.0216941'
has out '  loss of one VC                     0.171172'
has out '  loss of all VCs at the first rate  0.0604035'
run 0 "$WEFT" model threshold lambda=4 'mu=[8, 16]' 'thresholds=[8]' capacity=16 ca2=5 cs2=7 printed=true
has out 'note: what is printed is no distribution here'
# Of three rates that are one the formulas that are printed make ρ = 1/2 into 3 ρ/(1 + 2 ρ) and 1/(1 − ρ) packets; it adds up to 1.
run 0 "$WEFT" model threshold lambda=4 'mu=[8, 8, 8]' 'thresholds=[60, 120]' capacity=180 printed=true
has out '  printed packets                    2 packets'
has out '  printed utilisation                0.75'
has out '  printed sum                        1'
has out '  printed valid                      1 (1: yes)'
[[ $(cat out) != *note:* ]] || fail 'a distribution is called none'
run 0 "$WEFT" model cut-through rho=0.3 selection=diagonal 'pattern={kind: hot-spot, node: 0, share: 0.5}' k=8 ring=torus
has out '  hops         4.'
run 0 "$WEFT" model ge-ge-1-n lambda=8 mu=8 capacity=8 ca2=5 cs2=7 states=2
has out 'packets  probability'
run 0 "$WEFT" model erlang-c lambda=10 servers=12 patience=0.5
is out 'erlang-c: Erlang C: who waits at c servers with one queue (M/M/c)
  wait probability  0.449388
  wait              0.224694 time units
  wait if any       0.5 time units
  waiting           2.24694 packets
  utilisation       0.833333
  service level     0.834679'
run 0 "$WEFT" model erlang-b lambda=100000 servers=100000 target=1%
has out '  loss            0.00251889'
has out '  servers needed  99092 servers'
run 0 "$WEFT" model priority 'lambda=[0.2, 0.3, 0.1]' discipline=preemptive-resume
has out '    3           5           4      0.5'
run 0 "$WEFT" model jackson 'lambda=[1, 0]' 'mu=[3, 4]' 'routing=[0, 0.5, 0, 0]'
has out '      2                0.5     0.5    0.285714  0.142857        0.125'

run 1 "$WEFT" model jackson 'lambda=[1, 0]' 'mu=[3, 4]' 'routing=[0, 0.5, 0, 0]' --simulate
none out
is err 'jackson: there is no scenario that simulates this model'

# ---- grids, in both forms, as CSV with all digits ----
run 0 "$WEFT" model cut-through 'rho={from: 0.1, to: 0.9, step: 0.4}' 'selection=[oblivious, diagonal]' h=5 --csv
cp out long.csv
run 0 "$WEFT" model cut-through rho=0.1/0.9/0.4 'selection=[oblivious, diagonal]' h=5 --csv
cmp out long.csv
awk -F, 'NR == 1; NR > 1 { printf "%s,%s,%.9g,%.9g,%.9g,%s\n", $1, $2, $3, $4, $5, $6 }' out >rounded
is rounded 'rho,selection,cut-through (fraction),latency (cycles),two ways (fraction),hops (hops)
0.1,oblivious,0.9,125.155556,0,5
0.1,diagonal,0.9484758,112.745751,0.53862,5
0.5,oblivious,0.5,512,0,5
0.5,diagonal,0.609375,484,0.4375,5
0.9,oblivious,0.1,3174.4,0,5
0.9,diagonal,0.1484758,3161.9902,0.53862,5'
run 0 "$WEFT" model threshold 'lambda=[4]' 'mu=[[8, 16], [8, 8]]' 'thresholds=[8]' capacity=16 ca2=5 cs2=7 --csv
has out '4,"[8, 16]",0.0216'
has out '4,"[8, 8]",0.0604'
run 0 "$WEFT" model mm1 lambda=0.5 states=2 --csv
has out 'by,index,latency (time units)'
has out 'packets,2,,,,,,0.125'
run 0 "$WEFT" model credit lambda=1/9/2 mu1=6 mu2=8 n=4/12/4 m=2
[[ $(grep -cE '^ *[1-9] ' out) -eq 15 ]] || fail 'not 15 points'

# ---- files ----
run 0 "$WEFT" model cut-through rho=0.1/0.9/0.1 'selection=[oblivious, diagonal]' h=12 -o cut.weft
has err 'results in cut.weft'
run 0 "$WEFT" export cut.weft
[[ $(grep -c ',cut-through,' out) -eq 18 ]] || fail 'not 18 points'
has out ',exact'
run 0 "$WEFT" report cut.weft
run 0 "$WEFT" model cut-through rho=0.1/0.9/0.1 'selection=[oblivious, diagonal]' h=12 -o cut.weft
canonical cut.weft >before
run 1 "$WEFT" model cut-through rho=0.1/0.9/0.1 'selection=[oblivious, diagonal]' h=13 -o cut.weft
has err '--new'
canonical cut.weft | cmp - before
run 0 "$WEFT" model cut-through rho=0.5 h=13 -o cut.weft --new
[[ $("$WEFT" export cut.weft | grep -c '^cut-through,') -eq 1 ]] || fail 'not one point'
if command -v gnuplot >/dev/null; then
    run 0 "$WEFT" model cut-through rho=0.1/0.9/0.1 'selection=[oblivious, diagonal]' h=12 --plot cut.svg --of latency
    has err 'wrote cut.svg'
    has cut.svg 'latency, cycles'
    has cut.svg '>diagonal<'
    # a smooth curve between few values; whole numbers where a setting is one
    run 0 "$WEFT" model mm1 lambda=0.1/0.9/0.4 --plot smooth.svg
    [[ $(grep -oE '[0-9.]+,[0-9.]+ ' smooth.svg | wc -l) -ge 200 ]] || fail 'the curve is a polygon'
    run 0 "$WEFT" model erlang-b lambda=9 servers=8/14/3 --plot whole.svg
    [[ $(grep -oE '[0-9.]+,[0-9.]+ ' whole.svg | wc -l) -lt 120 ]] || fail 'there are parts of servers'
    # whatever comes before it, and where a point takes longer; but not where there are values enough
    run 0 "$WEFT" model cut-through 'pattern=[uniform, transpose]' rho=0.1/0.9/0.4 k=8 ring=torus selection=diagonal \
        --plot cut.svg --of latency
    [[ $(grep -oE '[0-9.]+,[0-9.]+ ' cut.svg | wc -l) -ge 400 ]] || fail 'two curves are polygons'
    run 0 "$WEFT" model credit lambda=1/5/2 mu1=6 mu2=8 n=8 m=2 --plot credit.svg --of loss
    [[ $(grep -oE '[0-9.]+,[0-9.]+ ' credit.svg | wc -l) -ge 200 ]] || fail 'the curve of credits is a polygon'
    run 0 "$WEFT" model mm1 lambda=0.001/0.9/0.001 --plot fine.svg
    run 0 "$WEFT" model mm1 lambda=0.1/0.9/0.1 --plot mm1.png --svg mm1.svg --pdf mm1.pdf
    is err $'wrote mm1.png\nwrote mm1.svg\nwrote mm1.pdf'
    [[ $(head -c 4 mm1.pdf) == %PDF ]] || fail 'not PDF'
    [[ $(head -c 4 mm1.png | tail -c 3) == PNG ]] || fail 'no PNG'
    # seven powers of ten: a tic for each, and no 1.0000000000000003e-05
    run 0 "$WEFT" model erlang-b lambda=1/20/1 servers=10 --svg loss.svg
    [[ $(grep -oE '>(1e-0[567]|0\.0*1|1)<' loss.svg | sort -u | wc -l) -eq 8 ]] || fail 'not a tic for every power of ten'
    ! grep -qE '>[0-9.e-]{8,}<' loss.svg || fail 'tics with noise'
fi

# ---- what is wrong ----
# wrong STATUS MESSAGE ARGUMENT...: weft model fails so, with a message that begins with this.
wrong() {
    local status=$1 message=$2
    shift 2
    run "$status" "$WEFT" model "$@"
    none out
    has err "$message"
}
wrong 1 "there is no model 'cut-trough'; did you mean 'cut-through'?" cut-trough rho=0.3
wrong 1 "command line: cut-through has no setting 'roh'; did you mean 'rho'?" cut-through roh=0.3
wrong 1 "command line: erlang-c has no setting 'c' (known: lambda, mu, servers, patience)" erlang-c lambda=8 c=10
wrong 1 "cut-through lacks the setting 'rho' (mean utilisation of the links)" cut-through h=5
wrong 1 'command line: cut-through.rho must be 0 … 0.999999, found 1.5' cut-through rho=1.5 h=5
wrong 1 "command line: cut-through.selection must be one of oblivious, random, dimension-order, diagonal, found 'diag'" \
    cut-through rho=0.5 h=5 selection=diag
wrong 1 'cut-through (h=20): h must be at most 16 on a 16 × 16 torus, found 20' \
    cut-through rho=0.5 h=4/20/16 ring=torus
wrong 1 'cut-through: pattern' cut-through rho=0.5 'pattern={kind: bit-reversal}' k=6
wrong 1 'lambda must be below mu (4), or the queue grows for ever; found 4' mm1 lambda=4 mu=4
wrong 1 'mu must have one rate more than there are thresholds, found 2 and 2' \
    threshold lambda=4 'mu=[8,16]' 'thresholds=[4,8]' capacity=16
wrong 1 'thresholds must rise, found 3 after 4' threshold lambda=4 'mu=[8,16,3]' 'thresholds=[4,3]' capacity=24
wrong 1 'thresholds: number 1 must be at most 8, the room of one VC, or it is never reached; found 9' \
    threshold lambda=4 'mu=[8,16]' 'thresholds=[9]' capacity=16
wrong 1 "threshold.mu must be a list of numbers such as [8, 16.5], found '8'" threshold lambda=4 mu=8 capacity=9
wrong 1 'ca2 must be 1 … 1000000, found 0.5' ge-ge-1 lambda=1 mu=2 ca2=0.5
wrong 1 'n and m must give at most 500000 states' credit lambda=5 mu1=6 mu2=8 n=4000 m=4000
wrong 1 'cs2 must be 0 or at least 1 to be simulated, found 0.5' mg1 lambda=1 mu=2 cs2=0.5 --simulate
wrong 1 'mu2 must be within a factor of 32 of mu1 to be simulated' credit lambda=1 mu1=1 mu2=40 n=4 m=4 --simulate
wrong 1 'mmc: lambda must be below servers × mu (4), or the queue grows for ever; found 5' mmc lambda=5 servers=4
wrong 1 'erlang-b: target: more than 100000 servers would be needed' erlang-b lambda=200000 servers=4 target=1%
wrong 1 'servers must be at most 256 to be simulated, found 300' mmc lambda=5 servers=300 --simulate
wrong 1 'erlang-c: there is no scenario that simulates this model' erlang-c lambda=5 servers=9 --simulate
wrong 1 'priority: mu must have one number, or one for each of 3 classes, found 2' priority 'lambda=[0.1, 0.1, 0.1]' 'mu=[1, 2]'
wrong 1 'lambda: classes 1 to 2 need 1.1 times what the server can do, or the queue of class 2 grows for ever' priority 'lambda=[0.6, 0.5]'
wrong 1 'priority: class must be 1 … 2, found 3' priority 'lambda=[0.1, 0.1]' class=3
wrong 1 'jackson: routing must have 2 rows of 2 probabilities, one after the other, found 3 numbers' jackson 'lambda=[1, 0]' 'mu=[3, 4]' 'routing=[0, 0.5, 0]'
wrong 1 'jackson: routing: row 1 must add up to at most 1, found 1.5' jackson 'lambda=[1, 0]' 'mu=[3, 4]' 'routing=[0.5, 1, 0, 0]'
wrong 1 'jackson: routing: packets that come to station 2 never leave the network' jackson 'lambda=[1, 0]' 'mu=[3, 4]' 'routing=[0, 1, 1, 0]'
wrong 1 'jackson: lambda: 4 packets come to station 1 per unit of time, which can serve 3' jackson 'lambda=[4, 0]' 'mu=[3, 4]' 'routing=[0, 0, 0, 0]'
wrong 2 'needs a number that varies' mm1 lambda=0.5 --plot x.svg
wrong 2 'ends with .svg, .png or .pdf' mm1 lambda=0.1/0.5/0.1 --plot x.jpg
wrong 2 "there is no output 'delay' (there are latency, wait" mm1 lambda=0.1/0.5/0.1 --plot x.svg --of delay
wrong 1 'gives more than' mm1 lambda=1/900000/0.1
wrong 2 "is not a setting" mm1 =5

# ---- the simulation beside it: a seed fixed beforehand, four standard errors (a half-width is 1.96 of them) ----
# beside NAMES MODEL...: these outputs, separated by |, agree.
beside() {
    local names=$1
    shift
    run 0 "$WEFT" model "$@" --simulate --csv --quiet --seed 3
    awk -F, -v names="$names" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 {
            count = split(names, name, "|")
            for (k = 1; k <= count; k++) {
                model = $at[name[k]]; half = ($at["high " name[k]] - $at["low " name[k]]) / 2
                off = $at["simulated " name[k]] - model
                if (half <= 0 || off > 2.04 * half || off < -2.04 * half) { print name[k], model, off, half; bad = 1 }
            }
        }
        END { exit bad || NR != 2 }' out || { cat out; fail "the simulation is not the model: $*"; }
}
queue='latency (time units)|packets (packets)|utilisation (fraction)'
beside "$queue" mm1 lambda=0.5 mu=2
beside "$queue|loss (fraction)" ge-ge-1-n lambda=8 mu=8 capacity=8 ca2=5 cs2=7
beside "$queue|loss (fraction)" threshold lambda=4 'mu=[8, 16]' 'thresholds=[8]' capacity=16 ca2=5 cs2=7 rate=frozen
beside 'latency (time units)|packets (packets)' mmc lambda=8 mu=1 servers=10
beside 'busy (servers)|loss (fraction)' erlang-b lambda=8 mu=2 servers=5
beside 'latency (time units)|packets (packets)|throughput (packets/time unit)' credit lambda=5 mu1=6 mu2=8 n=4 m=4
run 0 "$WEFT" model cut-through rho=0.2 h=5 k=8 header=1 --simulate --quiet
has out 'simulated'
has out 'deviation'

# ---- what was simulated is kept: measured, with its interval, and the model's value beside it ----
run 0 "$WEFT" model mm1k lambda=0.5/1.5/0.5 capacity=3 --simulate --quiet -o kept.weft
run 0 "$WEFT" export kept.weft
[[ $(grep -c ',loss,,,0,.*,batch means,simulated,0' out) -eq 3 ]] || fail 'not three simulated losses'
[[ $(grep -c ',loss,,model,0,.*,model: mm1k,simulated,0' out) -eq 3 ]] || fail 'not three losses of the model'
has out '0.5,throughput,,,0,0.466666666'
run 0 "$WEFT" report kept.weft
run 1 "$WEFT" model mm1k lambda=0.5/1.5/0.5 capacity=3 -o kept.weft
has err '--new'
canonical kept.weft >before
run 0 "$WEFT" model mm1k lambda=0.5/1.5/0.5 capacity=3 --simulate --quiet -o again.weft
canonical again.weft | cmp - before

# ---- figures of a study ----
mkdir -p studies/models
cat >studies/models/study.yaml <<'END'
interweft-study: 1
title: Models
source: nobody
figures:
  queue:
    title: A queue
    model: mm1
    settings: {mu: 2}
    vary: {lambda: [0.5, 1, 1.5]}
    keys: {lambda: lambda}
    quick: {settings: ["lambda=[0.5, 1]"]}
    claims:
      latency: {rule: digits, metric: latency, digits: 6, table: t.csv, value: w}
      it rises: {rule: trend, metric: latency, along: lambda, direction: rising}
END
printf 'lambda,w\n0.5,0.666667\n1,1\n1.5,2\n' >studies/models/t.csv
run 0 "$WEFT" reproduce models/queue
has out 'quick: 2 points, 1 run of each'
has out 'models/queue: agrees'
run 0 "$WEFT" reproduce models --full
has out 'full: 3 points'
sed -i 's/1.5,2/1.5,2.1/' studies/models/t.csv
run 1 "$WEFT" reproduce models --full
has out 'models/queue: disagrees'
# mistake WHAT WITH MESSAGE: a study with a line changed is refused.
mistake() {
    sed "s/$1/$2/" studies/models/study.yaml >changed
    mkdir -p studies/wrong
    cp studies/models/t.csv studies/wrong
    cp changed studies/wrong/study.yaml
    run 1 "$WEFT" reproduce wrong
    has err "$3"
}
mistake 'model: mm1' 'title2: x' "figures.queue has no setting 'title2'"
mistake 'model: mm1' '' "figures.queue lacks what is to be run: 'scenario' (a file to simulate) or 'model'"
mistake 'model: mm1' 'scenario: x.yaml' "figures.queue: 'settings' does not go with 'scenario'"
mistake 'quick: {' 'quick: {seeds: 8, ' "quick.seeds: nothing is drawn where a figure says 'model'"
mistake 'rule: digits' 'rule: z' "the z rules need seeds, and nothing is drawn where a figure says 'model'"
mistake 'model: mm1' 'model: mm2' "there is no model 'mm2'"
mistake 'mu: 2' 'my: 2' "mm1 has no setting 'my'"
cp -r "$WEFT_SOURCE/studies/rexford-shin" "$WEFT_SOURCE/studies/yan" studies
# Two of them have one sentence each that is false.
for figure in rexford-shin/fig5=refuted rexford-shin/fig6=agrees yan/ch4-fixed=agrees yan/ch4-equal=refuted; do
    run 0 "$WEFT" reproduce "${figure%=*}" --full
    has out "${figure%=*}: ${figure#*=}"
    [[ $(grep -cE '^  (refuted|disagrees|undecided) ' out) -eq $(grep -c refuted <<<"$figure") ]] || fail "other verdicts on $figure"
done

# ---- speed: milliseconds of user time, rounded up, of the quicker of two rows of ten runs ----
if grep -q -e __asan_init -e __tsan_init "$WEFT"; then
    echo 'not timed: a sanitizer'
    exit 0
fi
# row ARGUMENT...: ten runs.
row() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        "$WEFT" model "$@" >/dev/null
    done
}
# user ARGUMENT...: milliseconds of a run.
user() {
    local best=1000000 ms
    TIMEFORMAT=%U
    for _ in 1 2; do
        ms=$({ time row "$@"; } 2>&1 | awk '{ printf "%d", $1 * 100 + 0.999 }')
        ((ms >= best)) || best=$ms
    done
    echo "$best"
}
{
    user cut-through rho=0.3 h=20 selection=diagonal
    user cut-through rho=0.3 selection=diagonal ring=torus
    user credit lambda=5 mu1=6 mu2=8 n=12 m=2
    user threshold lambda=4 'mu=[8,16]' 'thresholds=[8]' capacity=16 ca2=5 cs2=7 printed=true
    user mm1 lambda=0.5
    user md1 lambda=0.5
    user mg1 lambda=0.5 cs2=3
    user mm1k lambda=0.5 capacity=100
    user ge-ge-1 lambda=0.5 ca2=2 cs2=3
    user ge-ge-1-n lambda=0.5 ca2=2 cs2=3 capacity=100
} | sort -n >milliseconds
at_most "$(sed -n 6p milliseconds)" 20 'user milliseconds of the median model'
at_most "$(user credit lambda=5 mu1=6 mu2=8 n=64 m=64)" 100 'user milliseconds of the chain n = m = 64'

# A model that takes long ends at once when it is told to.
"$WEFT" model admission-network 'topology={kind: full, routers: 2}' 'lambda=[1]' capacity=8 requests=1000000000 >out 2>err </dev/null &
sleep 0.7
kill -TERM $!
began=$SECONDS status=0
wait $! || status=$?
[[ $status -eq 143 ]] || fail "status $status of a stopped model instead of 143"
[[ $((SECONDS - began)) -lt 10 ]] || fail 'a model that was told to end went on'
none out

# A simulation that is told to stop says so.
"$WEFT" model md1 lambda=0.9999 --simulate >out 2>err </dev/null &
sleep 0.7
kill -INT $!
status=0
wait $! || status=$?
[[ $status -eq 4 ]] || fail "status $status of a stopped simulation instead of 4"
has err 'stopped'
