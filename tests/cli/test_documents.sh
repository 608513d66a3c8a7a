#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Documents cannot lie: every command of README and tutorial runs in an empty directory and leaves what
# it promises; the reference pages are what the program says today.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/readme" "$work/tutorial" "$work/fabrics"
ln -s "$WEFT" "$work/bin/weft"
export PATH=$work/bin:$PATH

# blocks FILE: the sh blocks of a page, but those that build the program. Precision decides how long a
# command takes, not whether it works: runs are short here.
blocks() {
    awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$WEFT_SOURCE/$1" |
        grep -vE '^(tools/|cmake )' |
        sed -E 's/^(weft (run|saturate) [a-z]+\.yaml)/\1 measure.limit.packets=20000/'
}

cd "$work/readme"
blocks README.md >commands
bash -euo pipefail commands >out.txt 2>err.txt || { cat out.txt err.txt; exit 1; }
grep -q 'diagonal  *0.3 ' out.txt || { echo 'README: no row for diagonal at 0.3'; cat out.txt; exit 1; }
[[ $(grep -cE ' (converged|limit packets|warming up|saturated) ' out.txt) -eq 27 ]] || { cat out.txt; exit 1; }
[[ -s torus.svg && -s torus.png ]] || { echo 'README: no picture'; exit 1; }
cmp torus.yaml "$WEFT_SOURCE/examples/01-first-curve/torus.yaml"

cd "$work/tutorial"
blocks docs/tutorial/README.md >commands
bash -euo pipefail commands >out.txt 2>err.txt || { cat out.txt err.txt; exit 1; }
[[ -s curve.png && -s curve.csv && -s hot.weft && -s cluster.weft ]] || { echo 'tutorial: something is missing'; exit 1; }
grep -q "did you mean 'Gb/s'?" err.txt || { cat err.txt; echo 'tutorial: Gbps is not answered'; exit 1; }

# The first block needs no fabric of anyone.
cd "$work/fabrics"
blocks docs/howto/fabrics.md | sed '/^weft topology show/q' >commands
bash -euo pipefail commands >out.txt 2>err.txt || { cat out.txt err.txt; exit 1; }
[[ -s fabric.weftnet && -s fabric.svg ]] || { echo 'fabrics.md: something is missing'; exit 1; }

# Links between pages lead somewhere.
cd "$WEFT_SOURCE"
grep -roE '\]\([A-Za-z.][^)#: ]*' --include='*.md' ./*.md docs examples packaging | sed 's/](//' | while IFS=: read -r page link; do
    [[ -e $(dirname "$page")/$link ]] || echo "$page: $link"
done >"$work/dead"
[[ ! -s $work/dead ]] || { cat "$work/dead"; echo 'links lead nowhere'; exit 1; }

"$WEFT_SOURCE/tools/docgen" "$WEFT" "$work/reference"
diff -r --exclude=README.md --exclude=weftnet.md --exclude=programs.md "$work/reference" "$WEFT_SOURCE/docs/reference" || {
    echo 'docs/reference is not what the program says; tools/docgen mends'
    exit 1
}
