#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft explain names the cause of slow points. The scenarios of tests/data/why say in their first line what it is, told before the first
# run; of the twenty at least 18 are named first, of the thirteen beside them at least 11, and no wrong one with high confidence. The
# table of docs/howto/why.md is what comes out here (WHY_TABLE=FILE writes it).
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

right=0 held=0
printf '| scenario | cause | named first | confidence | share of the waiting |\n|---|---|---|---|---|\n' >table
for file in "$WEFT_SOURCE"/tests/data/why/*.yaml "$WEFT_SOURCE"/tests/data/why/held-out/*.yaml; do
    name=$(basename "$file" .yaml)
    [[ $file != */held-out/* ]] || name="held-out/$name"
    told=$(sed -n '1s/# cause: //p' "$file")
    rm -f point.weft
    run 0 "$WEFT" run "$file" --quiet -o point.weft
    run 0 "$WEFT" explain point.weft --json
    read -r -d '' found confidence share <<<"$(python3 -c '
import json
v = json.load(open("out"))["verdicts"][0]
print(v["cause"].replace(" ", "_"), v["confidence"], "%.0f %%" % (100 * v["share"]["value"]))')" || true
    found=${found/_/ }
    printf '| %s | %s | %s | %s | %s |\n' "$name" "$told" "$found" "$confidence" "${share//$'\n'/}" >>table
    if [[ $found == "$told" ]]; then
        [[ $name == held-out/* ]] && held=$((held + 1)) || right=$((right + 1))
    elif [[ $confidence == high ]]; then
        fail "$name: $found with high confidence instead of $told"
    fi
done
[[ -z ${WHY_TABLE:-} ]] || cp table "$WHY_TABLE"
[[ $right -ge 18 ]] || fail "$right of 20 causes are named first"
[[ $held -ge 11 ]] || fail "$held of 13 causes beside them are named first"
sed -n '/^| scenario /,/^$/{/^$/d;p}' "$WEFT_SOURCE/docs/howto/why.md" >page
diff page table || fail 'the table of docs/howto/why.md is another one'

# the commands of the page, and what they print
mkdir bin page.d
ln -s "$WEFT" bin/weft
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$WEFT_SOURCE/docs/howto/why.md" >commands
(cd page.d && PATH=$(cd .. && pwd)/bin:$PATH bash -euo pipefail ../commands >out.txt 2>err.txt) || {
    cat page.d/*.txt
    fail 'a command of docs/howto/why.md fails'
}
awk '/^```/ { if (on || skip) on = skip = 0; else if (/^```$/) on = 1; else skip = 1; next } on' \
    "$WEFT_SOURCE/docs/howto/why.md" >shown
while read -r line; do
    grep -qF -- "$line" page.d/out.txt page.d/err.txt || fail "docs/howto/why.md shows what is not printed: $line"
done <shown

cmp page.d/tree.svg "$WEFT_SOURCE/docs/images/why-tree.svg" || fail 'the picture of docs/howto/why.md is another one'

# the same bytes each time; the slowest point is taken, or the one that is named
cat >two.yaml <<'EOF'
interweft: 1
topology: {kind: mesh, dims: [4, 4]}
links: {latency: 1 cycle}
router: {kind: input-queued, vcs: 2, buffer: 32 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: transpose, length: 4 flits, load: 0.1}}
vary: {traffic.all.load: [0.05, 0.4]}
measure: {limit: {time: 10000 cycles}}
EOF
run 0 "$WEFT" run two.yaml --quiet
run 0 "$WEFT" explain two.weft
has err '2 points: the slowest is explained; RESULTS@key=value chooses another'
has out ' 1. a saturated link (high confidence'
has out 'link (2,3)+x is busy 100.0 ± 0.0 % of the'
cp out again
run 0 "$WEFT" explain two.weft load=0.4
none err
diff out again || fail 'another text'
run 0 "$WEFT" explain two.weft load=0.4 --svg tree.svg
has err 'wrote tree.svg'
has tree.svg 'link (2,3)+x'
if command -v gnuplot >gnuplot.txt; then
    run 0 "$WEFT" explain two.weft load=0.4 --png tree.png
    [[ $(head -c 4 tree.png | tail -c 3) == PNG ]] || fail 'no picture'
fi
run 0 "$WEFT" explain two.weft load=0.4 --try --json
python3 -c '
import json
tried = json.load(open("out"))["tried"]
assert len(tried) > 8 and tried[0]["gain"]["lo"] > 0, tried' || fail 'no changes in JSON'
run 0 "$WEFT" explain two.weft@load=0.05
has out ' 1. packets hardly wait (high confidence)'
run 1 "$WEFT" explain two.weft load=0.3
has err 'load=0.3'

# routers that cannot tell
sed '/^router:/d; /^vary:/d' two.yaml >idealised.yaml
run 0 "$WEFT" run idealised.yaml --quiet
run 1 "$WEFT" explain idealised.weft
has err 'routers of kind output-queued do not tell what packets wait for; weft explain knows input-queued ones'

# the load of a cut is that of the one that binds: in a butterfly, of the links between its halves
sed -e '/^vary:/d; s/kind: mesh.*/kind: butterfly, arity: 2, stages: 3}/; s/transpose/uniform/; s/load: 0.1}/load: 0.98}/' two.yaml >fly.yaml
run 0 "$WEFT" run fly.yaml router.vcs=4 router.buffer='64 flits' --quiet
run 0 "$WEFT" check fly.yaml
has out 'bisection 0.875'
run 0 "$WEFT" explain fly.weft
has out ' 1. a saturated cut ('
has out '0.875 at most, 0.98 is offered'

# endpoints of an imported fabric have the names of its hosts
cp "$WEFT_SOURCE"/examples/06-your-fabric/{cluster.net,minhop.fdbs} .
run 0 "$WEFT" import infiniband cluster.net --lft minhop.fdbs -o minhop.yaml
run 0 "$WEFT" run minhop.yaml 'traffic.all.pattern={kind: hot-spot, node: 7, share: 20%}' measure.limit.time='10 us' --quiet
run 0 "$WEFT" explain minhop.weft
has out ' 1. reception: an endpoint gets more than its link carries ('
has out 'endpoint node37 is busy '

# a point of a grid that the scenario does not have any more is the same point still
run 0 "$WEFT" explain two.weft load=0.4
cp out again
run 0 "$WEFT" run two.yaml traffic.all.load=0.3 --quiet -o two.weft
run 0 "$WEFT" explain two.weft load=0.4
diff out again || fail 'another text after another grid'

# journeys of packets: born, ready and left as latency says, with a cause for every tick
sed '/^vary:/d; s/load: 0.1}/load: 0.4}/' two.yaml >one.yaml
run 0 "$WEFT" run one.yaml --quiet
before=$(canonical one.weft)
run 0 "$WEFT" run one.yaml --quiet --trace slowest
[[ $before == "$(canonical one.weft)" ]] || fail 'a trace changes results'
sed -n '/^times in cycles/,$p' out >slowest
run 0 "$WEFT" explain one.weft --trace slowest
diff out slowest || fail 'weft explain follows another packet'
name=$(sed -n 's/^packet \([0-9:]*\) of .*/\1/p' out)
run 0 "$WEFT" explain one.weft --trace "$name"
diff out slowest || fail 'the packet has another journey by its name'
run 0 "$WEFT" explain one.weft --trace 3
[[ $(grep -c '^packet ' out) -eq 3 ]] || fail 'not three packets'
[[ $(sed -n '/^packet/p' out | sed -n 1p) == "$(sed -n '/^packet/p' slowest)" ]] || fail 'the slowest is not the first'
python3 - <<'EOF' || fail 'times of journeys do not add up'
import re
for text in open("out").read().split("\npacket ")[1:]:
    latency, born, delivered = map(float, re.search(r"latency (\S+) cycles, from (\S+) to (\S+)", text).groups())
    stops = [(float(a), float(b)) for a, b in re.findall(r"^ +(\d+) +(\d+)  (?:source|router)", text, re.M)]
    assert delivered - born == latency and stops[0][0] == born and len(stops) > 2, text
    for (ready, waited), (after, _) in zip(stops, stops[1:]):
        assert ready + waited < after, text
    assert stops[-1][0] + stops[-1][1] <= delivered, text
    listed = []
    for line in text.splitlines()[2:]:
        if re.match(r" +\d+ +\d+  (source|router)", line):
            listed.append(0)
        elif re.match(r" +\d+  ", line):
            listed[-1] += float(line.split()[0])
    assert listed[1:] == [waited for _, waited in stops[1:]], (listed, stops, text)
EOF
# A packet that is still on its way: nothing is told of what is not over, nor of an input whose last packet is forgotten.
run 0 "$WEFT" run one.yaml measure.limit.time='1000 cycles' --quiet --new -o short.weft
run 0 "$WEFT" explain short.weft --trace 4:115
is out 'times in cycles

packet 4:115 of 4 flits, endpoint 4: born at 966 cycles, not delivered when the run ended
      ready at    waited
           966         0  source → injection link 0, VC 0
             -         -  router (1, 0), injection input 4, VC 0
                       8  behind 4:112; that one: link (1,0)-x carries 12:61
                      16  behind 4:114; that one: link (1,0)-x carries 12:62
                       4  its input feeds another packet
                       1  lost arbitration for link (1,0)-x to 8:69
                       2  link (1,0)-x carries 8:69'
# Before the first router it is the injection link that has no credits, not the reception at that endpoint.
run 0 "$WEFT" run one.yaml traffic.all.load=0.8 measure.limit.time='3000 cycles' --quiet --new -o short.weft
run 0 "$WEFT" explain short.weft --trace 3
has out '; that one: no credits of the injection link, first in the buffer behind it: '
[[ $(cat out) != *'no credits of endpoint'* ]] || fail 'an endpoint that sends has no credits'
run 1 "$WEFT" explain one.weft --trace 99:1
has err '--trace: endpoint 99 of 16'
run 1 "$WEFT" explain one.weft --trace fast
has err '--trace fast: neither slowest, a number of packets (10), nor a packet, ENDPOINT:MESSAGE or ENDPOINT:CLASS:MESSAGE'
run 1 "$WEFT" explain one.weft --trace 1:99999999
has err 'endpoint 1 has not come to message 99999999 when the run ends'
run 1 "$WEFT" explain idealised.weft --trace slowest
has err 'routers of kind output-queued do not tell what packets wait for; --trace follows packets through input-queued ones'

# settings that are tried: the one that lifts the cause comes first
# first_of SCENARIO: the change with the greatest gain, and the lower end of its interval
first_of() {
    rm -f point.weft
    run 0 "$WEFT" run "$WEFT_SOURCE/tests/data/why/$1.yaml" --quiet -o point.weft
    run 0 "$WEFT" explain point.weft --try
    sed -n '/ as it is$/{n;p}' out | sed -E 's/.* \(([-+0-9.]+) to [-+0-9.]+\)  /\1 /'
}
tried() {
    local found
    found=$(first_of "$1")
    [[ $found == '+'*" $2" ]] || {
        cat out
        fail "$1: first $found, not $2"
    }
}
tried 06-head-of-line router.queues=voq
tried 09-credits-long-wire 'router.buffer=64 flits'
tried 17-transpose routing=minimal-adaptive
tried 19-slow-link 'links.where={}'
tried 20-fault 'faults=[]'
has out 'not possible here'

# A survey keeps the limit of wall time, and may be too short.
cat >wall.yaml <<'EOF'
interweft: 1
topology: {kind: torus, dims: [32, 32]}
router: {kind: input-queued, vcs: 2, buffer: 16 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.3}}
measure: {limit: {wall: 1 ms, time: 2000 cycles}}
EOF
run 0 "$WEFT" run wall.yaml --quiet
run 1 "$WEFT" explain wall.weft
has err 'the run ended before it could be surveyed: '
has err ' samples, at least 20 are needed'
