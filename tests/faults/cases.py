# SPDX-License-Identifier: Apache-2.0
# The commands that write, each with its files, and what a folder holds afterwards. Shared by sweep.py, kills.py and damage.py.
import json
import os
import shutil
import subprocess
import sys
import tempfile

WEFT = os.environ["WEFT"]
SOURCE = os.environ["WEFT_SOURCE"]
SHIM = os.path.join(os.environ["WEFT_BUILD"], "tests", "libfaults.so")

GRID = """interweft: 1
title: Points to disturb
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive, selection: random}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {by: hops, series: 2000 cycles, links: all, half-width: 5%, limit: {packets: 3000}}
vary: {traffic.all.rho: [0.1, 0.3, 0.5]}
"""
POINT = """interweft: 1
title: A point to disturb
topology: {kind: torus, dims: [4, 4]}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 0.1%, limit: {time: 2500 cycles}}
"""
STUDY = """interweft-study: 1
seeds: 2
vary: {traffic.all.rho: [0.1, 0.3]}
figures: {latency: {y: mean}}
tables: {numbers: {columns: [accepted, mean]}}
scenarios:
  small: {scenario: point.yaml}
"""
PLAN = """interweft-plan: 1
title: A small machine
endpoints: 64
switch: {ports: 16}
simulate: 0
"""
CASES = {
    "run": ["run", "grid.yaml", "--quiet"],
    "run-jobs": ["run", "grid.yaml", "--quiet", "--jobs", "2"],
    "run-checkpoint": ["run", "point.yaml", "--quiet", "--checkpoint", "0.000001s"],
    "run-resume": ["run", "stopped.yaml", "--quiet"],
    "run-extend": ["run", "old.yaml", "--quiet"],
    "run-part": ["run", "grid.yaml", "--quiet", "--points", "1-2", "--part", "some.part"],
    "saturate": ["saturate", "point.yaml", "--quiet", "--results", "knee.weft"],
    "study": ["study", "paper.yaml", "--quiet"],
    "sensitivity": ["sensitivity", "point.yaml", "--vary", "traffic.all.rho", "--seeds", "2",
                    "--quiet", "-o", "factors.csv", "--results", "factors.weft"],
    "plan": ["plan", "plan.yaml", "--csv", "plan.csv", "--html", "plan.html", "--write", "candidates"],
    "report": ["report", "done.weft"],
    "report-csv": ["report", "done.weft", "--csv", "done.csv", "--tex", "done.tex"],
    "report-svg": ["report", "done.weft", "--svg", "done.svg", "--png", "done.png"],
    "export": ["export", "done.weft", "--format", "json", "-o", "done.json"],
    "explain": ["explain", "queued.weft", "--svg", "tree.svg"],
    "compare": ["compare", "done.weft", "other.weft", "--svg", "both.svg"],
    "import": ["import", "edges", "small.edges", "-o", "small.weftnet"],
    "import-booksim": ["import", "booksim", "mesh.cfg", "-o", "booksim.yaml"],
    "workload": ["import", "workload", "ring.goal", "-o", "ring.goal.bin"],
    "crossbar": ["crossbar", "search", "n=3", "d=4", "scheduler=islip", "--quiet", "--results", "worst.weft"],
    "topology": ["topology", "export", "point.yaml", "--format", "edges", "-o", "net.edges"],
    "model": ["model", "mm1", "lambda=0.1/0.9/0.1", "--svg", "mm1.svg"],
    "check": ["check", "mesh.yaml", "--worst", "--witness", "worst.csv"],
}
if not shutil.which("gnuplot"):
    CASES = {name: words for name, words in CASES.items() if "--svg" not in words}


def weft(folder, arguments, more=None, **options):
    """Runs weft in a folder; returns (status, output, complaints), a negative status for a signal."""
    environment = dict(os.environ, **(more or {}))
    done = subprocess.run([WEFT, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=300, **options)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def must(folder, arguments):
    status, out, said = weft(folder, arguments)
    if status != 0:
        sys.exit(f"weft {' '.join(arguments)}: status {status}\n{out}{said}")
    return out


def workshop():
    """A folder in memory if there is one: what is tested is not the disk."""
    place = os.environ.get("TMPDIR") or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    return tempfile.mkdtemp(prefix="faults-", dir=place)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def prepare(base):
    """The files that the cases begin with."""
    os.makedirs(base)
    write(base, "grid.yaml", GRID)
    write(base, "point.yaml", POINT)
    write(base, "stopped.yaml", POINT.replace("2500", "20000"))
    write(base, "old.yaml", GRID.replace("0.1, 0.3, 0.5", "0.2, 0.4"))
    write(base, "paper.yaml", STUDY)
    write(base, "plan.yaml", PLAN)
    write(base, "mesh.yaml", POINT.replace("torus", "mesh"))
    shutil.copy(f"{SOURCE}/tests/data/fabrics/small.edges", base)
    shutil.copy(f"{SOURCE}/tests/data/workloads/allreduce-ring-4x4096.goal", f"{base}/ring.goal")
    shutil.copy(f"{SOURCE}/tests/data/booksim/mesh.cfg", base)
    must(base, ["run", "grid.yaml", "--quiet", "--results", "done.weft"])
    must(base, ["run", "grid.yaml", "--quiet", "--results", "other.weft", "seed=2"])
    must(base, ["run", "mesh.yaml", "--quiet", "router={kind: input-queued, vcs: 2}", "--results", "queued.weft"])
    must(base, ["run", "old.yaml", "--quiet", "traffic.all.rho=[0.2, 0.3]", "--results", "old.weft"])
    if os.path.exists(SHIM):
        stop_at_checkpoint(base)
    else:  # a sanitizer: from the start, then
        write(base, "stopped.yaml", POINT)


def stop_at_checkpoint(base):
    """stopped.weft.checkpoint: what a run leaves that cannot commit its point."""
    environment = {"LD_PRELOAD": SHIM, "FAULT_FOLDER": base, "FAULT_KIND": "sync", "FAULT_AT": "80", "FAULT_FOR": "100000"}
    status, _, said = weft(base, ["run", "stopped.yaml", "--quiet", "--checkpoint", "0.000001s"], environment)
    if status != 4 or not os.path.isdir(os.path.join(base, "stopped.weft.checkpoint")):
        sys.exit(f"no checkpoint to go on from (status {status}): {said}")


def files_of(folder):
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(place, name), folder) for name in names]
    return sorted(found)


def holds(folder, name):
    """What counts of a file: the bytes, of results the canonical text."""
    path = os.path.join(folder, name)
    if name.endswith(".weft") or name == "some.part":
        status, out, said = weft(folder, ["export", name, "--format", "canonical"])
        return out if status == 0 else f"status {status}: {said}"
    with open(path, "rb") as file:
        data = file.read()
    return b"" if name.endswith(".progress") else data


def contents(folder, begun):
    """All files but those it began with, unless they are results."""
    return {name: holds(folder, name) for name in files_of(folder) if name.endswith(".weft") or name not in begun}


def points(folder):
    """Every committed point with what only its own run can know."""
    found = {}
    for name in files_of(folder):
        if not name.endswith(".weft"):
            continue
        status, out, _ = weft(folder, ["export", name, "--format", "json"])
        for point in json.loads(out)["points"] if status == 0 else []:
            key = name, point["key"]
            if key in found:
                sys.exit(f"{name}: the point '{point['key']}' is there twice")
            found[key] = point["wall_seconds"]
    return found


def main_guard():
    if not os.path.exists(SHIM):
        print("skipped: there is no", SHIM)
        sys.exit(77)
