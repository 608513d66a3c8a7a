# SPDX-License-Identifier: Apache-2.0
"""Every command that writes, with a fault at its 1st, 2nd, … n-th call below its folder (shim.c): it fails with a message
that names a file and a reason, or goes on to the end; no file looks complete and is not; the same command run again gives the
bytes of a run that was left alone, and runs no committed point again.

    sweep.py [CASE …]              at all calls
    sweep.py --sample N [CASE …]   at N per case, kind and length
    sweep.py --draw N              N in all, of any case; --seed S repeats them
"""
import argparse
import os
import random
import shutil
import sys

from cases import CASES, SHIM, contents, files_of, main_guard, points, prepare, weft, workshop

REASONS = {
    "enospc": ["No space left", "full", "no room"],
    "eio": ["Input/output error", "I/O error"],
    "sync": ["Input/output error", "I/O error"],
    "read": ["Input/output error", "I/O error"],
}
KINDS = ("enospc", "eio", "short", "sync", "read")
EVER = 10**9
TRANSIENT = (".lock", "-journal", ".part", ".running", ".new", ".search")


class Finding(Exception):
    pass


def need(holds, text):
    if not holds:
        raise Finding(text)


def fault(folder, kind, at, count, log):
    if os.path.exists(log):
        os.unlink(log)
    with open(log + ".count", "wb") as file:
        file.write(bytes(4096))
    return {"LD_PRELOAD": SHIM, "FAULT_FOLDER": folder, "FAULT_KIND": kind, "FAULT_AT": str(at), "FAULT_FOR": str(count),
            "FAULT_LOG": log, "FAULT_COUNT": log + ".count"}


def struck(log):
    """Calls that were counted, and the files of those that failed."""
    with open(log, encoding="utf-8") as file:
        lines = [line.split(" ") for line in file.read().splitlines()] if os.path.exists(log) else []
    return len(lines), [(line[1], line[2]) for line in lines if line[-1] != "-"]


class Sweep:
    def __init__(self, place):
        self.place = place
        self.base = os.path.join(place, "base")
        prepare(self.base)
        self.begun = files_of(self.base)
        self.whole, self.calls, self.messages = {}, {}, {}
        self.tried = self.harmless = self.failed = 0

    def fresh(self):
        folder = os.path.join(self.place, "work")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.base, folder)
        return folder

    def reference(self, case):
        if case not in self.whole:
            folder = self.fresh()
            status, out, said = weft(folder, CASES[case])
            if status != 0:
                sys.exit(f"{case}: status {status} undisturbed\n{said}")
            self.whole[case] = contents(folder, self.begun), out
        return self.whole[case]

    def try_one(self, case, kind, at, count):
        try:
            self.trial(case, kind, at, count)
        except Finding as finding:
            print(f"FINDING {finding}", flush=True)
            return 1
        return 0

    def count(self, case, kind):
        """How many calls of a kind an undisturbed run makes."""
        if (case, kind) in self.calls:
            return self.calls[case, kind]
        log, folder = os.path.join(self.place, "log"), self.fresh()
        open(log, "w").close()
        status, _, said = weft(folder, CASES[case], fault(folder, kind, 0, 0, log))
        if status != 0:
            sys.exit(f"{case}: status {status} with the shim alone\n{said}")
        self.calls[case, kind] = struck(log)[0] if os.path.exists(log) else 0
        return self.calls[case, kind]

    def trial(self, case, kind, at, count):
        log, folder = os.path.join(self.place, "log"), self.fresh()
        whole, printed = self.reference(case)
        status, out, said = weft(folder, CASES[case], fault(folder, kind, at, count, log))
        hits = struck(log)[1] if os.path.exists(log) else []
        if not hits:
            return
        self.tried += 1
        where = f"weft {' '.join(CASES[case])}: {kind} at {at}{' and after' if count > 1 else ''} ({hits[0][0]} {os.path.basename(hits[0][1])}): "
        need(status >= 0, f"{where}killed by signal {-status}\n{said}")
        need(status in (0, 1, 4), f"{where}status {status}\n{said}")
        need(kind != "short" or status == 0, f"{where}a short write is no failure\n{said}")
        now = contents(folder, self.begun)
        if status == 0:
            self.harmless += 1
            need(out == printed, f"{where}status 0, but other output\n{said}")
        else:
            self.failed += 1
            self.check_message(where, kind, hits, said)
        self.check_files(where, now, whole, status)
        if kind == "enospc" and status != 0:
            left = [name for name in files_of(folder) if name.endswith((".lock", ".part", ".running")) and name not in whole]
            need(not left, f"{where}left over: {left}\n{said}")
        before = points(folder)
        status, out, again = weft(folder, CASES[case])
        if status == 1 and "remove it if nobody writes there" in again and kind == "eio":
            for name in files_of(folder):  # a lock that could not be removed: as the message says
                if name.endswith(".lock"):
                    os.unlink(os.path.join(folder, name))
            status, out, again = weft(folder, CASES[case])
        need(status == 0, f"{where}the same command again: status {status}\n{said}--\n{again}")
        need(out == printed, f"{where}the same command again prints something else")
        now = contents(folder, self.begun)
        for name in sorted(set(now) | set(whole)):
            need(now.get(name) == whole.get(name), f"{where}{name} differs in the end, or is missing or left over\n{said}--\n{again}")
        after = points(folder)
        need(all(after.get(key) == value for key, value in before.items()), f"{where}a committed point was run again")

    def check_message(self, where, kind, hits, said):
        need(said.strip(), f"{where}fails without a word")
        names = {os.path.basename(path.removesuffix(" (deleted)")) for _, path in hits}
        stems = {name.split(".")[0] for name in names}
        need(any(stem in said for stem in stems if stem) or any(os.path.dirname(p) in said for _, p in hits),
             f"{where}the message does not name the file\n{said}")
        need(any(reason in said for reason in REASONS[kind]), f"{where}the message does not give the reason\n{said}")
        shape = said.strip().splitlines()[-1]
        self.messages.setdefault(shape, where)

    @staticmethod
    def check_files(where, now, whole, status):
        for name, data in now.items():
            if name.endswith(TRANSIENT) or ".checkpoint/" in name or ".new/" in name:
                continue
            if name not in whole:
                raise Finding(f"{where}a file that is not known: {name}")
            if name.endswith(".weft") and isinstance(data, str) and data != whole[name]:
                lines = set(whole[name].splitlines())
                need(status != 0, f"{where}{name} is not whole, and the status is 0")
                need(data.startswith("status 1") and "no point has finished" in data or set(data.splitlines()) <= lines,
                     f"{where}{name} holds what it should not:\n{data[:400]}")
            elif not name.endswith(".weft"):
                need(data == whole[name], f"{where}{name} looks complete and is not (status {status})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("cases", nargs="*")
    wanted = parser.parse_args()
    main_guard()
    place, findings = workshop(), 0
    draw = random.Random(wanted.seed)
    print(f"seed {wanted.seed}")
    try:
        sweep = Sweep(place)
        for _ in range(wanted.draw):
            case, kind = draw.choice(list(wanted.cases or CASES)), draw.choice(KINDS)
            calls = sweep.count(case, kind)
            if calls:
                findings += sweep.try_one(case, kind, draw.randint(1, calls), draw.choice((1, EVER)))
        for case in [] if wanted.draw else wanted.cases or CASES:
            for kind in KINDS:
                calls = sweep.count(case, kind)
                for count in (1, EVER):
                    where = list(range(1, calls + 1))
                    if wanted.sample and len(where) > wanted.sample:
                        where = sorted(draw.sample(where, wanted.sample))
                    for at in where:
                        findings += sweep.try_one(case, kind, at, count)
            print(f"{case}: {sweep.tried} faults until now", flush=True)
        for shape, where in sorted(sweep.messages.items()):
            print(f"  {shape.replace(place, '…')}")
        print(f"{sweep.tried} faults: {sweep.failed} refused with a message, {sweep.harmless} gone on; {findings} findings")
    finally:
        shutil.rmtree(place, ignore_errors=True)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
