#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command of these pages of docs/howto runs in an empty directory and prints, line for line, what the page shows. The
# scenarios of virtual-channels.md are those of examples/02-virtual-channels, and so is its table.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

mkdir bin
ln -s "$WEFT" bin/weft
export PATH=$PWD/bin:$PATH

# follow PAGE LINES [EXAMPLE]: runs the page in a directory of its own, with the files of an example if it uses them; it shows
# at least so many lines.
follow() {
    local page=$WEFT_SOURCE/docs/howto/$1.md
    mkdir "$1"
    cd "$1" || exit 1
    [[ -z ${3-} ]] || cp "$WEFT_SOURCE/examples/$3"/* .
    awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$page" >commands
    awk '/^```$/ { on = !on; skip = skip && on; next } /^```[a-z]+$/ { skip = on = 1; next }
         on && !skip && $0 != "…" && $0 != ""' "$page" >shown
    bash -euo pipefail commands >out 2>err || { cat out err; fail "a command of $1.md failed"; }
    [[ $(wc -l <shown) -ge $2 ]] || fail "$1.md shows too little"
    sed 's/ *$//' out >trimmed
    while IFS= read -r line; do
        grep -qxF -- "$line" trimmed || { cat out; fail "$1.md shows a line that is not printed: $line"; }
    done <shown
}

follow topologies 20
cd ..
follow ts 6
cd ..
follow models 15
[[ -s cut.svg && $(wc -l <credit.csv) -eq 6 ]] || fail 'models.md: a file is missing'
cd ..
follow quality-of-service 116
[[ -s incast.html && $(wc -l <rates.txt) -eq 800 ]] || fail 'quality-of-service.md: a file is missing'
cd ..
follow compare 12
[[ -s both.svg ]] || fail 'compare.md: no picture'
cd ..
follow crossbar 12
cd ..
follow booksim 33
cd ..
follow programs 30
cd ..
follow your-fabric 50 06-your-fabric
cmp engines.svg "$WEFT_SOURCE/docs/images/your-fabric-engines.svg"
cmp what-if.svg "$WEFT_SOURCE/docs/images/your-fabric-what-if.svg"
cd ..
follow virtual-channels 25
example=$WEFT_SOURCE/examples/02-virtual-channels
cmp vcs.yaml "$example/vcs.yaml"
cmp channels.yaml "$example/channels.yaml"
awk '/^How many virtual channels/ { on = 1 } on { print } /^  8   0\.7 / { exit }' out |
    diff - "$example/expected.txt" || fail 'the table is not the one of the example'
