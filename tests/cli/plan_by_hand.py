#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recomputes every number of a plan for three of its fabrics, from networks built here.

    plan_by_hand.py PLAN.csv EDGES

PLAN.csv is the plan of 256 endpoints on switches of 16 ports with the default prices. EDGES are the
links of its dragonfly as `weft topology export --format edges` gives them: which router of a group a
global link hangs on decides how long its cable is. All else is from the definitions: the fat tree's
and the HyperX' links, the floor plan's rules, the prices, and formulas for the bounds.
"""
import csv
import itertools
import math
import re
import sys

SWITCH, PORT, COPPER, COPPER_METRE, OPTICS, OPTICS_METRE, RACK = 40, 2, 1, 0.1, 10, 0.02, 20
W_SWITCH, W_PORT, W_OPTICS = 300, 5, 20
LENGTHS = [2, 3, 5, 10, 20, 50, 100]


class Fabric:
    """Routers 0 … n − 1, the first `edge` of them with p endpoints; links as pairs."""

    def __init__(self, n, edge, p, links, fold_from=None, fold=1):
        self.n, self.edge, self.p, self.links = n, edge, p, links
        self.near = [[] for _ in range(n)]
        for a, b in links:
            self.near[a].append(b)
            self.near[b].append(a)
        self.fold_from, self.fold = n if fold_from is None else fold_from, fold

    def switches(self):
        """Routers of a switch together."""
        singles = [[r] for r in range(min(self.n, self.fold_from))]
        tops = list(range(self.fold_from, self.n))
        return singles + [tops[i:i + self.fold] for i in range(0, len(tops), self.fold)]

    def place(self):
        """The rack of every router, and of every edge router's endpoints; how many racks."""
        each = min(64 // self.p, 8)
        anchor = {r: r // each for r in range(self.edge)}
        while len(anchor) < self.n:
            level = {}
            for r in range(self.n):
                known = [anchor[x] for x in self.near[r] if x in anchor]
                if r not in anchor and known:
                    level[r] = sum(known) / len(known)
            anchor.update(level)
        others = [s for s in self.switches() if s[0] >= self.edge]
        others.sort(key=lambda s: (sum(anchor[r] for r in s) / len(s), s[0]))
        boxes = [others[i:i + 16] for i in range(0, len(others), 16)]
        edge_racks = math.ceil(self.edge / each)
        order, placed = [], 0
        for box in boxes:
            mean = sum(sum(anchor[r] for r in s) / len(s) for s in box) / len(box)
            while placed < edge_racks and placed <= mean:
                order.append(('endpoints', placed))
                placed += 1
            order.append(('network', box))
        order += [('endpoints', i) for i in range(placed, edge_racks)]
        rack = {}
        for number, (what, content) in enumerate(order):
            if what == 'network':
                rack.update({r: number for s in content for r in s})
            else:
                first = content * each
                rack.update({r: number for r in range(first, min(first + each, self.edge))})
        return rack, len(order), len(boxes)


def row_length(racks):
    return next(n for n in range(1, racks + 1)
                if n == racks or n * 0.6 >= math.ceil(racks / n) * 2.4)


def floor_numbers(fabric):
    """Everything that follows from where racks stand."""
    rack, racks, network = fabric.place()
    row = row_length(racks)

    def length(a, b):
        if rack[a] == rack[b]:
            return 1.5
        xa, ya, xb, yb = rack[a] % row, rack[a] // row, rack[b] % row, rack[b] // row
        return abs(xa - xb) * 0.6 + abs(ya - yb) * 2.4 + 2
    lengths = [length(a, b) for a, b in fabric.links] + [1.5] * (fabric.edge * fabric.p)
    copper = [x for x in lengths if x <= 3 + 1e-12]
    optics = [x for x in lengths if x > 3 + 1e-12]
    switches = len(fabric.switches())
    ports = 2 * len(fabric.links) + fabric.edge * fabric.p
    found = {'racks': racks, 'network_racks': network, 'rows': math.ceil(racks / row),
             'switches': switches, 'copper': len(copper), 'optics': len(optics),
             'metres': sum(lengths), 'longest': max(lengths)}
    for medium, some in (('copper', copper), ('optics', optics)):
        low = 0.0
        for high in LENGTHS + [math.inf]:
            name = f'{medium}_{high}' if high < math.inf else f'{medium}_longer'
            found[name] = sum(low < x <= high for x in some)
            low = high
    found['cost_switches'] = SWITCH * switches + PORT * ports
    found['cost_cables'] = (COPPER * len(copper) + COPPER_METRE * sum(copper) +
                            OPTICS * len(optics) + OPTICS_METRE * sum(optics))
    found['cost_racks'] = RACK * network
    found['cost'] = sum(found[k] for k in ('cost_switches', 'cost_cables', 'cost_racks'))
    found['power'] = W_SWITCH * switches + W_PORT * ports + W_OPTICS * len(optics)
    return found


def mean_hops(fabric, distance):
    """Of all ordered pairs of different endpoints."""
    n, p = fabric.edge * fabric.p, fabric.p
    return sum(distance(a, b) * p * p
               for a in range(fabric.edge) for b in range(fabric.edge)) / (n * (n - 1))


def fat_tree():
    """Three levels, 1:1: 4 pods of 8 leaves and 8 switches above, 64 roots, 4 of them a switch."""
    leaf = lambda pod, i: pod * 8 + i
    middle = lambda pod, i: 32 + pod * 8 + i
    root = lambda i, k: 64 + i * 8 + k
    links = [(leaf(pod, i), middle(pod, j)) for pod in range(4) for i in range(8) for j in range(8)]
    links += [(middle(pod, i), root(i, k)) for pod in range(4) for i in range(8) for k in range(8)]
    fabric = Fabric(128, 32, 8, links, 64, 4)
    hops = mean_hops(fabric, lambda a, b: 0 if a == b else 2 if a // 8 == b // 8 else 4)
    return fabric, {'endpoints': 256, 'routers': 128, 'ports': 16, 'diameter': 4,
                    'mean_hops': hops, 'bisection': 1, 'uniform': 1, 'permutation': 1, 'group': 1}


def hyperx():
    """4 × 4 × 4 routers with 4 endpoints. Half of a dimension: 16 lines of 2 × 2 links."""
    at = list(itertools.product(range(4), repeat=3))
    differ = lambda a, b: sum(x != y for x, y in zip(at[a], at[b]))
    links = [(a, b) for a in range(64) for b in range(a + 1, 64) if differ(a, b) == 1]
    fabric = Fabric(64, 64, 4, links)
    return fabric, {'endpoints': 256, 'routers': 64, 'ports': 13, 'diameter': 3,
                    'mean_hops': mean_hops(fabric, differ), 'bisection': 64 / 128,
                    'uniform': 64 / (128 * 128 / 255), 'permutation': 64 / 128,
                    # planes: 16 links to the next one, 48 to others; those need a second one
                    'group': (16 + 48) / (2 * 64)}


def dragonfly(edges):
    """8 groups of 8 routers with 4 endpoints and 5 global ports: ⌊40 / 7⌋ = 5 links a pair."""
    links = [(a, b) for a, b in edges if a < 64 and b < 64]
    assert sum(a // 8 == b // 8 for a, b in links) == 8 * 28
    between = [(a, b) for a, b in links if a // 8 != b // 8]
    for i, j in itertools.combinations(range(8), 2):
        assert sum({a // 8, b // 8} == {i, j} for a, b in between) == 5
    joined = {}
    for a, b in between:
        joined.setdefault((a // 8, b // 8), []).append((a, b))
        joined.setdefault((b // 8, a // 8), []).append((b, a))

    def distance(a, b):
        if a // 8 == b // 8:
            return int(a != b)
        return min((a != x) + 1 + (y != b) for x, y in joined[a // 8, b // 8])
    fabric = Fabric(64, 64, 4, links)
    halves = 4 * 4 * 5
    return fabric, {'endpoints': 256, 'routers': 64, 'ports': 16, 'diameter': 3,
                    'mean_hops': mean_hops(fabric, distance), 'bisection': halves / 128,
                    'uniform': 1, 'permutation': (5 + 35) / (2 * 32), 'group': (5 + 35) / (2 * 32)}


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        rows = {row['fabric']: row for row in csv.DictReader(file)}
    with open(sys.argv[2], encoding='utf-8') as file:
        edges = [tuple(int(x) for x in m.groups())
                 for m in (re.match(r'(?:r)?(\d+)[ ,](?:r)?(\d+)', line) for line in file) if m]
    checked = 0
    for name, (fabric, known) in {'fat-tree 3 levels 1:1': fat_tree(), 'hyperx 4x4x4 p4': hyperx(),
                                  'dragonfly p4 a8 h5 g8': dragonfly(edges)}.items():
        row = rows[name]
        known.update(floor_numbers(fabric))
        for bound in ('uniform', 'permutation', 'group'):
            known['cost_per_' + bound] = known['cost'] / (known[bound] * known['endpoints'])
        for key, value in known.items():
            if not math.isclose(float(row[key]), value, rel_tol=1e-9, abs_tol=1e-9):
                sys.exit(f'{name}: {key} is {row[key]}, by hand {value}')
            checked += 1
    # A front: nothing that costs no more has a greater bound.
    for bound in ('uniform', 'permutation', 'group'):
        for row in rows.values():
            beaten = any((float(x['cost']), -float(x[bound])) != (float(row['cost']),
                                                                  -float(row[bound])) and
                         float(x['cost']) <= float(row['cost']) and
                         float(x[bound]) >= float(row[bound]) * (1 - 1e-12)
                         for x in rows.values() if not x['refused'])
            if not row['refused'] and (row['front_' + bound] == '1') == beaten:
                sys.exit(f"{row['fabric']}: front_{bound} is {row['front_' + bound]}")
            checked += 1
    print(f'{checked} numbers')


main()
