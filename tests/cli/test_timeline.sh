#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The timeline of ranks: the steps of a critical path add up to the time of the job, for every schedule of the reference and for
# requests and answers; a path's parts are those that can be told by hand.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
data=$WEFT_SOURCE/tests/data/workloads
cp "$data"/*.goal .

python3 - "$WEFT" "$data" <<'END' || fail "critical paths are wrong"
import collections, csv, io, re, sqlite3, struct, subprocess, sys

weft, data = sys.argv[1:]
rows = [row for row in csv.DictReader(open(data + "/goal-oracle.csv")) if row["set"] == "net"]
schedules = sorted({row["schedule"] for row in rows})


def check(router, wire, eager, left_out):
    names = [name for name in schedules if name not in left_out]
    files = ", ".join(name + ".goal" for name in names)
    open("all.yaml", "w").write(f"""interweft: 1
topology: {{kind: full, routers: 16, order: absolute}}
links: {{local: {{latency: {wire} cycles}}}}
router: {router}
host: {{eager: {eager}, overhead: 20 cycles}}
jobs: {{all: {{file: ping-1.goal, start: 70 cycles}}}}
measure: {{timeline: operations}}
vary: {{jobs.all.file: [{files}], jobs.all.repeat: [1, 3]}}
""")
    subprocess.run([weft, "run", "all.yaml", "--new", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    file = sqlite3.connect("all.weft")
    ends = dict(file.execute("SELECT point, value FROM metric WHERE name = 'completion' AND class = 'all' AND \"by\" = ''"))
    parts = collections.defaultdict(dict)
    for point, by, value in file.execute("SELECT point, \"by\", value FROM metric WHERE name = 'critical path'"):
        parts[point][by] = value
    waits = 0
    assert len(ends) == 2 * len(names)
    for point, end in ends.items():
        (key,) = file.execute("SELECT key FROM point WHERE id = ?", (point,)).fetchone()
        assert sum(parts[point].values()) == end, (key, end, parts[point])
        assert min(parts[point].values()) >= 0, (key, parts[point])
        waits += parts[point]["waiting"] > 0
        # The steps are one after the other without gaps.
        (blob,) = file.execute("SELECT y FROM matrix WHERE point = ? AND name = 'critical path'", (point,)).fetchone()
        steps = list(struct.iter_unpack("<8q", blob))
        assert steps[0][3] == 70 and steps[-1][4] == 70 + end, key
        assert all(a[4] == b[3] for a, b in zip(steps, steps[1:])), key
        # Every message comes after it was handed over, and a rank's CPU does one thing at a time.
        (blob,) = file.execute("SELECT y FROM matrix WHERE point = ? AND name = 'operations'", (point,)).fetchone()
        for op in struct.iter_unpack("<10q", blob):
            assert op[3] <= op[4] <= op[5] and (op[2] == 0 or op[8] < op[9]), (key, op)
    return waits


assert check("{kind: output-queued, variant: VCT}", 998, "none", ()) > 0
assert check("{kind: input-queued, vcs: 1, buffer: 70000 B}", 994, "300 B", "head-to-head-4x512") > 0
END

cat >ring.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 3, order: absolute}
links: {flit: 1 B, local: {latency: 998 cycles}}
router: {kind: output-queued, variant: VCT}
host: {overhead: 200 cycles}
jobs:
  ring: {collective: allreduce/ring, ranks: 3, size: 3000 B, sum: 2}
measure: {timeline: operations}
END
# path PART: of the ring's critical path.
path() {
    "$WEFT" export ring.weft | awk -F, -v part="$1" '$1 == "critical path" && $2 == "ring" && $3 == part { print $5 }'
}
run 0 "$WEFT" run ring.yaml --quiet --new
# Four messages of 1000 flits, L 1000, o 200; two sums of 1000 bytes, 2 cycles each.
[[ $(path compute) == 4000 ]] || fail "compute is $(path compute)"
[[ $(path overhead) == 1600 ]] || fail "overhead is $(path overhead)"
[[ $(path network) == 7996 ]] || fail "network is $(path network)"
[[ $(path waiting) == 0 && $(path injection) == 0 ]] || fail "there was nothing to wait for"

# Nothing is recorded unless asked for, and no operations beyond the limit.
run 0 "$WEFT" run ring.yaml --quiet --new measure.timeline=off
[[ -z $(path compute) ]] || fail "a path without a timeline"
run 0 "$WEFT" run ring.yaml --quiet --new measure.timeline-limit=10
[[ -z $(path compute) ]] || fail "a path beyond the limit"
"$WEFT" export ring.weft | grep -q '^timeline bin,ring,' || fail "no states beyond the limit"

# What decided the end, as text of 80 columns, and as a picture.
run 1 "$WEFT" explain ring.weft --png ring.png --steps 3 --svg /dev/null
has err '/dev/null'
run 0 "$WEFT" explain ring.weft
has out 'record it with measure.timeline=operations'
run 0 "$WEFT" run ring.yaml --quiet --new
run 0 "$WEFT" explain ring.weft --steps 2
has out 'job ring: 3 ranks, 13596 cycles'
has out '  compute                              4000    29.4        2'
has out '  network at zero load                 7996    58.8        4'
has out '  the last 2 of 14 steps'
awk 'length($0) > 80 { exit 1 }' out || fail 'lines of more than 80 columns'
run 0 "$WEFT" explain ring.weft --svg ring.svg
grep -q 'critical path' ring.svg || fail 'no picture'
run 1 "$WEFT" explain ring.weft@seed=2
run 0 "$WEFT" run ring.yaml --quiet --new measure.timeline=off
run 1 "$WEFT" explain ring.weft --svg none.svg
has err 'ring.weft has no timeline of ranks: record it with measure.timeline=states or operations'

# Without a critical path times are those of the ticks, here of 40 ps: the axis ends with the job.
cat >states.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: torus, dims: [4]}
links: {rate: 100 Gb/s, flit: 16 B, latency: 30 ns}
host: {overhead: 20 ns}
jobs: {ring: {collective: allreduce/ring, ranks: 4, size: 100 KB}}
measure: {timeline: states}
END
# tics SVG: the numbers below the axis.
tics() {
    grep 'text-anchor="middle"' "$1" | sed -n 's/.*>\([0-9.e+]*\)<.*/\1/p' | paste -sd ' '
}
run 0 "$WEFT" run states.yaml --quiet --new
run 0 "$WEFT" explain states.weft --svg states.svg
has states.svg 'ring: 4 ranks, 12609.8 ns'
[[ $(tics states.svg) == '0 2000 4000 6000 8000 10000 12000' ]] || fail "the axis is $(tics states.svg)"
# A job that starts late waits from then on: its bar starts where that of the first job ends.
cat >late.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4]}
jobs:
  first: {collective: allreduce/ring, ranks: 2, size: 2998 B}
  late: {collective: allreduce/ring, ranks: 2, size: 2998 B, start: 3000 cycles}
measure: {timeline: states}
END
run 0 "$WEFT" run late.yaml --quiet --new
run 0 "$WEFT" explain late.weft --svg late.svg
has late.svg 'late: 2 ranks, 3000 cycles'
[[ $(grep -c '<rect x="92.0" .* width="425.0" height="14.4"' late.svg) == 2 ]] || fail 'the first job is elsewhere'
[[ $(grep -c '<rect x="517.0" .* width="425.0" height="14.4"' late.svg) == 2 ]] || fail 'the late job is elsewhere'

# A point is chosen by the kind of a component, too.
echo 'vary: {topology: [{kind: torus, dims: [4]}, {kind: full, routers: 4, order: absolute}]}' >>ring.yaml
run 0 "$WEFT" run ring.yaml --quiet --new
run 0 "$WEFT" explain ring.weft@topology=full
[[ $(grep -c '^job ring' out) == 1 ]] || fail 'one point was chosen'
run 1 "$WEFT" explain ring.weft@topology=mesh

# A collective that is generated has the times, shares, bounds and the critical path of the same one stored as a file.
# answers PROGRAM HOST: of a job of this program, three times, on hosts with these costs.
answers() {
    cat >same.yaml <<EOF
interweft: 1
topology: {kind: fat-tree, arity: 4, levels: 2}
links: {latency: 20 cycles, flit: 16 B}
router: {kind: input-queued, vcs: 2, buffer: 64 flits}
routing: {kind: d-mod-k}
endpoint: {mtu: 256 B}
host: {$2}
jobs: {all: {$1, repeat: 3, placement: random}}
measure: {timeline: operations, alone: true}
EOF
    run 0 "$WEFT" run same.yaml --quiet --new
    # A stored program is no collective: it has no α-β form.
    "$WEFT" export same.weft | grep -E '^(completion|slowdown|time share|critical path|path wait|repetition|flow)' | grep -v ',bound,2,'
}
for kind in allreduce/rabenseifner all-to-all/bruck allreduce/double-tree; do
    for host in 'overhead: 200 cycles, eager: 300 B' 'overhead: 50 cycles, overhead-per-byte: 2 cycles'; do
        rm -f same.bin
        run 0 "$WEFT" import workload "$kind" ranks=8 size=4001 sum=1 segments=3 -o same.bin
        answers 'file: same.bin' "$host" >stored
        answers "collective: $kind, ranks: 8, size: 4001 B, sum: 1, segments: 3" "$host" >generated
        grep -q '^critical path,all,network,' generated || fail "$kind: no critical path"
        diff stored generated || fail "$kind: stored and generated answers differ"
    done
done

# Phases, a job after another one and one in the background: each path adds up to its job's time.
cat >mixed.yaml <<'EOF'
interweft: 1
topology: {kind: fat-tree, arity: 4, levels: 2}
links: {latency: 20 cycles, flit: 16 B}
router: {kind: input-queued, vcs: 2, buffer: 64 flits}
routing: {kind: d-mod-k}
endpoint: {mtu: 256 B}
host: {overhead: 50 cycles, eager: 1 KiB}
jobs:
  step:
    ranks: 5
    repeat: 4
    phases:
      work: {compute: 900 cycles, imbalance: 20%, noise: 10%}
      sum: {collective: allreduce/ring, size: 9000 B, sum: 1}
      norm: {collective: allreduce/recursive-doubling, size: 8 B}
  next: {collective: all-to-all/pairwise, ranks: 4, size: 8000 B, after: step, start: 70 cycles}
  noise: {collective: all-to-all/linear, ranks: 3, size: 6000 B, background: true}
measure: {timeline: operations}
EOF
run 0 "$WEFT" run mixed.yaml --quiet --new
for job in step next; do
    "$WEFT" export mixed.weft >table
    all=$(awk -F, -v job="$job" '$1 == "completion" && $2 == job && $3 == "" { print $5 }' table)
    sum=$(awk -F, -v job="$job" '$1 == "critical path" && $2 == job { sum += $5 } END { print sum }' table)
    [[ -n $sum && $sum == "$all" ]] || fail "the critical path of $job takes ${sum:-nothing}, the job $all cycles"
done

# Which link a message waited at, and how long: of two messages to one endpoint the second waits for the link to it, all that it waits; if
# both come from the other router, for the link between them.
cat >incast.goal <<'END'
num_ranks 4
rank 0 {
recv 4096b from 1
recv 4096b from 2
}
rank 1 {
send 4096b to 0
}
rank 2 {
send 4096b to 0
}
rank 3 {
}
END
cat >incast.yaml <<'END'
interweft: 1
title: Two senders, one receiver
topology: {kind: full, routers: 2, hosts: 2}
routing: {kind: dimension-order}
links: {flit: 64 B}
router: {kind: input-queued, vcs: 1, buffer: 256 flits}
endpoint: {mtu: 4 KiB}
jobs:
  incast: {file: incast.goal, on: [0, 1, 2, 3]}
measure: {timeline: operations}
END
run 0 "$WEFT" run incast.yaml --quiet --new
run 0 "$WEFT" explain incast.weft
has out '61 at 1'
has out 'link to endpoint 0'
waited=$("$WEFT" export incast.weft | awk -F, '$1 == "critical path" && $3 == "waiting" { print $5 }')
at=$("$WEFT" export incast.weft | awk -F, '$1 == "path wait" { print $3 " " $5 }')
[[ $at == "link to endpoint 0 $waited" ]] || fail "waited $waited, at $at"
run 0 "$WEFT" run incast.yaml --quiet --new --results both.weft jobs.incast.on='[0, 2, 3, 1]'
run 0 "$WEFT" explain both.weft
has out 'r1:p0->r0'
# A picture says where it is; a single point has no curve, and is told what has one.
if command -v gnuplot >/dev/null; then
    run 0 "$WEFT" explain both.weft --png ranks.png
    is err 'wrote ranks.png'
    run 1 "$WEFT" report both.weft --png curve.png
    has err 'of a single point with jobs weft explain draws the ranks over time'
fi

# With other traffic beside a job links are counted for the whole run, and none is busier than that.
cat >ping.goal <<'END'
num_ranks 4
rank 0 {
l1: send 64b to 1 tag 1
}
rank 1 {
l1: recv 64b from 0 tag 1
}
rank 2 {
}
rank 3 {
}
END
cat >beside.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [2, 2]}
routing: {kind: dimension-order}
jobs: {a: {file: ping.goal}}
traffic: {all: {pattern: uniform, length: 8 flits, rho: 0.3}}
measure: {timeline: operations, links: all}
END
run 0 "$WEFT" run beside.yaml --quiet
run 0 "$WEFT" explain beside.weft
has out 'busiest links, of the whole run'
awk '/busiest links/ { on = 1; next } /^$/ { on = 0 } on && $2 > 100 { exit 1 }' out || fail 'a link is busier than time'

# With rendezvous the link is held by data whose answer came late, not by the send that ran last: the 200 bytes to rank 1 leave after
# a request and an answer and hold up the 50 to rank 3.
cat >asks.goal <<'END'
num_ranks 4
rank 0 {
a: send 200b to 1 tag 1
b: send 4b to 2 tag 1
c: calc 200
d: send 50b to 3 tag 1
d requires c
}
rank 1 {
a: recv 200b from 0 tag 1
}
rank 2 {
a: recv 4b from 0 tag 1
}
rank 3 {
a: recv 50b from 0 tag 1
}
END
cat >asks.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [2, 2]}
routing: {kind: dimension-order}
links: {latency: 40 cycles}
host: {overhead: 1 cycles, eager: 64 B}
jobs:
  a: {file: asks.goal}
measure: {timeline: operations}
END
run 0 "$WEFT" run asks.yaml --quiet --new
"$WEFT" export asks.weft | awk -F, '$1 == "critical path" { print $3, $5 }' | sort >parts
is parts 'compute 0
injection 200
network 336
overhead 3
waiting 0'
