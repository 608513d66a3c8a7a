# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a run in order: its file is resumed, and holds in the end what an undisturbed run
writes. A terminal sees a line that is redrawn."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import unittest

import interweft
from support import InFolder, export

# Long points are begun first: one of the three still runs when another has ended, on two cores too.
SCENARIO = {
    "topology": {"kind": "torus", "dims": [8, 8]},
    "traffic": {"all": {"length": "16 flits", "rho": 0.5}},
    "measure": {"half-width": "0.01%"},
    "vary": {"measure.limit.packets": [2000, 3000000, 3000001, 3000002]},
}
RUN = f"""
import sys
import interweft
try:
    interweft.run({SCENARIO!r}, results="swept.weft",
                  progress=None if len(sys.argv) > 1 else lambda p: print(p.done, flush=True))
except interweft.Stopped as stopped:
    print("stopped", stopped.done, stopped.points, stopped.results,
          isinstance(stopped, KeyboardInterrupt))
    sys.exit(130)
"""


class Interrupt(InFolder):
    def test_a_stopped_sweep_goes_on(self):
        self.write("sweep.py", RUN)
        child = subprocess.Popen([sys.executable, "sweep.py"], stdout=subprocess.PIPE, text=True)
        for line in child.stdout:
            if int(line) >= 1:
                break
        child.send_signal(signal.SIGINT)
        asked = time.monotonic()
        said = child.stdout.read().strip().split("\n")[-1].split()
        child.stdout.close()
        self.assertEqual(child.wait(60), 130)
        self.assertLess(time.monotonic() - asked, 30)
        self.assertEqual((said[0], said[2:]), ("stopped", ["4", "swept.weft", "True"]))
        done = int(said[1])
        self.assertTrue(1 <= done < 4, done)
        self.assertFalse(os.path.exists("swept.weft.lock"))
        first = []
        with interweft.run(SCENARIO, results="swept.weft",
                           progress=lambda p: first or first.append(p.done)) as results:
            self.assertEqual(len(results), 4)
        self.assertGreaterEqual(first[0], done)
        with interweft.run(SCENARIO, progress=False) as whole:
            self.assertEqual(export("swept.weft"), whole.export())
        self.assertEqual(sorted(os.listdir()), ["sweep.py", "swept.weft"])

    def test_a_view_of_a_crossbar_ends(self):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        before = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
        try:
            with self.assertRaises(KeyboardInterrupt):
                interweft.crossbar.run(matrix=[[2, 2, 0], [0, 1, 3], [2, 1, 1]], slots=100_000)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_a_stopped_point_goes_on_from_its_checkpoint(self):
        one = {**SCENARIO, "vary": {"measure.limit.packets": [3000000]}}
        self.write("sweep.py", RUN.replace(repr(SCENARIO), repr(one)).replace("p.done", "p.share"))
        child = subprocess.Popen([sys.executable, "sweep.py"], stdout=subprocess.PIPE, text=True)
        for line in child.stdout:
            if float(line) > 0.1:
                break
        child.send_signal(signal.SIGINT)
        said = child.stdout.read().strip().split("\n")[-1].split()
        child.stdout.close()
        self.assertEqual((child.wait(60), said[:3]), (130, ["stopped", "0", "1"]))
        self.assertTrue([name for name in os.listdir() if name.startswith("swept.weft.")])
        seen = []
        with interweft.run(one, results="swept.weft", progress=seen.append), \
                interweft.run(one, progress=False) as whole:
            self.assertEqual(export("swept.weft"), whole.export())
        self.assertGreater(seen[0].share, 0.1)
        self.assertEqual(sorted(os.listdir()), ["sweep.py", "swept.weft"])

    def test_a_terminal_sees_progress(self):
        self.write("sweep.py", RUN)
        ours, theirs = pty.openpty()
        child = subprocess.Popen([sys.executable, "sweep.py", "terminal"], stderr=theirs,
                                 stdout=subprocess.DEVNULL)
        os.close(theirs)
        seen, pattern = b"", re.compile(rb"\r\x1b\[K\d of 4 points done.* s.*latency")
        while not pattern.search(seen) and select.select([ours], [], [], 60)[0]:
            try:
                seen += os.read(ours, 4096)
            except OSError:
                break
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(60), 130)
        while select.select([ours], [], [], 0)[0]:
            try:
                more = os.read(ours, 4096)
            except OSError:
                break
            seen += more
        os.close(ours)
        self.assertRegex(seen, pattern)
        self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])

    def test_handlers_may_raise_again(self):
        """The call has ended when the first exception arrives, however often they do."""
        class Enough(Exception):
            pass

        def raises(*_):
            raise Enough
        before = signal.signal(signal.SIGALRM, raises)
        try:
            with self.assertRaises(Enough):
                signal.setitimer(signal.ITIMER_REAL, 0.3, 0.002)
                interweft.run(SCENARIO, results="swept.weft", progress=False)
        finally:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertFalse(os.path.exists("swept.weft.lock"))

    def test_the_handler_is_given_back(self):
        before = signal.getsignal(signal.SIGINT)
        interweft.run(SCENARIO, measure__limit__packets=2000, progress=False).close()
        self.assertIs(signal.getsignal(signal.SIGINT), before)


if __name__ == "__main__":
    unittest.main()
