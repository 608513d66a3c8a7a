#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What VLs get at a port of a simulated router whose inputs always have packets for it: the shares of
# tests/data/queueing/f_vlarb.csv, within the intervals of the run.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >port.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [2], hosts: 7}
routing: {kind: dimension-order}
links: {flit: 4 B}
router:
  kind: input-queued
  vcs: 3
  buffer: 2 packets
  sl2vl: [0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  scheduler: {kind: vl-arbitration, low-vls: [0, 1, 2], low-weights: [1, 1, 1]}
traffic:
  vl0: {from: 0-1, to: 6, sl: 0, load: 0.95, length: 2068 B}
  vl1: {from: 2-3, to: 6, sl: 1, load: 0.95, length: 2068 B}
  vl2: {from: 4-5, to: 6, sl: 2, load: 0.95, length: 2068 B}
measure: {warmup: 20000 cycles, half-width: 0.01%, limit: {time: 2000000 cycles}}
END
# shares WANTED SETTING...: of VLs 0, 1 and 2. A VL whose share is 0 has an entry in the low table that never gets a turn,
# or sends nothing.
shares() {
    local wanted=$1
    shift
    run 0 "$WEFT" run port.yaml --quiet --new --results port.weft "$@"
    run 0 "$WEFT" export port.weft
    awk -F, -v wanted="$wanted" '
        $1 == "accepted" && $2 ~ /^vl/ { n = substr($2, 3) + 0; value[n] = $5; total += $5; half[n] = ($7 - $6) / 2; all += half[n] }
        END {
            split(wanted, share, " ")
            for (n in value) {
                off = value[n] / total - share[n + 1]
                off = off < 0 ? -off : off
                printf "VL %d: share %.4f, expected %.4f ± %.4f\n", n, value[n] / total, share[n + 1], (half[n] + all) / total
                bad += off > (half[n] + all) / total || all / total > 0.02
            }
            exit bad || length(value) != 3
        }' out || fail "$*: other shares"
}
quiet='traffic.vl2.load=0.000001'
small=(traffic.vl0.length='64 B' traffic.vl1.length='64 B' measure.limit.time='200000 cycles')
low='router.scheduler.low-weights'
shares '0.5 0.5 0' "$quiet" "${small[@]}" "$low=[20,20,1]"
shares '0.75 0.25 0' "$quiet" "${small[@]}" "$low=[30,10,1]"
shares '0.5 0.5 0' "$quiet" "$low=[20,20,1]"
shares '0.5 0.5 0' "$quiet" "$low=[30,10,1]"
shares '0.727273 0.272727 0' "$quiet" "$low=[255,85,1]"
shares '0.8 0.2 0' "$quiet" "$low=[132,33,1]"
shares '0.651954 0.348046 0' "$quiet" traffic.vl1.length='276 B' "$low=[20,20,1]"
high=('router.scheduler.high-vls=[1]' 'router.scheduler.high-weights=[255]' 'router.scheduler.low-vls=[0,2]')
shares '0.333333 0.666667 0' "$quiet" "${high[@]}" router.scheduler.limit=1 "$low=[255,1]"
shares '0.111111 0.888889 0' "$quiet" "${high[@]}" router.scheduler.limit=4 "$low=[255,1]"
shares '0 1 0' "$quiet" "${high[@]}" router.scheduler.limit=255 "$low=[255,1]"
shares '0.027778 0.888889 0.083333' "${high[@]}" router.scheduler.limit=4 "$low=[30,90]"
# The same at the port of one endpoint, which sends on all VLs to three others, whose own links carry all they get.
one=(traffic.vl0.from=0 traffic.vl1.from=0 traffic.vl2.from=0 traffic.vl0.to=6 traffic.vl1.to=5 traffic.vl2.to=4)
shares '0.75 0.25 0' "$quiet" "${one[@]}" "${small[@]}" "$low=[30,10,1]"
shares '0.727273 0.272727 0' "$quiet" "${one[@]}" "$low=[255,85,1]"
own=(endpoint.scheduler.kind=vl-arbitration 'endpoint.scheduler.high-vls=[1]' 'endpoint.scheduler.high-weights=[255]'
    'endpoint.scheduler.low-vls=[0,2]' 'endpoint.scheduler.low-weights=[30,90]' endpoint.scheduler.limit=4)
shares '0.027778 0.888889 0.083333' "${one[@]}" "${own[@]}"
