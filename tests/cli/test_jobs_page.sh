#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/howto/jobs.md: its commands run, and print the lines that it shows.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
command -v gnuplot >/dev/null || {
    echo 'no gnuplot: skipped'
    exit 0
}
page=$WEFT_SOURCE/docs/howto/jobs.md
mkdir page bin
ln -s "$WEFT" bin/weft
# part KIND: the lines of its blocks of commands (sh) or output (nothing).
part() {
    awk -v kind="$1" '/^```/ { open = !open; its = substr($0, 4); next } open && its == kind' "$page"
}
part sh >commands
bin=$PWD/bin
(cd page && PATH=$bin:$PATH bash -euo pipefail ../commands) >out 2>err || {
    cat out err
    fail "the commands of $page fail"
}
while read -r line; do
    grep -qF -- "$line" out || fail "$page shows what no command prints: $line"
done < <(part '')
