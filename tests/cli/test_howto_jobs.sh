#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages about fabrics for collectives and about traces: their commands run, print the lines that they show, and draw the pictures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# drawn PAGE PICTURE...: the page draws them, and prints lines of 100 characters at most.
drawn() {
    local file
    for file in "${@:2}"; do
        [[ -s $1/$file ]] || fail "$1.md draws no $file"
    done
    awk 'length($0) > 100 { exit 1 }' out || fail "$1.md prints lines of more than 100 characters"
}
follow allreduce 10
drawn allreduce allreduce.svg why.png
follow traces 10
drawn traces full.svg thin.svg
# The table of the first page is that of its run.
python3 - "$WEFT_SOURCE/docs/howto/allreduce.md" allreduce/allreduce.weft <<'END' || fail 'the table of allreduce.md is another one'
import re, sqlite3, sys

page, results = sys.argv[1:]
rows = [line for line in open(page) if re.match(r"\| (ring|recursive|Rab)", line)]
told = sorted(int(number) for row in rows for number in re.findall(r"\d+", row))
query = "SELECT value FROM metric WHERE name = 'completion' AND class = '' AND \"by\" = ''"
assert told == sorted(round(value) for (value,) in sqlite3.connect(results).execute(query)), told
END
