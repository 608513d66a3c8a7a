#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command of docs/howto/virtual-channels.md runs in an empty directory and prints, line for line, what the page
# shows; its scenarios are those of examples/02-virtual-channels, and so is its table.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

page=$WEFT_SOURCE/docs/howto/virtual-channels.md
example=$WEFT_SOURCE/examples/02-virtual-channels
mkdir bin
ln -s "$WEFT" bin/weft
export PATH=$PWD/bin:$PATH
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$page" >commands
awk '/^```$/ { on = !on; next } /^```sh$/ { skip = 1; on = !on; next }
     on && !skip && $0 != "…" && $0 != ""; !on { skip = 0 }' "$page" >shown
bash -euo pipefail commands >out 2>err || { cat out err; fail 'a command of the page failed'; }
[[ $(wc -l <shown) -ge 25 ]] || fail 'the page shows too little'
sed 's/ *$//' out >trimmed
while IFS= read -r line; do
    grep -qxF -- "$line" trimmed || { cat out; fail "the page shows a line that is not printed: $line"; }
done <shown
cmp vcs.yaml "$example/vcs.yaml"
cmp channels.yaml "$example/channels.yaml"
awk '/^How many virtual channels/ { on = 1 } on { print } /^8 .* 0\.7 / { exit }' out |
    diff - "$example/expected.txt" || fail 'the table is not the one of the example'
