#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Expected throughput and reachability of a HyperX 4 × 4 × 4 with 4 endpoints a router, and spares.

    plan_faults.py ONE-SWITCH.csv ONE-CABLE.csv TWO-CABLES.csv

With one switch down every draw is alike: 252 endpoints are left, and 62 links between the halves of
every dimension. With one cable down two planes have one link less to the other planes of a dimension. Of two cables the second is one of 79 of the other 287 that take another link from
one of these planes.
"""
import csv
import math
import sys


def read(path):
    with open(path, encoding='utf-8') as file:
        return {row['fabric']: row for row in csv.DictReader(file)}


def close(what, found, wanted, room=1e-9):
    if abs(found - wanted) > room:
        sys.exit(f'{what} is {found}, by hand {wanted}')


def spares(parts, a_year):
    """The quantile of Poisson's distribution, 99 %, of 30 days."""
    mean, below, k = parts * a_year * 30 / 365, 0.0, 0
    while True:
        below += math.exp(-mean) * mean ** k / math.factorial(k)
        if below >= 0.99:
            return k
        k += 1


NAME = 'hyperx 4x4x4 p4'
switch, cable, cables = (read(path) for path in sys.argv[1:])
row = switch[NAME]
for end in ('', '_lo', '_hi'):
    close('reachable' + end, float(row['reachable' + end]), 252 * 251 / (256 * 255))
    close('uniform' + end, float(row['faulty_uniform' + end]), 62 * 251 / (124 * 128))
    close('permutation' + end, float(row['faulty_permutation' + end]), 62 / 124)
row = cable[NAME]
close('reachable', float(row['reachable']), 1)
for end in ('', '_lo', '_hi'):
    close('uniform' + end, float(row['faulty_uniform' + end]), 47 * 255 / (64 * 192))
row, draws, odds, link = cables[NAME], 2000, 79 / 287, 255 / (64 * 192)
mean, half = float(row['faulty_uniform']), float(row['faulty_uniform_hi']) - float(row['faulty_uniform'])
error = math.sqrt(odds * (1 - odds) / draws) * link
close('uniform with two down', mean, (47 - odds) * link, 4 * error)
close('its interval', half, 1.961 * error, 0.1 * error)
for row in switch.values():
    close('spare cables', int(row['spare_cables']),
          spares(int(row['copper']) + int(row['optics']), 0.01))
    close('spare switches', int(row['spare_switches']), spares(int(row['switches']), 0.02))
print('good')
