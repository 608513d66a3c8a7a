#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of a reproduced figure in a browser: ours, theirs and a model's curves over one axis, with a legend.
# Screenshots are left in <build>/tests/browser-pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/browser/lib.sh"

mkdir -p studies/tiny
cat >studies/tiny/torus.yaml <<'TORUS'
interweft: 1
title: A small torus
topology: {kind: torus, dims: [8, 8]}
router: {kind: output-queued, header: 1 cycle}
routing: {kind: minimal-oblivious}
traffic:
  all: {pattern: uniform, length: {kind: exponential, mean: 64 flits}, rho: 0.3}
measure: {by: history, limit: {packets: 5000}}
vary:
  routing.selection: [dimension-order, random]
  traffic.all.rho: [0.1, 0.3, 0.5]
TORUS
cat >studies/tiny/study.yaml <<'STUDY'
interweft-study: 1
title: A small paper
source: Nobody, nowhere
figures:
  fig1:
    title: Cut-through and latency
    scenario: torus.yaml
    keys:
      order:
        values:
          rows first: {routing.selection: dimension-order}
          by chance: {routing.selection: random}
      rho: traffic.all.rho
    quick: {seeds: 2}
    full: {seeds: 2}
    overlay:
      name: independent routers
      model: cut-through
      settings: {selection: oblivious, distribution: true}
      index: h
      keys: {rho: rho}
      outputs: {cut-through: cut-through, latency: latency, cut-throughs by hops: cut through}
    claims:
      cut-through: {rule: shown, metric: cut-through, by: hops, index: 4, table: expected.csv, value: pc, beside: [order], reason: r}
      latency: {rule: shown, metric: latency, by: hops, index: 4, table: expected.csv, value: lat, beside: [order], reason: r}
      spread: {rule: distribution, margin: 1, metric: cut-throughs by hops, index: 4, table: spread.csv, at: n, value: p,
               beside: [order, rho]}
STUDY
printf 'rho,pc,lat\n0.1,0.9,100\n0.3,0.7,200\n0.5,0.5,400\n' >studies/tiny/expected.csv
printf 'n,p\n0,0.1\n1,0.2\n2,0.3\n3,0.4\n' >studies/tiny/spread.csv
run 0 "$WEFT" reproduce tiny --quiet
if [[ ! -s tiny-fig1-quick.html ]]; then
    echo 'skipped: this build has no report page'
    exit 77
fi
browse charts.mjs "$PWD/tiny-fig1-quick.html" "$WEFT_BUILD/tests/browser-pictures"
