#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reports in a browser: made by `weft report`, opened in Chromium without a window, used as a person
# would use them. Screenshots are left in <build>/tests/browser-pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/browser/lib.sh"
run 0 "$WEFT_BUILD/tests/test_pages" .
run 0 "$WEFT" report matrix.weft
if [[ ! -s matrix.html ]]; then
    echo 'skipped: this build has no report page'
    exit 77
fi
for name in sweep dragonfly cube tree hostile; do
    run 0 "$WEFT" report "$name.weft" --html "$name.html" --csv "$name.csv"
done
run 0 "$WEFT" report sweep.weft other.weft --html compare.html --csv compare.csv

# Ten thousand commits wait for the disk, so they go where there is none.
here=$PWD big=$PWD
[[ ! -d /dev/shm ]] || big=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$here" "$big"' EXIT
run 0 "$WEFT_BUILD/tests/test_pages" "$big" big
run 0 "$WEFT" report "$big/big.weft" --html big.html

browse pages.mjs "$here" "$WEFT_BUILD/tests/browser-pictures"
