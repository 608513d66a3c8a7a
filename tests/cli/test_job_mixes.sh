#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Several jobs on one machine: who gets which endpoints, who begins after whom, what repeats in the background, and what a run says
# that was cut short.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# Ranks send their number of bytes to the next one, so that every rank's end tells where the others are.
cat >base.yaml <<'END'
interweft: 1
topology: {kind: dragonfly, routers: 4, hosts: 2, global: 2, groups: 5}
links: {flit: 8 B, local: {latency: 10 cycles}, global: {latency: 100 cycles}}
router: {kind: input-queued, vcs: 4, buffer: 32 flits}
routing: {kind: minimal-oblivious}
endpoint: {mtu: 64 B}
END
# scenario JOBS: jobs on a dragonfly of 5 groups with 8 endpoints each.
scenario() {
    { cat base.yaml; printf 'jobs:\n%s\n' "$1"; } >mix.yaml
}
ring='collective: allreduce/ring, size: 800 B'

# listed: rank r on the r-th endpoint; others take what is left. Turned round, the same ring has the same end.
scenario "  all: {$ring, ranks: 4, on: [0, 9, 18, 27], placement: listed}"
run 0 "$WEFT" run mix.yaml --quiet --new
first=$(metric mix.weft completion)
run 0 "$WEFT" run mix.yaml --quiet --new jobs.all.on='[9, 18, 27, 0]'
[[ $(metric mix.weft completion) == "$first" ]] || fail 'a ring that is turned round takes another time'
run 0 "$WEFT" run mix.yaml --quiet --new jobs.all.on='[0-3]'
near=$(metric mix.weft completion)
((near < first)) || fail "neighbours take $near cycles, far ones $first"

# by-group: after a job of three endpoints in group 0 the next one fills group 1, as `on: group 1` does.
scenario "  small: {$ring, ranks: 3}
  big: {$ring, ranks: 8, placement: by-group}"
run 0 "$WEFT" run mix.yaml --quiet --new
by_group=$("$WEFT" export mix.weft | awk -F, '$1 == "completion" && $2 == "big" && $3 == "" { print $5 }')
run 0 "$WEFT" run mix.yaml --quiet --new jobs.big.placement=contiguous jobs.big.on='[group 1]'
[[ $("$WEFT" export mix.weft | awk -F, '$1 == "completion" && $2 == "big" && $3 == "" { print $5 }') == "$by_group" ]] ||
    fail 'by-group does not fill group 1'

# first-fit: of the holes 4-7 and 12-39 a job of 3 takes the smaller; one that starts earlier is placed before it.
holes="  a: {$ring, on: [0-3, 8-11]}"
scenario "$holes
  late: {$ring, ranks: 3, placement: first-fit, start: 100 cycles}"
run 0 "$WEFT" run mix.yaml --quiet --new
late() { "$WEFT" export mix.weft | awk -F, '$1 == "completion" && $2 == "late" && $3 == "" { print $5 }'; }
fitted=$(late)
run 0 "$WEFT" run mix.yaml --quiet --new jobs.late.placement=listed jobs.late.on='[4-6]'
[[ $(late) == "$fitted" ]] || fail 'first-fit does not take the smallest hole'
# It may be the second; if none suffices, the largest are filled first.
scenario "  a: {$ring, on: [12-15, 19-39]}
  late: {$ring, ranks: 3, placement: first-fit, start: 100 cycles}"
run 0 "$WEFT" run mix.yaml --quiet --new
fitted=$(late)
run 0 "$WEFT" run mix.yaml --quiet --new jobs.late.placement=listed jobs.late.on='[16-18]'
[[ $(late) == "$fitted" ]] || fail 'first-fit does not take the smallest hole if it is the second'
scenario "  a: {$ring, on: [4, 11-39]}
  late: {$ring, ranks: 8, placement: first-fit, start: 100 cycles}"
run 0 "$WEFT" run mix.yaml --quiet --new
fitted=$(late)
run 0 "$WEFT" run mix.yaml --quiet --new jobs.late.placement=listed jobs.late.on='[5-10, 0-1]'
[[ $(late) == "$fitted" ]] || fail 'first-fit does not fill the largest hole first'
scenario "$holes
  late: {$ring, ranks: 3, placement: first-fit, start: 100 cycles}
  early: {$ring, ranks: 4, placement: first-fit}"
run 0 "$WEFT" run mix.yaml --quiet --new
fitted=$(late)
scenario "$holes
  late: {$ring, ranks: 3, placement: listed, on: 12-14, start: 100 cycles}
  early: {$ring, ranks: 4, placement: listed, on: 4-7}"
run 0 "$WEFT" run mix.yaml --quiet --new
[[ $(late) == "$fitted" ]] || fail 'first-fit does not go by starts'

# after: the second job begins once the first has ended; its completion counts from there.
scenario "  one: {$ring, ranks: 4}
  two: {$ring, ranks: 4, after: one, start: 50 cycles}"
run 0 "$WEFT" run mix.yaml --quiet --new
read -r all one two < <("$WEFT" export mix.weft | awk -F, '$1 == "completion" && $3 == "" { v[$2] = $5 } END { print v[""], v["one"], v["two"] }')
((all >= one + two + 50 && all <= one + two + 50 + one / 10)) || fail "one takes $one, two after it $two, both $all"
run 0 "$WEFT" run mix.yaml --quiet --new jobs.two.after=none
[[ $("$WEFT" export mix.weft | awk -F, '$1 == "completion" && $2 == "one" && $3 == "" { print $5 }') == "$one" ]] ||
    fail 'a job differs although nothing disturbed it'

# background: repeats until the others have ended, and has no completion.
scenario "  victim: {$ring, ranks: 4, repeat: 5}
  noise: {collective: all-to-all/linear, size: 4000 B, background: true}"
run 0 "$WEFT" run mix.yaml --quiet --new
has out completed
"$WEFT" export mix.weft | grep -q '^completion,noise' && fail 'a background job has a completion'

# A limit says who is left.
scenario "  ring: {$ring, ranks: 4, repeat: 50}
  next: {$ring, ranks: 4, after: ring}"
run 0 "$WEFT" run mix.yaml --quiet --new measure.limit.time='5000 cycles'
has out 'limit time: job ring has 4 of 4 ranks left, the last in repetition '
has out ' of 50; job next has not begun'

# Mistakes, each with its place and what would be right.
mistake() {
    scenario "$1"
    run 1 "$WEFT" run mix.yaml --quiet --new
    has err "mix.yaml:$2:"
    has err "$3"
}
mistake "  a: {$ring, on: [0-3]}
  b: {$ring, on: [4, 3], placement: listed}" 9 'jobs.b.on names endpoint 3, which has a rank of job a'
mistake "  a: {$ring, on: [5, 3-6], placement: listed}" 8 'jobs.a.on: endpoint 5 is named twice; name each once'
mistake "  ring: {$ring, ranks: 2, after: rng}" 8 "jobs.ring.after: there is no job 'rng'; did you mean 'ring'?"
mistake "  a: {$ring, ranks: 2, after: b}
  b: {$ring, ranks: 2, after: a}" 8 'jobs.a.after: the job waits for b, which waits for it in turn'
mistake "  a: {$ring, ranks: 2, after: b}
  b: {$ring, ranks: 2, background: true}" 8 'job b is in the background and ends with the run'
mistake "  a: {$ring, ranks: 2, background: true}" 8 'all jobs are in the background'
mistake "  a: {$ring, ranks: 2, repeat: 3, background: true}" 8 "leave out 'repeat'"
mistake "  a: {$ring, ranks: 41}" 8 'jobs.a has 41 ranks, and 40 endpoints are free for it'
scenario "  a: {$ring, ranks: 2, placement: by-group}"
run 1 "$WEFT" run mix.yaml --quiet --new topology='{kind: torus, dims: [4, 4]}' routing=dimension-order
has err 'placement by-group needs a topology with groups'

# value NAME JOB BY: of the single point of mix.weft.
value() { "$WEFT" export mix.weft | awk -F, -v name="$1" -v of="$2" -v by="$3" '$1 == name && $2 == of && $3 == by { print $5 }'; }

# alone: a job without neighbours takes the same time alone; one beside others the time it has without them, on the same endpoints.
scenario "  one: {$ring, ranks: 6, placement: random, repeat: 2}"
run 0 "$WEFT" run mix.yaml --quiet --new measure.alone=true
[[ $(value slowdown one '') == 1 ]] || fail 'a single job is slower than itself'
one=$(value completion one '')
awk -v t="$one" -v b="$(value 'bus bandwidth' one '')" 'BEGIN { d = b / (2 * 5 / 6 * 800 / (t / 2)) - 1; exit d * d > 1e-20 }' ||
    fail "the bus bandwidth of 2 allreduces of 800 B in $one cycles is $(value 'bus bandwidth' one '')"
awk -v t="$one" -v b="$(value 'algorithm bandwidth' one '')" 'BEGIN { d = b / (800 / (t / 2)) - 1; exit d * d > 1e-20 }' ||
    fail "the algorithm bandwidth is $(value 'algorithm bandwidth' one '')"
{ cat mix.yaml; printf '  other: {collective: all-to-all/linear, size: 4000 B, repeat: 3, after: one}\n'; } >both.yaml
{ cat mix.yaml; printf '  other: {collective: all-to-all/linear, size: 4000 B, background: true}\n'
    printf 'traffic: {noise: {length: 64 B, load: 10%%}}\n'; } >mixed.yaml
run 0 "$WEFT" run both.yaml --quiet --new measure.alone=true --results mix.weft
[[ $(value completion one '') == "$one" && $(value completion one alone) == "$one" ]] || fail 'who waits disturbs'
run 0 "$WEFT" run mixed.yaml --quiet --new measure.alone=true --results mix.weft
[[ $(value completion one alone) == "$one" ]] || fail "alone it takes $(value completion one alone) instead of $one cycles"
awk -v a="$one" -v t="$(value completion one '')" -v s="$(value slowdown one '')" 'BEGIN { d = s - t / a; exit d * d > 1e-20 || s <= 1 }' ||
    fail "the slowdown is $(value slowdown one '')"

# The ideal is a bound, and reached to the cycle where messages do not meet.
cat >ideal.yaml <<'END'
interweft: 1
topology: {kind: dragonfly, routers: 4, hosts: 2, global: 2, groups: 5}
links: {flit: 8 B, local: {latency: 10 cycles}, global: {latency: 100 cycles}}
router: {kind: input-queued, vcs: 4, buffer: 512 flits}
routing: {kind: minimal-oblivious}
host: {overhead: 30 cycles}
jobs: {a: {collective: broadcast/chain, ranks: 8, size: 800 B, placement: random, repeat: 2}}
vary:
  jobs.a.collective: [broadcast/chain, allreduce/ring, barrier/dissemination, all-to-all/pairwise]
  host.eager: [none, 40 B]
END
run 0 "$WEFT" run ideal.yaml --quiet --new
python3 - <<'END' || fail 'the ideal is not reached, or passed'
import csv, subprocess, os
text = subprocess.run([os.environ["WEFT"], "export", "ideal.weft"], capture_output=True, text=True, check=True).stdout
rows = [r for r in csv.reader(text.splitlines())]
column = {name: i for i, name in enumerate(rows[0])}
slow = [float(r[column["value"]]) for r in rows[1:] if r[column["name"]] == "slowdown" and r[column["by"]] == "ideal"]
assert len(slow) == 8 and min(slow) == 1 and slow.count(1) >= 4, slow
END

# Where the time goes: rank 1 waits while rank 0 computes for 500, then for the network, which takes 1000 for the first flit and 99
# more for the rest; o is 200 at either end. A second repetition of rank 0 goes on meanwhile: 500 + 200 again.
printf 'num_ranks 2\nrank 0 {\n a: calc 500\n b: send 100b to 1\n b requires a\n}\nrank 1 {\n recv 100b from 0\n}\n' >late.goal
cat >late.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 2, order: absolute}
links: {flit: 1 B, local: {latency: 998 cycles}}
router: {kind: output-queued, variant: VCT}
host: {overhead: 200 cycles}
jobs: {late: {file: late.goal, repeat: 2, start: 70 cycles}}
END
run 0 "$WEFT" run late.yaml --quiet --new --results mix.weft
# The messages come at 500 + 200 + 1099 = 1799 and at 2499; the last end is at 2699.
[[ $(value completion late '') == 2699 ]] || fail "late ends after $(value completion late '')"
share() { awk -v s="$(value 'time share' late "$1")" -v n="$2" 'BEGIN { d = s * 2 * 2699 - n; exit d * d > 1e-12 }' || fail "share $1: $(value 'time share' late "$1")"; }
share compute 1000
share messages 800
# Of rank 1: 1099 of the first message; of the 500 until the second one all, since it was on its way.
share network 1599
share wait 1999
[[ $(value repetition late min) == 700 && $(value repetition late max) == 1999 ]] || fail 'the repetitions take other times'

# --over: the mean over seeds with the interval of Student's t (of 3 runs: 4.302653 standard errors), in tables, CSV and pictures.
scenario "  one: {$ring, ranks: 6, placement: random}
  two: {$ring, ranks: 6, placement: random}"
run 0 "$WEFT" run mix.yaml --quiet --new vary.seed='[1, 2, 3]' vary.host.overhead='[0 cycles, 9 cycles]'
run 0 "$WEFT" report mix.weft --over seed --csv over.csv
python3 - <<'END' || fail 'means over seeds are others'
import csv, os, statistics, subprocess
text = subprocess.run([os.environ["WEFT"], "export", "mix.weft"], capture_output=True, text=True, check=True).stdout
def of(rows):
    return [r for r in rows if (r["name"], r["class"], r["by"], r["host.overhead"]) == ("completion", "two", "", "9 cycles")]
single, over = of(csv.DictReader(text.splitlines())), of(csv.DictReader(open("over.csv")))
values = [float(r["value"]) for r in single]
assert len(values) == 3 and len(over) == 1 and "seed" not in over[0]
mean, half = statistics.mean(values), 4.302652729911275 * statistics.stdev(values) / 3 ** 0.5
assert abs(float(over[0]["value"]) / mean - 1) < 1e-12
assert abs(float(over[0]["hi"]) - float(over[0]["lo"]) - 2 * half) < 1e-6 * half
assert over[0]["method"] == "Student's t over seed" and over[0]["n"] == "3"
END
run 2 "$WEFT" report mix.weft --over sed --csv over.csv
has err "--over: 'sed' does not vary in mix.weft"
run 0 "$WEFT" report mix.weft --over seed --tex jobs.tex
has jobs.tex two

# Times of messages by size: of four messages of three sizes each takes T(1) + s - 1 = 1000 + s - 1, one at a time.
{ printf 'num_ranks 2\nrank 0 {\n'
    for size in 100 9999 10000 1000000; do printf ' s%s: send %sb to 1\n r%s: recv 1b from 1\n r%s requires s%s\n' $size $size $size $size $size; done
    printf ' s9999 requires r100\n s10000 requires r9999\n s1000000 requires r10000\n}\nrank 1 {\n'
    for size in 100 9999 10000 1000000; do printf ' r%s: recv %sb from 0\n s%s: send 1b to 0\n s%s requires r%s\n' $size $size $size $size $size; done
    printf '}\n'; } >sizes.goal
run 0 "$WEFT" run late.yaml --quiet --new --results mix.weft jobs.late.file=sizes.goal jobs.late.repeat=1
"$WEFT" export mix.weft | awk -F, '$1 == "flow time" && $4 == 0 { print $3 "," $5 "," $8 }' >out
is out '1 MB and more,1000999,1
10 to 100 kB,10999,1
below 10 kB,2682.8333333333335,6'
"$WEFT" export mix.weft | awk -F, '$1 == "flow slowdown" && $5 != 1' >out
none out
