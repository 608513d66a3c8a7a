#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For tests in a browser: what tests/cli/lib.sh has, and `browse`; skipped (77) without Chromium and node.
# shellcheck shell=bash source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

chromium=$(command -v chromium || command -v chromium-browser || true)
node=$(command -v node || command -v nodejs || true)
if [[ -z $chromium || -z $node ]]; then
    echo 'skipped: Chromium and node are needed (Debian: chromium nodejs)'
    exit 77
fi
# browse SCRIPT ARGUMENT...: a script of this folder, which starts Chromium.
browse() {
    local script=$1
    shift
    "$node" "$WEFT_SOURCE/tests/browser/$script" "$chromium" "$@"
}
