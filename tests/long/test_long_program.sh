#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A GOAL file of 1 GB on 1, 2 and 4 processes: it is read once, as a stream; every process keeps its own ranks alone, at most 40 B
# for each of their operations beside 24 MiB; the results are the same bytes.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
kind=$(mpi_kinds | sed -n 1p)
ranks=256
steps=${WEFT_STEPS:-24000}
operations=$((3 * ranks * steps))
awk -v ranks=$ranks -v steps="$steps" -f "$WEFT_SOURCE/tests/data/workloads/exchange.awk" >long.goal
cat >long.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [16, 16]}
router: {kind: input-queued, vcs: 4}
routing: {kind: dimension-order}
links: {flit: 64 B}
jobs:
  trace: {file: long.goal}
measure: {limit: {time: 20000 cycles}}
END
echo "$(stat -c %s long.goal) bytes, $operations operations"
cat >peak.sh <<'END'
exec /usr/bin/time -f 'peak %M %U' -o "peak-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" "$@"
END
for count in 1 2 4; do
    run 0 on_ranks "$kind" "$count" bash peak.sh "$WEFT" run long.yaml --quiet --new --results "$count.weft" \
        --ranks "$count" --threads 1
    "$WEFT" export "$count.weft" --format canonical >"$count.txt"
    diff 1.txt "$count.txt" || fail "$count processes: other results"
    for ((i = 0; i < count; i++)); do
        read -r _ peak seconds <"peak-$i"
        each=$(((peak * 1024 - 24 * 1024 * 1024) * count / operations))
        echo "process $i of $count: $((peak / 1024)) MiB, $each B an operation, $seconds s of a core"
        ((each <= 40)) || fail "$each B an operation"
    done
done
rm long.goal
