#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/howto/results.md: its lines for pandas, R and sqlite3 run, and print what the page shows. A program that is missing is a
# failure: tools/install-deps installs all three.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

page=$WEFT_SOURCE/docs/howto/results.md
mkdir bin
ln -s "$WEFT" bin/weft
export PATH=$PWD/bin:$PATH
# block LANGUAGE: the block of the page in it.
block() {
    awk -v open="\`\`\`$1" '$0 == open { on = 1; next } /^```/ { on = 0 } on' "$page"
}
# python3 may be another one than Debian's.
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import pandas' 2>/dev/null && { python=$candidate; break; }
done
[[ $python ]] || fail 'no python3 has pandas (Debian: python3-pandas); tools/install-deps installs it'
for program in Rscript sqlite3; do
    command -v "$program" >/dev/null || fail "$program is missing; tools/install-deps installs it"
done

block sh >commands
bash -euo pipefail commands
block python >read.py
"$python" read.py >all
block r >read.R
Rscript read.R >>all
block sql | sqlite3 -readonly study.weft >>all
sed 's/ *$//' all >trimmed
# What the page shows: blocks without a language.
awk '/^```/ { if (open) { open = 0 } else { open = 1; plain = $0 == "```" } next } open && plain' "$page" | sed 's/ *$//' >shown
[[ $(wc -l <shown) -ge 7 ]] || fail 'the page shows too little'
while IFS= read -r line; do
    grep -qxF -- "$line" trimmed || { cat all; fail "not printed: $line"; }
done <shown
# What the page does not show but the scripts should find.
[[ $(grep -c '^packets [0-9]* least latency 17' trimmed) -eq 1 ]] || fail 'the histogram was not read'
[[ $(grep -cE '^\(.*\)[+-][xy] +0\.3' trimmed) -eq 3 ]] || { cat all; fail 'no links'; }
echo "$(wc -l <trimmed) lines"
