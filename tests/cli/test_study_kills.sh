#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A study killed at random moments gives the bytes of one that was left alone; tests/long has 500 points.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/study_lib.sh"
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 1%, limit: {packets: 10000}}
END
killed_study 50 3
