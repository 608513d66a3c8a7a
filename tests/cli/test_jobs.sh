#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs on a simulated network. Every rank of 38 schedules ends in the tick of the reference's host model where the network is a
# LogGP network: on output-queued routers that cut through, and on input-queued ones but for the one schedule in which two messages
# reach a receiver in the same tick and the arbiter chooses. Programs that cannot end say who waits for whom.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
data=$WEFT_SOURCE/tests/data/workloads
cp "$data"/*.goal .

python3 - "$WEFT" "$data" <<'END' || fail "times differ"
import collections, csv, re, subprocess, sys

weft, data = sys.argv[1:]
rows = [row for row in csv.DictReader(open(data + "/goal-oracle.csv")) if row["set"] in ("net", "overhead")]
want = {(row["schedule"], row["o"]): row["host_ranks"] for row in rows}
assert len(want) == 76
files = ", ".join(sorted({row["schedule"] + ".goal" for row in rows}))


def ends(router, wire):
    """The ends of all ranks, by schedule and overhead."""
    open("all.yaml", "w").write(f"""interweft: 1
topology: {{kind: full, routers: 16, order: absolute}}
links: {{local: {{latency: {wire} cycles}}}}
router: {router}
jobs: {{all: {{file: ping-1.goal}}}}
vary: {{jobs.all.file: [{files}], host.overhead: [0 cycles, 200 cycles]}}
""")
    subprocess.run([weft, "run", "all.yaml", "--new", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    told = subprocess.run([weft, "export", "all.weft", "--format", "canonical"], check=True, capture_output=True, text=True)
    got = collections.defaultdict(dict)
    for line in told.stdout.splitlines():
        row = re.match(r'"host.overhead=(\d+) cycles jobs.all.file=([\w-]+)\.goal" series "rank end" "all" (\d+) (\d+) ', line)
        if row:
            got[row[2], row[1]][int(row[3])] = row[4]
    return {key: " ".join(end[r] for r in sorted(end)) for key, end in got.items()}


def differing(router, wire):
    got = ends(router, wire)
    return {schedule for schedule, overhead in want if got[schedule, overhead] != want[schedule, overhead]}


assert differing("{kind: output-queued, variant: VCT}", 998) == set()
# S0 stores a packet that finds its link busy: it is late where it comes while another one streams in.
assert differing("{kind: output-queued, variant: S0}", 998) == {
    "allreduce-doubling-6x1024-skewed", "alltoall-linear-4x1024-skewed", "incast-3x1024-skewed"}
assert differing("{kind: input-queued, vcs: 1, buffer: 70000 B}", 994) == {"allreduce-doubling-6x1024-gamma"}
END

# scenario FILE SETTING...: one job on four routers.
scenario() {
    cat >one.yaml <<END
interweft: 1
topology: {kind: full, routers: 4, order: absolute}
links: {local: {latency: 998 cycles}}
router: {kind: output-queued, variant: VCT}
jobs:
  all: {$1}
END
}

# With a request and an answer a message takes 2 L more.
scenario 'file: ping-4096.goal'
run 0 "$WEFT" run one.yaml --quiet --new host.eager='1 KiB'
[[ $(metric one.weft completion) == 7095 ]] || fail "rendezvous takes $(metric one.weft completion) instead of 7095 cycles"
run 0 "$WEFT" run one.yaml --quiet --new jobs.all.repeat=3 jobs.all.start='100 cycles'
[[ $(metric one.weft completion) == 13387 ]] || fail "three messages of 4096 flits end at $(metric one.weft completion)"

# A message of more than 1 MiB in flits of a byte, cut into packets.
printf 'num_ranks 2\nrank 0 {\n send 5000000b to 1\n}\nrank 1 {\n recv 5000000b from 0\n}\n' >long.goal
scenario 'file: long.goal'
run 0 "$WEFT" run one.yaml --quiet --new endpoint.mtu='1 KiB'
[[ $(metric one.weft completion) == 5000999 ]] || fail "5,000,000 flits end at $(metric one.weft completion)"

# Who waits for whom.
scenario 'file: head-to-head-4x512.goal'
run 3 "$WEFT" run one.yaml --quiet --new host.eager='100 B'
has err 'job all cannot end: 4 of 4 ranks wait, since tick 0
  rank 0 waits at send 512 B to rank 1 with tag 0 (operation 1 of rank 0)'
has err 'and so on in a circle from rank 0'
cat >circle.goal <<'END'
num_ranks 2
rank 0 {
  work: calc 50
  in: recv 8b from 1 tag 1
  out: send 8b to 1 tag 2
  in requires work
  out requires in
}
rank 1 {
  in: recv 8b from 0 tag 2
  out: send 8b to 0 tag 1
  out requires in
}
END
scenario 'file: circle.goal'
run 3 "$WEFT" run one.yaml --quiet --new
has err 'job all cannot end: 2 of 2 ranks wait, since tick 50
  rank 0 waits at recv 8 B from rank 1 with tag 1 (operation 2 of rank 0)
  rank 1 waits at recv 8 B from rank 0 with tag 2 (operation 1 of rank 1)
  and so on in a circle from rank 0'

# The same beside a job in the background, which could go on for ever: stored and generated, on one block and on two.
cat >beside.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 6, hosts: 1}
routing: {kind: dimension-order}
links: {latency: 30 cycles}
router: {kind: output-queued, variant: VCT}
jobs:
  all: {file: circle.goal}
  noise: {collective: allreduce/ring, ranks: 3, size: 64 B, background: true}
END
for blocks in 1 2; do
    run 3 "$WEFT" run beside.yaml --quiet --new --blocks "$blocks"
    has err 'job all cannot end: 2 of 2 ranks wait, since tick 50'
    has err 'and so on in a circle from rank 0'
done
run 3 "$WEFT" run beside.yaml --quiet --new jobs.noise.file=ping-1.goal jobs.noise.collective=none jobs.noise.ranks=none jobs.noise.size='1 B'
has err 'job all cannot end'
{ grep -v '^  all' beside.yaml; printf '  all: {file: circle.goal}\n'; } >before.yaml
run 3 "$WEFT" run before.yaml --quiet --new
has err 'job all cannot end: 2 of 2 ranks wait, since tick 50'
run 0 "$WEFT" run beside.yaml --quiet --new jobs.all.file=ping-1.goal
has out 'completed'

# What cannot be run is refused with a place and a remedy.
scenario 'collective: allreduce/ring, ranks: 5'
run 1 "$WEFT" run one.yaml --quiet --new
has err 'one.yaml:6:'
has err 'jobs.all has 5 ranks, and 4 endpoints are free for it'
scenario 'ranks: 4'
run 1 "$WEFT" run one.yaml --quiet --new
has err 'jobs.all lacks its program: give file (a GOAL schedule) or collective, such as allreduce/ring, or phases'
scenario 'file: ping-1.goal, ranks: 2'
run 1 "$WEFT" run one.yaml --quiet --new
has err 'jobs.all.ranks is for collectives: the file says how many there are'
scenario 'file: ping-1.goal'
run 1 "$WEFT" run one.yaml --quiet --new router.variant=S2 router.kind=shared-queue router='{kind: shared-queue}'
has err 'jobs do not run on routers of kind shared-queue: use input-queued or output-queued'
run 1 "$WEFT" saturate one.yaml --quiet
has err 'the scenario has jobs, whose messages have no load that could saturate'

# Collectives are generated while they run; the same ones stored as a file end in the same tick on every rank.
python3 - "$WEFT" <<'END' || fail "generated and stored collectives differ"
import re, subprocess, sys

weft = sys.argv[1]
listed = subprocess.run([weft, "workload", "list"], check=True, capture_output=True, text=True).stdout
kinds = [line.split()[0] for line in listed.splitlines() if re.match(r"[\w-]+/", line)]
assert len(kinds) > 20


def ends(program, key, values, host):
    open("both.yaml", "w").write(f"""interweft: 1
topology: {{kind: full, routers: 8, order: absolute}}
links: {{local: {{latency: 300 cycles}}}}
router: {{kind: output-queued, variant: VCT}}
host: {host}
jobs: {{all: {{{program}, repeat: 3}}}}
vary: {{jobs.all.{key}: [{", ".join(values)}]}}
""")
    subprocess.run([weft, "run", "both.yaml", "--new", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    told = subprocess.run([weft, "export", "both.weft", "--format", "canonical"], check=True, capture_output=True, text=True).stdout
    found = {}
    for point, rank, end in re.findall(r'"jobs.all.\w+=(\S+)" series "rank end" "all" (\d+) (\d+) ', told):
        found.setdefault(point, []).append((rank, end))
    return found


for ranks, total in ((8, 0), (7, 1)):
    host = ("{overhead: 20 cycles, overhead-per-byte: 2 cycles}", "{overhead: 100 cycles, gap: 5 cycles, eager: 200 B}")[total]
    files = {}
    for kind in kinds:
        name = kind.replace("/", "_") + ".bin"
        made = subprocess.run([weft, "import", "workload", kind, f"ranks={ranks}", "size=2001", f"sum={total}", "segments=3", "-o", name],
                              capture_output=True, text=True)
        assert made.returncode == 0 or "works with 1, 2, 4, 8" in made.stderr, made.stderr
        if made.returncode == 0:
            files[kind] = name
    assert len(files) > 20
    stored = ends("file: allreduce_ring.bin", "file", files.values(), host)
    generated = ends(f"collective: allreduce/ring, ranks: {ranks}, size: 2001 B, segments: 3, sum: {total}", "collective", files, host)
    assert len(stored) == len(generated) == len(files)
    for kind, name in files.items():
        assert len(generated[kind]) == ranks and generated[kind] == stored[name], (kind, ranks, generated[kind], stored[name])
END

# Phases follow each other on every rank; a calculation takes as long on all, unless imbalance or noise is asked for.
scenario 'repeat: 3, ranks: 2, phases: {work: {compute: 100 cycles}, meet: {collective: barrier/dissemination}}'
run 0 "$WEFT" run one.yaml --quiet --new
[[ $(metric one.weft completion) == 3300 ]] || fail "three times 100 + 1000 cycles end at $(metric one.weft completion)"
run 0 "$WEFT" run one.yaml --quiet --new jobs.all.phases.work.imbalance=50%
imbalanced=$(metric one.weft completion)
((imbalanced > 3150 && imbalanced < 3450 && imbalanced != 3300)) || fail "with imbalance it ends at $imbalanced"
run 0 "$WEFT" run one.yaml --quiet --new jobs.all.phases.work.noise=200%
(($(metric one.weft completion) > 3300)) || fail "with noise it ends at $(metric one.weft completion)"
run 0 "$WEFT" check one.yaml
has out 'phase                work: 100 ticks'
scenario 'ranks: 2, phases: {work: {compute: 100 cycles, collective: barrier/dissemination}}'
run 1 "$WEFT" run one.yaml --quiet --new
has err 'jobs.all.phases.work is either a calculation (compute: 2 ms) or a collective (collective: allreduce/ring); give one of them'
scenario 'collective: allreduce/ring, phases: {work: {compute: 100 cycles}}'
run 1 "$WEFT" run one.yaml --quiet --new
has err "jobs.all has both 'phases' and 'collective'; give one"

# Stretches in which all ranks calculate are skipped, also between blocks: a thousand million cycles take no time.
scenario 'repeat: 2, phases: {work: {compute: 1000000000 cycles}, meet: {collective: barrier/dissemination}}'
for blocks in 1 4; do
    run 0 timeout 20 "$WEFT" run one.yaml --quiet --new --blocks "$blocks"
    [[ $(metric one.weft completion) == 2000004000 ]] || fail "twice 10^9 + 2000 cycles end at $(metric one.weft completion)"
done

# Some steps of a ring, and what all of them would take: here all are alike.
scenario 'collective: allreduce/ring, size: 4000 B'
run 0 "$WEFT" run one.yaml --quiet --new
all=$(metric one.weft completion)
run 0 "$WEFT" run one.yaml --quiet --new jobs.all.steps=4
[[ $all == 11994 && $(metric one.weft completion) == "$all" ]] || fail "six steps take $all cycles, extrapolated $(metric one.weft completion)"
run 0 "$WEFT" export one.weft --format canonical
has out 'extrapolated from steps 3 to 4 of 6'
run 1 "$WEFT" run one.yaml --quiet --new jobs.all.steps=2 jobs.all.collective=allreduce/rabenseifner
has err 'jobs.all.steps: the steps of allreduce/rabenseifner are not all alike'

# A limit ends a run early, and it has no completion.
scenario 'collective: allreduce/ring, size: 40000 B'
run 0 "$WEFT" run one.yaml --quiet --new measure.limit.time='5000 cycles'
has out 'limit time'
[[ -z $(metric one.weft completion) ]] || fail 'a job that was cut short has a completion'

# docs/howto/programs.md: its commands run, and print the lines that it shows.
follow programs 30

# What takes longer than time can tell ends at that limit: it neither wraps around nor is called a deadlock.
cat >endless.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: fat-tree, arity: 4, levels: 2}
links: {rate: 100 Gb/s, flit: 64 B}
router: input-queued
host: {overhead: 200 ns, calc: 1 s}
jobs: {a: {file: endless.goal}}
END
for units in 18446744074 200000000; do
    printf 'num_ranks 2\nrank 0 {\na: calc %s\nb: recv 8b from 1 tag 1\nb requires a\n}\nrank 1 {\nb: send 8b to 0 tag 1\n}\n' "$units" >endless.goal
    run 0 "$WEFT" run endless.yaml --quiet --results "endless-$units.weft"
    has out 'limit range: job a has 1 of 2 ranks left'
done

# Messages of a rank have numbers, of which there are 2^27: two for every operation and repetition.
cat >often.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 4}
jobs: {all: {file: often.goal, repeat: 1000000}}
END
for operations in 67 68; do
    printf 'num_ranks 1\nrank 0 {\n' >often.goal
    for ((i = 1; i <= operations; i++)); do echo "l$i: calc 5"; done >>often.goal
    echo '}' >>often.goal
    run $((operations - 67)) "$WEFT" check often.yaml
done
has err 'often.yaml:3:13: rank 0 has 68 operations × 1000000 repetitions; at most 67108864 together can be simulated'
