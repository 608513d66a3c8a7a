#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft compare: which points it matches, what it prints at 80 columns and as JSON, what it refuses.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
title: A small torus
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive}
traffic:
  all: {pattern: uniform, length: 8 flits}
measure: {limit: {packets: 20000}}
vary:
  traffic.all.rho: [0.2, 0.4]
  routing.selection: [dimension-order, random]
END
run 1 "$WEFT" compare torus.yaml torus.yaml
is err "torus.yaml has no results yet: \`weft run torus.yaml\` writes them to torus.weft"
run 0 "$WEFT" run torus.yaml --quiet
run 0 "$WEFT" run torus.yaml --quiet seed=2 --results again.weft
run 0 "$WEFT" run torus.yaml --quiet 'traffic.all.length=16 flits' --results long.weft
sed 's/minimal-adaptive/&, selection: random/; s/0.2, 0.4/20%, 0.5/; /routing.selection/d' torus.yaml >fixed.yaml
run 0 "$WEFT" run fixed.yaml --quiet

# A file and itself: nothing differs, and --same agrees.
run 0 "$WEFT" compare torus.weft torus.yaml --same
has out 'All settings of the points that match are the same.'
has out 'latency: 0 of 4 differ at 95 % confidence; chance alone gives 0.2'
none err

# A real difference, found at every point; only the setting that differs is named.
run 0 "$WEFT" compare torus.weft long.weft --metric latency
has out 'traffic.all.length.size  8 flits  16 flits'
has out 'latency: 4 of 4 differ'
[[ $(grep -c ' higher$' out) -eq 4 ]] || fail 'not all are higher'
[[ $(grep -c '^seed' out) -eq 0 ]] || fail 'a setting that is the same'
run 1 "$WEFT" compare torus.weft long.weft --same
is err 'the results differ'
run 0 "$WEFT" compare long.weft torus.weft --metric latency
[[ $(grep -c ' lower$' out) -eq 4 ]] || fail 'not all are lower'

# Two curves of one file; the setting selected is what differs, the other one matches points.
run 0 "$WEFT" compare torus.weft@selection=random torus.weft@routing.selection=dimension-order --metric latency
has out 'routing.selection     random  dimension-order'
has out 'latency: '
[[ $(grep -cE '^0\.[24] +latency' out) -eq 2 ]] || fail 'not two rows'
# Single points.
run 0 "$WEFT" compare torus.weft@selection=random@rho=0.2 torus.weft@selection=random@rho=40% --metric p50,latency
has out 'traffic.all.rho       0.2  0.4'
[[ $(grep -cE '^(latency|p50) ' out) -eq 2 ]] || fail 'not one point with two metrics'

# Points match by settings: what varies here may be fixed there, 20% is 0.2. The others are listed.
run 0 "$WEFT" compare torus.weft fixed.weft --metric latency
[[ $(grep -cE '^random +0.2 +latency' out) -eq 1 ]] || fail 'no counterpart found'
has out 'Points that not every side has:
  A only:  selection=dimension-order  rho=0.2
  A only:  selection=dimension-order  rho=0.4
  A only:  selection=random  rho=0.4
  B only:  selection=random  rho=0.5'
run 1 "$WEFT" compare torus.weft fixed.weft --same
sed 's/rho/load/' torus.yaml >load.yaml
run 0 "$WEFT" run load.yaml --quiet
run 1 "$WEFT" compare torus.weft load.weft
is err 'no point of torus.weft has a counterpart elsewhere'
has out '  A only:  selection=dimension-order  rho=0.2  load=–'

# Three sides.
run 0 "$WEFT" compare torus.weft again.weft long.weft --metric latency
has out 'C  long.weft: 4 points'
has out 'latency: '
[[ $(grep -cE ' latency +(cycles +)?[BC] ' out) -eq 8 ]] || fail 'not eight rows'

# Three sides, of which one lacks points: its settings are those of the points that it has.
run 0 "$WEFT" compare torus.weft fixed.weft long.weft --metric latency
has out 'traffic.all.length.size  8 flits  8 flits  16 flits'
[[ $(grep -cE ' latency +C ' out) -eq 4 && $(grep -cE '^random +0.2 +latency +B ' out) -eq 1 ]] || { cat out; fail 'not four rows and one'; }
has out 'Points that not every side has:
  AC only:  selection=dimension-order  rho=0.2
  AC only:  selection=dimension-order  rho=0.4
  AC only:  selection=random  rho=0.4
  B only:  selection=random  rho=0.5'

# Keys of 36 settings, of which the last but one varies: two points, not one.
{
    printf 'interweft: 1\ntopology: {kind: torus, dims: [4, 4]}\nmeasure: {limit: {packets: 2000}}\ntraffic:\n'
    printf '  %s: {pattern: uniform}\n' {a..l}
    echo 'vary:'
    printf '  traffic.%s.length: [8 flits]\n' {a..l}
    printf '  traffic.%s.start: [0 cycles]\n' {a..l}
    printf '  traffic.%s.rho: [0.01]\n' {a..k}
    echo '  traffic.l.rho: [0.01, 0.3]'
} >wide.yaml
run 0 "$WEFT" run wide.yaml --quiet
run 0 "$WEFT" compare wide.weft wide.weft --metric accepted
[[ $(grep -cE '^0\.(01|3) +accepted ' out) -eq 2 ]] || { cat out; fail 'two points taken for one'; }

# A screen of 80 columns: no line is longer, and what varies and the verdict are there.
script -qec "stty cols 80; NO_COLOR=1 $WEFT compare torus.weft again.weft" /dev/null </dev/null | sed 's/\r$//; s/\x1b\[[0-9;]*m//g' >screen
[[ $(wc -L <screen) -le 80 ]] || { cat screen; fail 'wider than 80 columns'; }
has screen 'selection        rho  metric'
has screen 'verdict'

# The picture: one curve per selection.
run 0 "$WEFT" compare torus.weft@selection=random torus.weft@selection=dimension-order --tex both.tex
is err 'wrote both.tex'
has both.tex 'dimension-order'
has both.tex 'random'

# JSON is JSON, and has it all.
run 0 "$WEFT" compare torus.weft again.weft --json --all
python3 - out <<'END'
import json, sys
sheet = json.load(open(sys.argv[1]))
assert sheet["confidence"] == 0.95 and [s["name"] for s in sheet["sides"]] == ["torus.weft", "again.weft"]
assert sheet["settings"] == [{"path": "seed", "values": ["1", "2"]}]
rows = [r for r in sheet["rows"] if r["metric"] == "latency"]
assert len(rows) == 4 and sheet["unmatched"] == []
for r in rows:
    assert r["point"]["traffic.all.rho"] in (0.2, 0.4) and r["unit"] == "cycles"
    assert abs(r["other"]["value"] - r["baseline"]["value"] - r["difference"]) < 1e-9
    assert (r["p"] < 0.05) == (abs(r["difference"]) > r["half_width"]) == (r["verdict"] != "within")
END

# Mistakes.
run 1 "$WEFT" compare torus.weft@selection=randon again.weft
is err 'torus.weft: no point has selection=randon; what varies is routing.selection, traffic.all.rho'
run 2 "$WEFT" compare torus.weft@selection again.weft
is err "weft: points are selected by settings: torus.weft@key=value, found '@selection'"
run 1 "$WEFT" compare torus.weft again.weft --metric latency,latencey
is err "no points that match have both a metric 'latencey'; \`weft export torus.weft\` shows which there are"
none out
run 1 "$WEFT" compare torus.weft gone.weft
is err 'there is no results file gone.weft'
run 2 "$WEFT" compare torus.weft
is err 'weft: usage: weft compare A B …'
run 2 "$WEFT" compare torus.weft again.weft --confidence 95
has err '--confidence'

# The clearest difference, whose p is too small for a number, is one at any confidence.
cat >clear.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 2 flits, rho: 0.1, arrival: periodic}}
measure: {half-width: 1%, limit: {packets: 40000}}
END
run 0 "$WEFT" run clear.yaml --quiet --results low.weft
run 0 "$WEFT" run clear.yaml --quiet --results high.weft traffic.all.rho=0.3
run 1 "$WEFT" compare low.weft high.weft --metric accepted --confidence 0.9999 --same
has out higher

# What cannot be compared is not the same: other units, or jobs of which one did not end.
sed -e 's/^interweft: 1/&\nclock: 1 GHz\nlinks: {rate: 128 Gb\/s, flit: 16 B}/' clear.yaml >seconds.yaml
run 0 "$WEFT" run seconds.yaml --quiet --results seconds.weft
run 1 "$WEFT" compare low.weft seconds.weft --same
has out 'Not compared: latency in cycles and in ns'
cat >job.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 2, buffer: 2000 flits}
jobs: {a: {collective: allreduce/ring, ranks: 4, size: 1 KiB}, b: {collective: allreduce/ring, ranks: 4, size: 2 KiB}}
END
run 0 "$WEFT" run job.yaml --quiet --results ended.weft
run 0 "$WEFT" run job.yaml --quiet --results begun.weft 'measure={limit: {time: 300 cycles}}'
run 1 "$WEFT" compare ended.weft begun.weft --same
run 0 "$WEFT" compare ended.weft ended.weft --same
# Facts of several jobs are a list.
run 0 "$WEFT" check job.yaml --json
python3 -c 'import json; d = json.load(open("out")); assert any(isinstance(v.get("job"), list) for v in d.values() if isinstance(v, dict)) or isinstance(d.get("job"), list), d'
# A metric is named as it is shown.
run 0 "$WEFT" compare low.weft high.weft --metric 'link utilisation mean'
has out 'link utilisation mean'
