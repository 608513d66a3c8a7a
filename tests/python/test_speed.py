# SPDX-License-Identifier: Apache-2.0
"""A sweep of 27 points on two cores is at least 1.8 times as fast as on one.

Other programs may take the cores meanwhile, and a clock on the wall then says little. So the test
looks at what they do not disturb: how many points were being run on average (the time of all
points, over that of the sweep). Where a core is as fast beside another one as alone, that is the
gain. With WEFT_WALL=1, on a machine that does nothing else, the wall decides.
"""
import os
import resource
import time
import unittest

import interweft
from support import InFolder

WALL = bool(os.environ.get("WEFT_WALL"))
SCENARIO = {
    "topology": {"kind": "torus", "dims": [8, 8]},
    "routing": {"kind": "minimal-adaptive"},
    "traffic": {"all": {"length": {"kind": "exponential", "mean": "64 flits"}}},
    "measure": {"half-width": "0.01%", "limit": {"packets": 70000}},
    "vary": {"traffic.all.rho": {"from": 0.1, "to": 0.9, "step": 0.1},
             "routing.selection": ["dimension-order", "random", "diagonal"]},
}


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def sweep(jobs):
    """Seconds on the wall and of cores, time of all points."""
    wall, core = time.monotonic(), cpu()
    with interweft.run(SCENARIO, jobs=jobs, threads=jobs, progress=False) as results:
        wall, core = time.monotonic() - wall, cpu() - core
        return wall, core, sum(point.wall_seconds for point in results)


@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one core")
class Speed(InFolder):
    def test_two_cores(self):
        alternated = [(sweep(1), sweep(2)) for _ in range(3 if WALL else 1)]
        one, two = zip(*alternated)
        by_wall = min(r[0] for r in one) / min(r[0] for r in two)
        at_once = max(r[2] / r[0] for r in two)
        dearer = min(r[1] for r in two) / min(r[1] for r in one)
        print(f"wall {by_wall:.2f} times as fast; {at_once:.2f} points at a time, each "
              f"{dearer:.3f} times as dear as alone")
        self.assertGreater(by_wall if WALL else at_once, 1.8)


if __name__ == "__main__":
    unittest.main()
