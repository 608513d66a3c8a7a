#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft import workload: traces of other programs become programs whose ranks end when those programs say, and the same as binary
# GOAL; what is wrong in a trace is named with file and line.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
data=$WEFT_SOURCE/tests/data/workloads

# SimGrid's traces, rank by rank, where no two messages share a link. Two reasons to differ: a message of no bytes takes a
# byte's time, three of them in a barrier of eight; and a long message's answer to its request takes L = 1000 ticks.
python3 - "$WEFT" "$data" <<'END_PYTHON' || fail "times differ"
import csv, subprocess, sys

weft, data = sys.argv[1:]
algorithms = {"allreduce:rdb": "allreduce=recursive-doubling", "allreduce:lr": "allreduce=ring",
              "reduce:binomial": "reduce=binomial", "alltoall:ring": "all-to-all=pairwise",
              "alltoall:pair": "all-to-all=pairwise", "alltoall:bruck": "all-to-all=bruck",
              "allgather:ring": "allgather=ring", "allgather:bruck": "allgather=bruck",
              "allgather:rdb": "allgather=recursive-doubling", "barrier:ompi_bruck": "barrier=dissemination",
              "barrier:ompi_recursivedoubling": "barrier=recursive-doubling", "reduce_scatter:mpich_pair": ""}
net = ["latency=1000", "overhead=0", "gap=1", "per-byte=1", "eager=65535"]


def ends(file, *settings):
    subprocess.run([weft, "workload", "time", file, "--csv", "ranks.csv", *net, *settings], capture_output=True, check=True)
    return [int(line["ticks"]) for line in csv.DictReader(open("ranks.csv"))]


compared = 0
for row in csv.DictReader(open(data + "/ti-oracle.csv")):
    file = f"{data}/ti/{row['trace']}.ti"
    if row["messages_share_a_link"] == "yes":
        ends(file, "second=1", "speed=1")
        continue
    chosen = [algorithms[name] for name in row["algorithms"].split() if algorithms[name]]
    wanted = [int(ticks) for ticks in row["last_action_of_each_rank"].split()]
    if row["trace"] == "barrier-8":
        wanted = [ticks + 3 for ticks in wanted]
    if row["trace"] == "large-send":
        wanted[1] += 1000
    found = ends(file, "second=1", "speed=1", *chosen)
    assert found == wanted, (row, found)
    subprocess.run([weft, "import", "workload", file, "-o", "out.goal.bin", "second=1", "speed=1", *chosen],
                   capture_output=True, check=True)
    assert ends("out.goal.bin") == wanted, ("binary", row)
    compared += 1
assert compared == 26, compared
END_PYTHON

# One file for every rank, and a list of them.
for rank in 0 1; do grep "^$rank " "$data/ti/pingpong.ti" >"rank$rank.txt"; done
printf 'rank0.txt\nrank1.txt\n' >list
run 0 "$WEFT" import workload list
is out 'format                 ti, 2 files
in the file            2 init, 6 send, 6 recv, 2 finalize
ranks                  2
operations             12 (at most 6 of a rank)
dependencies           10
messages               6
sizes                  256 B to 256 B, 256 B on average, 1536 B in all
calculations           0 of 0 ticks in all'

printf 'rank0.txt\nrank7.txt\n' >missing
run 1 "$WEFT" import workload missing
is err 'missing:2: rank7.txt cannot be read: No such file or directory'
printf '%s/rank0.txt\n%s/rank1.txt\n' "$PWD" "$PWD" >absolute
run 0 "$WEFT" import workload absolute
has out 'messages               6'

# wrong TEXT SENTENCE [STATUS]: a file with these lines is refused with this sentence.
wrong() {
    printf '%b' "$1" >x
    run "${3-1}" "$WEFT" import workload x
    is err "$2"
}
wrong '0 init\n1 init\n0 fly 3\n' "x:3: wanted an action such as compute, send, wait or allreduce, found 'fly'"
wrong '0 send 5 0 1\n' 'x:1: ranks are 0 to 0, found 5'
wrong '0 init\n0 send 0 0\n' 'x:2: wanted a size, at most 2^48, found the end of the line'
wrong '0 init\n0 send 0 0 1e30\n' "x:2: wanted a size, at most 2^48, found '1e30'"
wrong '0 send 0 0 1 16\n' "x:1: wanted a type, 0 to 14 or 17 to 24, found '16'"
wrong '0 compute 1e99\n' "x:1: wanted flops that take at most 2^48 ticks, found '1e99'"
wrong '0 init\n0 wait 0 0 1\n' 'x:2: rank 0 has no open isend or irecv from rank 0 to rank 0 with tag 1'
wrong '0 init\n4000000000 init\n' "x:2: wanted the number of a rank, found '4000000000'"
wrong '0 init\n7 init\n' 'x: every rank has a line, found rank 7 in 2 lines'
wrong '0 init\n1 init\n0 bcast 8 0\n1 bcast 8 1\n' \
    'x:4: collective operation 1 of rank 1 must be bcast of 8 bytes with root 0, as line 3 says for another rank'
wrong '0 barrier\n1 init\n' \
    'x: rank 1 takes part in 0 collective operations, another in 1: all ranks take part in each'
wrong '0 init\n1 alltoallv 1 2\n' 'x:2: wanted a size for each of 2 ranks, found 1 more words'
wrong '0 send 1 3 8\n1 init\n' \
    'x: send 8 B to rank 1 with tag 3 (operation 1 of rank 0): that rank has no receive for this message'
wrong '0 recv 1 0 1\n0 send 1 0 1\n1 recv 0 0 1\n1 send 0 0 1\n' 'x: the program cannot end: 2 of 2 ranks wait, since tick 0
  rank 0 waits at recv 1 B from rank 1 with tag 0 (operation 1 of rank 0)
  rank 1 waits at recv 1 B from rank 0 with tag 0 (operation 1 of rank 1)
  and so on in a circle from rank 0' 3
seq 0 20000 | sed 's/$/ alltoall 9 9/' >x
run 1 "$WEFT" import workload x all-to-all=pairwise
has err 'x:1: all-to-all pairwise among 20001 ranks has some 400020000 operations, more than 134217728'
printf 'hello\n' >x
run 1 "$WEFT" import workload x
has err 'x is in no format that is known:
  goal '
run 2 "$WEFT" workload time list allreduce=rnig
has err "'rnig' is no algorithm of allreduce: \`weft workload list\` has them"

# A trace of one collective takes the time of the collective, with several chains too; two of them take twice as long at most.
"$WEFT" workload list | sed -n 's|^allreduce/\([^ ]*\).*|\1|p' >algorithms
[[ $(wc -l <algorithms) -ge 8 ]] || fail 'few algorithms of allreduce'
while read -r algorithm; do
    for ranks in 7 8 12; do
        "$WEFT" workload time "allreduce/$algorithm" "ranks=$ranks" size=1048577 >alone 2>err || continue # it needs a power of two
        for ((r = 0; r < ranks; r++)); do printf '%u allreduce 1048577 0\n' "$r"; done >one.ti
        run 0 "$WEFT" workload time one.ti "allreduce=$algorithm"
        [[ $(grep '^end' out) == "$(grep '^end' alone)" ]] || fail "$algorithm of $ranks ranks: $(grep '^end' out alone)"
        cat one.ti one.ti >two.ti
        run 0 "$WEFT" workload time two.ti "allreduce=$algorithm"
        awk '/^end/ { t[NR == FNR] = $2 } END { exit !(t[0] > t[1] && t[0] <= 2 * t[1] + 10000) }' alone out ||
            fail "two of $algorithm of $ranks ranks: $(grep '^end' out alone)"
    done
done <algorithms

# Flows of ns-3: two into host 1 share its link, T(s) = 1000 + (s − 1); the second begins a tick later.
net=(latency=1000 overhead=0 gap=1 per-byte=1)
printf '3\n0 1 3 100 1000 2.000000001\n2 1 3 100 500 2.0\n0 2 3 100 500 2.5\n' >flow.txt
run 0 "$WEFT" workload time flow.txt "${net[@]}" --csv ranks.csv
is ranks.csv 'rank,ticks
0,2500000000
1,2000002499
2,2500001499'
run 0 "$WEFT" import workload flow.txt
has out 'format                 flows
in the file            3 flows
ranks                  3'
wrong '2\n0 1 3 100 1000 2.0\n' 'x:2: line 1 promises 2 flows, found 1'
wrong '1\n0 1 3 100 1000 abc\n' "x:2: wanted a start in seconds, at most 2^48 ticks, found 'abc'"
wrong '1\n0 9999999 3 100 1000 2\n' "x:2: wanted a host, 0 to 1048575, found '9999999'"

# Connections of htsim: one after the other, then a barrier of two whose first connection's source collects and spreads it.
cat >x.cm <<'CM'
Nodes 8
Connections 5
Triggers 2
# a chain, then a barrier
0->1 id 1 start 1000 size 1000 recv_done_trigger 1
1->2 id 2 trigger 1 size 1000 recv_done_trigger 2
5->6 id 3 start 3000 size 10 send_done_trigger 2
3->4 id 4 trigger 2 size 100
2->4 id 5 trigger 2 size 100
trigger id 1 oneshot
trigger id 2 barrier count 2
CM
run 0 "$WEFT" workload time x.cm "${net[@]}" --csv ranks.csv
# 1 + T(1000) = 2000; + T(1000) = 3999 at node 2; + T(1) = 4999 at node 3, whose link is busy for 100 with its connection;
# T(1) later node 2 may send; its T(100) ends the last.
is ranks.csv 'rank,ticks
0,1
1,2000
2,6099
3,5099
4,7198
5,13
6,1012
7,0'
sed 's/count 2/count 3/' x.cm >x
run 1 "$WEFT" import workload x
is err 'x:11: trigger 2 must be named by the end of 3 connections, found 2'
sed '/^trigger id 1/d' x.cm >x
run 1 "$WEFT" import workload x
is err "x:5: trigger 1 has no line 'trigger id 1 …'"
wrong 'Nodes 2\nConnections 1\n0->2 size 5\n' "x:3: wanted a host, 0 to 1, found '2'"
wrong 'Nodes 2\nConnections 2\n0->1 size 5\n' 'x:3: the file promises 2 connections, found 1'
wrong 'Nodes 2\nConnections 1\n0->1 sise 5\n' \
    "x:3: wanted id, start, trigger, size, send_done_trigger, recv_done_trigger or prio, found 'sise'"
wrong 'Nodes 99999999\n' "x:1: wanted the number of nodes, at most 1048576, found '99999999'"
# A connection that starts itself.
wrong 'Nodes 2\nConnections 1\n0->1 trigger 1 size 5 send_done_trigger 1\ntrigger id 1 oneshot\n' \
    'x: rank 0: operation 1, which waits for 1: none of them can start'

# Chakra: the same nodes as protobuf, as protobuf's JSON and as the feeder's JSON; a collective takes as long as it does by itself,
# a pipeline as long as its compute and its messages, T(s) = 1000 + (s − 1).
python3 - "$WEFT" <<'END_PYTHON' || fail "Chakra's traces differ"
import csv, json, re, subprocess, sys

weft = sys.argv[1]
net = ["latency=1000", "overhead=0", "gap=1", "per-byte=1", "eager=100000000"]
names = ["INVALID", "METADATA", "MEM_LOAD", "MEM_STORE", "COMP", "COMM_SEND", "COMM_RECV", "COMM_COLL"]


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attributes(node):  # (name, number of its field, name of its field, value)
    fields = {"comm_size": (13, "uint64Val"), "comm_src": (7, "int32Val"), "comm_dst": (11, "uint32Val"),
              "comm_tag": (7, "int32Val"), "comm_type": (9, "int64Val"), "is_cpu_op": (27, "boolVal"), "pg_name": (29, "stringVal")}
    return [(key, *fields[key], node[key]) for key in fields if key in node]


def wire(nodes):
    messages = [field(1, "0.0.4") + field(2, field(1, "schema") + field(29, "1.1"))]
    for node in nodes:
        one = field(1, node["id"]) + field(2, "some name") + field(3, node["type"])
        one += field(5, b"".join(map(varint, node.get("deps", []))))
        one += field(7, node.get("us", 0)) + field(8, field(1, "[[1], 2]"))
        for key, number, _, value in attributes(node):
            one += field(10, field(1, key) + field(number, int(value) if isinstance(value, bool) else value))
        messages.append(one)
    return b"".join(varint(len(m)) + m for m in messages)


def protobuf_json(nodes):
    out = [{"version": "0.0.4", "attr": [{"name": "schema", "stringVal": "1.1"}]}]
    for node in nodes:
        out.append({"id": str(node["id"]), "name": "some \"name\"", "type": names[node["type"]] + "_NODE",
                    "dataDeps": [str(d) for d in node.get("deps", [])], "durationMicros": str(node.get("us", 0)),
                    "inputs": {"values": "[[1], 2]", "shapes": [1, {"a": []}]},
                    "attr": [{"name": k, name: v if isinstance(v, (bool, str)) else str(v)} for k, _, name, v in attributes(node)]})
    return "\n".join(json.dumps(node, indent=2) for node in out).encode()


def feeder_json(nodes):
    return json.dumps({"workload_graph": [
        {"Id": n["id"], "Name": "x", "NodeType": n["type"], "runtime": n.get("us", 0), "data_deps": n.get("deps", []),
         **{k: v for k, _, _, v in attributes(n)}} for n in nodes]}).encode()


def ends(ranks, *settings):
    found = []
    for ending, write in (("et", wire), ("json", protobuf_json), ("json", feeder_json)):
        for r, nodes in enumerate(ranks):
            open(f"run.{r}.{ending}", "wb").write(write(nodes))
        subprocess.run([weft, "workload", "time", f"run.0.{ending}", "--csv", "ranks.csv", *net, *settings],
                       capture_output=True, text=True, check=True)
        found.append([int(line["ticks"]) for line in csv.DictReader(open("ranks.csv"))])
    assert found[0] == found[1] == found[2], found
    subprocess.run(["sh", "-c", "rm run.*.*"], check=True)
    return found[0]


def alone(algorithm, ranks, size):
    told = subprocess.run([weft, "workload", "time", algorithm, f"ranks={ranks}", f"size={size}", *net],
                          capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^end +(\d+) ticks", told, flags=re.M)[1])


for kind, algorithm, share in ((0, "allreduce/ring", 1), (1, "reduce/binomial", 1), (2, "allgather/ring", 5), (3, "gather/binomial", 5),
                               (5, "broadcast/binomial", 1), (6, "all-to-all/pairwise", 1), (7, "reduce-scatter/ring", 1),
                               (9, "barrier/dissemination", 1)):
    coll = {"id": 0, "type": 7, "comm_type": kind, "comm_size": 4000, "is_cpu_op": False}
    end = max(ends([[coll]] * 5, algorithm.replace("/", "=")))
    assert end == alone(algorithm, 5, 4000 * share), (algorithm, end)
scatter = {"id": 3, "type": 7, "comm_type": 4, "comm_size": 4000}
assert ends([[scatter]] * 4) == [2000, 1999, 2999, 3999]  # the last leaves at 2000

# Rank 0 computes 7 us, sends 500 bytes; rank 1 stores for 1 us after it has them and before a collective of both.
both = {"id": 9, "type": 7, "comm_type": 0, "comm_size": 100, "deps": [2], "pg_name": "7"}
pipeline = [[{"id": 1, "type": 4, "us": 7, "is_cpu_op": False}, {"id": 5, "type": 4, "us": 3, "is_cpu_op": True},
             {"id": 2, "type": 5, "comm_dst": 1, "comm_tag": 4, "comm_size": 500, "deps": [1]}, both],
            [both, {"id": 1, "type": 6, "comm_src": 0, "comm_tag": 4, "comm_size": 500}, {"id": 2, "type": 3, "us": 1, "deps": [1]}]]
open("groups.json", "w").write('{"7": [1, 0]}\n')
# Rank 1 is ready at 7000 + 1499 + 1000, long after rank 0's half of the collective; its own half takes 1099.
assert ends(pipeline, "groups=groups.json", "allreduce=recursive-doubling") == [9499 + 1099, 9499]

# Metadata do nothing, so they wait for no CPU: 1 ms of the CPU and 1 ms of a device, after metadata, run at once.
assert ends([[{"id": 1, "type": 4, "us": 1000, "is_cpu_op": True}, {"id": 2, "type": 1},
              {"id": 3, "type": 4, "us": 1000, "is_cpu_op": False, "deps": [2]}]]) == [1000000]


def refused(nodes, sentence, *settings):
    open("bad.0.json", "wb").write(feeder_json(nodes))
    told = subprocess.run([weft, "import", "workload", "bad.0.json", *settings], capture_output=True, text=True)
    assert told.returncode == 1 and told.stderr == sentence + "\n", told


refused([{"id": 1, "type": 4, "deps": [8]}], "bad.0.json: node 1 (id 1): wanted dependencies on nodes of the file, found 8")
refused([{"id": 1, "type": 4}] * 2, "bad.0.json: node 2 (id 1): wanted an id of its own, found 1")
refused([{"id": 1, "type": 9}], "bad.0.json: node 1 (id 1): wanted a type, 1 to 7, found 9")
refused([{"id": 1, "type": 5, "comm_dst": 3}], "bad.0.json: node 1 (id 1): wanted a comm_dst that has a file, found 3")
refused([{"id": 1, "type": 7, "pg_name": "7"}],
        "bad.0.json: node 1 (id 1): the ranks of process group '7' are not known: groups=FILE names them")
refused([{"id": 1, "type": 4, "deps": [2]}, {"id": 2, "type": 4, "deps": [1]}],
        "bad.0.json: rank 0: operation 1, which waits for 2, which waits for 1: none of them can start")
refused([], 'groups.json:1: wanted a rank that has a file; groups are {"1": [0, 1], "2": [2, 3]}', "groups=groups.json")
END_PYTHON
printf '{"workload_graph": [\n{"Id": 1, "NodeType" 4}]}' >bad.0.json
run 1 "$WEFT" import workload bad.0.json
is err "bad.0.json:2: wanted a colon, found '4'"
printf '\003\012\0010\177\010\001' >cut.0.et
run 1 "$WEFT" import workload cut.0.et
has err 'cut.0.et is in no format that is known:'
# Two that the fuzz target found: an attribute without a value, a name with a zero byte.
run 1 "$WEFT" import workload "$data/chakra/no-value.json"
has err "no-value.json:3: wanted a comma or ], found '{'"
run 1 "$WEFT" import workload "$data/chakra/zero-in-name.json"
has err "zero-in-name.json:2: wanted a list of attributes, found '\"'"
run 0 "$WEFT" import workload "$data/chakra/four-nodes.et"
has out 'in the file            1 comp, 1 send, 1 recv, 1 coll'

# A long broadcast on ranks that are no power of two.
for rank in $(seq 0 11); do printf '%d init\n%d bcast 20000 0 1\n' "$rank" "$rank"; done >broadcast.ti
run 0 "$WEFT" import workload broadcast.ti
has out 'messages               143'
# Names of collectives, fractions of microseconds; what is no number is said.
for rank in 0 1 2; do
    echo '{"workload_graph":[{"id":1,"type":"COMM_COLL_NODE","comm_type":"ALL_GATHER","comm_size":4096},{"id":2,"type":"COMP_NODE","runtime":0.9,"data_deps":[1]}]}' >"named.$rank.json"
done
run 0 "$WEFT" import workload named.0.json
has out '4096 B to 4096 B'
has out 'of 2700 ticks in all'
sed -i 's/4096/"4 KiB"/' named.0.json
run 1 "$WEFT" import workload named.0.json
is err "named.0.json:1: comm_size must be a number, found '4 KiB'"
