#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same result bytes for any number of ranks, threads and blocks, under each MPI. WEFT_EACH=1: each number of ranks with one
# thread and with two, as .ci/long does.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"

# same KIND RANKS FLAG...: on so many ranks the scenario gives the bytes of the sequential run.
same() {
    local kind=$1 count=$2
    shift 2
    run 0 on_ranks "$kind" "$count" "$WEFT" run "$scenario" --quiet --new --results ours.weft \
        --ranks "$count" "$@"
    [[ $(canonical ours.weft) == "$sequential" ]] || {
        diff <("$WEFT" export one.weft --format canonical) \
            <("$WEFT" export ours.weft --format canonical) | head -20 || true
        fail "$name: $count ranks of $kind $* give other results than one process"
    }
    compared=$((compared + 1))
}
# sequential FOLDER/NAME: chooses a scenario and runs it in one process, in one block.
sequential() {
    name=${1##*/}
    scenario=$WEFT_SOURCE/tests/${1%/*}/scenarios/$name.yaml
    run 0 "$WEFT" run "$scenario" --quiet --new --blocks 1 --results one.weft
    sequential=$(canonical one.weft)
    compared=0
}
report() {
    echo "$name: $compared runs like the sequential one, ${sequential:0:16}"
}

mapfile -t kinds < <(mpi_kinds)
first=${kinds[0]}
for name in adaptive-torus classes-4d mesh-seconds; do
    sequential "mpi/$name"
    run 0 "$WEFT" run "$scenario" --quiet --new --results ours.weft --threads 2 --blocks 9
    [[ $(canonical ours.weft) == "$sequential" ]] || fail "$name: other results on 2 threads"
    for count in 1 2 3 4 8; do
        same "$first" "$count" --threads $((1 + count % 3 % 2)) --blocks 9
        if [[ ${WEFT_EACH:-} || $count == 8 ]]; then
            same "$first" "$count" --blocks 9
            same "$first" "$count" --threads 2 --blocks 24
        fi
    done
    for kind in "${kinds[@]:1}"; do
        for count in 2 4 8; do
            same "$kind" "$count"
        done
        same "$kind" 3 --threads 2 --blocks 24
    done
    report
done

# A fabric by the tables of a subnet manager; tests/long/test_infiniband_large.sh has one of 3,456 hosts.
sequential mpi/infiniband
for kind in "${kinds[@]}"; do
    same "$kind" 2
    same "$kind" 3 --blocks 5
done
report

# Programs on the network: three jobs and background traffic.
sequential mpi/jobs
for count in 1 2 3 4; do
    same "$first" "$count" --threads $((1 + count % 2)) --blocks 8
done
for kind in "${kinds[@]:1}"; do
    same "$kind" 3 --threads 2
done
report

# Phases: idle stretches are skipped on all processes at once.
sequential mpi/phases
for count in 2 3; do
    same "$first" "$count" --threads 2 --blocks 8
done
for kind in "${kinds[@]:1}"; do
    same "$kind" 2
done
report

# Nothing divides the sizes, and there are more ranks than blocks, or than a line has routers.
sequential mpi/odd-torus
for kind in "${kinds[@]}"; do
    same "$kind" 2
    same "$kind" 3 --blocks 2
    same "$kind" 6 --threads 2 --blocks 35
done
same "$first" 12 --blocks 35
same "$first" 12 --threads 2 --blocks 24
report

# All of an InfiniBand device at once.
sequential determinism/router-infiniband
for count in 1 2 3 4; do
    same "$first" "$count" --threads $((1 + count % 2))
done
for kind in "${kinds[@]:1}"; do
    same "$kind" 3 --threads 2
done
report

# The input-queued router with its options: each number of ranks, with one thread or two, in few blocks or many.
for name in fifo voq adaptive butterfly stage endpoints devices bursts wide; do
    sequential "determinism/router-$name"
    same "$first" 1 --threads 2 --blocks 24
    same "$first" 2
    same "$first" 3 --threads 2 --blocks 9
    same "$first" 4 --blocks 24
    same "$first" 8 --threads 2 --blocks 24
    [[ ! ${WEFT_EACH:-} ]] || same "$first" 8
    for kind in "${kinds[@]:1}"; do
        same "$kind" 2 --threads 2 --blocks 9
        same "$kind" 8 --blocks 24
    done
    report
done

# Other topologies and routings: trees, dragonflies, hierarchies, imported graphs; zones, detours that look at queues,
# tables of up and down, classes with routings of their own, VLs by weight, links that fail; one queue per router, events as in a list.
for name in router-fat-tree router-stages router-ugal router-megafly router-par router-zone router-imported router-classes router-congestion \
    router-notification router-faults router-jobs router-links router-pause router-vls torus-of-groups shared-queue-list; do
    sequential "determinism/$name"
    same "$first" 4
    same "$first" 3 --threads 2 --blocks 7
    for kind in "${kinds[@]:1}"; do
        same "$kind" 2
    done
    report
done

# How each topology is cut: by subtrees, stages, groups, both halves, along full lines; at random and imported, by ranges.
for name in router-fat-tree router-butterfly router-ugal router-megafly router-slim-fly flattened-butterfly router-random router-imported; do
    sequential "determinism/$name"
    for count in 2 3 8; do
        same "$first" "$count" --blocks $((3 * count))
    done
    report
done
