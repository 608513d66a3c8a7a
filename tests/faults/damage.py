# SPDX-License-Identifier: Apache-2.0
"""Files that were cut or have a flipped bit: results, checkpoints, fabrics and binary GOAL. Each is refused with a message that
names it, or gives what the whole file gives. Binary GOAL is LogGOPSim's format and has no checksum: flips that change a program
are counted and told.

    damage.py COUNT [--seed S]       so many flips and a fifth as many cuts of each
"""
import argparse
import os
import random
import shutil
import sys

from cases import CASES, files_of, main_guard, must, prepare, weft, workshop


def damage(path, draw, cut):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if cut:
        data = data[: draw.randrange(len(data))]
        what = f"cut to {len(data)} bytes"
    else:
        bit = draw.randrange(8 * len(data))
        if draw.random() < 0.8:  # most of a page is empty
            while data[bit // 8] == 0:
                bit = draw.randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8
        what = f"bit {bit % 8} of byte {bit // 8} flipped"
    with open(path, "wb") as file:
        file.write(data)
    return what


class Kind:
    """A file, the command that reads it, and whether another answer is a fault."""

    def __init__(self, name, file, command, checked=True, recovers=None):
        self.name, self.file, self.command, self.checked, self.recovers = name, file, command, checked, recovers

    def files(self, folder):
        return [name for name in files_of(folder) if name.startswith(self.file)]

    def answer(self, folder):
        status, out, said = weft(folder, self.command)
        if status == 0 and self.recovers:
            out = must(folder, self.recovers)
        return status, out, said


KINDS = [
    Kind("results", "done.weft", ["export", "done.weft", "--format", "canonical"]),
    Kind("checkpoint", "stopped.weft.checkpoint/", CASES["run-resume"],
         recovers=["export", "stopped.weft", "--format", "canonical"]),
    Kind("fabric", "small.weftnet", ["topology", "export", "small.weftnet", "--format", "edges"]),
    Kind("binary GOAL", "ring.goal.bin", ["workload", "time", "ring.goal.bin"], checked=False),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    wanted = parser.parse_args()
    main_guard()
    place, draw = workshop(), random.Random(wanted.seed)
    print(f"seed {wanted.seed}")
    try:
        base, folder = os.path.join(place, "base"), os.path.join(place, "work")
        prepare(base)
        must(base, CASES["import"])
        must(base, CASES["workload"])
        for kind in KINDS:
            shutil.copytree(base, folder)
            whole = kind.answer(folder)
            refused = same = other = 0
            for i in range(wanted.count + wanted.count // 5):
                shutil.rmtree(folder)
                shutil.copytree(base, folder)
                file = draw.choice(kind.files(folder))
                what = damage(os.path.join(folder, file), draw, i >= wanted.count)
                status, out, said = kind.answer(folder)
                where = f"{file}, {what}: "
                if status not in (0, 1) and (kind.checked or status != 3):
                    sys.exit(f"{where}status {status}\n{said}")
                if status != 0:
                    refused += 1
                    if kind.file.split("/")[0] not in said:
                        sys.exit(f"{where}the message does not name the file\n{said}")
                elif out == whole[1]:
                    same += 1
                elif kind.checked:
                    sys.exit(f"{where}another answer, unnoticed\n{said}")
                else:
                    other += 1
            shutil.rmtree(folder)
            print(f"{kind.name}: {refused} refused, {same} harmless, {other} other answers", flush=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
