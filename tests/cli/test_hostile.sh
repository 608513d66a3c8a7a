#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names that want to be obeyed, from every kind of file, through every writer: they are text in pages, pictures, tables, scripts
# of gnuplot, exports and on the terminal. tests/browser/test_hostile.sh opens the pages, and TeX sets the figures.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
source "$WEFT_SOURCE/tests/cli/hostile_lib.sh"
write_all
[[ -z $(find . "$WEFT_SOURCE" -maxdepth 1 -name '*pwned' -print -quit) && ! -e ../pwned && ! -e ../../pwned ]] ||
    fail 'a name was obeyed'
hostile check ./*.out ./*.err ./*.html ./*.csv ./*.tex ./*.json exported.*
shopt -s nullglob
pictures=(./*.svg)
[[ ${#pictures[@]} -eq 0 ]] || hostile check "${pictures[@]}"

# A table stays straight where letters are two columns wide: the key's column is as wide on every line.
cat >wide.yaml <<'END'
interweft: 1
title: 漢字
topology: {kind: torus, dims: [3, 3]}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 4 flits, rho: 0.3}}
measure: {half-width: 50%, limit: {packets: 500}}
END
run 0 "$WEFT" run wide.yaml --quiet
has out '漢字'

# Somebody has laid links by the names of files that are still being written: what they lead to stays as it is.
cp title0.weft mine.weft
for ending in html csv tex svg png; do
    echo kept >"victim.$ending"
    ln -s "victim.$ending" "mine.$ending.part"
done
every 01 report-mine "$WEFT" report mine.weft --html mine.html --csv mine.csv --tex mine.tex --svg mine.svg --png mine.png
for ending in html csv tex svg png; do
    is "victim.$ending" kept
done
echo kept >victim.yaml
ln -s victim.yaml scenario.yaml
run 1 "$WEFT" import infiniband ring.net -o scenario.yaml
has err 'not a regular file'
is victim.yaml kept
