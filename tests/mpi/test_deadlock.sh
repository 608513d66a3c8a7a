#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A deadlock that spans ranks is found at the same tick and told in the same words as by one process.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [12, 12]}
router: {kind: input-queued, vcs: 3, buffer: 4 flits}
routing: {kind: dimension-order}
traffic:
  bad: {pattern: uniform, length: 4 flits, load: 0.4, vcs: [0], routing: {kind: dimension-order, dateline: none}}
  good: {pattern: uniform, length: 4 flits, load: 0.05, vcs: [1, 2]}
measure: {warmup: 0 cycles, limit: {time: 20000 cycles}}
END
run 3 "$WEFT" run torus.yaml --quiet --new --results one.weft
grep -o 'deadlock at tick.*' err >wanted
has wanted 'while others do: router '
for kind in $(mpi_kinds); do
    for count in 2 3 4; do
        run 3 on_ranks "$kind" "$count" "$WEFT" run torus.yaml --quiet --new --results ours.weft \
            --ranks "$count"
        grep -o 'deadlock at tick.*' err | sort -u >found
        diff wanted found || fail "$count ranks of $kind tell another deadlock"
    done
done
echo "the same on 2, 3 and 4 ranks: $(cut -c1-60 wanted) …"

# What only the first rank of a small network meets is told once, and ends all of them.
cat >drops.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 1, hosts: 2}
router: {kind: queue, service: 50 cycles, capacity: 5}
traffic: {all: {length: 1 flit, load: 0.006}}
measure: {half-width: 10%, limit: {packets: 100}}
END
run 1 "$WEFT" saturate drops.yaml --results drops.weft
cp err wanted
for kind in $(mpi_kinds); do
    run 1 on_ranks "$kind" 2 "$WEFT" saturate drops.yaml --new --results theirs.weft
    [[ $(cat out err) != *MPI_ERR* ]] || fail "saturate breaks off inside $kind"
    has err "$(head -1 wanted)"
done
# A search that all ranks make together has the answer of one, at once and from its file.
sed 's/, capacity: 5//; s/^measure.*/measure: {limit: {packets: 1000}}\nvary: {seed: [1, 2]}/' drops.yaml >grows.yaml
run 0 "$WEFT" saturate grows.yaml --tolerance 0.004 --quiet --results grows.weft
grep -v '^results in' out >wanted
for kind in $(mpi_kinds); do
    for new in --new --quiet; do
        run 0 on_ranks "$kind" 2 "$WEFT" saturate grows.yaml --tolerance 0.004 --quiet $new --results "$kind.weft"
        grep -v '^results in' out | diff wanted - || fail "another answer on 2 ranks of $kind"
    done
done
