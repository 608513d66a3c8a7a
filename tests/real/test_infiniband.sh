#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real subnet manager: ibsim reads networks that we export, OpenSM routes them by every engine that applies, we
# import what it computed. Exported again and routed again, the tables are the same; ibdmchk and weft check agree on
# credit loops, with the SLs of paths and without.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/infiniband.sh"
PATH=$PATH:/usr/sbin
missing=$(infiniband_missing)
[[ -z $missing ]] || { echo "skipped: no ${missing//$'\n'/ }"; exit 77; }
"$WEFT_CC" -O1 "$WEFT_SOURCE/tests/real/path_sl.c" -o path_sl -libmad -libumad

# loops FOLDER [OPTION...]: what ibdmchk says of OpenSM's tables.
loops() {
    ibdmchk -s "$1/opensm-subnet.lst" -f "$1/opensm.fdbs" -m "$1/opensm.mcfdbs" "${@:2}" -e >"$1/ibdmchk.txt" 2>&1 || true
    if grep -q 'no credit loops found' "$1/ibdmchk.txt"; then
        echo none
    elif grep -q 'Found credit loop' "$1/ibdmchk.txt"; then
        echo possible
    fi
}
# slvl FOLDER: OpenSM's SL2VL tables of switches in the lines of ibdmchk.
slvl() {
    awk '/^Switch/ { guid = substr($2, 1, 18) } /^Channel/ { guid = "" }
        /^[0-9]/ && guid { printf "%s %d %d", guid, $1, $2
            for (i = 4; i < 20; i += 2) printf " 0x%x%x", $i, $(i + 1)
            print "" }' "$1/opensm-sl2vl.dump" >"$1/slvl"
}
# agree VERDICT FILE.yaml: weft check says the same.
agree() {
    run 0 "$WEFT" check "$2"
    grep -q "^deadlock  *${1:-nothing}" out || { cat out; fail "ibdmchk says of $2: $1"; }
}

# examine NAME ENGINE [OPTION...]: there, back, and there again.
examine() {
    local name=$1 engine=$2 verdict by_sl
    subnet "$name.net" "$PWD/one" "${@:2}" || fail "OpenSM does not route $name by $engine"
    diff <(grep -v '^#' one/ibnetdiscover.txt | sed 's/lid [0-9]*/lid 0/g' | sort) <(grep -v '^#' "$name.net" | sort) ||
        fail "ibnetdiscover sees another $name"
    run 0 "$WEFT" import infiniband one/ibnetdiscover.txt --lft one/opensm-lfts.dump -o one.yaml
    run 0 "$WEFT" import infiniband one/opensm-subnet.lst --lft one/opensm.fdbs -o two.yaml
    cmp one.weftnet two.weftnet
    verdict=$(loops one)
    agree "$verdict" one.yaml
    slvl one
    by_sl=$(loops one -c one/psl -d one/slvl)
    run 0 "$WEFT" import infiniband one/opensm-subnet.lst --lft one/opensm.fdbs --sl2vl one/opensm-sl2vl.dump \
        --path-sl one/psl --qos one/opensm.conf -o sl.yaml
    agree "$by_sl" sl.yaml
    run 0 "$WEFT" topology export one.weftnet --format ibnetdiscover -o back.net
    subnet back.net "$PWD/two" "${@:2}" || fail "OpenSM does not route $name by $engine again"
    if [[ $engine != dfsssp ]]; then # its ties are broken in another order every time
        cmp one/opensm-lfts.dump two/opensm-lfts.dump
        run 0 "$WEFT" import infiniband two/ibnetdiscover.txt --lft two/opensm-lfts.dump -o two.yaml
        cmp one.weftnet two.weftnet
    fi
    echo "$name by $engine: credit loops $verdict, with SLs $by_sl"
}

run 0 "$WEFT" topology export topology.kind=fat-tree topology.form=m-port topology.arity=8 topology.levels=2 \
    --format ibnetdiscover -o tree.net
for engine in minhop updn ftree dor lash dfsssp; do
    examine tree "$engine"
done
run 0 "$WEFT" topology export topology.kind=torus 'topology.dims=[4,4]' --format ibnetdiscover -o torus.net
echo 0x200000 >roots
for engine in minhop dor lash dfsssp 'updn -a roots' \
    "torus-2QoS -Q --torus_config $WEFT_SOURCE/tests/data/infiniband/torus-2QoS.conf"; do
    # shellcheck disable=SC2086 # words
    examine torus $engine
done | tee torus.txt
is torus.txt 'torus by minhop: credit loops possible, with SLs possible
torus by dor: credit loops possible, with SLs possible
torus by lash: credit loops possible, with SLs none
torus by dfsssp: credit loops possible, with SLs none
torus by updn: credit loops none, with SLs none
torus by torus-2QoS: credit loops none, with SLs none'
