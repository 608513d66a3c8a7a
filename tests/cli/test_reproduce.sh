#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft reproduce with a study of its own: the list, a run, its verdicts and exit status, what is wrong on
# the command line, the record; and that the page "Reproduction" is what the records say.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# No studies anywhere: a program without its tree. In the tree it was built in, it finds those of the sources.
cp "$WEFT" weft-alone
run 1 ./weft-alone reproduce
none out
has err 'there are no studies: neither ./studies nor '
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$WEFT_SOURCE" >CMakeCache.txt
run 0 ./weft-alone reproduce
has out '    rexford-shin/fig5'
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=/nowhere\n' >CMakeCache.txt
run 1 ./weft-alone reproduce
rm CMakeCache.txt weft-alone

mkdir -p studies/tiny studies/empty
cat >studies/tiny/torus.yaml <<'TORUS'
interweft: 1
title: A small torus
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive, selection: diagonal}
traffic:
  all: {pattern: uniform, length: 8 flits, rho: 0.3}
measure: {limit: {packets: 3000}}
vary:
  traffic.all.rho: [0.1, 0.3, 0.5]
TORUS
cat >studies/tiny/study.yaml <<'STUDY'
interweft-study: 1
title: A small paper
source: Nobody, nowhere
figures:
  fig1:
    title: Latency and load
    scenario: torus.yaml
    keys: {rho: traffic.all.rho}
    quick: {seeds: 4, settings: ["vary.traffic.all.rho=[0.1, 0.5]"]}
    full: {seeds: 5}
    claims:
      latency: {rule: digits, digits: 5, metric: latency, table: expected.csv, value: lat}
      it rises: {rule: trend, metric: latency, along: rho, direction: rising}
      its colour: {rule: not-claimed, reason: nobody has seen it}
STUDY
printf 'rho,lat\n0.1,1\n0.3,1\n0.5,1\n' >studies/tiny/expected.csv

# The list.
run 0 "$WEFT" reproduce
is out 'tiny: A small paper
  Nobody, nowhere
    tiny/fig1  Latency and load'
none err

# Values that are plainly wrong: a verdict and a reason each, status 1, nothing hidden.
run 1 "$WEFT" reproduce tiny/fig1 --full --record --quiet
has out 'tiny/fig1: Latency and load'
has out 'full: 3 points, 5 runs of each'
has out '  disagrees    latency, equal to 5 digits: 3 cells, 0 equal'
has out '               3 cells differ'
has out '               rho=0.3: ours is '
has out '  agrees       it rises, trend (own claim): 2 pairs, 2 clearly apart, 0 the other way'
has out '  not claimed  its colour'
has out '               nobody has seen it'
has out 'tiny/fig1: disagrees'
has err 'results in tiny-fig1.weft'
has err 'recorded in studies/tiny/recorded/fig1.csv'
has err 'tiny/fig1 disagrees'
grep -qE 'report in tiny-fig1.html|no report page: ' err || fail 'not a word about the page'
[[ ! -e tiny-fig1.html.part && ! -e studies/tiny/recorded/fig1.csv.part ]] || fail 'files left over'
grep -qE '^[0-9.]+,[0-9]{4}-[0-9]{2}-[0-9]{2},latency,' studies/tiny/recorded/fig1.csv ||
    { cat studies/tiny/recorded/fig1.csv && fail 'no version and date'; }
grep -qF "$(hostname)" studies/tiny/recorded/fig1.csv && fail 'the record names the machine'

# Our own values back: the same results, nothing is run again, and it agrees.
ours() {
    awk -F, 'BEGIN { print "rho,lat" }
        $3 == "latency" && $7 != "" { sub("rho=", "", $7); print $7 "," $8 }' studies/tiny/recorded/fig1.csv
}
ours >right.csv
[[ $(wc -l <right.csv) -eq 4 ]] || { cat right.csv && fail 'the record lacks values'; }
cp right.csv studies/tiny/expected.csv
before=$(stat -c %Y.%s tiny-fig1.weft)
run 0 "$WEFT" reproduce tiny --full --quiet
has out 'tiny/fig1: agrees'
has out 'latency, equal to 5 digits: 3 cells, 3 equal'
[[ $(stat -c %Y.%s tiny-fig1.weft) == "$before" ]] || fail 'points were run again'

# One value changed in its fifth digit: that one is named, and nothing else.
awk -F, -v OFS=, '$1 == 0.3 { $2 *= 1.0002 } { print }' right.csv >studies/tiny/expected.csv
run 1 "$WEFT" reproduce tiny/fig1 --full --quiet
has out '1 cell differs'
has out 'rho=0.3: ours is 0.02 % below theirs'
[[ $(grep -c 'ours is' out) -eq 1 ]] || fail 'more than one cell is named'

# The same, known: told with its reason, and no failure.
sed -i 's/value: lat}/value: lat, known: [{rho: 0.3, between: [0, 900], reason: a misprint}]}/' studies/tiny/study.yaml
run 0 "$WEFT" reproduce tiny/fig1 --full --quiet
has out '  explained    latency'
has out 'rho=0.3: ours is 0.02 % below theirs; a misprint'
has out 'tiny/fig1: explained'
# … unless it leaves its range; and a difference without a cause is counted apart.
sed -i 's/between: \[0, 900\]/between: [0, 1]/' studies/tiny/study.yaml
run 1 "$WEFT" reproduce tiny/fig1 --full --quiet
has out 'is outside of its range 0 … 1'
sed -i 's/between: \[0, 1\], reason/between: [0, 900], unexplained/' studies/tiny/study.yaml
run 0 "$WEFT" reproduce tiny/fig1 --full --quiet
has out '  unexplained  latency'

# A printed sentence is judged by its rule alone: the true one agrees, the false one is refuted, which is no failure.
cp studies/tiny/study.yaml whole.yaml
sed -i 's/it rises: {/it rises: {sentence: Latency rises., place: page 1, sure: very, /' studies/tiny/study.yaml
run 0 "$WEFT" reproduce tiny/fig1 --full --quiet
has out '  agrees       it rises, trend: 2 pairs, 2 clearly apart, 0 the other way
               printed (page 1): “Latency rises.”'
sed -i 's/rises\., /falls., /; s/direction: rising/direction: falling/' studies/tiny/study.yaml
run 0 "$WEFT" reproduce tiny/fig1 --full --quiet
has out '  refuted      it rises, trend: 2 pairs, 0 clearly apart, 2 the other way
               printed (page 1): “Latency falls.”
               2 of 2 pairs stand the other way beyond chance
               how sure: very'
has out 'tiny/fig1: refuted'

# The page of what is wrong in print is made from the record.
run 0 "$WEFT" reproduce tiny/fig1 --full --quiet --record
mkdir -p tools docs print
cp "$WEFT_SOURCE/tools/reproduction" tools
run 0 tools/reproduction "$WEFT" print
has print/reproduction/wrong-in-print.md '| page 1 | “Latency falls.” | *it rises* is false<br>rho=0.1 > rho=0.3: ours are '
# shellcheck disable=SC2016 # back-ticks are meant as they are
has print/reproduction/wrong-in-print.md '| very | `weft reproduce tiny/fig1 --full` |'
has print/reproduction.md '| [A small paper](reproduction/tiny.md) | 3 | 0 | 0 | 1 | 1 | 0 | 0 | 1 | 2 |'
cp whole.yaml studies/tiny/study.yaml

# Quick is the default and has a file of its own; its mean is over other seeds.
cp right.csv studies/tiny/expected.csv
sed -i 's/digits: 5/digits: 1/' studies/tiny/study.yaml
run 0 "$WEFT" reproduce tiny/fig1 --quiet
has out 'quick: 2 points, 4 runs of each'
[[ -s tiny-fig1-quick.weft ]] || fail 'no results of the quick run'

# Wrong on the command line, or in the study.
run 2 "$WEFT" reproduce tiny --quick --full
is err 'weft: --quick and --full exclude each other'
run 2 "$WEFT" reproduce tiny --record
is err 'weft: only full runs are recorded: --full --record'
run 1 "$WEFT" reproduce tinny
# shellcheck disable=SC2016 # back-ticks are meant as they are
is err "there is no study 'tinny' in studies; \`weft reproduce\` lists them all"
run 1 "$WEFT" reproduce ../tiny
has err "there is no study '..' in studies"
run 1 "$WEFT" reproduce tiny/fig2
is err "tiny has no figure 'fig2' (it has fig1)"
run 2 "$WEFT" run studies/tiny/torus.yaml --quick
is err "weft: run has no flag '--quick'; did you mean '--quiet'?"
printf 'rho,lat\n0.1,1\n0.3,one\n' >studies/tiny/expected.csv
run 1 "$WEFT" reproduce tiny
none out
has err "studies/tiny/expected.csv:3:1: column lat must be a number, found 'one'"
sed -i 's/figures:/figurs:/' studies/tiny/study.yaml
run 1 "$WEFT" reproduce
has err "studies/tiny/study.yaml:4:1: study has no setting 'figurs'; did you mean 'figures'?"

# A claim about no point of the grid: a mistake in a full run, and no agreement in a quick one.
sed -i 's/figurs:/figures:/' studies/tiny/study.yaml
cp right.csv studies/tiny/expected.csv
cp studies/tiny/study.yaml whole.yaml
sed -i 's/its colour: .*/high loads: {rule: shown, metric: latency, table: expected.csv, value: lat, reason: why, only: {rho: 0.3}}/' \
    studies/tiny/study.yaml
run 0 "$WEFT" reproduce tiny/fig1 --full --quiet
has out '  not claimed  high loads: 1 cell'
run 0 "$WEFT" reproduce tiny/fig1 --quiet
has out '  not claimed  high loads
               nothing to compare in the quick grid'
sed -i 's/only: {rho: 0.3}/only: {rho: 0.4}/' studies/tiny/study.yaml
run 1 "$WEFT" reproduce tiny/fig1 --full --quiet
is err 'figure fig1, claim high loads claims nothing: none of the 3 points of the full grid is one it is about'
cp whole.yaml studies/tiny/study.yaml

# A figure without a record is named, by the tool and on its page.
mkdir -p own
run 0 tools/reproduction "$WEFT" own
none err
has own/reproduction.md 'Every figure is recorded.'
mv studies/tiny/recorded elsewhere
mkdir -p own
run 0 tools/reproduction "$WEFT" own
is err 'not recorded: tiny/fig1'
# shellcheck disable=SC2016 # back-ticks are meant as they are
has own/reproduction.md 'Not recorded: `tiny/fig1`.'
mv elsewhere studies/tiny/recorded

# A results file of another scenario is not overwritten.
sed -i 's/dims: \[4, 4\]/dims: [4, 8]/' studies/tiny/torus.yaml
run 1 "$WEFT" reproduce tiny --full --quiet
has err '--new'

# The page of the documents, and what is missing on it.
mkdir pages
run 0 "$WEFT_SOURCE/tools/reproduction" "$WEFT" pages
cat err
for page in pages/reproduction/*.md; do
    twice=$(awk -F ' \\| ' '/^## / { delete seen } NF >= 7 && seen[$1, $2, $3, $4]++' "$page")
    [[ -z $twice ]] || fail "$page has cells twice: $twice"
done
for page in pages/reproduction.md pages/reproduction/*.md; do
    diff "$page" "$WEFT_SOURCE/docs/${page#pages/}" || fail "docs/${page#pages/}: tools/reproduction mends"
done
