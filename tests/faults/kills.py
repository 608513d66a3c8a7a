# SPDX-License-Identifier: Apache-2.0
"""Signals at random moments over commands that write: SIGKILL, SIGTERM, SIGINT, and SIGSTOP for a while. The same command run
again ends with the bytes of one that was left alone; points that were committed are there and are not run again; no file looks
complete and is not.

    kills.py COUNT [--pause SECONDS] [--pauses N] [--seed S]

So many SIGKILLs that hit, or twice as many sent; a tenth as many SIGTERMs and SIGINTs; N times SIGSTOP.
"""
import argparse
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from cases import CASES, WEFT, contents, files_of, points, prepare, weft, workshop

VICTIMS = ["run", "run-jobs", "run-checkpoint", "run-resume", "run-extend", "saturate", "study", "crossbar", "report",
           "report-svg", "export", "import"]
AT_ONCE = ("report", "report-svg", "export", "import")  # they do not stop in order
PASSING = (".lock", "-journal", ".part", ".running", ".search")


class Round:
    def __init__(self, place, draw):
        self.place, self.draw = place, draw
        self.base = os.path.join(place, "base")
        prepare(self.base)
        self.begun, self.committed = files_of(self.base), points(self.base)
        self.whole, self.seconds = {}, {}
        self.sent, self.hit = collections.Counter(), collections.Counter()
        self.kept = self.resumed = 0

    def fresh(self):
        folder = os.path.join(self.place, "work")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.base, folder)
        return folder

    def reference(self, case):
        if case not in self.whole:
            folder, began = self.fresh(), time.monotonic()
            status, out, said = weft(folder, CASES[case])
            self.seconds[case] = time.monotonic() - began
            if status != 0:
                sys.exit(f"{case}: status {status} undisturbed\n{said}")
            self.whole[case] = contents(folder, self.begun), out
        return self.whole[case]

    def start(self, folder, case):
        return subprocess.Popen([WEFT, *CASES[case]], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, start_new_session=True)

    def strike(self, folder, case, sign, pause=0):
        """Sends it at a random moment; checks how the process ends and what it leaves."""
        before, process = points(folder), self.start(folder, case)
        time.sleep(self.draw.random() * 0.9 * self.seconds[case])
        self.sent[sign.name] += 1
        if process.poll() is None:
            self.hit[sign.name] += 1
            process.send_signal(sign)
        if sign == signal.SIGSTOP:
            time.sleep(pause)
            process.send_signal(signal.SIGCONT)
        said = process.communicate(timeout=300)[1].decode(errors="replace")
        where = f"weft {' '.join(CASES[case])}: {sign.name}: "
        right = {0, -sign}
        if sign in (signal.SIGTERM, signal.SIGINT) and case not in AT_ONCE:
            right.add(4)
        if sign == signal.SIGSTOP:
            right = {0}
        if process.returncode not in right:
            sys.exit(f"{where}status {process.returncode}\n{said}")
        if process.returncode == 4 and "the same command goes on" not in said:
            sys.exit(f"{where}the message does not say what to do\n{said}")
        self.check_left(folder, case, where)
        after = points(folder)
        lost = [key for key, value in before.items() if after.get(key) != value]
        if lost:
            sys.exit(f"{where}lost or run again: {lost}")
        self.kept += len(after) > len(self.committed)
        self.resumed += any(".checkpoint/" in name and name not in self.begun for name in files_of(folder))

    def check_left(self, folder, case, where):
        whole = self.whole[case][0]
        for name, data in contents(folder, self.begun).items():
            if name.endswith(PASSING) or ".checkpoint/" in name:
                continue
            if name not in whole:
                sys.exit(f"{where}a file that is not known: {name}")
            lines = isinstance(data, str) and set(data.splitlines()) <= set(whole[name].splitlines())
            if data != whole[name] and not (name.endswith(".weft") and (lines or "no point has finished" in data)):
                sys.exit(f"{where}{name} looks complete and is not\n{data[:400]}")

    def finish(self, folder, case):
        before = points(folder)
        status, out, said = weft(folder, CASES[case])
        whole, printed = self.whole[case]
        now, where = contents(folder, self.begun), f"weft {' '.join(CASES[case])} after signals: "
        if status != 0 or out != printed:
            sys.exit(f"{where}status {status}, or another output\n{said}")
        for name in sorted(set(now) | set(whole)):
            if now.get(name) != whole.get(name):
                sys.exit(f"{where}{name} differs, or is missing or left over\n{said}")
        after = points(folder)
        if any(after.get(key) != value for key, value in before.items()):
            sys.exit(f"{where}a committed point was run again")

    def round(self, sign, strikes, pause=0):
        case = self.draw.choice([name for name in VICTIMS if name in CASES])
        self.reference(case)
        folder = self.fresh()
        for _ in range(strikes):
            self.strike(folder, case, sign, pause)
        self.finish(folder, case)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--pause", type=float, default=2)
    parser.add_argument("--pauses", type=int, default=1)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    wanted = parser.parse_args()
    place = workshop()
    print(f"seed {wanted.seed}", flush=True)
    try:
        work = Round(place, random.Random(wanted.seed))
        # on a machine that is busy otherwise a signal often comes too late
        while work.hit["SIGKILL"] < wanted.count and work.sent["SIGKILL"] < 2 * wanted.count:
            work.round(signal.SIGKILL, work.draw.randint(1, 3))
            if work.sent["SIGKILL"] % 100 < 3:
                print(f"{work.sent['SIGKILL']} sent, {work.hit['SIGKILL']} hit", flush=True)
        for sign in (signal.SIGTERM, signal.SIGINT):
            for _ in range((wanted.count + 9) // 10):
                work.round(sign, 1)
        for _ in range(wanted.pauses):
            work.round(signal.SIGSTOP, 1, wanted.pause)
        told = ", ".join(f"{name} {count} ({work.hit[name]} before the end)" for name, count in work.sent.items())
        print(f"{told}; {work.kept} times points were committed, {work.resumed} times there was a checkpoint; 0 findings")
    finally:
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
