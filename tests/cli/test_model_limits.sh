#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft model at the ends of what it answers: refusals of every model by name, notes, and forms of the answer.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# ---- what is refused ----
# refused MESSAGE ARGUMENT...: weft model fails with exactly this message.
refused() {
    run 1 "$WEFT" model "${@:2}"
    none out
    is err "$1"
}
many=$(echo {1..20} | tr ' ' ,)
torus='topology={kind: torus, dims: [4, 4]}'
shared=(shared-vls 'mu=[4, 8]' 'thresholds=[2]' room=4)
refused 'admission: bandwidth must have one number, or one for each of 2 classes, found 3' admission 'lambda=[1, 2]' 'bandwidth=[1, 2, 3]' capacity=8
refused 'admission: hold must have one number, or one for each of 2 classes, found 3' admission 'lambda=[1, 2]' 'hold=[1, 2, 3]' capacity=8
refused 'admission-network: lambda must list at most 15 classes, found 20' admission-network "$torus" "lambda=[$many]" capacity=8
refused 'admission-network: hold must have one number, or one for each of 2 classes, found 3' \
    admission-network "$torus" 'lambda=[1, 1]' 'hold=[1, 1, 2]' capacity=8
refused 'admission-network: routing ugal decides by what waits at routers, and connections have a path before they send: use another one, such as minimal-oblivious' \
    admission-network "$torus" routing=ugal 'lambda=[0.1]' capacity=8
refused 'admission-network: routing d-mod-k is for trees (fat-tree), found topology torus: use dimension-order, which takes the first minimal way on any topology' \
    admission-network "$torus" routing=d-mod-k 'lambda=[0.1]' capacity=8
refused 'admission-network: routing.file must name the forwarding tables: this topology has none of its own' \
    admission-network "$torus" routing=tables 'lambda=[0.1]' capacity=8
refused 'admission-network: routing zone needs a topology with dimensions (torus, mesh, hypercube, flattened-butterfly, or a hierarchy of such), found full' \
    admission-network 'topology={kind: full, routers: 4}' routing=zone 'lambda=[0.1]' capacity=8
refused 'admission-network: x.weftnet cannot be read: No such file or directory' \
    admission-network 'topology={kind: file, path: x.weftnet}' 'lambda=[0.1]' capacity=8
refused 'admission-network: routing: the path from endpoint 942 to 239 does not arrive in 256 links' \
    admission-network 'topology={kind: torus, dims: [1000]}' 'lambda=[0.001]' capacity=1 requests=10
refused 'admission-network: topology: 2147483648 links are too many' \
    admission-network 'topology={kind: torus, dims: [128, 128, 128, 128]}' 'lambda=[0.1]' capacity=8
refused 'cut-through: h must be at most 256 for a distribution or a delay, found 600' cut-through rho=0.5 h=600 selection=diagonal delay=9
refused 'cut-through: h must be at most 256 for a distribution of two-way nodes, found 300' cut-through rho=0.5 h=300 selection=diagonal printed=true
refused 'cut-through: pattern tornado sends nothing between routers' cut-through rho=0.3 k=2 pattern=tornado
refused 'cut-through: h is needed where a distribution, a delay or the printed form is wanted' cut-through rho=0.3 distribution=true
refused 'cut-through: h is needed where a distribution, a delay or the printed form is wanted' cut-through rho=0.3 printed=true
refused 'cut-through: h is needed where a distribution, a delay or the printed form is wanted' cut-through rho=0.3 delay=5
refused 'cut-through: k must be at most 73 for a pattern whose sources differ, found 80' \
    cut-through rho=0.3 k=80 'pattern={kind: hot-spot, node: 0, share: 1}'
refused 'pattern must be uniform to be simulated, found transpose' cut-through rho=0.3 pattern=transpose --simulate
refused 'rho must be at least 0.000001 to be simulated, found 1e-07' cut-through rho=0.0000001 h=5 --simulate
refused 'k must be at most 64 to be simulated, found 128' cut-through rho=0.1 h=5 k=128 --simulate
refused 'h must be at most 4 to be simulated with k = 4, found 5' cut-through rho=0.1 h=5 k=4 --simulate
refused 'jackson: lambda must be of at most 16 stations, found 20' jackson "lambda=[$many]" 'mu=[3, 4]' 'routing=[0, 0.5, 0, 0]'
refused 'jackson: mu must have a rate for each of 2 stations, found 1' jackson 'lambda=[1, 0]' 'mu=[3]' 'routing=[0, 0.5, 0, 0]'
refused 'jackson: servers must have a number for each of 2 stations, found 1' \
    jackson 'lambda=[1, 0]' 'mu=[3, 4]' 'servers=[1]' 'routing=[0, 0.5, 0, 0]'
refused 'jackson: lambda: nothing comes from outside' jackson 'lambda=[0, 0]' 'mu=[3, 4]' 'routing=[0, 0.5, 0, 0]'
refused 'response: law: dcqcn has timers, and ACKs do not raise its rate: use aimd, fimd or pipd, or simulate it (traffic.x.response)' \
    response law=dcqcn
for rate in 1 1e+12; do
    refused "response: rate must be 1888.90232 … 483558.994 packets/s, found $rate" response rate=$rate
done
refused 'shared-vls: mu must have one rate more than there are thresholds, found 1 and 1' shared-vls 'lambda=[1]' 'mu=[4]' 'thresholds=[2]' room=4
refused 'shared-vls: thresholds must rise, found 2 after 2' shared-vls 'lambda=[1]' 'mu=[4, 8, 16]' 'thresholds=[2, 2]' room=4
refused 'shared-vls: thresholds: number 1 must be at most 4, the room of one VL, or it is never reached; found 5' \
    shared-vls 'lambda=[1]' 'mu=[4, 8]' 'thresholds=[5]' room=4
refused 'shared-vls: thresholds must list 1 to 7 numbers, found 20' shared-vls 'lambda=[1]' 'mu=[4, 8]' "thresholds=[$many]" room=4
refused 'shared-vls: lambda must list 1 to 4 classes, found 20' "${shared[@]}" "lambda=[$many]"
refused 'shared-vls: ca2 must have one number, or one for each of 2 classes, found 3' "${shared[@]}" 'lambda=[1, 1]' 'ca2=[1, 2, 3]'
refused 'shared-vls: room times the number of rates must be at most 255, found 400' shared-vls 'lambda=[1]' 'mu=[4, 8]' 'thresholds=[2]' room=200
refused 'shared-vls: room: the chain would have 40000 states or more; take less room, fewer classes or fewer thresholds' \
    shared-vls 'lambda=[1, 1, 1, 1]' 'mu=[4, 8]' 'thresholds=[2]' room=100
refused 'shared-vls: room: the chain would have 40000 states or more; take less room, fewer classes or fewer thresholds' \
    shared-vls 'lambda=[1, 1, 1]' 'mu=[4, 8]' 'thresholds=[2]' room=20
refused 'shared must be at least 1 to be simulated' "${shared[@]}" 'lambda=[1, 1]' shared=0 --simulate
refused 'lambda: three classes and more are not simulated: the router gives the next shared VL to the class that has waited longest, the chain to the first in the list' \
    "${shared[@]}" 'lambda=[1, 1, 1]' --simulate
threshold=(threshold lambda=4 'mu=[8, 16]' capacity=16)
refused 'threshold: vc must be at most the capacity (16), found 20' "${threshold[@]}" 'thresholds=[8]' vc=20
refused 'threshold: thresholds: number 1 must be at most 16, the room of one VC, or it is never reached; found 20' "${threshold[@]}" 'thresholds=[20]' vc=16
refused 'threshold: thresholds: number 2 must be at most 16, the capacity, or it is never reached; found 17' \
    threshold lambda=4 'mu=[8, 16, 20]' capacity=16 'thresholds=[3, 17]' vc=9
refused 'threshold: capacity times rates must be at most 2000 where the rate is frozen, found 100000 times 2' \
    threshold lambda=4 'mu=[8, 16]' 'thresholds=[8]' capacity=100000 rate=frozen
# Nobody is told how long that takes.
refused 'credit: n and m must give at most 500000 states (n + 1)(m + 1), found 16785409' credit lambda=1 mu1=1 mu2=1 n=4096 m=4096
for model in mm1 md1 mg1 ge-ge-1; do
    refused "$model: lambda must be below mu (2), or the queue grows for ever; found 3" "$model" lambda=3 mu=2
done
refused 'mu2 must be within a factor of 32 of mu1 to be simulated, found 1' credit lambda=1 mu1=40 mu2=1 n=4 m=4 --simulate
refused 'erlang-c: lambda must be below servers × mu (3), or the queue grows for ever; found 5' erlang-c lambda=5 servers=3
refused 'priority: cs2 must have one number, or one for each of 2 classes, found 3' priority 'lambda=[0.1, 0.2]' 'cs2=[1, 2, 3]'

# ---- what is answered, with a note ----
# says TEXT ARGUMENT...: weft model answers, and this is in it.
says() {
    run 0 "$WEFT" model "${@:2}"
    none err
    has out "$1"
}
says 'note: the fixed point is over a sample of paths' \
    admission-network 'topology={kind: torus, dims: [128, 128]}' routing=dimension-order 'lambda=[0.001]' capacity=8 requests=0
says 'note: the fixed point has not converged' \
    admission-network 'topology={kind: torus, dims: [16]}' routing=dimension-order 'lambda=[750]' capacity=1000 requests=0
# Two links, of a mesh that has as many ends without one; all but one of three places are given away: Erlang B with 2.
says '  blocking      0.2' admission-network 'topology={kind: mesh, dims: [2]}' 'lambda=[1]' capacity=3 requests=0
# Only every other request is heard; all is given back, or the model would say that it does not add up.
says '  simulated blocking' admission-network 'topology={kind: torus, dims: [4, 4], hosts: 3}' 'lambda=[10, 0.2]' rule=inclusive host-capacity=3 \
    'pools=[2, 9]' capacity=8 requests=1000 lost=0.5
says '  links         1.86667 links' admission-network 'topology={kind: random-regular, routers: 10, degree: 3}' 'lambda=[0.1]' capacity=8 requests=0
says 'note: delay is given up to 256 hops and rho 0.99' cut-through rho=0.5 h=600 delay=100
says 'note: delay is given up to 256 hops and rho 0.99' cut-through rho=0.999 h=3 delay=100
says '  later            0.839815' cut-through rho=0.3 h=6 delay=100
says 'note: buffer: an upper bound, for packets that may choose avoid links that are busy' cut-through rho=0.3 h=6 loss=0.001 selection=random
says '  buffer by flits     0 flits' cut-through rho=0.001 h=6 loss=0.1
says '  printed valid        1 (1: yes)' cut-through rho=0.3 h=1 selection=diagonal printed=true distribution=true
says 'note: the printed recurrence is wrong for n = 1: its probabilities sum to 5.74 nodes instead of 4' \
    cut-through rho=0.3 h=4 selection=diagonal printed=true
says 'note: quadrant: packets of half a ring and more have more ways than this says; ring=torus counts them' cut-through rho=0.3 selection=random
# Of a ring of two, both ways round are one link: the scenario offers 0.00703 at this rho.
says '  rate         0.00703125 packets/cycle' cut-through rho=0.3 k=2
says '  hops         3 hops' cut-through rho=0.3 k=8 'pattern={kind: hop-uniform, hops: 3}'
says '  hops         1.25 hops' cut-through rho=0.3 k=4 'pattern={kind: tasks}'
says 'note: the rate does not grow to the maximum: no recovery' response law=aimd max=1e12 min=0.001
says 'note: nothing is printed for this: it needs a threshold, and no rate equal to lambda' \
    threshold lambda=8 'mu=[8, 16]' 'thresholds=[8]' capacity=16 printed=true
says 'note: nothing is printed for this: it needs a threshold, and no rate equal to lambda' threshold lambda=8 'mu=[9]' capacity=16 printed=true
says '  loss                               7.62945e-06' "${threshold[@]}" 'thresholds=[16]' vc=16 rate=frozen
says '  printed valid  1 (1: yes)' ge-ge-1-n lambda=4 mu=8 capacity=8 printed=true
says 'note: the printed y holds for ca2 = 1 only' ge-ge-1-n lambda=4 mu=8 capacity=8 ca2=5 printed=true
says '    1  1.17562e-05  0.00293255  0.235269    0.235272     0.205312  0.000987196' "${shared[@]}" 'lambda=[1, 1]' keep=true
says '  loss         0.9994' erlang-b lambda=5000 servers=3
says '  printed valid                 1 (1: yes)' credit lambda=5 mu1=6 mu2=6 n=12 m=2 printed=true
says '  printed valid                 0 (1: yes)' credit lambda=5 mu1=8 mu2=6 n=12 m=2 printed=true
says '      3    0.0666667' mm1k lambda=0.5 capacity=3 states=9
says '  later            1' cut-through rho=0.3 h=6 header=5 delay=1
# Connections that never fit, and those between hosts of one router, which use the links of hosts alone.
says '  blocking     1' admission 'lambda=[1]' 'bandwidth=[100]' capacity=8
says '  simulated blocking      1' admission-network 'topology={kind: torus, dims: [2]}' 'lambda=[0.1]' 'bandwidth=[100]' capacity=1 requests=100
says '  blocking      0.000301459' admission-network 'topology={kind: full, routers: 4, hosts: 2}' 'lambda=[0.1]' capacity=8 host-capacity=4 requests=0
says '  simulated blocking      0' admission-network 'topology={kind: torus, dims: [4, 4]}' routing=valiant 'lambda=[0.01]' capacity=8 requests=100

# Sparse factors of a chain whose first state is all but impossible: node 1 is full, 100 packets at 2 a unit of time.
says '  latency in node 1     49.6667 time units' credit lambda=5 mu1=2 mu2=8 n=100 m=100 solver=klu

# ---- forms of the answer ----
# All lines of CSV have as many cells, those of a distribution beside what was simulated too.
run 0 "$WEFT" model mm1 lambda=0.3/0.5/0.2 states=2 --csv --simulate --quiet
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR != 9 }' out || { cat out; fail 'lines of different lengths'; }
# What was simulated is in JSON, of values of settings that are no numbers too.
run 0 "$WEFT" model cut-through rho=0.2 'selection=[oblivious, random]' h=3 k=4 --json --simulate --quiet
python3 - out <<'END'
import json, sys
model = json.load(open(sys.argv[1]))
assert [p["vary"]["selection"] for p in model["points"]] == ["oblivious", "random"]
cuts = [a for a in model["simulated"] if a["output"] == "cut-through"]
assert [a["point"] for a in cuts] == [0, 1] and not any(a["saturated"] for a in cuts)
for a in cuts:
    assert a["lo"] <= a["simulated"] <= a["hi"] and abs(a["model"] - a["simulated"]) < 0.05, a
END
# A table is cut in rows and columns, and says so.
run 0 "$WEFT" model mm1 lambda=0.0001/0.2004/0.0001
has out '(4 more rows; --csv has all)'
script -qec "stty cols 60; NO_COLOR=1 $WEFT model threshold lambda=1/4/1 'mu=[8, 16]' 'thresholds=[8]' capacity=16" /dev/null </dev/null | tr -d '\r' >screen
has screen '(11 more columns did not fit; --csv has all)'
# Names are cut, but to no less than tells them apart.
script -qec "stty cols 80; NO_COLOR=1 $WEFT model threshold lambda=1/4/1 'mu=[8, 16]' 'thresholds=[8]' capacity=16" /dev/null </dev/null | tr -d '\r' >screen
has screen 'loss of on…  loss of al…  gain of the ro…  gain of the ra…'
if command -v gnuplot >/dev/null; then
    run 0 "$WEFT" model cut-through 'rho=[0.3, 0.1, 0.2]' 'selection=[random, diagonal]' 'k=[8, 16]' h=3 --plot labels.svg
    for label in 'k 8, random' 'k 16, diagonal'; do
        grep -q ">$label<" labels.svg || fail "no curve $label"
    done
    run 0 "$WEFT" model mm1 'lambda=[0.5, 0.3]' --quiet --simulate --plot both.svg
    [[ $(grep -oE '>(model|simulated)<' both.svg | sort -u | wc -l) -eq 2 ]] || fail 'not the model and what was simulated'
    run 2 "$WEFT" model cut-through rho=0.3/0.5/0.1 h=3 --plot d.svg --of delay
    is err "weft: --plot: 'delay' has no value here"
    run 1 "$WEFT" model mm1 lambda=0.3/0.5/0.2 --plot x/y.svg
    is err 'cannot write x/y.svg: No such file or directory'
fi
# Not more answers than memory may hold; a long distribution as CSV at once.
run 1 "$WEFT" model mm1 lambda=0.001/0.9/0.001 states=20000 --memory 64MiB --quiet
has err 'mm1: the answers of 42 of 900 points are 840252 numbers, which take '
has err 'a process may take 64 MiB (--memory): ask for fewer points or for fewer rows of a distribution'
none out
run 0 timeout 20 "$WEFT" model threshold lambda=1 'mu=[8, 16]' 'thresholds=[8]' capacity=100000 states=100000 --csv
[[ $(wc -l <out) -eq 100005 ]] || fail "$(wc -l <out) lines instead of 100005"
