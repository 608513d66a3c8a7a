#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft saturate where its answer is not one load: congestion, runs that end before they can tell, what is accepted in runs that
# are too short, and the same answer again from its file. (tests/statistical/test_saturate.sh: are the loads right?)
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# saturate ARGUMENT...: the answer is in ./out.
saturate() {
    run 0 "$WEFT" saturate "$@" --quiet --jobs 1
}
# probes RESULTS: verdicts and loads of its runs, one after the other.
probes() {
    "$WEFT" export "$1" | awk -F, '/^offered load,/ { print $10, $5 }'
}

# A ring of 16 with small buffers carries less once it is congested; of a load between no run could tell in time.
cat >ring.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [16]}
router: {kind: input-queued, vcs: 2, buffer: 4 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.3}
measure: {limit: {packets: 20000}}
vary: {seed: [1, 2]}
END
saturate ring.yaml --tolerance 0.05
is out 'seed=1
  saturation   load 0.1097 … 0.2151 (fraction of injection bandwidth), rho 0.2341
  congestion   an empty network carries up to 0.1351, a congested one 0.1076
  wide because a run at 0.1751 ended at measure.limit.packets, after 23305 packets, before it could tell; allow more
  bound        0.4687
  accepted     0.1076 [0.1054, 0.1097] at offered 1.0
seed=2
  saturation   load 0.1161 … 0.2203 (fraction of injection bandwidth), rho 0.2477
  congestion   an empty network carries up to 0.1403, a congested one 0.1128
  wide because a run at 0.1803 ended at measure.limit.packets, after 24161 packets, before it could tell; allow more
  bound        0.4687
  accepted     0.1128 [0.1095, 0.1161] at offered 1.0'
# The same from the file, which stays as it is.
cp out found
canonical ring-saturation.weft >before
saturate ring.yaml --tolerance 0.05
diff out found || fail 'another answer from the file'
canonical ring-saturation.weft | diff - before
run 0 "$WEFT" report ring-saturation.weft
has out "$(cat found)"

# A ring in ns with buffers twice as large, the load given for two classes together.
cat >time.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [16]}
clock: 1 GHz
links: {rate: 100 Gb/s, flit: 16 B, latency: 2 ns}
router: {kind: input-queued, vcs: 2, buffer: 8 flits}
routing: {kind: dimension-order}
traffic:
  one: {pattern: uniform, length: 4 flits, share: 75%}
  two: {pattern: uniform, length: 4 flits, share: 25%}
offered: {load: 0.1}
measure: {limit: {packets: 5000}}
END
saturate time.yaml --tolerance 0.05
is out '  saturation   load 0.1973 … 0.2916 (fraction of injection bandwidth), rho 0.421
  congestion   an empty network carries up to 0.2516, a congested one 0.1841
  bound        0.4687
  accepted     0.1841 [0.1709, 0.1973] at offered 1.0'

# A run that could not tell does not widen the bracket if a greater load is stable.
cat >pair.yaml <<'END'
interweft: 1
topology: {kind: mesh, dims: [2]}
router: {kind: input-queued, vcs: 1, buffer: 32 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.3}}
END
saturate pair.yaml --tolerance 0.02 seed=8 measure.limit.packets=3000
probes pair-saturation.weft | tail -4 >last
is last 'undecided: measure.limit.packets 0.9400113378684807
stable 0.9240113378684807
stable 0.9700056689342403
stable 0.9850028344671202'
has out '  congestion   an empty network carries up to 0.985, a congested one 0.945'
[[ $(cat out) != *'wide because'* ]] || fail 'a run below a stable load widens the bracket'

# Other limits have their names; of the runs that did not tell, the longest is told.
saturate pair.yaml --tolerance 0.02 measure.limit.wall='1 ms' 'topology.dims=[16, 16]'
has out ' ended at measure.limit.wall, after '
probes pair-saturation.weft >runs
has runs 'undecided: measure.limit.wall '
saturate pair.yaml --tolerance 0.02 measure.limit.time='300 cycles' 'topology.dims=[4, 4]'
has out ' ended at measure.limit.time, after '
longest=$("$WEFT" export pair-saturation.weft | awk -F, '/^delivered,/ && n++ && $5 > most { most = $5 } END { print most }')
has out " after $longest packets, before they could tell; allow more"

# What was not measured has no number, now and from the file.
for _ in first second; do
    saturate pair.yaml --tolerance 0.02 measure.limit.time='2 cycles'
    has out '  accepted     not known at offered 1.0: the run was too short'
done
saturate pair.yaml --tolerance 0.02 measure.limit.time='2 cycles' --json
has out '"accepted": null,'
for _ in first second; do
    saturate pair.yaml --tolerance 0.02 measure.limit.time='20 cycles'
    has out '  accepted     0.4 at offered 1.0, too short a run for an interval'
done

# A load at which links would be busy all the time, 0.221, counts as unstable without a run.
cat >cube.yaml <<'END'
interweft: 1
topology: {kind: hierarchy, outer: {kind: hypercube, dimensions: 3}, inner: {kind: full, routers: 2, hosts: 4}}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1}}
measure: {limit: {packets: 3000}}
END
saturate cube.yaml --tolerance 0.02
has out '  saturation   load 0.1897 … 0.221 (fraction of injection bandwidth), rho 0.8673'
probes cube-saturation.weft >runs
is runs 'unstable 1
stable 0.11048435171385991
stable 0.1264843517138599
stable 0.1584843517138599
stable 0.18972652757078987
undecided: measure.limit.packets 0.20534761549925484'
