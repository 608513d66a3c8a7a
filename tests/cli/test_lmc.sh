#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ports with several LIDs (LMC 1): two leaves below two spines, where the second LID of every host leads over the other
# spine. With topology.lids: by-source both spines carry packets, in the judging of tables as in a simulation.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# fabric NAME HOSTS LMC: its description and tables.
fabric() {
    python3 - "$@" <<'END'
import sys
leaves, hosts, lmc = 2, int(sys.argv[2]), int(sys.argv[3])    # up to four hosts of a leaf at ports 1 …, spines at ports 5, 6
paths = 2 ** lmc
lid = lambda h: 10 + h * paths            # of host h: as many as paths
net = []
for s in range(2):                        # spine s has the leaves at ports 1, 2
    net += [f"switchguid=0x30{s}", f'Switch 4 "S{s}" # "spine{s}" base port 0 lid {3 + s} lmc 0']
    net += [f'[{l + 1}] "L{l}"[{5 + s}] # "leaf{l}" lid {1 + l} 4xEDR' for l in range(leaves)] + [""]
for l in range(leaves):
    net += [f"switchguid=0x20{l}", f'Switch 8 "L{l}" # "leaf{l}" base port 0 lid {1 + l} lmc 0']
    net += [f'[{i + 1}] "H{l * hosts + i}"[1](1) # "node{l * hosts + i}" lid {lid(l * hosts + i)} 4xEDR' for i in range(hosts)]
    net += [f'[{5 + s}] "S{s}"[{l + 1}] # "spine{s}" lid {3 + s} 4xEDR' for s in range(2)] + [""]
for h in range(leaves * hosts):
    net += [f"caguid=0x{1000 + 2 * h:x}", f'Ca 1 "H{h}" # "node{h}"',
            f'[1]({1001 + 2 * h:x}) "L{h // hosts}"[{h % hosts + 1}] # lid {lid(h)} lmc {lmc} "leaf{h // hosts}" lid {1 + h // hosts} 4xEDR', ""]
open(f"{sys.argv[1]}.net", "w").write("\n".join(net) + "\n")

tables, maps = [], []
switches = [(0x200 + l, f"leaf{l}", 1 + l, l) for l in range(2)] + [(0x300 + s, f"spine{s}", 3 + s, None) for s in range(2)]
for guid, name, number, leaf in switches:
    ports = 4 if leaf is None else 8
    tables.append(f"Unicast lids [0-{lid(leaves * hosts)}] of switch Lid {number} guid 0x{guid:016x} ('{name}'):")
    rows = {}
    for h in range(leaves * hosts):
        for path in range(paths):
            home = h // hosts
            rows[lid(h) + path] = home + 1 if leaf is None else h % hosts + 1 if home == leaf else 5 + path % 2
    for other in range(1, 5):             # the switches themselves
        rows[other] = 0 if other == number else (other if leaf is None and other < 3 else 1 if leaf is None else 5 if other < 4 else 6)
    tables += [f"0x{n:04x} {rows[n]:03d} # x" for n in sorted(rows)]
    tables.append(f"{len(rows)} lids dumped")
    maps.append(f'Switch 0x{guid:016x}, base LID {number}, "{name}"')
    maps += [f"{i} {o} : " + " ".join(["0"] * 16) for i in range(ports + 1) for o in range(1, ports + 1)]
open(f"{sys.argv[1]}.lfts", "w").write("\n".join(tables) + "\n")
open(f"{sys.argv[1]}.sl2vl", "w").write("\n".join(maps) + "\n")
END
}
fabric lmc 4 1
run 0 "$WEFT" import infiniband lmc.net --lft lmc.lfts --sl2vl lmc.sl2vl -o lmc.yaml
has out 'ports have several LIDs: packets for a host go to its first, or with topology.lids: by-source'

# All 16 flows of a leaf to the other one over one spine, or 8 over each.
run 0 "$WEFT" check lmc.yaml
has out 'leaf0:p5->spine0'
[[ $(grep -c 'spine1' out) -eq 0 ]] || { cat out; fail 'the second spine is not used by first LIDs'; }
grep -q '^throughput bound  *0.4375' out || { cat out; fail 'four hosts share a link for 4 of 7 destinations'; }
run 0 "$WEFT" check lmc.yaml topology.lids=by-source
grep -q '^throughput bound  *0.875' out || { cat out; fail 'two links carry twice as much'; }
has out 'spine1'

# The simulation agrees: half of the rate is too much for one spine, not for two.
limit="measure.limit.time=20 us"
run 0 "$WEFT" run lmc.yaml --quiet traffic.all.load=0.5 topology.lids=by-source "$limit" --results both.weft
run 0 "$WEFT" export both.weft --format csv
cp out both.csv
run 0 "$WEFT" run lmc.yaml --quiet traffic.all.load=0.5 "$limit" --results one.weft
run 0 "$WEFT" export one.weft --format csv
python3 - both.csv out <<'END' || fail 'accepted loads are not those of one and two spines'
import csv, sys
accepted = [float(next(r["value"] for r in csv.DictReader(open(f)) if r.get("name", r.get("metric")) == "accepted")) for f in sys.argv[1:]]
print(accepted)
assert abs(accepted[0] - 0.5) < 0.03 and accepted[1] < 0.4375, accepted
END

# An entry that is missing for the second LID of node4 cuts off those who use it: every other host of the other leaf.
sed '/guid 0x0000000000000301/,$ s/^0x0013 002/0x0013 255/' lmc.lfts >lost.dump
run 0 "$WEFT" import infiniband lmc.net --lft lost.dump --sl2vl lmc.sl2vl -o lost.yaml
run 0 "$WEFT" check lost.yaml
run 1 "$WEFT" check lost.yaml topology.lids=by-source
has err 'do not lead from router leaf0 to router leaf1, host node4 (2 ordered pairs of endpoints have no path in all): an entry is missing'

# Other routings know one way to a host: they do not pretend.
for routing in tables up-down; do
    run 1 "$WEFT" check lmc.yaml topology.lids=by-source routing="{kind: $routing}"
    has err "topology.lids: by-source needs routing infiniband, and so SL2VL tables: routing $routing knows one way to a host"
    run 0 "$WEFT" check lmc.yaml routing="{kind: $routing}"
done
run 0 "$WEFT" import infiniband lmc.net --lft lmc.lfts -o without.yaml
has out 'with topology.lids: by-source to one by their source, which needs routing infiniband (--lft, --sl2vl)'

cp "$WEFT_SOURCE"/tests/data/fabrics/small.weftnet .
run 1 "$WEFT" topology show topology.kind=file topology.path=small.weftnet topology.lids=by-source
has err 'topology.lids is for InfiniBand fabrics; '

# Four LIDs and three hosts of a leaf: a table that lacks the second LID of a host has no path from one of them.
fabric four 3 2
awk '/^Unicast/ { here = /leaf0/ } !(here && $1 == "0x001b")' four.lfts >lack.lfts
[[ $(diff four.lfts lack.lfts | wc -l) -eq 2 ]] || fail 'one entry is taken out'
run 0 "$WEFT" import infiniband four.net --lft four.lfts --sl2vl four.sl2vl -o four.yaml
run 0 "$WEFT" check four.yaml topology.lids=by-source
run 0 "$WEFT" import infiniband four.net --lft lack.lfts --sl2vl four.sl2vl -o lack.yaml
run 1 "$WEFT" check lack.yaml topology.lids=by-source
has err 'do not lead from router leaf0 to router leaf1, host node4 (1 ordered pair of endpoints has no path in all)'
