#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft report: which files it writes, and what it says.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END_OF_SCENARIO'
interweft: 1
title: A <b>small</b> torus
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, length: 8 flits, rho: 0.3}
measure: {limit: {packets: 3000}, links: all}
vary:
  traffic.all.rho: [0.2, 0.5]
END_OF_SCENARIO
run 0 "$WEFT" run torus.yaml --quiet
cp out table

# The table again and, if the program has it, the page beside the results.
mkdir elsewhere
cp torus.weft elsewhere/copy.weft
run 0 "$WEFT" report elsewhere/copy.weft
has out 'limit packets'
if [[ $(cat err) == 'wrote elsewhere/copy.html' ]]; then
    page=elsewhere/copy.html
    [[ $(head -c 15 "$page") == '<!DOCTYPE html>' ]] || fail 'no HTML'
    has "$page" 'A \u003cb>small\u003c/b> torus'
    has "$page" "Content-Security-Policy"
    ! grep -q '<b>small' "$page" || fail 'markup from a title'
    [[ $(stat -c %s "$page") -lt 1000000 ]] || fail 'a small report is not small'
    run 0 "$WEFT" report torus.weft elsewhere/copy.weft --html both.html
    none out
    is err 'wrote both.html'
    has both.html '"elsewhere/copy.weft"'
    [[ ! -e torus.html ]] || fail 'a page nobody asked for'
    mkdir folder.html
    run 1 "$WEFT" report torus.weft --html folder.html
    is err 'cannot write folder.html: it is not a regular file'
    run 1 "$WEFT" report torus.weft --html none/x.html
    is err 'cannot write none/x.html: No such file or directory'
else
    is err 'no page: this program was built without it (npm was missing)'
    run 1 "$WEFT" report torus.weft --html x.html
    is err 'this program was built without the report page; install npm and nodejs, and build it again to have it'
    [[ ! -e x.html && ! -e x.html.part ]] || fail 'a page that could not be written'
fi

# CSV: as exported; several files with their names in front.
run 0 "$WEFT" report torus.weft --csv torus.csv
none out
is err 'wrote torus.csv'
"$WEFT" export torus.weft | cmp - torus.csv
run 0 "$WEFT" report torus.weft elsewhere/copy.weft --csv both.csv
{
    "$WEFT" export torus.weft | sed '1s/^/results,/; 2,$s/^/torus.weft,/'
    "$WEFT" export torus.weft | sed '1d; s/^/elsewhere\/copy.weft,/'
} | cmp - both.csv

# TeX needs no other program to be written.
PATH=/nonexistent run 0 "$WEFT" report torus.weft --tex torus.tex
is err 'wrote torus.tex'
has torus.tex '\begin{axis}'
has torus.tex 'A \textless{}b\textgreater{}small\textless{}/b\textgreater{} torus'

# Names of any length tell curves apart: titles, and settings in one file.
long='A torus of four by four routers with a title as long as any'
for k in 1 2; do run 0 "$WEFT" run torus.yaml --quiet --results "title$k.weft" title="$long, $k"; done
run 0 "$WEFT" report title1.weft title2.weft --tex titles.tex
has titles.tex '{title1}'
has titles.tex '{title2}'
cat >long.yaml <<'END_OF_SCENARIO'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic: {}
measure: {limit: {packets: 100}}
vary:
  links.latency: [1 cycles, 9 cycles]
END_OF_SCENARIO
for class in a b c d; do
    class=$(printf "$class%.0s" {1..40})
    sed -i "s/^traffic: {/&$class: {pattern: uniform, length: 1 flits, load: 0.1}, /" long.yaml
    echo "  traffic.$class.length: [1 flits, 2 flits]" >>long.yaml
done
run 0 "$WEFT" run long.yaml --quiet
run 0 "$WEFT" report long.weft --tex long.tex --x latency
[[ $(grep -c '^\\addplot+' long.tex) -eq 16 ]] || fail 'not 16 curves of four settings with two values each'
awk '/^.addlegendentry/ && length($0) > 140 { exit 1 }' long.tex || fail 'a label is not cut'

[[ $(echo ./*.part ./*/*.part) == './*.part ./*/*.part' ]] || fail 'parts left over'
