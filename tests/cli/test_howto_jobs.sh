#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages about fabrics for collectives and about traces: their commands run, print the lines that they show, and draw the pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
mkdir bin
ln -s "$WEFT" bin/weft
bin=$PWD/bin
# part PAGE KIND: the lines of its blocks of commands (sh) or output (nothing).
part() {
    awk -v kind="$2" '/^```/ { open = !open; its = substr($0, 4); next } open && its == kind' "$WEFT_SOURCE/docs/howto/$1.md"
}
# follow PAGE PICTURE...
follow() {
    local page=$1 line file
    shift
    mkdir "$page"
    part "$page" sh >commands
    (cd "$page" && PATH=$bin:$PATH bash -euo pipefail ../commands) >out 2>err </dev/null || {
        cat out err
        fail "the commands of $page.md fail"
    }
    while read -r line; do
        grep -qF -- "$line" out || fail "$page.md shows what no command prints: $line"
    done < <(part "$page" '')
    for file; do
        [[ -s $page/$file ]] || fail "$page.md draws no $file"
    done
    awk 'length($0) > 100 { exit 1 }' out || fail "$page.md prints lines of more than 100 characters"
}
follow allreduce allreduce.svg why.png
follow traces full.svg thin.svg
# The table of the first page is that of its run.
python3 - "$WEFT_SOURCE/docs/howto/allreduce.md" allreduce/allreduce.weft <<'END' || fail 'the table of allreduce.md is another one'
import re, sqlite3, sys

page, results = sys.argv[1:]
rows = [line for line in open(page) if re.match(r"\| (ring|recursive|Rab)", line)]
told = sorted(int(number) for row in rows for number in re.findall(r"\d+", row))
query = "SELECT value FROM metric WHERE name = 'completion' AND class = '' AND \"by\" = ''"
assert told == sorted(round(value) for (value,) in sqlite3.connect(results).execute(query)), told
END
