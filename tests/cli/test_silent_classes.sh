#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What has not arrived, ended or begun is told: classes that get nothing through, jobs that a limit ends, spans below a tick,
# traffic that stops before its saturation.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >starved.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [2], hosts: 5}
routing: {kind: dimension-order}
links: {flit: 4 B}
router:
  kind: input-queued
  vcs: 2
  buffer: 2 packets
  sl2vl: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
  scheduler: {kind: vl-arbitration, low-vls: [0, 1], low-weights: [30, 10], high-vls: [1], high-weights: [10], limit: 255}
traffic:
  gold: {from: 0-1, to: 4, sl: 0, load: 0.9, length: 64 B}
  silver: {from: 2-3, to: 4, sl: 8, load: 0.9, length: 64 B}
measure: {limit: {time: 20000 cycles}, half-width: 5%}
END
run 0 "$WEFT" run starved.yaml --quiet --columns accepted,mean
grep -qE '^gold +0 *$' out || { cat out; fail 'a class that gets nothing through has no row'; }
grep -qE '^silver +0\.49' out || { cat out; fail 'no row of the other class'; }
run 0 "$WEFT" run starved.yaml --quiet --new 'vary.seed=[1, 2]' --columns accepted,mean
[[ $(grep -cE '^gold +[12] +0 *$' out) -eq 2 ]] || { cat out; fail 'a class that gets nothing through has no row in a table'; }

cat >late.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: full, routers: 4}
links: {flit: 64 B, rate: 100 Gb/s, latency: 10 ns}
router: {kind: input-queued, vcs: 2, buffer: 64 flits}
routing: {kind: dimension-order}
endpoint: {mtu: 2 KiB}
host: {overhead: 200 ns}
jobs: {a: {collective: allreduce/ring, ranks: 4, size: 64 KiB, start: 5 us}}
END
run 0 "$WEFT" run late.yaml --quiet --columns completion,ideal
python3 - out <<'END' || { cat out; fail 'no completion from the start of the only job'; }
import sys
words = [line.split() for line in open(sys.argv[1])]
run = next(float(w[1]) for w in words if w[:1] == ["completion"])
ideal = next(float(w[1]) for w in words if w[:1] == ["ideal"])
job = next(float(w[1]) for w in words if w[:1] == ["a"])
assert job == run - 5000 and job >= ideal, (run, job, ideal)
END
run 0 "$WEFT" run late.yaml --quiet --new --columns completion measure.limit.time='6 us'
has out 'nothing to show of these columns; the run ended with: limit time: job a has 4 of 4 ranks left'

# Gaps hold senders alone, in the network and in what would be ideal.
cat >gaps.yaml <<'END'
interweft: 1
topology: {kind: full, routers: 8}
links: {flit: 1 B, local: {latency: 98 cycles}}
router: {kind: output-queued, variant: VCT}
host: {overhead: 10 cycles}
jobs: {a: {collective: gather/binomial, ranks: 5, size: 1000 B}}
vary: {host.gap: [1 cycle, 64 cycles, 1000 cycles], jobs.a.collective: [gather/binomial, allreduce/tree, all-to-all/linear]}
END
run 0 "$WEFT" run gaps.yaml --quiet
run 0 "$WEFT" export gaps.weft
python3 - out <<'END' || fail 'a job is faster than its ideal'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["name"] == "slowdown" and r["by"] == "ideal"]
assert len(rows) == 9 and all(float(r["value"]) >= 1 for r in rows), rows
END
# nccl-tests: (n - 1)/n of the algorithm's, of a gather too.
run 0 "$WEFT" workload time gather/binomial ranks=2 size=1000 latency=100 overhead=10 gap=1 per-byte=1
awk '/^algorithm bandwidth/ { a = $3 } /^bus bandwidth/ { b = $3 } END { exit !(b > 0.4999 * a && b < 0.5001 * a) }' out || { cat out; fail 'bus bandwidth'; }

# Half a tick of a limit, a bin or a deadline is a tick, not none.
cat >ns.yaml <<'END'
interweft: 1
clock: 195.3125 MHz
topology: {kind: torus, dims: [4, 4]}
links: {flit: 64 B, rate: 100 Gb/s}
traffic: {a: {pattern: uniform, length: 512 B, load: 0.2, deadline: 2 ns}}
measure: {half-width: 50%, limit: {packets: 500}}
END
run 0 "$WEFT" run ns.yaml --quiet --columns in-time
grep -qE '^ +in-time +0$' out || { cat out; fail 'no deadline'; }
run 0 "$WEFT" run ns.yaml --quiet --new measure.limit.time='2 ns' --columns time
has out '5.12 ns'
run 0 "$WEFT" run ns.yaml --quiet --new measure.series='2 ns'
python3 -c 'import sqlite3; assert sqlite3.connect("ns.weft").execute("SELECT count(*) FROM series").fetchone()[0] > 0' ||
    fail 'no series'

run 1 "$WEFT" saturate ns.yaml traffic.a.stop='2000 cycles' --quiet
has err 'traffic.a has a stop, behind which its load is gone: saturation is of traffic that goes on'
# Routers are named as links are.
run 0 "$WEFT" check ns.yaml routing=up-down "faults.named='(0,0) - (0,1)'"
