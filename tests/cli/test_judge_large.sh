#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft check of a fabric with more switches than a picture has rows: those with the same neighbours are one box, cables between
# two boxes one line, and what is gone is counted.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >fabric.py <<'END'
# A tree of three levels with its minimal forwarding tables, by destination: leaves of 2 hosts in pods, spines of pods, cores.
import collections
PODS, LEAVES, SPINES, CORES = 8, 8, 2, 4
switches, cable, hosts = [], collections.defaultdict(dict), {}
def join(a, b):
    p, q = len(cable[a]) + 1, len(cable[b]) + 1
    cable[a][p], cable[b][q] = (b, q), (a, p)
leaf = lambda p, l: f"leaf{p * LEAVES + l:02d}"
spine = lambda p, s: f"spine{p * SPINES + s:02d}"
for p in range(PODS):
    for l in range(LEAVES):
        for h in range(2):
            name = f"node{2 * (p * LEAVES + l) + h:03d}"
            hosts[name] = leaf(p, l)
            join(leaf(p, l), name)
        for s in range(SPINES):
            join(leaf(p, l), spine(p, s))
    for s in range(SPINES):
        for c in range(CORES):
            join(spine(p, s), f"core{c}")
names = sorted(n for n in cable if n not in hosts)
guid = {n: 0x200000 + i for i, n in enumerate(names)} | {n: 0x100000 + 2 * i for i, n in enumerate(hosts)}
lid = {n: i + 1 for i, n in enumerate(list(names) + list(hosts))}
id_of = lambda n: f'{"H" if n in hosts else "S"}-{guid[n]:016x}'
with open("tree.net", "w") as out:
    for n in list(names) + list(hosts):
        print(f'Ca 1 "{id_of(n)}"  # "{n}"' if n in hosts else f'Switch 32 "{id_of(n)}"  # "{n}" base port 0 lid {lid[n]} lmc 0', file=out)
        for p, (to, q) in cable[n].items():
            own = f"lid {lid[n]} lmc 0 " if n in hosts else ""
            print(f'[{p}]{f"({guid[n] + 1:x})" if n in hosts else ""} "{id_of(to)}"[{q}]  # {own}"{to}" lid {lid[to]} 4xEDR', file=out)
with open("tree.fdbs", "w") as out:
    away = {}
    for end in lid:  # hops to it
        seen, row = {end: 0}, [end]
        for at in row:
            for to, _ in cable[at].values():
                if to not in seen and (to not in hosts):
                    seen[to] = seen[at] + 1
                    row.append(to)
        away[end] = seen
    for n in names:
        print(f"dump_ucast_routes: Switch 0x{guid[n]:016x}", file=out)
        for end in sorted(lid, key=lid.get):
            ways = [p for p, (to, _) in cable[n].items() if to == end or away[end].get(to, 99) < away[end][n]] if end != n else [0]
            print(f"0x{lid[end]:04X} : {ways[lid[end] % len(ways)]:03d} : 00", file=out)
END
python3 fabric.py
run 0 "$WEFT" import infiniband tree.net --lft tree.fdbs -o tree.yaml
has out 'forwarding tables      84 switches, 17808 entries, of opensm.fdbs'
run 0 "$WEFT" check tree.yaml --without leaf03 --without leaf08 --svg tree.svg --html tree.html
has out 'hosts                          128        124'
has out 'cables between them            192        188'
has out 'gone                   4 hosts of the job'
has out 'pairs cut off                 none       none'
[[ $(grep -c 'worst of 8 cables' tree.svg) -ge 30 ]] || fail 'lines are not folded'
for text in '>leaf00 … 07 (8)<' '>leaf00 … 07 (8, 1 gone)<' '>leaf08 … 15 (8, 1 gone)<' '>node112 … 127 (16)<' '>spine15<' '>core3<'; do
    grep -q "$text" tree.svg || fail "no $text in the picture"
done
! grep -q '>leaf03<' tree.svg || fail 'a switch of a box is drawn'
# Without all of a box it is gone as a whole, and so are its lines.
run 0 "$WEFT" check tree.yaml --without 'spine0*' --without 'leaf0*' --svg pod.svg
grep -q '>leaf00 … 07 (8, 8 gone)<' pod.svg || { grep -o '>leaf[^<]*<' pod.svg; fail 'not all of a box is gone'; }
# A cable of another rate is worse, and named.
run 0 "$WEFT" check tree.yaml --rate leaf00:p3=1xEDR
has out 'unlike links                  none         1'
has out '1xEDR instead of 4xEDR  leaf00:p3->spine00'
run 0 "$WEFT" check tree.yaml --rate leaf00:p3=1xEDR --json
python3 -c 'import json; a, b = json.load(open("out"))["cases"]; assert b["worst_links"][0]["load"] > 1.1 * a["worst_links"][0]["load"], (a, b)'
if command -v gnuplot >/dev/null; then
    run 0 "$WEFT" check tree.yaml --without leaf03 --png tree.png
    [[ $(head -c 4 tree.png | tail -c 3) == PNG ]] || fail 'no PNG'
fi
