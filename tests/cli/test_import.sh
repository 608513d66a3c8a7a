#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft import: three formats give one fabric; what is wrong in a file is told with its line.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
fabrics=$WEFT_SOURCE/tests/data/fabrics

# Every file of tests/data/fabrics/wrong against the text beside it.
cp "$fabrics"/wrong/* .
count=0
for file in *.edges *.graphml *.anynet; do
    run 1 "$WEFT" import "${file##*.}" "$file" -o x.weftnet
    none out
    diff "$file.txt" err || fail "weft import $file says something else"
    count=$((count + 1))
done
[[ $count -ge 20 ]] || fail 'wrong files are missing'
[[ ! -e x.weftnet && ! -e x.weftnet.part ]] || fail 'an import that failed left a file'

# The same fabric as an edge list and as GraphML.
cp "$fabrics"/small.* .
run 0 "$WEFT" import edges small.edges --order file -o edges.weftnet
is err 'wrote edges.weftnet'
is out 'a simulation takes the latencies of the file, in cycles
routers                6
with hosts             4
endpoints              8
cables                 10
ports of a router      8'
cmp edges.weftnet small.weftnet
run 0 "$WEFT" import graphml small.graphml --order file -o graphml.weftnet
cmp graphml.weftnet small.weftnet

# In METIS' order it is another file, always the same one.
run 0 "$WEFT" import edges small.edges -o one.weftnet
run 0 "$WEFT" import edges small.edges -o two.weftnet --order=metis
cmp one.weftnet two.weftnet

run 0 "$WEFT" import anynet small.anynet -o anynet.weftnet --hosts 3
is out 'links of latency 1 are of class local
links of latency 5 are of class global
a simulation takes the latencies of the file, in cycles
routers                5
with hosts             4
endpoints              12
cables                 6
ports of a router      5'

# Rates and latencies with units, of cables and of the links of hosts, come back out of the file.
printf 'host a 1 rate=50Gb/s\nhost c 1 latency=3ns\na c class=local ports=0:0 rate=100Gb/s latency=5ns\n' >timed.edges
run 0 "$WEFT" import edges timed.edges -o timed.weftnet --order file
run 0 "$WEFT" topology export timed.weftnet --format edges
diff <(sed 1d out) timed.edges || fail 'rates and latencies got lost'
run 0 "$WEFT" topology export timed.weftnet --format graphml
has out '<data key="r">100Gb/s</data><data key="l">5ns</data>'
mv out timed.graphml
run 0 "$WEFT" import graphml timed.graphml -o again.weftnet --order file
cmp again.weftnet timed.weftnet || fail 'rates and latencies got lost in GraphML'
sed 's/50Gb/50 horses/' timed.graphml >wrong.graphml
run 1 "$WEFT" import graphml wrong.graphml -o wrong.weftnet
has err "the rate of a link is such as 100Gb/s or 0.5flits/cycle, found '50 horses/s'"

# Numbers of hosts may differ.
printf 'a b\nhost a 2\nhost b 1\n' >uneven.edges
run 0 "$WEFT" import edges uneven.edges -o uneven.weftnet --order file
run 0 "$WEFT" topology show uneven.weftnet
has out 'endpoints              3, up to 2 a router'
run 0 "$WEFT" topology show uneven.weftnet topology.hosts=2
has out 'endpoints              4, 2 a router'
run 0 "$WEFT" topology export uneven.weftnet --format ibnetdiscover
has out '# 2 switches, 3 hosts, 1 cables between switches'
has out 'Switch	3 "S-0000000000200000"		# "a" base'
has out 'Switch	2 "S-0000000000200001"		# "b" base'
# The file says nothing of rates, nor does anybody else, unless there is a clock.
has out '# all links are 4xEDR: the scenario does not say how fast they are'
[[ $(grep -o '[0-9]*x[A-Z]*$' out | sort -u) == 4xEDR ]] || fail 'another rate than 4xEDR'
run 0 "$WEFT" topology export uneven.weftnet --format ibnetdiscover clock=1GHz links.flit=16B
has out '# rates are the least of InfiniBand that carry those of the scenario'
[[ $(grep -o '[0-9]*x[A-Z]*$' out | sort -u) == 4xHDR ]] || fail 'a flit of 16 B in every ns is no 4xHDR'
# Nothing is to be halved where one router has all endpoints.
printf 'a b\nb c\nhost a 4\n' >lonely.edges
run 0 "$WEFT" import edges lonely.edges -o lonely.weftnet
run 0 "$WEFT" topology show lonely.weftnet
grep -qx 'bisection              not known' out || fail 'a bisection of one router'

# A fabric runs, found beside its scenario whatever the current folder is.
mkdir deep
mv one.weftnet deep/
cat >deep/fabric.yaml <<'END'
interweft: 1
topology: {kind: file, path: one.weftnet}
router: {kind: input-queued, vcs: 1, buffer: 8 flits}
routing: {kind: up-down}
links: {global: {latency: 5 cycles}}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.4}
measure: {limit: {time: 2000 cycles}}
END
run 0 "$WEFT" run deep/fabric.yaml --quiet --results here.weft
run 1 "$WEFT" check deep/fabric.yaml topology.path=one.weftnet
has err 'one.weftnet cannot be read: No such file or directory'
run 0 "$WEFT" check deep/fabric.yaml topology.path=deep/one.weftnet

# Leaves with 24 hosts and 24 links, spines with 48 links: no switch has more than 48 ports.
for leaf in {0..47}; do
    echo "host leaf$leaf 24"
    for spine in {0..23}; do echo "leaf$leaf spine$spine"; done
done >clos48.edges
run 0 "$WEFT" import edges clos48.edges -o clos48.weftnet
cat >clos48.yaml <<'END'
interweft: 1
topology: {kind: file, path: clos48.weftnet}
router: {kind: input-queued, vcs: 1}
routing: {kind: up-down}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.3}}
measure: {limit: {time: 200 cycles}}
END
for blocks in 1 7; do
    run 0 "$WEFT" run clos48.yaml --quiet --new --blocks $blocks --results clos48-$blocks.weft
done
[[ $(canonical clos48-1.weft) == "$(canonical clos48-7.weft)" ]] || fail 'blocks change the results'

# Damaged files.
head -c 100 deep/one.weftnet >cut.weftnet
run 1 "$WEFT" check deep/fabric.yaml topology.path=cut.weftnet
has err 'cut.weftnet is no sound .weftnet fabric: its length is not what its sizes say, it may be cut off'
cp small.edges text.weftnet
run 1 "$WEFT" topology show text.weftnet
has err 'text.weftnet is no sound .weftnet fabric: it does not begin like one'
mkfifo pipe.weftnet
run 1 timeout 10 "$WEFT" topology show pipe.weftnet
has err 'pipe.weftnet is not a regular file; a .weftnet fabric is one'

# A scenario of another program says how it becomes one.
run 1 "$WEFT" run "$WEFT_SOURCE/tests/data/booksim/mesh.cfg"
has err "this is a configuration of BookSim; \`weft import booksim"

# The command line.
run 2 "$WEFT" import edges small.edges
is err 'weft: -o OUT.weftnet is missing: weft import edges small.edges -o OUT.weftnet'
run 2 "$WEFT" import edges small.edges -o small.yaml
is err 'weft: small.yaml would be a fabric by the name of a scenario: use -o small.weftnet, and topology: {kind: file, path: …} in a scenario'
[[ ! -e small.yaml ]] || fail 'a fabric was written as small.yaml'
run 2 "$WEFT" import csv small.edges -o x.weftnet
is err "weft: there is no format 'csv'; it is edges, graphml, anynet, booksim, infiniband or workload"
run 2 "$WEFT" import boksim small.edges
is err "weft: there is no format 'boksim'; did you mean 'booksim'?"
run 2 "$WEFT" import edges small.edges -o x.weftnet --order none
is err "weft: --order is metis or file, found 'none'"
run 2 "$WEFT" import edges small.edges -o x.weftnet --hosts 0
is err "weft: --hosts takes a whole number from 1 to 65536, found '0'"
run 1 "$WEFT" import edges missing.edges -o x.weftnet
is err 'missing.edges cannot be read: No such file or directory'
run 1 "$WEFT" import edges small.edges -o deep
is err 'cannot write deep: it is not a regular file'

# Cables and routers that are down, by their names.
cat >down.yaml <<'END'
interweft: 1
topology: {kind: file, path: edges.weftnet}
routing: {kind: up-down}
links: {local: {latency: 0 cycles}, global: {latency: 0 cycles}}  # not those of the file
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.1}
END
run 0 "$WEFT" check down.yaml faults.named='a s1, s2'
has out 'faults: {named: "a s1, s2"}'
run 1 "$WEFT" check down.yaml faults.named='s1, s2'
has err 'routing up-down has no route from router a to router c: they are cut off from each other'
# refused NAMED MESSAGE
refused() {
    run 1 "$WEFT" check down.yaml faults.named="$1"
    is err "command line: $2"
}
refused 's11' "faults.named: there is no router 's11'; did you mean 's1'?"
refused 'a c' 'faults.named: no link joins a and c'
refused 'a b c' "faults.named lists routers, pairs of routers and cables, such as 'spine1 - leaf3, spine4, leaf1:p7->spine2'"
refused 'a:p9->s1' "faults.named: there is no link 'a:p9->s1'; did you mean 'a:p0->s1'?"
# As a list too, which may be empty: before and after in one grid.
cat >>down.yaml <<'END'
vary: {faults: [[], [s2], ['a - s1', 's2'], ['a:p0->s1']]}
END
run 0 "$WEFT" check down.yaml
has out 'points                 4'
refused 'a' 'faults names router a, which has endpoints: only routers without any can be down, 2 of 6 here; topology.without leaves a router out with its endpoints'

# A level of a hierarchy takes the cables of a file alone: what else the file says is refused, not lost.
# level FABRIC STATUS [MESSAGE]
level() {
    printf '%s\n' "$1" >level.edges
    run 0 "$WEFT" import edges level.edges -o level.weftnet
    cat >level.yaml <<'END'
interweft: 1
clock: 1 GHz
topology: {kind: hierarchy, outer: {kind: full, routers: 2}, inner: {kind: file, path: level.weftnet}}
routing: {kind: minimal}
router: {kind: output-queued}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1}}
END
    run "$2" "$WEFT" check level.yaml
    [[ -z ${3:-} ]] || has err "$3"
}
timed='topology.inner: the file has rates or latencies of links, which a hierarchy does not take: leave them out there and give them by links'
level $'host a 2\nhost b 2\na b' 0
has out 'endpoints              8'
level $'host a 2\nhost b 3\na b' 1 \
    'topology.inner must be a network whose routers have the same number of endpoints each, found different ones'
level $'host a 2\nhost b 2\na b rate=100Gb/s' 1 "$timed"
level $'host a 2\nhost b 2\na b latency=7' 1 "$timed"
level $'host a 2 rate=50Gb/s\nhost b 2\na b' 1 "$timed"

# Another fabric under the name of the first is noticed.
printf 'a b\nb c\nc d\nd a\n' >ring.edges
printf 'a b\nb c\nc d\nd e\n' >line.edges
cat >named.yaml <<'END'
interweft: 1
topology: {kind: file, path: named.weftnet}
routing: up-down
router: {kind: input-queued, vcs: 2, buffer: 8 flits}
traffic: {all: {length: 4 flits, load: 0.1}}
measure: {limit: {packets: 500}}
END
run 0 "$WEFT" import edges ring.edges -o named.weftnet
run 0 "$WEFT" run named.yaml --quiet
run 0 "$WEFT" import edges line.edges -o named.weftnet
run 1 "$WEFT" run named.yaml --quiet
has err 'the file named.weftnet has changed since these results were begun'
