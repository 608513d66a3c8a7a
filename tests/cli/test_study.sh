#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft study: several scenarios, series and seeds in one file; intervals over seeds by hand; only what depends on a change
# is run; its page, pictures, numbers and status; what is wrong with a file is said with its place.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/study_lib.sh"
export COLUMNS=80

cat >torus.yaml <<'END'
interweft: 1
title: A small torus
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 10%, limit: {packets: 3000}}
END
printf '0,1\n1,0\n' >flows.csv
cat >paper.yaml <<'END'
interweft-study: 1
title: Ports & <choices>
about: Two ways to choose a port.
seeds: 3
vary: {traffic.all.rho: 0.1/0.5/0.2}
series:
  order: {routing.selection: dimension-order}
  random: {routing.selection: random, router.header: 1 cycle}
scenarios:
  torus: {scenario: torus.yaml}
  mesh: {scenario: torus.yaml, set: {topology.kind: mesh}, seeds: 2}
  flows:
    seeds: 1
    series: {only: {traffic.all.pattern: {kind: flows, file: flows.csv}}}
    scenario:
      topology: {kind: torus, dims: [4]}
      traffic: {all: {pattern: uniform, length: 8 flits, rho: 0.1}}
      measure: {half-width: 10%, limit: {packets: 2000}}
figures:
  latency: {title: 'Latency < throughput', x: rho, y: mean, of: [torus, mesh], caption: 'One & all.'}
  tail: {y: p99, of: torus, only: {series: random}, log: both}
tables:
  numbers: {of: torus, columns: [accepted, mean, p99]}
END
run 0 "$WEFT" study status paper.yaml
has out 'scenario=torus series=order                        0       0       0       9'
has out 'Not running; what is left takes about'
run 0 "$WEFT" study paper.yaml
has err '33 points'
has err 'results in paper.weft'
none out
run 0 "$WEFT" study status paper.yaml
has out 'all                                               33       0       0       0'
has out 'All points are done.'

# The page has all of it, escaped; pictures are files too.
[[ -s paper-figures/latency.svg && -s paper-figures/tail.svg ]] || fail 'a picture is missing'
has paper.html '<h1>Ports &amp; &lt;choices&gt;</h1>'
has paper.html 'Figure 1: Latency &lt; throughput'
has paper.html 'One &amp; all.'
has paper.html '33 of 33 points have been run.'
[[ $(grep -c 'src="data:image/svg+xml' paper.html) -eq 2 ]] || fail 'the page lacks a picture'
cp paper.html page.html
run 0 "$WEFT" report paper.weft
has err 'paper-points.html'
cmp paper.html page.html || fail 'weft report wrote over the page of the study'
! grep -q '<script' paper.html || fail 'the page has a script'
grep -q '</td><td>[0-9.]* ± [0-9.]*</td><td>[0-9.]* ± ' paper.html || fail 'the table has no intervals'

# Means and intervals over seeds by hand; a point is that of weft run with the same settings.
"$WEFT" export paper.weft >all.csv
python3 - <<'END' || fail 'means over seeds are others'
import csv, statistics
def of(file):
    return [r for r in csv.DictReader(open(file)) if (r["name"], r["class"], r["by"]) == ("latency", "", "")
            and (r["scenario"], r["series"], r["traffic.all.rho"]) == ("torus", "random", "0.3")]
single, over = of("all.csv"), of("paper.csv")
values = [float(r["value"]) for r in single]
assert len(values) == 3 and len(over) == 1, (single, over)
half = 4.302652729911275 * statistics.stdev(values) / 3 ** 0.5
assert abs(float(over[0]["value"]) / statistics.mean(values) - 1) < 1e-12
assert abs(float(over[0]["hi"]) - float(over[0]["lo"]) - 2 * half) < 1e-6 * half
flows = [r for r in csv.DictReader(open("paper.csv")) if r["scenario"] == "flows" and r["name"] == "latency" and r["by"] == ""]
assert flows and all(r["method"] != "Student's t over seed" for r in flows)
END
run 0 "$WEFT" run torus.yaml --quiet -o one.weft seed=2 traffic.all.rho=0.3 routing.selection=random 'router.header=1 cycle'
python3 - <<'END' || fail 'a point is not that of weft run'
import sqlite3
def metrics(file, key):
    db = sqlite3.connect(file)
    return sorted(map(repr, db.execute('SELECT name, class, "by", "index", value, lo, hi FROM metric m JOIN point p ON p.id = m.point WHERE key = ?', (key,))))
one = metrics("one.weft", "")
assert len(one) > 20 and one == metrics("paper.weft", "scenario=torus series=random seed=2 traffic.all.rho=0.3")
END

# Only what depends on a change is run: nothing at all; a setting of a series; a value of an axis; a file; a seed.
again 0 . "$WEFT" study paper.yaml
has err 'all 33 points are there already'
sed -i 's/router.header: 1 cycle/router.header: 2 cycles/' paper.yaml
again 15 'series=random' "$WEFT" study paper.yaml
has err '15 points'
has err 'again, as their settings have changed'
sed -i 's/A small torus/Another title/; s/Ports & /Ports, /' torus.yaml paper.yaml
again 0 . "$WEFT" study paper.yaml
printf '0,1\n2,3\n' >flows.csv
again 3 'scenario=flows' "$WEFT" study paper.yaml
again 12 'seed=[34]' "$WEFT" study paper.yaml seeds=4 'scenarios.mesh.seeds=3' --quiet
again 0 . "$WEFT" study paper.yaml
sed -i 's/vary: {traffic.all.rho: .*/vary: {traffic.all.rho: [0.1, 0.3, 0.4]}/' paper.yaml
again 11 'rho=0.4' "$WEFT" study paper.yaml
# New names for the same settings, exchanged ones too, run nothing.
sed -i 's/^  order:/  swap:/; s/^  random:/  order:/; s/^  swap:/  random:/; s/^  mesh:/  grid:/; s/\[torus, mesh\]/[torus, grid]/' paper.yaml
rows paper.weft | wc -l >count
run 0 "$WEFT" study paper.yaml
has err 'all 33 points are there already'
run 0 "$WEFT" study paper.yaml -o fresh --quiet
cmp paper.csv fresh/paper.csv || fail 'points under new names have other numbers'

# What is no results file is told, and an empty one is no trouble.
half_bad_study >other.yaml
echo hello >other.weft
run 1 "$WEFT" study status other.yaml
is err 'other.weft is not a results file of Interweft'
: >other.weft
run 0 "$WEFT" study status other.yaml
has out 'all                                                0       0       0       2'

# A point that fails is kept as such; the others go on; the next run tries it again.
half_bad_study >bad.yaml
run 3 "$WEFT" study bad.yaml --quiet
has err '1 of 2 points failed, such as scenario=torus series=cyclic: '
run 0 "$WEFT" study status bad.yaml
has out 'all                                                1       0       1       0'
has out 'failed: scenario=torus series=cyclic: '
has bad.html 'point that failed'
# One that is tried again is running, not failed and running.
{
    printf '%s %s %s\n0.500 ' "$(date +%s)" $$ "$(uname -n)"
    sed -n 's/^failed: \(.*cyclic\): .*/\1/p' out
} >bad.weft.running
run 0 "$WEFT" study status bad.yaml
has out 'all                                                1       1       0       0'
rm bad.weft.running

# What is running is said while it runs, and no longer when it was killed.
cat >long.yaml <<'END'
interweft-study: 1
set: {measure.limit.packets: 100000000, measure.half-width: 0.001%}
scenarios: {torus: {scenario: torus.yaml}}
END
"$WEFT" study long.yaml --quiet >out 2>err </dev/null &
for ((i = 0; i < 400; i++)); do
    [[ ! -s long.weft.running ]] || break
    sleep 0.05
done
run 0 "$WEFT" study status long.yaml
has out 'all                                                0       1       0       0'
has out 'Running; what is left takes about '
kill -KILL $!
wait $! 2>/dev/null || true
run 0 "$WEFT" study status long.yaml
has out 'all                                                0       0       0       1'
has out 'Not running; '

# Mistakes: place, what was found, what would be right.
wrong() {
    printf 'interweft-study: 1\n%s\n' "$1" >wrong.yaml
    run 1 "$WEFT" study wrong.yaml
    has err "$2"
    [[ ! -e wrong.weft ]] || fail 'a wrong study was begun'
}
one='scenarios: {torus: {scenario: torus.yaml}}'
wrong 'seeds: 2' "wrong.yaml:1:1: the study lacks the section 'scenarios'"
wrong 'scenarios: {torus: {scenario: tours.yaml}}' "wrong.yaml:2:31: the included file 'tours.yaml' cannot be read"
wrong 'scenarios: {torus: {scenari: torus.yaml}}' "wrong.yaml:2:21: scenarios.torus has no setting 'scenari'; did you mean 'scenario'?"
wrong "$one"$'\nset: {router.headr: 1 cycle}' "wrong.yaml:3:14: router has no setting 'headr'; did you mean 'header'?"
wrong "$one"$'\nvary: {traffic.all.rho: [0.1, many]}' "wrong.yaml:3:31: traffic.all.rho"
wrong "$one"$'\nseries: {a: 3}' 'wrong.yaml:3:13: a series must be a map from paths of settings to values'
wrong "$one"$'\nvary: {seed: [1, 2]}\nseeds: 2' "wrong.yaml:3:8: the seed varies here and by 'seeds'; leave one of them out"
wrong "$one"$'\nfigures: {f: {of: tours}}' "wrong.yaml:3:19: there is no scenario 'tours'; did you mean 'torus'?"
wrong "$one"$'\nfigures: {f: {y: p98}}' "wrong.yaml:3:18: y: "
wrong "$one"$'\nvary: {traffic.all.rho: [0.1, 0.2]}\nfigures: {f: {x: router.vcs}}' "wrong.yaml:4:18: x: 'router.vcs' does not vary here"
wrong "$one"$'\nvary: {traffic.all.rho: [0.1, 0.2]}\nfigures: {f: {only: {traffic.all.rho: 0.3}}}' 'wrong.yaml:4:21: no point has these values'
wrong "$one"$'\nvary: {traffic.all.rho: [0.1, 0.2]}\nfigures: {f: {only: {traffic.all.laod: 0.1}}}' "wrong.yaml:4:21: nothing varies 'traffic.all.laod'"
wrong "$one"$'\ntables: {t: {columns: [mean, p98]}}' 'wrong.yaml:3:23: columns: '
list=$(seq -s, 1 14000)
wrong "$one"$'\n'"vary: {traffic.all.from: [[$list], [0, 1]]}" "wrong.yaml:3:7: the values of the point 'scenario=torus traffic.all.from=[1, 2, 3, "
has err "…' take 86926 bytes, more than results can hold; a longer list may be a file: 'file NAME'"
run 1 "$WEFT" study torus.yaml
has err 'this is a scenario, for '
run 2 "$WEFT" study statsu paper.yaml
has err "found 'statsu'"

# What cannot be drawn is said on the page and on the terminal; the rest of the page is there. A study without a title has one.
mkdir -p bare/bin
cd bare || exit
cp ../torus.yaml .
cat >bare.yaml <<'END'
interweft-study: 1
vary: {traffic.all.rho: [0.1, 0.3]}
scenarios: {torus: {scenario: torus.yaml, set: {measure: {limit: {packets: 500}}}}}
figures: {latency: {x: rho, y: mean}}
END
run 0 env PATH="$PWD/bin" "$WEFT" study bare.yaml --quiet
has err 'figure latency is not drawn: pictures are drawn by gnuplot, which is not installed (Debian: gnuplot-nox); tables and CSV do without it'
has bare.html '<h1>Evaluation</h1>'
has bare.html '<p class="missing">Not drawn: pictures are drawn by gnuplot, which is not installed'
has bare.html 'Table 1: All points'
sed 's/y: mean/y: slowdown/' bare.yaml >none.yaml
run 0 "$WEFT" study none.yaml --quiet
has err "figure latency is not drawn: nothing to draw: no point has both a place on the axis and a value of 'slowdown'"
sed 's/y: mean/y: verdict/' bare.yaml >none.yaml
run 1 "$WEFT" study none.yaml --quiet
has err ': y: a verdict is no number'
# A point that cannot be read is no reason for a page without it.
command -v sqlite3 >/dev/null || exit 0
run 0 "$WEFT" study bare.yaml --quiet
rm bare.html
sqlite3 bare.weft "UPDATE metric SET unit = hex(zeroblob(40000)) WHERE name = 'latency' AND class = '' AND \"by\" = ''"
run 1 "$WEFT" study bare.yaml --quiet
has err 'bare.weft is damaged: table metric, row '
[[ ! -e bare.html ]] || fail 'a page of points that cannot be read'
