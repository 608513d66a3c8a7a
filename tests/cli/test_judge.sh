#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft check of several fabrics, and of one that loses parts: one table, what is cut off as a walk over the dumps finds it, credit
# loops as for each alone, and the fabric drawn by levels with its names.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/examples/06-your-fabric/* .
import() {
    run 0 "$WEFT" import infiniband "$@"
}
import cluster.net --lft minhop.fdbs -o minhop.yaml
import cluster.net --lft lash.fdbs -o lash.yaml
import less.net --lft less.fdbs -o recomputed.yaml

# walk JSON [GONE]: pairs that are cut off without a switch, lengths and the worst load of uniform traffic, by the dumps.
cat >walk.py <<'END'
import json, re, sys
cable, host, tables, name = {}, {}, {}, {}
for line in open('cluster.net'):
    if found := re.match(r'(Switch|Ca)\s+\d+ "(\S+)"\s+# "([^"]*)"', line):
        here, is_switch = found[3], found[1] == 'Switch'
        name[found[2]] = found[3]
    elif (found := re.match(r'\[(\d+)\]\s*"([SH])-[^"]*"\[(\d+)\].*# "([^"]*)" lid (\d+)', line)) and is_switch:
        if found[2] == 'S':
            cable[here, int(found[1])] = found[4]
        else:
            host[found[4]] = here, int(found[5])
for line in open('minhop.fdbs'):
    if found := re.match(r'dump_ucast_routes: Switch 0x(\w+)', line):
        here = name['S-' + found[1]]
    elif found := re.match(r'0x(\w+) : (\d+)', line):
        tables[here, int(found[1], 16)] = int(found[2])
gone, slow = sys.argv[1], sys.argv[2]
lost, lengths, flows, by_host = 0, {}, {}, {}
for a in host:
    for b in host:
        at, links = host[a][0], []
        while a != b and at != host[b][0]:
            links.append((at, tables[at, host[b][1]]))
            at = cable[links[-1]]
        if a == b:
            continue
        if gone in [cable[link] for link in links]:
            lost += 1
            by_host[b] = by_host.get(b, 0) + 1
            continue
        lengths[len(links)] = lengths.get(len(links), 0) + 1
        for link in links:
            flows[link] = flows.get(link, 0) + 1
load = {link: count / (len(host) - 1) * (4 if slow in (f'{link[0]}:p{link[1]}', cable[link] + ':p1') and 'leaf1' in (link[0], cable[link])
                                         and 'spine1' in (link[0], cable[link]) else 1) for link, count in flows.items()}
ours = json.load(open('out'))['cases'][1]
assert ours['changed'] and ours['pairs_cut_off'] == lost, (ours['pairs_cut_off'], lost)
assert {row['hops']: row['pairs'] for row in ours['path_lengths']} == lengths
assert {row['host']: row['from'] for row in ours['cut_off']} == by_host
assert abs(ours['worst_links'][0]['load'] - max(load.values())) < 1e-12, (ours['worst_links'][0], max(load.values()))
END
run 0 "$WEFT" check minhop.yaml --without spine3 --json
python3 walk.py spine3 none
run 0 "$WEFT" check minhop.yaml --without spine2 --rate leaf1:p1=1xEDR --json
python3 walk.py spine2 leaf1:p1
has out '"1xEDR instead of 4xEDR  leaf1:p1->spine1"'

# One table: as it is, less a spine, and routed anew.
run 0 "$WEFT" check minhop.yaml recomputed.yaml --without spine3
has out 'changed: without spine3'
has out 'pairs cut off                none    29.8 %        none'
has out 'worst link, uniform         1.787     1.787       2.681'
has out 'cut off                672 pairs: node2 from 42 hosts, '
[[ $(grep -v '^cut off' out | LC_ALL=C.UTF-8 wc -L) -le 80 ]] || fail 'the table is wider than 80 columns'

# A rack: the hosts of a leaf go with it. A cable by either end, and all between two switches.
run 0 "$WEFT" check minhop.yaml --without leaf2
has out 'hosts                          48        42'
has out 'gone                   6 hosts of the job'
has out 'pairs cut off                none      none'
run 0 "$WEFT" check minhop.yaml --without 'spine3:p2->leaf2' --json
cp out one.json
for same in leaf2:p3 'leaf2->spine3' 'leaf2:p*->spine3'; do
    run 0 "$WEFT" check minhop.yaml --without "$same" --json
    diff <(grep -v '"change"' out) <(grep -v '"change"' one.json)
done
run 0 "$WEFT" check minhop.yaml --without 'node1?' --json
has out '"hosts": 38'

# The hosts of a job, as a list and as a file.
run 0 "$WEFT" check minhop.yaml lash.yaml 'traffic.all.from=file job.hosts'
has out 'hosts                          12        12'
cp out by_file
run 0 "$WEFT" check minhop.yaml lash.yaml "traffic.all.from=[$(paste -sd, job.hosts)]"
cmp out by_file

# Credit loops: the same verdict as weft check of each alone, whose proof is another.
data=$WEFT_SOURCE/tests/data/infiniband
import torus.net --lft torus-dor.fdbs -o dor.yaml
import torus.net --lft torus-lash.fdbs -o blind.yaml
import torus.net --lft torus-lash.fdbs --sl2vl torus-lash.sl2vl --path-sl torus-lash.psl -o torus-lash.yaml
import "$data/ibnetdiscover.txt" --lft "$data/opensm-lfts.dump" --sl2vl "$data/opensm-sl2vl.dump" --path-sl "$data/psl" -o qos.yaml
import "$data/ibnetdiscover.txt" --lft "$data/dfsssp.fdbs" --sl2vl "$data/opensm-sl2vl.dump" --path-sl "$data/dfsssp.psl" -o dfsssp.yaml
import "$data/ibnetdiscover.txt" --lft "$data/dfsssp.fdbs" -o dfsssp-blind.yaml
verdicts=
for one in minhop lash recomputed dor blind torus-lash qos dfsssp dfsssp-blind; do
    run 0 "$WEFT" check $one.yaml
    verdicts+="$one $(sed -n 's/^deadlock  *\(none\|possible\).*/\1/p' out)"$'\n'
done
run 0 "$WEFT" check {minhop,lash,recomputed,dor,blind,torus-lash,qos,dfsssp,dfsssp-blind}.yaml --json
python3 -c 'import json, sys
for case in json.load(open("out"))["cases"]:
    print(case["name"], "possible" if case["credit_loop"] else "none")' | diff - <(printf %s "$verdicts")
[[ $verdicts == *dor\ possible* && $verdicts == *qos\ none* ]] || fail "$verdicts"
# Without the cables that close every ring there is no loop left; each channel of one that is left leads to the next.
run 0 "$WEFT" check dor.yaml --without 't3?->t0?' --without 't?3->t?0' --json
python3 -c 'import json
cases = json.load(open("out"))["cases"]
loop = [link.split(" VL ")[0] for link in cases[0]["credit_loop"]]
ends = [(link.split(":p")[0], link.split("->")[1]) for link in loop]
assert all(ends[i][1] == ends[(i + 1) % len(ends)][0] for i in range(len(ends))), ends
assert cases[1]["credit_loop"] == [] and cases[1]["cables"] == 24'

# Pictures and page: sound, with every name.
run 0 "$WEFT" check minhop.yaml lash.yaml --without spine3 --svg both.svg --html both.html
python3 -c 'import xml.etree.ElementTree as tree
root = tree.parse("both.svg").getroot()
texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
for name in ["leaf1", "leaf8", "spine3", "node0 … 5 (6)", "leaves", "spines", "minhop", "lash without spine3"]:
    assert name in texts, (name, texts)
titles = [node.text for node in root.iter("{http://www.w3.org/2000/svg}title")]
assert "leaf1:p1->spine1 load 1.787; spine1:p1->leaf1 load 1.787" in titles
assert open("both.html").read().count("<svg") == 1'
has both.html '<td>effective bisection</td>'
if command -v gnuplot >/dev/null; then
    run 0 "$WEFT" check minhop.yaml --png one.png
    [[ $(head -c 4 one.png | tail -c 3) == PNG ]] || fail 'no PNG'
fi

# What is left, exported for ibsim, is a fabric of its own.
run 0 "$WEFT" topology export minhop.weftnet --format ibnetdiscover --without spine3 --rate leaf1:p1=1xEDR -o left.net
has left.net '# 10 switches, 48 hosts, 16 cables between switches'
grep -q spine3 left.net && fail 'spine3 is still there'
[[ $(grep -c 1xEDR left.net) -eq 2 ]] || fail 'a cable has two ends'
import left.net -o left.yaml
has out 'switches               10'

# Mistakes.
run 1 "$WEFT" check minhop.yaml --without spin3
has err "no switch, host or cable is called 'spin3'; did you mean 'spine3'?"
run 1 "$WEFT" check minhop.yaml --without leaf1:p9
has err "no switch, host or cable is called 'leaf1:p9'; the first cable is 'leaf1:p1->spine1'"
run 1 "$WEFT" check minhop.yaml --without 'leaf1:p1->spin1'
has err "no switch, host or cable is called 'leaf1:p1->spin1'; did you mean 'leaf1:p1->spine1'?"
run 2 "$WEFT" check minhop.yaml --rate leaf1:p1=fast
has err "a cable's rate is given as NAME=WIDTHxSPEED, such as leaf1:p7=1xEDR, found 'leaf1:p1=fast'"
run 1 "$WEFT" check minhop.yaml left.yaml
has err 'left.yaml has no forwarding tables to judge; weft import infiniband FILE --lft DUMP makes a scenario that has'
run 2 "$WEFT" topology export minhop.weftnet --format edges --without spine3
has err '--without and --rate are for --format ibnetdiscover'
run 1 "$WEFT" topology export topology.kind=torus 'topology.dims=[4,4]' --format ibnetdiscover --without '(0, 0)'
has err 'name parts of a fabric that weft import infiniband made'

# Tables that lead nowhere refuse a routing that uses them, and no other.
awk '/dump_ucast_routes/ { n++ } n == 1 && /^0x0030 / { sub(/ 00[0-9] /, " 255 ") } 1' minhop.fdbs >lost.fdbs
import cluster.net --lft lost.fdbs -o lost.yaml
lost='the forwarding tables do not lead from router leaf1 to router leaf7, host node36 (6 ordered pairs of endpoints have no path in all): '
run 1 "$WEFT" check lost.yaml
has err "lost.yaml:5:10: $lost"
run 0 "$WEFT" check lost.yaml routing.kind=up-down
has out "# forwarding tables
                       not judged: $lost"

# Ten of the links that are slower than most are named.
sed '/# "node\(1[0-9]\|2[01]\)" lid/s/4xEDR/1xEDR/; /# "node\(1[0-9]\|2[01]\)"$/{n;s/4xEDR/1xEDR/}' cluster.net >slow.net
import slow.net --lft minhop.fdbs -o slow.yaml
run 0 "$WEFT" check slow.yaml
[[ $(grep -c '  1xEDR instead of 4xEDR  leaf' out) -eq 10 ]] || fail 'not ten unlike links'
has out 'unlike cables          1xEDR instead of 4xEDR  leaf'
has out '
                       and 2 more
'

# Hosts and switches have their names elsewhere too.
run 0 "$WEFT" topology show minhop.weftnet --svg fabric.svg
has out 'hosts                  48: node0 … node47'
has fabric.svg 'leaf8 (6)'
has fabric.svg spine3
run 0 "$WEFT" check minhop.yaml --worst
has out 'node0>node'
run 0 "$WEFT" check minhop.yaml 'traffic.all.pattern={kind: hot-spot, node: 7, share: 100%}'
has out 'the reception port of node'
run 2 "$WEFT" check minhop.yaml lash.yaml --worst
has err '--worst looks at one scenario as it is'
run 0 "$WEFT" check minhop.yaml --without 'node*'
grep -q '^effective bisection  *0.6442  *–$' out || fail 'no host, no bisection'
