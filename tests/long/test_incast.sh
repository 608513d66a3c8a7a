#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An incast of 32 hosts on a fat tree of 648 that OpenSM has routed, with InfiniBand's congestion control and without. Victims
# share the switches of the incast, not its receiver: without control they get what a sender of the incast gets, with
# control most of what they offer; the incast takes little longer. The same bytes on 1 and 2 ranks.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/infiniband.sh"
PATH=$PATH:/usr/sbin
missing=$(infiniband_missing)
[[ -z $missing ]] || { echo "skipped: no ${missing//$'\n'/ }"; exit 77; }
run 0 "$WEFT" topology export topology.kind=fat-tree topology.form=m-port topology.arity=36 topology.levels=2 \
    --format ibnetdiscover -o tree.net
subnet_up tree.net "$PWD/osm" ftree || fail 'OpenSM does not route it by ftree'
subnet_down
run 0 "$WEFT" import infiniband osm/ibnetdiscover.txt --lft osm/opensm-lfts.dump -o tree.yaml
has out '648 of 648 adapters'

# OpenSM leads to hosts of one number at their leaves over one spine: 0, 18, 36 … are the first ones there.
{
    echo 'num_ranks 33'
    echo 'rank 0 {'
    for i in {1..32}; do echo "l$i: recv 1048576b from $i"; done
    echo '}'
    for i in {1..32}; do printf 'rank %d {\nl1: send 1048576b to 0\n}\n' "$i"; done
} >incast.goal
cat >incast.yaml <<'END'
interweft: 1
title: 32 hosts of a fat tree that OpenSM routed send to one
clock: 1 GHz
topology: {kind: file, path: tree.weftnet}
routing: {kind: tables}
links: {flit: 64 B, rate: 100 Gb/s, latency: 50 ns}
router: {kind: input-queued, vcs: 1, buffer: 16 packets, queues: voq, marking: fecn}
endpoint: {ack-delay: 1 us, mtu: 2048 B}
host: {response: {kind: cca, ccti-timer: 10 us}}
jobs:
  incast: {file: incast.goal, on: [0, 19-577/18]}
traffic:
  victims: {from: 18-576/18, to: from, pattern: random-permutation, arrival: periodic, length: 2048 B, load: 0.6,
            response: {kind: cca, ccti-timer: 10 us}}
measure: {series: 20 us, rates: [18-576/18, 19-577/18]}
vary:
  router.marking.threshold: [0, 8]
END
for ranks in 1 2; do
    run 0 on_ranks "$(mpi_kinds | sed -n 1p)" "$ranks" "$WEFT" run incast.yaml --quiet --ranks "$ranks" --results "$ranks.weft" \
        --columns completion,accepted
    canonical "$ranks.weft" >>sums
done
[[ $(sort -u sums | wc -l) -eq 1 ]] || fail 'other bytes on other ranks'
cat out


# value THRESHOLD NAME CLASS: of a metric.
value() {
    "$WEFT" export 1.weft --format canonical |
        awk -v point="\"router.marking.threshold=$1\"" -v name="\"$2\"" -v class="\"$3\"" \
            '$1 == point && $2 == "metric" && $3 == name && $4 == class && $5 == "\"\"" { print $7 }'
}
# holds A OPERATOR B: of numbers.
holds() {
    awk -v a="$1" -v b="$3" "BEGIN { exit !(a $2 b) }" || fail "$1 $2 $3 does not hold"
}
least=2684354.56 # ns that 32 MiB take at 100 Gb/s
holds "$(value 0 completion incast)" '<' "$(awk "BEGIN { print 1.01 * $least }")"
holds "$(value 8 completion incast)" '<' "$(awk "BEGIN { print 1.15 * $least }")"
holds "$(value 0 completion incast)" '>' "$least"
holds "$(value 0 accepted victims)" '<' 0.1
holds "$(value 8 accepted victims)" '>' 0.5
[[ $("$WEFT" export 1.weft --format canonical | grep -c '"router.marking.threshold=8" series "rate of ') -gt 1000 ]] || fail 'no rates over time'
run 0 "$WEFT" report 1.weft --html incast.html --metric victims.accepted --x threshold --png incast.png
[[ -s incast.html && -s incast.png ]] || fail 'no page or picture'
