#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pictures for papers of 2, 4, 12 and 30 curves, of a component axis and in ns: every curve is in the legend, no text leaves
# the image or stands on another, and flags choose what is drawn.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
command -v gnuplot >/dev/null || {
    echo 'no gnuplot: skipped'
    exit 0
}

# study NAME VARY: results of a small torus.
study() {
    cat >"$1.yaml" <<END_OF_SCENARIO
interweft: 1
title: Curves of $1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 4, buffer: 64 flits}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 8 flits, load: 0.1}
measure: {half-width: 10%, limit: {packets: 1500}}
vary:
$2
END_OF_SCENARIO
    run 0 "$WEFT" run "$1.yaml" --quiet
}
# texts SVG: x, y, size, anchor, rotated and text of every text in it, tab separated.
texts() {
    awk 'match($0, /translate\([^)]*\)[^"]*"/) { t = substr($0, RSTART + 10, RLENGTH - 11); split(t, xy, /[,)]/)
             size = $0; sub(/.*font-size="/, "", size); sub(/".*/, "", size)
             anchor = $0; sub(/.*text-anchor="/, "", anchor); sub(/".*/, "", anchor) }
         match($0, /<text>[^<]+</) { text = substr($0, RSTART + 6, RLENGTH - 7); sub(/^ */, "", text)
             print xy[1] "\t" xy[2] "\t" size "\t" anchor "\t" (t ~ /rotate/) "\t" text }' "$1"
}
# sound SVG: no text leaves the image, and none is written over another. Letters of DejaVu Sans are some 0.5 wide; 0.56 is on the safe side.
sound() {
    local size
    size=$(sed -n 's/.*viewBox="0 0 \([0-9]*\) \([0-9]*\)".*/\1 \2/p' "$1" | head -1)
    texts "$1" | LC_ALL=C.UTF-8 awk -F '\t' -v size="$size" 'BEGIN { split(size, s, " ") }
        { w = 0.56 * $3 * length($6); if ($4 == "middle") x = $1 - w / 2; else x = $4 == "end" ? $1 - w : $1
          if ($5 && $4 == "middle") { lo = $2 - w / 2; hi = $2 + w / 2; if (lo < 0 || hi > s[2]) bad = bad "\n" $6 " leaves" }
          else if (!$5 && (x < 0 || x + w > s[1] || $2 - $3 < -1 || $2 > s[2])) bad = bad "\n" $6 " leaves"
          if (!$5) for (i = 1; i <= n; i++)
              if (X[i] < x + w && x < X[i] + W[i] && Y[i] - S[i] * 0.7 < $2 && $2 - $3 * 0.7 < Y[i]) bad = bad "\n" $6 " is on " T[i]
          if (!$5) { n++; X[n] = x; W[n] = w; Y[n] = $2; S[n] = $3; T[n] = $6 } }
        END { if (bad) { print size bad; exit 1 } }' || fail "$1: text where it should not be"
}
# legend SVG COUNT: so many curves are in it, each once.
legend() {
    [[ $(texts "$1" | awk -F '\t' '$4 == "start"' | grep -vcE 'bound|zero-load|saturated|not converged') -eq $2 ]] ||
        fail "$1: not $2 curves in the legend"
    [[ -z $(texts "$1" | awk -F '\t' '$4 == "start" { print $6 }' | sort | uniq -d) ]] || fail "$1: an entry stands twice"
}

study two '  routing: [{kind: dimension-order}, {kind: minimal-adaptive}]
  traffic.all.load: [0.2, 0.6, 0.9]'
study four '  routing: [{kind: dimension-order}, {kind: minimal-adaptive}]
  traffic.all.pattern: [{kind: uniform}, {kind: transpose}]
  traffic.all.load: [0.2, 0.9]'
study twelve '  routing: [{kind: dimension-order}, {kind: minimal-adaptive}, {kind: valiant}]
  traffic.all.pattern: [{kind: uniform}, {kind: transpose}]
  router.buffer: [32 flits, 128 flits]
  traffic.all.load: [0.2, 0.8]'
study thirty '  routing: [{kind: dimension-order}, {kind: minimal-adaptive}, {kind: valiant}]
  traffic.all.pattern: [{kind: uniform}, {kind: transpose}, {kind: tornado}, {kind: bit-reversal}, {kind: complement}]
  router.buffer: [32 flits, 128 flits]
  traffic.all.load: [0.1, 0.9]'
study component '  routing: [{kind: dimension-order}, {kind: minimal-adaptive}, {kind: valiant}, {kind: o1turn}]'
for size in '' --size=8.5cmx6cm --size=1400x700; do
    for each in two:2 four:4 twelve:12 thirty:30; do
        name=${each%:*}
        run 0 "$WEFT" report "$name.weft" --svg "$name.svg" ${size:+"$size"}
        legend "$name.svg" "${each#*:}"
        sound "$name.svg"
    done
    run 0 "$WEFT" report component.weft --svg component.svg ${size:+"$size"}
    sound component.svg
    [[ $(texts component.svg | cut -f 6 | grep -cxE 'dimension-order|minimal-adaptive|valiant|o1turn') -eq 4 ]] ||
        fail 'a component has no place on the axis'
done
[[ $(texts two.svg | cut -f 6 | grep -cx 'zero-load latency') -eq 1 ]] || fail 'not one zero-load line'
for words in saturated 'not converged' 'throughput bound: channel load'; do
    [[ $(texts thirty.svg | cut -f 6 | grep -cx "$words") -eq 1 ]] || fail "not explained: $words"
done
# Zero-load latency and throughput bounds are lines of different patterns.
run 0 "$WEFT" report thirty.weft --tex thirty.tex
grep -q 'no marks, densely dotted\]' thirty.tex || fail 'no dotted zero-load latency'
grep -q 'no marks, dashdotted\]' thirty.tex || fail 'no dash-dotted throughput bound'
[[ $(grep -o "stroke-dasharray='[^']*'" thirty.svg | sort -u | wc -l) -ge 2 ]] || fail 'one pattern for both in the picture'

# Flags.
run 0 "$WEFT" report four.weft --svg some.svg --metric accepted --curves 'adaptive transpose,dimension uniform' --title '' \
    --legend below --pdf some.pdf --png some.png --tex some.tex
is err 'wrote some.svg
wrote some.png
wrote some.pdf
wrote some.tex'
legend some.svg 2
sound some.svg
grep -qF '>accepted load (fraction of injection bandwidth)<' some.svg || fail 'not the metric asked for'
! grep -q 'Curves of' some.svg || fail 'a title nobody wanted'
[[ $(head -c 4 some.pdf) == %PDF && $(head -c 4 some.png | tail -c 3) == PNG ]] || fail 'not PDF and PNG'
run 0 "$WEFT" report twelve.weft --svg x.svg --x buffer --legend none
grep -qF '>router.buffer (flits)<' x.svg || fail 'not the axis asked for'
run 0 "$WEFT" report four.weft --svg x.svg --x traffic.all.load
grep -qF '>traffic.all.load<' x.svg || fail 'not the setting asked for'
run 2 "$WEFT" report four.weft --svg x.svg --x vcs
is err "weft: --x: 'vcs' does not vary here (there are load, rho, rate, accepted, routing, traffic.all.load, traffic.all.pattern)"
run 2 "$WEFT" report four.weft --svg x.svg --size 800
is err "weft: --size is width x height, such as 800x500 (pixels), 8.5cmx6cm or 3.5inx2.5in, found '800'"
run 2 "$WEFT" report four.weft --svg x.svg --legend left
is err "weft: --legend is auto, right, below or none, found 'left'"
run 2 "$WEFT" report four.weft --metric p99
is err 'weft: --metric, --x, --curves, --size, --legend, --log and --title are of a picture: name one with --svg, --png, --pdf or --tex'
