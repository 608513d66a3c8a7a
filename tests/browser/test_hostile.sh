#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What tests/cli/test_hostile.sh has made, opened in Chromium and set by TeX: names stay text.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/browser/lib.sh"
source "$WEFT_SOURCE/tests/cli/hostile_lib.sh"
write_all
if [[ ! -s many.html ]]; then
    echo 'skipped: this build has no report page'
    exit 77
fi
pages=(many renamed two ring subnet study study-points title0 title4)
browse hostile.mjs "${pages[@]/%/.html}" ./*.svg

if ! command -v pdflatex >/dev/null; then
    echo 'not compiled: pdflatex is missing (Debian: texlive-latex-extra texlive-pictures)'
    exit 0
fi
for name in many title9 title10; do
    [[ -e $name.tex ]] || run 0 "$WEFT" report "$name.weft" --tex "$name.tex"
    run 0 pdflatex -halt-on-error -interaction=nonstopmode -no-shell-escape "\\pdfcompresslevel=0\\input{$name.tex}"
done
! grep -q '/etc/passwd)' title9.log || fail 'TeX has read a file'
[[ -z $(find . -maxdepth 1 -name '*pwned' -print -quit) ]] || fail 'a name was obeyed'
# The words of the page, of which TeX makes pieces to move them closer together.
python3 - <<'END' || fail 'the title is not in the figure'
import re
data = open("title9.pdf", "rb").read()
words = b"".join(re.findall(rb"\(((?:\\.|[^()\\])*)\)", data))
assert rb"\134input{/etc/passwd}" in words, words[:300]
END
