#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft workload: 38 schedules with six sets of costs end, rank by rank, when the reference says, as text and in binary form, and
# so do 15 algorithms of collectives; programs that cannot end say who waits for whom; wrong files have their sentences.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
data=$WEFT_SOURCE/tests/data/workloads

python3 - "$WEFT" "$data" <<'END' || fail "times differ"
import csv, re, struct, subprocess, sys

weft, data = sys.argv[1:]


def binary(text):
    """A schedule in LogGOPSim's binary form."""
    text = re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    parts, cpus, nics = [], 0, 0
    for rank in re.finditer(r"rank\s+\d+\s*\{(.*?)\}", text, flags=re.S):
        ops, named, need = [], {}, []
        after = []
        for line in filter(None, map(str.strip, rank[1].splitlines())):
            link = re.fullmatch(r"(\w+)\s+(i?)requires\s+(\w+)", line)
            if link:
                need[named[link[1]]] += 1
                after[named[link[3]]][bool(link[2])].append(named[link[1]])
                continue
            label, _, rest = line.rpartition(":")
            words = rest.replace("b ", " b ").split()
            value = dict(zip(words, words[1:]))
            kind = {"send": 1, "recv": 2, "calc": 3}[words[0]]
            peer = int(value.get("to", value.get("from", 0)))
            tag, cpu, nic = (int(value.get(k, 0)) for k in ("tag", "cpu", "nic"))
            cpus, nics = max(cpus, cpu), max(nics, nic)
            if label:
                named[label.strip()] = len(ops)
            ops.append((kind, peer & 0xFFFFFFFF, int(words[1]), tag & 0xFFFFFFFF, cpu, nic))
            need.append(0)
            after.append(([], []))
        roots, appendix, body = [i for i, n in enumerate(need) if n == 0], [], b""
        for i, op in enumerate(ops):
            places = []
            for later in after[i]:
                places += [len(later), len(appendix)]
                appendix += later
            body += struct.pack("<IBIQIBB4I", need[i], *op, *places)
        parts.append(struct.pack(f"<II{len(roots)}I", len(ops), len(roots), *roots) + body +
                     struct.pack(f"<{len(appendix)}I", *appendix))
    at, table = 6 + 16 * len(parts), b""
    for part in parts:
        table += struct.pack("<QQ", at, at + len(part))
        at += len(part)
    return struct.pack("<QIBB", 4223, len(parts), cpus, nics) + table + b"".join(parts)


def ends(file, row):
    names = {"latency": "L", "overhead": "o", "gap": "g", "per-byte": "G", "overhead-per-byte": "O", "eager": "S"}
    told = subprocess.run([weft, "workload", "time", file, "--csv", "ranks.csv"] +
                          [f"{key}={row[letter]}" for key, letter in names.items()], capture_output=True, text=True)
    if told.returncode == 3:
        return ""
    assert told.returncode == 0, told.stderr
    return " ".join(line["ticks"] for line in csv.DictReader(open("ranks.csv")))


rows = list(csv.DictReader(open(data + "/goal-oracle.csv")))
assert len(rows) == 228
for row in rows:
    file = f"{data}/{row['schedule']}.goal"
    assert ends(file, row) == row["host_ranks"], row
    if row["set"] == "overhead":
        open("schedule.bin", "wb").write(binary(open(file).read()))
        assert ends("schedule.bin", row) == row["host_ranks"], ("binary", row)

rows = list(csv.DictReader(open(data + "/collectives-oracle.csv")))
assert len(rows) == 153
for row in rows:
    for overhead in ("0", "200"):
        told = subprocess.run([weft, "workload", "time", f"{row['operation']}/{row['algorithm']}", f"ranks={row['ranks']}",
                               f"size={row['bytes']}", "latency=1000", f"overhead={overhead}", "gap=1", "per-byte=1",
                               "eager=100000000"], capture_output=True, text=True, check=True).stdout
        end = re.search(r"^end +(\d+) ticks", told, flags=re.M)[1]
        assert end == row["o" + overhead], (row, end)
END

run 0 "$WEFT" workload show "$data/two-jobs-8.goal"
is out 'ranks                  8
operations             64 (at most 12 of a rank)
dependencies           48
messages               32
sizes                  512 B to 1024 B, 896 B on average, 28672 B in all
calculations           0 of 0 ticks in all'
run 0 "$WEFT" workload time "$data/two-jobs-8.goal" latency=1000 overhead=0 gap=1 per-byte=1
is out 'costs                  L 1000, o 0, g 1, G 1, O 0 ticks; S 65535 B
ranks                  8
end                    12138 ticks (rank 0)
mean end of a rank     7580 ticks
first end              3022 ticks (rank 4)'

# What cannot end: a circle of requests; a receive whose sender waits for an earlier message.
run 3 "$WEFT" workload time "$data/head-to-head-4x512.goal" eager=100
is err "$data/head-to-head-4x512.goal: "'the program cannot end: 4 of 4 ranks wait, since tick 4000
  rank 0 waits at send 512 B to rank 1 with tag 0 (operation 1 of rank 0)
  rank 1 waits at send 512 B to rank 2 with tag 0 (operation 1 of rank 1)
  rank 2 waits at send 512 B to rank 3 with tag 0 (operation 1 of rank 2)
  rank 3 waits at send 512 B to rank 0 with tag 0 (operation 1 of rank 3)
  and so on in a circle from rank 0'

# wrong TEXT SENTENCE: a file with these lines is refused with this sentence.
wrong() {
    printf '%b' "$1" >x.goal
    run 1 "$WEFT" workload show x.goal
    is err "$2"
}
two='num_ranks 2\nrank 0 {\n'
one='}\nrank 1 {\n recv 10b from 0\n}\n'
wrong "${two}a: send 10b to 1\nb: calc 5\na requires b\nb requires a\n$one" \
    'x.goal: rank 0: operation 1, which waits for 2, which waits for 1: none of them can start'
wrong "${two}a: send 10b to 1 tag 3\n$one" \
    'x.goal:6: recv 10 B from rank 0 with tag 0 (operation 1 of rank 1): that rank sends no such message'
wrong "${two}a: send 10b to 1\nsend 1b to 1\n$one" \
    'x.goal:4: send 1 B to rank 1 with tag 0 (operation 2 of rank 0): that rank has no receive for this message'
wrong "${two}a: send 10b to 5\n$one" 'x.goal:3: ranks are 0 to 1, found 5'
wrong "${two}a: send 10 to 1\n$one" "x.goal:3: wanted b after the number of bytes, found 'to'"
wrong "${two}a: send 10b to 1 cpu 256\n$one" "x.goal:3: wanted a CPU, 0 to 255, found '256'"
wrong "${two}a: send 10b to 1\na requires c\n$one" "x.goal:4: wanted the label of an operation above, found 'c'"
wrong "${two}a: send 10b to" 'x.goal:3: wanted the rank that receives, found the end of the file'
wrong 'num_ranks 4000000000\n' "x.goal:1: wanted the number of ranks, 1 to 268435456, found '4000000000'"
wrong 'num_ranks 1000\n' 'x.goal:1: 1000 ranks cannot be in a file of 15 bytes'
run 2 "$WEFT" workload time "$data/ping-1.goal" latnecy=3
has err "'latnecy' is no setting of a workload: latency, overhead, gap"
run 2 "$WEFT" workload time "$data/ping-1.goal" latency=3ns
has err "latency is a whole number of ticks, found '3ns'"

# Collectives
run 0 "$WEFT" workload list
has out 'allreduce/rabenseifner '
[[ $(wc -L <out) -le 80 ]] || fail 'lines are too long'
run 0 "$WEFT" workload time allreduce/ring ranks=64 size=65536 latency=1000 overhead=0 gap=1 per-byte=1
has out 'end                    254898 ticks (rank 0)
' # 126 · (1000 + 1023)
has out 'algorithm bandwidth    0.257107 B a tick
bus bandwidth          0.506179 B a tick'
run 0 "$WEFT" workload time allreduce/ring ranks=4 size=4096 latency=1000 overhead=0 gap=1 per-byte=1 sum=2
has out 'end                    18282 ticks' # 6 · 2023 and three sums of 1,024 bytes, 2 ticks each
run 1 "$WEFT" workload show allgather/recursive-doubling ranks=6
is err 'allgather recursive-doubling works with 1, 2, 4, 8, … ranks, found 6'
run 2 "$WEFT" workload time allreduce/rnig ranks=3
has err "'allreduce/rnig' is no collective operation: \`weft workload list\` has them; did you mean 'allreduce/ring'?"
run 2 "$WEFT" workload time allreduce/ring
has err 'allreduce/ring needs ranks=NUMBER'
run 1 "$WEFT" workload time allreduce/ring ranks=100000
has err 'allreduce ring on 100000 ranks has too many operations for a replay'
# Eight groups of eight: rings of an eighth of the vector within, of a 64th between, T(s) = 1000 + (s − 1).
run 0 "$WEFT" workload time allreduce/hierarchical ranks=64 group=8 size=1048576 latency=1000 overhead=0 gap=1 per-byte=1 \
    eager=10000000
has out 'end                    2092356 ticks' # 14 · (1000 + 131071) + 14 · (1000 + 16383)
# A halo: four messages out of a rank's link one after the other, and four in; of 3 × 2 × 2 ranks six.
run 0 "$WEFT" workload time halo/2d ranks=16 size=512 latency=1000 overhead=0 gap=1 per-byte=1
has out 'end                    3047 ticks' # 1000 + 4 · 512 − 1
run 0 "$WEFT" workload show halo/3d ranks=12 size=512
has out 'messages               72
'
run 0 "$WEFT" workload show "$data/start-dependency.goal" steps=7
has out 'rank 0, 3 of 3 operations
       1  recv from        1               8 B
       2  send to          1               8 B  after the start of 1
       3  calc                           500 ticks  after 1
rank 1, 2 of 2 operations
'
