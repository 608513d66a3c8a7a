#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft check on the forwarding tables of a fabric: loads of links, shifts and the effective bisection are those of a walk
# over the dumps themselves; a job's hosts, and cables unlike the others.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/tests/data/infiniband/{ibnetdiscover.txt,opensm-lfts.dump} .

# walk HOSTS: the lines of `weft check` in out against a walk by the dumps, for hosts with numbers below HOSTS.
walk() {
    python3 - "$1" <<'END'
import random, re, sys
cable, host, tables = {}, {}, {}
for line in open('ibnetdiscover.txt'):
    if found := re.match(r'(Switch|Ca)\s+\d+ "[^"]*"\s+# "([^"]*)"', line):
        here, is_switch = found[2], found[1] == 'Switch'
    elif (found := re.match(r'\[(\d+)\]\s*"([SH])-[^"]*"\[(\d+)\].*# "([^"]*)" lid (\d+)', line)) and is_switch:
        if found[2] == 'S':
            cable[here, int(found[1])] = found[4]
        else:
            host[found[4]] = here, int(found[5])
for line in open('opensm-lfts.dump'):
    if found := re.match(r"Unicast lids .*\('(.*)'\):", line):
        here = found[1]
    elif found := re.match(r'0x(\w+) (\d+)', line):
        tables[here, int(found[1], 16)] = int(found[2])
hosts = [name for name in sorted(host, key=lambda name: int(name[2:])) if int(name[2:]) < int(sys.argv[1])]
def path(a, b):
    at, links = host[a][0], []
    while at != host[b][0]:
        links.append((at, tables[at, host[b][1]]))
        at = cable[links[-1]]
    return links
def count(pairs):
    flows = {}
    for a, b in pairs:
        for link in path(a, b):
            flows[link] = flows.get(link, 0) + 1
    return flows
n = len(hosts)
said = {line[:22].strip(): line[23:].strip() for line in open('out') if line[:22].strip()}
lengths = [len(path(a, b)) for a in hosts for b in hosts if a != b]
expected = ', '.join(f'{h} hop{"s" * (h != 1)} {lengths.count(h)}' for h in sorted(set(lengths))) + ' pairs of hosts'
assert said['path lengths'] == expected, (said['path lengths'], expected)
worst = max(count((a, b) for a in hosts for b in hosts if a != b).values()) / (n - 1)
assert said['uniform traffic'].startswith(f'the worst link carries {worst:.4g} times'), (said['uniform traffic'], worst)
assert said['worst links'].startswith(f'{worst:.4g} '), said['worst links']
most = [max(count((hosts[i], hosts[(i + s) % n]) for i in range(n)).values(), default=0) for s in range(1, n)]
expected = (f'{sum(m <= 1 for m in most)} of {n - 1} without contention; on the worst link flows {sum(most) / len(most):.4g} '
            f'in the mean, {max(most)} at most (shift {most.index(max(most)) + 1})')
assert said['shifts'] == expected, (said['shifts'], expected)
draw, shares = random.Random(1), []
for _ in range(1000):
    order = draw.sample(hosts, n)
    pairs = list(zip(order[: n // 2], order[n // 2 : n // 2 * 2]))
    flows = count(pairs)
    shares.append(sum(1 / max([flows[link] for link in path(*pair)], default=1) for pair in pairs) / len(pairs))
mean = sum(shares) / 1000
error = (sum((x - mean) ** 2 for x in shares) / 999 / 1000) ** 0.5
ours = float(said['effective bisection'].split()[0])
# Four standard errors of the difference of two such means.
assert abs(ours - mean) <= 4 * 2**0.5 * error + 5e-5, (ours, mean, error)
END
}

run 0 "$WEFT" import infiniband ibnetdiscover.txt --lft opensm-lfts.dump -o one.yaml
run 0 "$WEFT" check one.yaml
has out $'# forwarding tables\nhosts                  16'
has out '  T-'
walk 16
# A job on some of them.
run 0 "$WEFT" check one.yaml 'traffic.all.from=[H-0,H-1,H-2,H-3,H-4,H-5,H-6]'
has out $'# forwarding tables\nhosts                  7'
walk 7

# A cable at another speed.
sed 's/^\(\[1\]\t"S-0000000000200002"\[2\].*\) 4xQDR/\1 4xDDR/; s/^\(\[2\]\t"S-000000000020000e"\[1\].*\) 4xQDR/\1 4xDDR/' \
    ibnetdiscover.txt >slow.txt
run 0 "$WEFT" import infiniband slow.txt --lft opensm-lfts.dump -o slow.yaml
run 0 "$WEFT" check slow.yaml
has out 'unlike cables          4xDDR instead of 4xQDR  '
