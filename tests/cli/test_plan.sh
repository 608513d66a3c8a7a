#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft plan: every number of three fabrics by hand, the same bytes twice, scenarios that run, and what is wrong with a
# plan that cannot be.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
export COLUMNS=80

cat >small.yaml <<'END'
interweft-plan: 1
title: A small machine
endpoints: 256
switch: {ports: 16}
simulate: 0
END
run 0 "$WEFT" plan small.yaml --csv small.csv --write candidates
has err 'wrote 24 scenarios to candidates'
has out 'A small machine: 24 fabrics for 256 endpoints, by cost'
has out 'hyperx 4x4x4 p4             64    18  22.32   98.8     3  1.00  0.50  0.50  u'
has out 'prices.optics=10'
awk '{ if (gsub(/[^\x80-\xbf]/, "") > 88) exit 1 }' out || fail 'a line of the table is wide'

# Numbers, recomputed.
run 0 "$WEFT" topology export candidates/dragonfly-p4-a8-h5-g8.yaml --format edges
mv out edges
run 0 python3 "$WEFT_SOURCE/tests/cli/plan_by_hand.py" small.csv edges
is out '195 numbers'

# The same bytes again.
cp small.csv first.csv
run 0 "$WEFT" plan small.yaml --csv small.csv
cmp small.csv first.csv || fail 'another plan from the same file'

# Scenarios are ordinary ones: all are sound, and one of every family runs.
for scenario in candidates/*.yaml; do
    run 0 "$WEFT" check "$scenario"
    has out 'covered                yes'
    has out 'deadlock               none possible'
done
for name in dragonfly-p4-a8-h5-g8 fat-tree-3-levels-1t1 hyperx-4x4x4-p4 slim-fly-q5-p6 megafly-p8-l8-s8-h8-g4; do
    run 0 "$WEFT" run "candidates/$name.yaml" traffic.all.load=0.2 measure.limit.packets=20000 --quiet
    has out 'hops'
done

# Constraints leave fabrics out, and the file says why.
run 0 "$WEFT" plan small.yaml constraints.bisection=0.5 constraints.diameter=3 --csv some.csv
has out '12 more break a constraint'
has some.csv 'fat-tree 3 levels 1:1,fat-tree,"constraints.diameter: 4, wanted at most 3"'
# Prices may be a file.
printf 'prices: {optics: 20}\n' >prices.yaml
printf 'include: prices.yaml\n' | cat - small.yaml >dear.yaml
run 0 "$WEFT" plan dear.yaml --csv dear.csv
[[ $(cat out) != *prices.optics=* ]] || fail 'a price that was given is called an assumption'
# Racks in rows that are given, and too small for the endpoints of a switch: longer cables.
run 0 "$WEFT" plan small.yaml 'fabrics=[{kind: fat-tree, taper: [1, 20]}]' --csv even.csv
has out 'fat-tree 3 levels 1:1   80    33  35.21  138.8'
run 0 "$WEFT" plan small.yaml 'fabrics=[{kind: fat-tree, taper: [1]}]' rack.row=3
has out 'fat-tree 3 levels 1:1   80    42  37.44  143.8'
run 0 "$WEFT" plan small.yaml 'fabrics=[{kind: fat-tree, taper: [1]}]' rack.endpoints=3
has out 'fat-tree 3 levels 1:1   80    75  46.55  164.0'
run 1 "$WEFT" plan small.yaml 'fabrics=[{kind: slim-fly, crowd: 0.1}]'
has err 'small.yaml:3:12: no fabric that was looked for has 256 to 320 endpoints on switches of 16 ports'
# Switches with many ports: what is too large is not looked at one by one.
run 0 timeout 60 "$WEFT" plan small.yaml endpoints=300 switch.ports=1024 'fabrics=[{kind: dragonfly}, {kind: hyperx, dims: [2, 3, 4]}]'
has out 'fabrics for 300 endpoints, by cost'
# Chosen families, with settings.
run 0 "$WEFT" plan small.yaml 'fabrics=[{kind: dragonfly, links: 1}]'
has out 'dragonfly p6 a6 h2 g8'

# Without any price there is a picture, too.
zero=()
for price in switch port copper copper-metre optics optics-metre rack; do zero+=("prices.$price=0"); done
(ulimit -t 60 && run 0 "$WEFT" plan small.yaml "${zero[@]}" --svg free.svg --html free.html) || exit
has free.svg 'cost, in the unit of prices'

# Faults: expected throughput, reachability and spares.
run 0 "$WEFT" plan small.yaml faults.switches=1 --csv switch.csv
has out 'with 0 cables and 1 switches down, means of 100 draws'
run 0 "$WEFT" plan small.yaml faults.cables=1 --csv cable.csv
run 0 "$WEFT" plan small.yaml faults.cables=2 faults.draws=2000 --csv cables.csv
run 0 python3 "$WEFT_SOURCE/tests/cli/plan_faults.py" switch.csv cable.csv cables.csv
is out 'good'

# The page says what faults leave, and has a title of its own where the plan has none.
sed '/^title/d' small.yaml >untitled.yaml
run 0 "$WEFT" plan untitled.yaml endpoints=64 faults.cables=2 faults.draws=20 --html faults.html
has faults.html '<h1>Choosing a fabric</h1>'
has faults.html 'with 2 cables and 0 switches down: means of 20 random draws with 95 % intervals.'
[[ $(grep -oE '<td>[0-9.]+±[0-9.]+</td>' faults.html | wc -l) -ge 30 ]] || fail 'no bounds with faults on the page'

# Spares for as many failures as 800 a year, 99 % of the time: 800 + 2.33 √800.
run 0 "$WEFT" plan small.yaml endpoints=16 'switch.ports=8' 'fabrics=[{kind: fat-tree, levels: [2], taper: [1]}]' \
    spares.cables=25 spares.days=365 --csv spares.csv
python3 -c 'import csv; n = int(next(csv.DictReader(open("spares.csv")))["spare_cables"]); assert 864 <= n <= 870, n' ||
    fail 'spares of a large fabric'

# The best are simulated, once; the page shows everything.
few=('fabrics=[fat-tree, hyperx]' simulate=2 'simulation.loads=[0.2, 0.5]' simulation.packets=1 simulation.least=20000)
run 0 "$WEFT" plan small.yaml "${few[@]}" --csv runs.csv --html plan.html --jobs 2
has err 'simulation 10 of 10: fat-tree 3 levels 1:1, all-to-all'
has out 'simulated, 95 % intervals'
cp runs.csv first.csv
cp out first.txt
for text in 'A small machine' 'Cost against throughput' 'Floor plans' '<svg' 'Simulated' 'prices.optics' assumed; do
    has plan.html "$text"
done
rm small-runs/hyperx*-incast.weft
within 5 0 "$WEFT" plan small.yaml "${few[@]}" --csv runs.csv --html plan.html --jobs 1
cmp runs.csv first.csv || fail 'a plan that goes on has other results'
cmp out first.txt || fail 'a plan that goes on says something else'
grep -q ',yes,0\.5,0\.\|,1,0\.5,0\.' runs.csv || fail 'the greatest load is not told'
has out ' at 0.5 '
# Other loads are judged by their own points, not by those that are there already.
other=(fabrics=[hyperx] simulate=1 'simulation.loads=[0.3]' simulation.seeds=2 simulation.packets=1 simulation.least=20000)
run 0 "$WEFT" plan small.yaml "${other[@]}" --csv again.csv --jobs 1
cp -r small-runs kept-runs
rm -r small-runs
run 0 "$WEFT" plan small.yaml "${other[@]}" --csv anew.csv --jobs 1
cmp again.csv anew.csv || fail 'a plan takes points of other loads and seeds'

# No folder for results.
: >taken
run 1 "$WEFT" plan small.yaml "${other[@]}" --results taken --jobs 1
is err 'cannot make the folder taken: File exists'

# Runs that saturate before anything is measured: no latency, and no picture of none.
run 0 "$WEFT" plan small.yaml endpoints=64 'fabrics=[hyperx]' simulate=1 'simulation.loads=[1]' simulation.packets=1 simulation.least=1000 \
    simulation.seeds=2 --html full.html --jobs 1
grep -qE '^hyperx 5x5 p3 +– +– +– ' out || { cat out; fail 'a latency of runs that saturate'; }
has full.html '<h2>Simulated</h2>'
[[ $(cat full.html) != *'Open marks are saturated'* ]] || fail 'a figure without a picture'

# The tables give description and schema.
run 0 "$WEFT" describe prices
has out 'plan, section prices: in any unit of money'
run 0 "$WEFT" schema plan
python3 -c 'import json; s = json.load(open("out")); t = s["allOf"][0]["properties"]
assert {"include", "prices", "constraints", "fabrics"} <= set(t) and "vary" not in t, list(t)' || fail 'the schema of plans'
run 2 "$WEFT" schema plans
has err "schema is of a scenario, a plan or a study, found 'plans'"

# What is wrong, and what would be right.
run 1 "$WEFT" plan small.yaml switch.prots=4
has err "switch has no setting 'prots'; did you mean 'ports'?"
run 1 "$WEFT" plan small.yaml endpoints=100000
has err 'no fabric that was looked for has 100000 to 125000 endpoints on switches of 16 ports; the nearest has 4160: megafly p8 l8 s8 h8 g65'
run 1 "$WEFT" plan small.yaml endpoints=2
has err 'no fabric that was looked for has 2 to 2 endpoints on switches of 16 ports; constraints.largest allows larger ones'
run 1 "$WEFT" plan small.yaml constraints.bisection=3
has err 'none of 24 fabrics holds all constraints; the nearest is slim-fly q7 p3, which breaks constraints.bisection: 2.33333, wanted at least 3'
run 1 "$WEFT" plan small.yaml 'fabrics=[fat-tre]'
has err "did you mean 'fat-tree'?"
run 1 "$WEFT" plan small.yaml 'cables.lengths=[3, 2]'
has err 'cables.lengths must ascend, found 2 behind 3'
run 1 "$WEFT" plan candidates/hyperx-4x4x4-p4.yaml
has err 'this is a scenario, for'
run 1 "$WEFT" plan small.yaml --write small.csv
has err 'cannot make the folder small.csv'
run 1 "$WEFT" plan small.yaml 'switch.latency=200 cycles'
has err 'switch.latency of a plan is a time such as 200 ns, not cycles'
run 1 "$WEFT" plan small.yaml 'switch.rate=1 flits/cycle'
has err 'switch.rate of a plan is bits a second, such as 400 Gb/s'
run 1 "$WEFT" plan small.yaml endpoints=64,128
has err 'a plan varies nothing: endpoints takes one value, or a list'
# Packets to the next group leave their switch, too: 11 endpoints share 3 links.
cat >group.yaml <<'END'
interweft-plan: 1
endpoints: 64
switch: {ports: 16, rate: 400 Gb/s}
simulate: 0
fabrics: [megafly]
constraints: {group: 0.9}
END
run 0 "$WEFT" plan group.yaml
grep -q 'megafly p11' out && fail 'p11 l2 s3 has a bound of 3/11'
run 0 "$WEFT" plan group.yaml fabrics='[fat-tree]' constraints.group=0.1 faults.cables=100000 faults.switches=100000
has out '0.000±0.000  0.000±0.000  0.0000±0.0000'
# Flits are as long as whole picoseconds need: 256 B take 20.48 at 100 Tb/s.
run 0 "$WEFT" plan small.yaml 'fabrics=[hyperx]' switch.rate='100 Tb/s' --write fast
grep -q '^  flit: 512 B' fast/*.yaml || fail 'flits of 100 Tb/s'
