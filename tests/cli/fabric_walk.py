#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `weft check` says of forwarding tables, held against a walk over the dumps themselves:
    fabric_walk.py IBNETDISCOVER LFTS CHECK [JOB]
CHECK is what the command printed, JOB a file with the names of a job's hosts (all, if it is missing). Paths, loads and shifts
must agree to the last digit, the effective bisection within what two samples may differ by."""
import functools
import random
import re
import sys

netdiscover, lfts, check = sys.argv[1:4]
cable, host, tables = {}, {}, {}
for line in open(netdiscover):
    if found := re.match(r'(Switch|Ca)\s+\d+ "[^"]*"\s+# "([^"]*)"', line):
        here, is_switch = found[2], found[1] == 'Switch'
    elif (found := re.match(r'\[(\d+)\]\s*"([SH])-[^"]*"\[(\d+)\].*# "([^"]*)" lid (\d+)', line)) and is_switch:
        if found[2] == 'S':
            cable[here, int(found[1])] = found[4]
        else:
            host[found[4]] = here, int(found[5])
for line in open(lfts):
    if found := re.match(r"Unicast lids .*\('(.*)'\):", line):
        here = found[1]
    elif found := re.match(r'0x(\w+) (\d+)', line):
        tables[here, int(found[1], 16)] = int(found[2])
job = set(open(sys.argv[4]).read().splitlines()) if len(sys.argv) > 4 else set(host)
hosts = [name for name in sorted(host, key=lambda name: int(re.search(r'\d+$', name)[0])) if name in job]

@functools.cache
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
said = {line[:22].strip(): line[23:].strip() for line in open(check) if line[:22].strip()}
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
