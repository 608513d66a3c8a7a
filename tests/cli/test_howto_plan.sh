#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page "Choosing a fabric": its commands run, print the lines that it shows, and draw its picture.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
mkdir bin
ln -s "$WEFT" bin/weft
export PATH=$PWD/bin:$PATH COLUMNS=80
page=$WEFT_SOURCE/docs/howto/choosing-a-fabric.md
# part KIND: the lines of its blocks of commands (sh) or output (nothing).
part() {
    awk -v kind="$1" '/^```/ { open = !open; its = substr($0, 4); next } open && its == kind' "$page"
}
part sh >commands
run 0 bash -euo pipefail commands
while read -r line; do
    grep -qF -- "$line" out || fail "the page shows what no command prints: $line"
done < <(part '')
cmp front.svg "$WEFT_SOURCE/docs/images/choosing-a-fabric.svg" || fail 'the picture of the page is another one'
[[ -s machine.html && -s machine.csv && -s candidates/fat-tree-3-levels-1t1.yaml ]] || fail 'a file is missing'
has out 'deadlock               none possible'
