#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pages of small runs in a browser: a torus, an incast in ns, a grid of twelve curves. Every axis has one unit,
# no label is cut off, no chart opens empty, also where only some links are kept; axes, classes, filters, pickers and zoom do what they say.
# Screenshots are left in <build>/tests/browser-pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/browser/lib.sh"

cat >torus.yaml <<'YAML'
interweft: 1
title: An 8x8 torus
topology: {kind: torus, dims: [8, 8]}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: {kind: exponential, mean: 64 flits}}}
measure: {half-width: 10%, limit: {packets: 4000}}
vary:
  traffic.all.rho: [0.1, 0.3, 0.5, 0.7, 0.9]
  routing.selection: [dimension-order, random, diagonal]
YAML
cat >incast.yaml <<'YAML'
interweft: 1
title: Incast on a tree of two levels
clock: 1 GHz
topology: {kind: fat-tree, arity: 4, levels: 2}
links: {rate: 200 Gb/s, flit: 64 B, local: {latency: 20 ns}, host: {latency: 5 ns}}
router: {kind: input-queued, vcs: 2, buffer: 16 KiB}
routing: {kind: up-down}
traffic:
  storage: {pattern: {kind: hot-spot, node: 3, share: 60%}, length: 4 KiB, load: 0.04}
  background: {pattern: uniform, length: 512 B, load: 0.2}
measure: {half-width: 10%, series: 2 us, rates: 0-3, limit: {packets: 12000}}
vary: {traffic.storage.load: [0.01, 0.05, 0.09, 0.12]}
YAML
cat >grid.yaml <<'YAML'
interweft: 1
title: Twelve curves
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 4, buffer: 16 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 4 flits}}
measure: {half-width: 20%, limit: {packets: 2000}}
vary:
  traffic.all.load: [0.1, 0.5, 0.7]
  traffic.all.pattern: [uniform, transpose, tornado, complement, neighbour, shuffle]
  router.buffer: [8 flits, 16 flits]
YAML
cat >large.yaml <<'YAML'
interweft: 1
title: More links than are kept
topology: {kind: torus, dims: [33, 33]}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 4 flits, rho: 0.2}}
measure: {half-width: 20%, limit: {packets: 2000}}
YAML
for name in torus incast grid large; do
    run 0 "$WEFT" run "$name.yaml" --quiet
    run 0 "$WEFT" report "$name.weft" --html "$name.html"
    if [[ ! -s $name.html ]]; then
        echo 'skipped: this build has no report page'
        exit 77
    fi
done
browse views.mjs "$PWD" "$WEFT_BUILD/tests/browser-pictures"
