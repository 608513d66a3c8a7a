#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the quick tests still reach what they reached? Lines and branches of some folders, by gcov, against floors.txt.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
grep -q __asan_init "$WEFT" && exit 77
[[ -f $WEFT_BUILD/build.ninja && $(basename "$WEFT_CC") == gcc* ]] || { echo 'not a build by ninja and gcc'; exit 77; }
"$WEFT_SOURCE/tools/coverage" --floors "$WEFT_BUILD"
