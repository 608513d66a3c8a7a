#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two ranks of Open MPI and of MPICH under valgrind's memcheck: a network divided between them, run to its end.
# Errors and lost memory with the program or its module in the four innermost frames are findings; what the libraries of MPI do among themselves is theirs.
#
#     WEFT_MPIS=openmpi       only this one
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
command -v valgrind >/dev/null || { echo 'skipped: valgrind is needed'; exit 77; }
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 4, buffer: 16 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.2}}
measure: {half-width: 50%, limit: {packets: 600}}
END
memcheck=(valgrind --xml=yes --xml-file=memcheck.%p.xml --leak-check=full --show-leak-kinds=definite)
open_mpi=/usr/share/openmpi/openmpi-valgrind.supp
[[ ! -r $open_mpi ]] || memcheck+=(--suppressions="$open_mpi")
# judge NAME: no error in any report has a frame of a file of ours.
judge() {
    python3 - "$1" memcheck.*.xml <<'END' || fail "$1: memcheck has findings"
import sys
import xml.etree.ElementTree as tree

what, *reports = sys.argv[1:]
ours, theirs = [], 0
for report in reports:
    for error in tree.parse(report).iter("error"):
        stack = error.find("stack")
        objects = [(frame.findtext("obj") or "").rsplit("/", 1)[-1] for frame in stack.iter("frame")]
        if any(name.startswith(("weft", "interweft")) for name in objects[:4]):
            ours.append(f"{error.findtext('kind')}: {' < '.join(f.findtext('fn') or '?' for f in list(stack.iter('frame'))[:6])}")
        else:
            theirs += 1
print(f"{what}: {len(reports)} processes, {len(ours)} findings of ours, {theirs} inside the libraries of MPI")
print("\n".join(ours))
sys.exit(bool(ours) or not reports)
END
    rm -f memcheck.*.xml
}
for kind in ${WEFT_MPIS:-$(mpi_kinds)}; do
    run 0 on_ranks "$kind" 2 "${memcheck[@]}" "$WEFT" run torus.yaml --results "$kind.weft" --quiet --threads 1
    judge "$kind, a run on 2 ranks"
done
