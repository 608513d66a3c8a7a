# SPDX-License-Identifier: Apache-2.0
"""Many runs in one process leave memory, threads and files as they were (WEFT_RUNS: how many)."""
import gc
import os
import time
import unittest

import interweft
from support import InFolder

RUNS = int(os.environ.get("WEFT_RUNS", "200"))
SCENARIO = {
    "topology": {"kind": "torus", "dims": [4, 4]},
    "traffic": {"all": {"length": "8 flits", "rho": 0.3}},
    "measure": {"limit": {"packets": 500}, "half-width": "0.01%"},
}


def threads():
    """A thread that has been joined stays in the list for a moment."""
    counts = []
    for _ in range(10):
        counts.append(len(os.listdir("/proc/self/task")))
        time.sleep(0.01)
    return min(counts)


def status():
    """Resident pages, threads and open files of this process."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    return (pages * os.sysconf("SC_PAGESIZE"), threads(),
            len(os.listdir("/proc/self/fd")))


class Memory(InFolder):
    def once(self, i):
        kept = interweft.run(SCENARIO, seed=i, vary={"traffic.all.rho": [0.2, 0.3]},
                             progress=False)
        self.assertEqual(len(kept.dicts()), 2)
        with interweft.run(SCENARIO, results="a.weft", new=True, seed=i, progress=False) as file:
            self.assertEqual(len(file[0].arrays) > 0, True)
        with self.assertRaises(interweft.ScenarioError):
            interweft.run(SCENARIO, topology__dmis=[4, 4])
        interweft.model("mm1", lambda_=0.5)
        interweft.topology({"kind": "torus", "dims": [4, 4]})

    def test_runs_leave_nothing(self):
        for i in range(max(RUNS // 4, 20)):
            self.once(i)
        gc.collect()
        before = status()
        for i in range(RUNS):
            self.once(i)
        gc.collect()
        after = status()
        print(f"{RUNS} times two runs: {before[0] >> 10} KiB, then {after[0] >> 10} KiB")
        # what a leak of 4 KiB a round would be; allocators keep a little
        self.assertLess(after[0] - before[0], 4096 * RUNS, (before, after))
        self.assertEqual(after[1:], before[1:])


if __name__ == "__main__":
    unittest.main()
