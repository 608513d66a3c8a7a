#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README's three commands as they stand, in a new directory: a curve of three selections within two
# minutes, every point known to its half-width or marked.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$WEFT" "$work/bin/weft"
export PATH=$work/bin:$PATH
cd "$work"
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$WEFT_SOURCE/README.md" |
    grep -vE '^(tools/|cmake )' >commands
start=$SECONDS
bash -euo pipefail commands >out.txt 2>err.txt || { cat out.txt err.txt; exit 1; }
took=$((SECONDS - start))
cat out.txt
echo "README: $took s"
[[ $(grep -c converged out.txt) -ge 24 ]] || { echo 'fewer than 24 of 27 points converged'; exit 1; }
[[ -s torus.png && -s torus.svg ]] || { echo 'no picture'; exit 1; }
sed -i 's/diagonal\]/diagnal]/' torus.yaml
! weft run torus.yaml --new >/dev/null 2>err.txt || { echo 'the mistake was not noticed'; exit 1; }
diff err.txt <(grep -A 2 '^torus.yaml:' "$WEFT_SOURCE/README.md") || { echo 'README shows another message'; exit 1; }
((took <= 120)) || { echo 'README promises 13 seconds on two cores; two minutes are the limit'; exit 1; }
