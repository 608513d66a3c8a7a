#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft reproduce: a mistake in a study or in a table of expected values is told with its place; a long comparison shows what stands out.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
mkdir -p studies/m
cat >good.yaml <<'END'
interweft-study: 1
title: Models
source: nobody
figures:
  queue:
    title: A queue
    model: mm1
    settings: {states: 3}
    vary: {lambda: [0.5, 1, 1.5], mu: [2, 4]}
    keys:
      lambda: lambda
      mu: mu
    claims:
      latency:
        rule: digits
        metric: latency
        digits: 4
        table: t.csv
        value: w
      falls: {rule: trend, metric: latency, along: mu, direction: falling}
      first: {rule: ordering, metric: latency, along: mu, order: [2, 4]}
      whole: {rule: digits, metric: probability, by: packets, index: 1, digits: 4, table: p.csv, value: p}
END
awk 'BEGIN { print "lambda,mu,w,e" >"studies/m/t.csv"; print "lambda,mu,p" >"studies/m/p.csv"
    for (l = 0.5; l <= 1.5; l += 0.5) for (m = 2; m <= 4; m += 2) {
        printf "%g,%g,%.6f,0.1\n", l, m, 1 / (m - l) >"studies/m/t.csv"; printf "%g,%g,%.6f\n", l, m, l / m * (1 - l / m) >"studies/m/p.csv" } }'
cp good.yaml studies/m/study.yaml
run 0 "$WEFT" reproduce m
has out 'm/queue: agrees'

# told PLACE MESSAGE EDIT: the study, edited by sed, is refused at this line and column of study.yaml.
told() {
    sed "$3" good.yaml >studies/m/study.yaml
    ! cmp -s good.yaml studies/m/study.yaml || fail "no edit: $3"
    run 1 "$WEFT" reproduce m --new
    [[ $(head -n 1 err) == "studies/m/study.yaml:$1: $2" ]] || { cat err; fail "not $1: $2"; }
}
figure=figures.queue
told 1:18 'study.interweft-study must be 1 … 1, found 2' '1s/1$/2/'
told 1:1 "study lacks the setting 'interweft-study' (version of this language)" 1d
told 1:1 "there is no 'figures' here" '4,99d'
told 5:3 "a figure's name is made of small letters, digits, - and _" 's/^  queue:/  Queue:/'
told 7:12 "$figure.model must be text, found a list" 's/model: mm1/model: [a]/'
told 7:15 "$figure.crossbar must be one of search, run, count, found 'zz'" 's/model: mm1/crossbar: zz/'
for maker in 'model: mm1' 'crossbar: count'; do
    told 8:15 "$figure.settings must be a map from settings to values, found a list" "s/model: mm1/$maker/; s/settings: {.*/settings: [1]/"
    told 9:11 "$figure.vary must be a map from settings to values, found '3'" "s/model: mm1/$maker/; s/vary: {.*/vary: 3/"
done
# What is drawn, and what was measured.
told 13:20 "$figure.quick.seeds: nothing is drawn where a figure says 'model'" 's/^    claims:$/    quick: {seeds: 3}\n&/'
told 13:12 "$figure.quick must be a map from names to settings, found '3'" 's/^    claims:$/    quick: 3\n&/'
told 13:19 "$figure.full.seeds must be a whole number, found 'x'" 's/^    claims:$/    full: {seeds: x}\n&/'
told 13:23 "$figure.quick.settings must be a list such as [measure.limit.packets=1000], found '3'" 's/^    claims:$/    quick: {settings: 3}\n&/'
told 13:24 "$figure.quick.settings: write key=value, found '3'" 's/^    claims:$/    quick: {settings: [3]}\n&/'
told 13:24 "$figure.quick.settings: write key=value, found a list" 's/^    claims:$/    quick: {settings: [[3]]}\n&/'
# measured SETTINGS: as the edit of a figure of a table that was measured.
measured() {
    echo "s/model: mm1/$1/; s/settings: {states.*/quick: {seeds: 1}/; s/vary: {.*/full: {seeds: 1}/; s/metric: latency/metric: w/; /whole:/d"
}
told 6:5 "$figure lacks the setting 'command'" "$(measured 'measured: t.csv\n    metrics: {w: s}')"
told 7:15 "$figure.measured must be text, found a list" "$(measured 'measured: [t.csv]\n    command: x\n    metrics: {w: s}')"
told 7:15 "$figure.measured is a file of the study's own folder" "$(measured 'measured: a\/t.csv\n    command: x\n    metrics: {w: s}')"
told 6:5 "$figure.metrics must be a map from columns of t.csv to units" "$(measured 'measured: t.csv\n    command: x')"
told 9:14 "$figure.metrics must be a map from columns of t.csv to units" "$(measured 'measured: t.csv\n    command: x\n    metrics: 3')"
told 9:15 "t.csv has no column 'zz'" "$(measured 'measured: t.csv\n    command: x\n    metrics: {zz: s}')"
sed "$(measured 'measured: t.csv\n    command: x\n    metrics: {w: s, e: s}')" good.yaml >studies/m/study.yaml
run 0 "$WEFT" reproduce m --new
has out '  agrees       latency, equal to 4 digits: 6 cells, 6 equal'

# Keys.
# key PLACE MESSAGE WHAT: a key mu of this kind.
key() {
    told "12:$1" "$figure.keys.mu$2" "s/^      mu: mu\$/      mu: $3/"
}
key 11 ' must be a map of settings, found a list' '[mu]'
key 11 " needs either 'setting' or 'values'" '{}'
key 11 " needs either 'setting' or 'values'" '{setting: mu, values: {a: {mu: 2}}}'
key 20 ".values must be a map from names to settings, found '3'" '{values: 3}'
key 24 ".values.a must be a map from names to settings, found '3'" '{values: {a: 3}}'
key 29 '.values.a.mu must be a value, found a list' '{values: {a: {mu: [2]}}}'
key 29 '.values.a.mu must be a value, found nothing' '{values: {a: {mu: ~}}}'
told 11:7 "$figure.keys: at most 8 keys" 's/^      mu: mu$/&\n      a: a\n      b: b\n      c: c\n      d: d\n      e: e\n      f: f\n      g: g/'
told 21:67 "$figure.claims.first.order: '2' is not a value of the key 'mu'" 's/^      mu: mu$/      mu: {values: {two: {mu: 2}, four: {mu: 4}}}/'

# Claims: claim PLACE MESSAGE LINE adds a line to the first one.
claim() {
    told "20:$1" "$figure.claims.latency$2" "s/^        value: w\$/&\n        $3/"
}
claim 17 ".beside must be a list of keys, found 'mu'" 'beside: mu'
claim 18 ".beside: 'nu' is not a key of this figure" 'beside: [nu]'
claim 18 '.beside: a list is not a key of this figure' 'beside: [[mu]]'
claim 16 ": the table t.csv has no column 'zz'" 'error: zz'
claim 13 ": the table t.csv has no column 'zz'" 'at: zz'
claim 16 ': no row of the table t.csv is left' 'where: {lambda: 7}'
claim 16 ".known must be a list of known differences, found '3'" 'known: 3'
claim 17 ".known must be a map from names to values, found '3'" 'known: [3]'
for range in 3 '[2, 1]' '[1, b]' '[1]' '[1, [2]]'; do
    found='a list'
    [[ $range != 3 ]] || found="'3'"
    claim 27 ".known.between must be two numbers in order, [from, to], found $found" "known: [{between: $range, reason: x}]"
done
claim 26 '.known.lambda must be a value, found a list' 'known: [{lambda: [1], reason: x}]'
claim 37 '.known.reason must be a value, found a list' 'known: [{lambda: 1, reason: [x]}]'
claim 17 '.known lacks the reason' 'known: [{lambda: 1}]'
claim 18 ".known: 'nu' is neither a key of this figure nor 'reason', 'unexplained' or 'between'" 'known: [{nu: 1, reason: x}]'
claim 17 ".known lacks 'between: [from, to]', the range of ours" 'known: [{lambda: 1, unexplained: x}]'
claim 15 ".only must be a map from keys to values or {from, to}, found '3'" 'only: 3'
claim 16 ".only must be a map from keys to values or {from, to}, found '3'" 'only: [3]'
claim 15 '.only must be a map from keys to values or {from, to}, found an empty map' 'only: {}'
claim 24 '.only.lambda is empty' 'only: {lambda: []}'
claim 25 '.only.lambda: a value belongs here, found a list' 'only: {lambda: [[1]]}'
claim 16 ".only: this figure has no key 'nu'" 'only: {nu: 1}'
claim 17 ".adjust must be a map of settings, found '3'" 'adjust: 3'
told 15:9 "$figure.claims.latency lacks the setting 'table', which rule digits needs" '/^        table: t.csv/d'
told 19:16 "$figure.claims.latency: the table t.csv has no column 'v'" 's/^        value: w/        value: v/'
told 15:9 "$figure.claims.latency lacks the setting 'at', which rule distribution needs" 's/rule: digits$/rule: distribution/'
told 20:52 "$figure.claims.falls.along: this figure has no key 'nu'" '/falls:/s/along: mu/along: nu/'
told 20:14 "$figure.claims.falls lacks the setting 'along', which rule trend needs" '/falls:/s/along: mu, //'
told 20:83 "$figure.claims.falls.order belongs to rule ordering" '/falls:/s/}/, order: [2, 4]}/'
told 21:14 "$figure.claims.first lacks the setting 'order', which rule ordering needs" '/first:/s/, order: .*/}/'
for order in 3 '[4]'; do
    told 21:66 "$figure.claims.first.order must be a list of two values or more" "/first:/s/order: .*/order: $order}/"
done
# contrast PLACE MESSAGE TERMS
contrast() {
    told "20:$1" "$figure.claims.falls.terms$2" "s/^      falls:.*/      falls: {rule: contrast, metric: latency, sum: above, terms: $3}/"
}
contrast 67 ' must be a list of terms' 3
contrast 67 ' must be a list of terms' '[]'
contrast 68 " must be a map of settings, found '3'" '[3]'
for term in 'metric: latency, key: lambda' 'metric: latency, constant: 3' 'constant: 3, key: lambda'; do
    contrast 68 ': a term is a metric, a key or a constant' "[{$term}]"
done
contrast 68 ": this figure has no key 'nu'" '[{key: nu}]'
contrast 74 ": this figure has no key 'nu'" '[{at: {nu: 2}}]'
contrast 73 ".at must be a map from names to values, found '3'" '[{at: 3}]'
contrast 78 '.at.mu must be a value, found a list' '[{at: {mu: [2]}}]'

# What points and tables do not have: said by figure, point and claim.
# missing MESSAGE EDIT
missing() {
    sed "$2" good.yaml >studies/m/study.yaml
    run 1 "$WEFT" reproduce m --new
    [[ $(head -n 1 err) == "$1" ]] || { cat err; fail "not: $1"; }
}
point="figure queue: the point 'lambda=0.5 mu=2' has no"
missing "$point metric lat 0" 's/metric: latency$/metric: lat/'
missing "$point metric probability by packets 9" 's/index: 1/index: 9/'
missing "$point metric probability of c by packets 1" 's/metric: probability/&, class: c/'
missing "$point value for the key 'mu'" 's/^      mu: mu$/      mu: nu/'
missing "$point matrix latency with a line 0" 's/rule: digits$/rule: distribution\n        margin: 0.1\n        at: e/'
missing "figure queue: its grid varies 'states', which none of its keys names" 's/vary: {/&states: [1, 2], /; s/settings: {states: 3}//'
missing "there is no model ''; \`weft model\` lists them all" 's/model: mm1/model: ""/'
# table MESSAGE TEXT: the table as printf writes it.
cp studies/m/t.csv kept.csv
table() {
    printf '%b' "$2" >studies/m/t.csv
    missing "$1" ''
    cp kept.csv studies/m/t.csv
}
table 'studies/m/t.csv:2:15: this line ends inside quotes' 'lambda,mu,w,e\n0.5,2,0.6,"0.1\n'
table 'studies/m/t.csv:2:8: a comma must follow closing quotes' 'lambda,mu,w,e\n0.5,"2"x,0.6,0.1\n'
table 'studies/m/t.csv:1:1: a table of expected values begins with a line that names its columns' ''
table 'studies/m/t.csv:2:1: this line has 2 fields, the first one has 4' 'lambda,mu,w,e\n0.5,2\n'
for number in x inf 1x; do table "studies/m/t.csv:2:1: column w must be a number, found '$number'" "lambda,mu,w,e\n0.5,2,$number,1\n"; done
table 'figure queue, claim latency: no rows of t.csv fit lambda=0.5 mu=4' 'lambda,mu,w,e\n0.5,"2",0.666667,1\n'
table 'figure queue, claim latency: several rows of t.csv fit lambda=0.5 mu=2' 'lambda,mu,w,e\n0.5,"2",0.666667,1\n0.50,2,0.666667,1\n'
# Folders that are no studies.
mkdir -p studies/Bad studies/none studies/dir/study.yaml
run 1 "$WEFT" reproduce Bad
is err "studies/Bad: a study's name is made of small letters, digits, - and _"
run 1 "$WEFT" reproduce none
is err 'studies/none/study.yaml cannot be read: No such file or directory'
run 1 "$WEFT" reproduce dir
is err 'studies/dir/study.yaml is not a regular file'

# Of many points those are shown that differ, and of many differences the first.
awk 'BEGIN { print "lambda,mu,w"; for (i = 1; i <= 38; i++) for (m = 2; m <= 4; m += 2)
    printf "%g,%g,%.6f\n", i / 20, m, (i > 2 && i < 12 ? 1.5 : 1) / (m - i / 20) }' >studies/m/long.csv
sed '/^      f/d; /whole/d; s/t.csv/long.csv/; s/vary: {.*/vary: {lambda: {from: 0.05, to: 1.9, step: 0.05}, mu: [2, 4]}/' good.yaml >studies/m/study.yaml
run 1 "$WEFT" reproduce m --new
has out '58 of 76 points agree in everything and are left out here'
has out 'lambda=0.15 mu=2      0.5405  0.8108  disagrees'
has out '  disagrees    latency, equal to 4 digits: 76 cells, 58 equal'
has out '               lambda=0.4 mu=4: ours is 33 % below theirs
               … and 6 more'

# Curves of a model over a chart: which there are, by series; a mistake in them costs the page, not the verdicts.
# overlay SETTINGS: the figure with them.
overlay() {
    sed "s/^    claims:\$/    overlay: {name: theory, $1}\n&/" good.yaml >studies/m/study.yaml
    rm -f m-queue-quick.html
    run 0 "$WEFT" reproduce m --new
    has out 'm/queue: agrees'
}
# curves COUNT SETTINGS: so many curves of the model over the first chart.
curves() {
    overlay "$2"
    python3 - "$1" <<'END'
import json, sys
page = open("m-queue-quick.html").read()
charts = json.JSONDecoder().raw_decode(page[page.index('"charts":') + 9:])[0]
assert [c[0] for c in charts] == ["latency", "probability, packets 1"], charts
theory = [s for s in charts[0][5] if s[2] == "theory"]
assert len(theory) == int(sys.argv[1]) and all(len(s[3]) > 60 for s in theory), charts[0][5]
assert not [s for s in charts[1][5] if s[2] == "theory"]
END
}
latency='outputs: {latency: latency}'
overlay "model: mm1, keys: {lambda: lambda, mu: mu}, $latency"
if [[ -e m-queue-quick.html ]]; then # the program has the page
    curves 2 "model: mm1, keys: {lambda: lambda, mu: mu}, $latency"
    curves 1 "model: mm1, keys: {lambda: lambda, mu: {2: {mu: 2}}}, $latency"
    curves 1 "model: mm1, keys: {lambda: lambda}, $latency, settings: {mu: 5}" # the same for both
    curves 0 "model: mm1, keys: {mu: mu}, $latency, settings: {lambda: 0.3}"
    curves 0 'model: mm1, keys: {lambda: lambda, mu: mu}, outputs: {latency: zz}'
    overlay "model: mm9, keys: {lambda: lambda, mu: mu}, $latency"
    has err "no report page: there is no model 'mm9'; did you mean 'mm1'?"
    overlay "model: mm1, keys: {lambda: zz}, $latency"
    has err "no report page: command line: mm1 has no setting 'zz' (known: lambda, mu, states)"
    overlay 'model: mm1, keys: {lambda: lambda, mu: mu}, index: states, outputs: {probability: probability}'
fi
# over PLACE MESSAGE SETTINGS
over() {
    told "13:$1" "$figure.overlay$2" "s/^    claims:\$/    overlay: {name: theory, $3}\n&/"
}
over 14 " lacks the setting 'model' (name of a model)" "keys: {lambda: lambda}, $latency"
over 14 " lacks the setting 'keys'" "model: mm1, $latency"
over 48 ".keys: this figure has no key 'nu'" "model: mm1, keys: {nu: lambda}, $latency"
over 47 ".keys must be a map, found '3'" "model: mm1, keys: 3, $latency"
over 56 '.keys must be a map, found a list' "model: mm1, keys: {lambda: [3]}, $latency"
over 62 ".keys must be a map, found '3'" "model: mm1, keys: {lambda: {0.5: 3}}, $latency"
over 71 '.keys: a value belongs here, found a list' "model: mm1, keys: {lambda: {0.5: {lambda: [3]}}}, $latency"
over 71 '.keys: a value belongs here, found nothing' "model: mm1, keys: {lambda: {0.5: {lambda: ~}}}, $latency"
over 74 ".outputs must be a map, found '3'" 'model: mm1, keys: {lambda: lambda}, outputs: 3'
over 84 '.outputs: a value belongs here, found a list' 'model: mm1, keys: {lambda: lambda}, outputs: {latency: [x]}'

# Differences that are known: all, some, with a reason or without, in their range or not.
sed 's/^0.5,2,[0-9.]*/0.5,2,0.9/; s/^1,2,[0-9.]*/1,2,0/; s/^1,4,[0-9.]*/1,4,0.9/' kept.csv >studies/m/known.csv
# known STATUS VERDICT SENTENCE KNOWN: the claim, and the sentence below it.
known() {
    sed "s/^        value: w\$/&\n        known: [$4]/; s/t.csv/known.csv/" good.yaml >studies/m/study.yaml
    run "$1" "$WEFT" reproduce m --new
    has out "  $2 latency, equal to 4 digits: 6 cells, 3 equal
               $3
               lambda=0.5 mu=2: ours is 26 % below theirs; x
               lambda=1 mu=2: ours is 1 above theirs"
}
any='between: [0, 9]'
half="{lambda: 0.5, reason: x, $any}"
known 0 'unexplained ' '1 explained, 2 unexplained differences' "$half, {lambda: 1, unexplained: y, $any}"
known 0 'explained   ' '3 explained differences' "$half, {lambda: 1, reason: y, $any}"
known 0 'unexplained ' '3 unexplained differences' "{unexplained: x, $any}"
known 1 'disagrees   ' '2 cells differ' "$half"
known 1 'disagrees   ' '1 cell differs' "$half, {lambda: 1, mu: 2, reason: y, between: [5, 6]}, {lambda: 1, mu: 4, reason: y, $any}"
has out '; a difference is known here, but ours, 1, is outside of its range 5 … 6'
