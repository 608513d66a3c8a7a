#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Networks of every kind, exported for ibsim: it takes their names, GUIDs, ports and rates without a warning, and
# ibnetdiscover sees what was exported.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/infiniband.sh"
PATH=$PATH:/usr/sbin
missing=$(infiniband_missing)
[[ -z $missing ]] || { echo "skipped: no ${missing//$'\n'/ }"; exit 77; }

# accepted [FILE] SETTING...
accepted() {
    run 0 "$WEFT" topology export "$@" --format ibnetdiscover -o ours.net
    fabric_up ours.net "$PWD/sim" || { cat sim/ibsim.log; fail "ibsim refuses $*"; }
    run 0 simulated ibnetdiscover
    subnet_down
    ! grep -i 'warn\|error\|cannot' sim/ibsim.log || fail "ibsim has objections to $*"
    diff <(grep -v '^#' out | sort) <(grep -v '^#' ours.net | sort) || fail "ibnetdiscover sees another $*"
}

accepted topology.kind=mesh 'topology.dims=[4,3]' topology.hosts=3
accepted topology.kind=hypercube topology.dimensions=4
accepted topology.kind=hyperx 'topology.dims=[3,4]'
accepted topology.kind=fat-tree topology.form=m-port topology.arity=8 topology.levels=3
accepted topology.kind=slim-fly topology.q=5
accepted topology.kind=random-regular topology.routers=20 topology.degree=5
accepted topology.kind=hierarchy 'topology.outer={kind: torus, dims: [4, 4]}' 'topology.inner={kind: full, routers: 2, hosts: 2}'
# Rates by class, wider than 4x where it must be; a scenario without rates has 4xEDR.
accepted topology.kind=dragonfly topology.groups=9 topology.routers=4 topology.hosts=2 clock=1GHz links.rate=150Gb/s \
    links.global.rate=400Gb/s links.host.rate=25Gb/s
has ours.net '# rates are the least of InfiniBand that carry those of the scenario'
[[ $(grep -o '[0-9]*x[A-Z]*$' ours.net | sort | uniq -c | xargs) == '144 1xEDR 108 4xHDR 72 8xHDR' ]] || fail 'other rates'
# Names of a fabric from elsewhere.
long=$(printf 'n%.0s' {1..80})
printf '%s\n' '"rack 1 / leaf #2" spine' "spine $long" 'host spine 2' "host $long 2" 'host "rack 1 / leaf #2" 2' >names.edges
run 0 "$WEFT" import edges names.edges -o names.weftnet
accepted names.weftnet
has ours.net "# 1 names are cut to 63 bytes, or have ' for \": InfiniBand has no more room"
has ours.net '# "rack 1 / leaf #2" base port 0'
