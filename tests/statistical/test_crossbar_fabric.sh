#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same scheduler objects in a router of the simulator and in the laboratory: a fabric of one router with VOQ, packets
# of one flit and buffers that never fill accepts as much as the laboratory's switch serves when cells arrive by lot.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

printf '0,2,1,5\n3,0,5,0\n1,4,0,3\n4,2,2,0\n' >matrix.csv
cat >switch.yaml <<'YAML'
interweft: 1
topology: {kind: full, routers: 1, hosts: 4}
router: {kind: input-queued, vcs: 1, buffer: 1000000 flits, queues: voq, scheduler: {kind: islip}}
traffic:
  all: {length: 1 flits, load: 1, arrival: bernoulli, pattern: {kind: matrix, file: matrix.csv}}
measure: {limit: {time: 60000 cycles}, warmup: 10000 cycles, half-width: 0.00001}
vary: {seed: {from: 1, to: 8, step: 1}}
YAML
# compare SETTING...: of the scheduler, by Welch's score of 8 seeds against 32 batches, whose 95 % interval is 2.04
# standard errors.
compare() {
    run 0 "$WEFT" run switch.yaml "${@/#/router.scheduler.}" --quiet --results fabric.weft --new
    "$WEFT" export fabric.weft >fabric.csv
    run 0 "$WEFT" crossbar run matrix=matrix.csv "${@/#/scheduler.}" --slots 1
    awk -v line="$(grep '^by lot' out)" -v what="$*" -F, '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["name"] == "accepted" && $at["class"] == "" && $at["by"] == "" { n++; s += $at["value"]; q += $at["value"]^2 }
            END {
                split(line, w, /[][ ,]+/); theirs = w[3]; error = (w[5] - w[4]) / 2 / 2.04
                mean = s / n; own = sqrt((q / n - mean^2) / (n - 1))
                z = (mean - theirs) / sqrt(own^2 + error^2)
                printf "%s: fabric %.4f ± %.4f, laboratory %.4f ± %.4f, score %.2f\n", what, mean, own, theirs, error, z
                exit !(n == 8 && z < 4 && z > -4) }' fabric.csv || fail "$* differs"
}
compare kind=wavefront
for kind in islip rrm firm drrm2 pim; do
    compare kind=$kind iterations=1
    compare kind=$kind iterations=3
done
