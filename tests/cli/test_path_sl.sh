#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hosts of one switch whose packets have SLs of their own: a ring of three switches, all packets clockwise, two hosts at each. The first
# host of the last switch changes to the second VL for the way over the whole ring; if the other one does, too, there is no
# credit loop, and if it does not, there is one.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
python3 - <<'END'
switches, hosts = 3, 2                    # hosts at ports 1, 2; the next switch at port 3, the one before at port 4
lid = lambda h: 10 + h
net, tables, maps = [], [], []
for s in range(switches):
    after, before = (s + 1) % switches, (s - 1) % switches
    net += [f"switchguid=0x20{s}", f'Switch 4 "S{s}" # "switch{s}" base port 0 lid {1 + s} lmc 0']
    net += [f'[{i + 1}] "H{s * hosts + i}"[1](1) # "node{s * hosts + i}" lid {lid(s * hosts + i)} 4xEDR' for i in range(hosts)]
    net += [f'[3] "S{after}"[4] # "switch{after}" lid {1 + after} 4xEDR', f'[4] "S{before}"[3] # "switch{before}" lid {1 + before} 4xEDR', ""]
for h in range(switches * hosts):
    net += [f"caguid=0x{1000 + 2 * h:x}", f'Ca 1 "H{h}" # "node{h}"',
            f'[1]({1001 + 2 * h:x}) "S{h // hosts}"[{h % hosts + 1}] # lid {lid(h)} lmc 0 "switch{h // hosts}" lid {1 + h // hosts} 4xEDR', ""]
for s in range(switches):
    tables.append(f"Unicast lids [0-30] of switch Lid {1 + s} guid 0x{0x200 + s:016x} ('switch{s}'):")
    rows = {1 + t: 0 if t == s else 3 for t in range(switches)}
    rows |= {lid(h): h % hosts + 1 if h // hosts == s else 3 for h in range(switches * hosts)}
    tables += [f"0x{n:04x} {rows[n]:03d} # x" for n in sorted(rows)] + [f"{len(rows)} lids dumped"]
    maps.append(f'Switch 0x{0x200 + s:016x}, base LID {1 + s}, "switch{s}"')
    maps += [f"{i} {o} : 0 1 " + " ".join(["0"] * 14) for i in range(5) for o in range(1, 5)]
open("ring.net", "w").write("\n".join(net) + "\n")
open("ring.lfts", "w").write("\n".join(tables) + "\n")
open("ring.sl2vl", "w").write("\n".join(maps) + "\n")
for name, changing in ("one", [4]), ("both", [4, 5]):
    with open(f"{name}.psl", "w") as out:  # node GUID, LID of the destination, SL
        for h in range(switches * hosts):
            for to in range(switches * hosts):
                over = h in changing and to in (2, 3)
                out.write(f"0x{1000 + 2 * h:x} {lid(to)} {int(over)}\n")
END
for name in one both; do
    run 0 "$WEFT" import infiniband ring.net --lft ring.lfts --sl2vl ring.sl2vl --path-sl $name.psl -o $name.yaml
done
run 0 "$WEFT" check both.yaml
has out 'none possible: the channel dependency graph is acyclic'
run 0 "$WEFT" check one.yaml
has out 'possible: 3 packets can form a cyclic wait'
