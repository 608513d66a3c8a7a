#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One set of results as page, SVG and TeX document: the same numbers, and the document compiles.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

node=$(command -v node || command -v nodejs || true)
if [[ -z $node ]] || ! command -v gnuplot >/dev/null; then
    echo 'skipped: node and gnuplot are needed'
    exit 77
fi
run 0 "$WEFT_BUILD/tests/test_pages" .
run 0 "$WEFT" report sweep.weft --html sweep.html --svg sweep.svg --tex sweep.tex
"$node" "$WEFT_SOURCE/tests/browser/same.mjs" "$WEFT_SOURCE/report/js" sweep.html sweep.tex sweep.svg

if ! command -v pdflatex >/dev/null; then
    echo 'not compiled: pdflatex is missing (Debian: texlive-latex-extra texlive-pictures)'
    exit 0
fi
run 0 "$WEFT" report hostile.weft --tex hostile.tex
for name in sweep hostile; do
    run 0 pdflatex -halt-on-error -interaction=nonstopmode -no-shell-escape "$name.tex"
    [[ -s $name.pdf ]] || fail "no $name.pdf"
    cp "$name.pdf" "$WEFT_BUILD/tests/$name-tex.pdf"
done
cp sweep.svg "$WEFT_BUILD/tests/sweep.svg"
echo 'ok: the TeX documents compile'
