#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All of studies/gpcnet with 48 seeds: every claim agrees.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
run 0 "$WEFT" reproduce gpcnet --full --quiet
has out 'gpcnet/kinds: agrees'
