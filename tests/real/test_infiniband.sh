#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real subnet manager: ibsim reads networks that we export, OpenSM routes them by every engine that applies, we
# import what it computed. Exported again and routed again, the tables are the same; ibdmchk and weft check agree on
# credit loops, with the SLs of paths and without; ibtracert and weft topology path agree on paths; dump_lfts tells the same.
# A fabric that has lost a spine is routed anew.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/infiniband.sh"
PATH=$PATH:/usr/sbin
missing=$(infiniband_missing)
[[ -z $missing ]] || { echo "skipped: no ${missing//$'\n'/ }"; exit 77; }
"$WEFT_CC" -O1 "$WEFT_SOURCE/tests/real/path_sl.c" -o path_sl -libmad -libumad
RANDOM=20

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
# agree VERDICT FILE.yaml: weft check says the same, alone and side by side.
agree() {
    run 0 "$WEFT" check "$2"
    grep -q "^deadlock  *${1:-nothing}" out || { cat out; fail "ibdmchk says of $2: $1"; }
    run 0 "$WEFT" check "$2" "$2"
    grep -q "^credit loops  *${1:-nothing}  *$1\$" out || { cat out; fail "ibdmchk says of $2: $1"; }
}
# trace FILE.yaml PAIRS: so many random paths are those of ibtracert, by inputs, outputs and switches.
trace() {
    local n from to lids names
    mapfile -t lids < <(awk '/^Ca/ { ca = 1 } /^Switch/ { ca = 0 } /^\[/ && ca { print $5 }' one/ibnetdiscover.txt)
    mapfile -t names < <(awk -F'"' '/^Ca/ { print $4 }' one/ibnetdiscover.txt)
    for ((n = 0; n < $2; n++)); do
        from=$((RANDOM % ${#lids[@]})) to=$((RANDOM % (${#lids[@]} - 1)))
        [[ $to -ne $from ]] || to=$((${#lids[@]} - 1))
        simulated ibtracert "${lids[from]}" "${lids[to]}" 2>trace.err | tr '[]' '  ' | awk -F'"' '/^ / {
            split($1, at, " "); if (name) print last, at[1], name; match($1, /} [0-9]+/)
            last = substr($1, RSTART + 2, RLENGTH - 2); name = $2 }' >theirs
        run 0 "$WEFT" topology path "$1" "${names[from]}" "${names[to]}"
        awk 'table { sub(/^ +[0-9]+ +/, ""); in_ = $1; out = $2; sub(/^[0-9]+ +[0-9]+ +[-0-9]+ +/, "")
            print in_, out, $0 } /^ hop/ { table = 1 }' out >ours
        [[ -s theirs ]] || fail "ibtracert finds no path"
        cmp -s ours theirs || { cat out theirs; fail "another path by ibtracert"; }
    done
}

walk() {
    python3 "$WEFT_SOURCE/tests/cli/fabric_walk.py" "$@"
}

# examine NAME NTH ENGINE [OPTION...]: there, back, and there again. Every NTH host is asked for the SLs of its paths, as
# those of a switch are for lash; 0: none is.
examine() {
    local name=$1 nth=$2 engine=$3 verdict by_sl=unknown
    subnet_up "$name.net" "$PWD/one" "${@:3}" || fail "OpenSM does not route $name by $engine"
    diff <(grep -v '^#' one/ibnetdiscover.txt | sed 's/lid [0-9]*/lid 0/g' | sort) <(grep -v '^#' "$name.net" | sort) ||
        fail "ibnetdiscover sees another $name"
    run 0 "$WEFT" import infiniband one/ibnetdiscover.txt --lft one/opensm-lfts.dump -o one.yaml
    trace one.yaml 40
    run 0 simulated dump_lfts
    cp out one/dump_lfts.txt
    [[ $nth -eq 0 ]] || subnet_ask "$PWD/one" "$nth" || fail "no answers from $name by $engine"
    subnet_down
    run 0 "$WEFT" import infiniband one/opensm-subnet.lst --lft one/opensm.fdbs -o two.yaml
    cmp one.weftnet two.weftnet
    run 0 "$WEFT" import infiniband one/ibnetdiscover.txt --lft one/dump_lfts.txt -o two.yaml
    has out 'of dump_lfts or ibroute'
    cmp one.weftnet two.weftnet
    verdict=$(loops one)
    agree "$verdict" one.yaml
    if [[ $nth -gt 0 ]]; then
        slvl one
        by_sl=$(loops one -c one/psl -d one/slvl)
        run 0 "$WEFT" import infiniband one/opensm-subnet.lst --lft one/opensm.fdbs --sl2vl one/opensm-sl2vl.dump \
            --path-sl one/psl --qos one/opensm.conf -o sl.yaml
        agree "$by_sl" sl.yaml
    fi
    echo "$name by $engine: credit loops $verdict, with SLs $by_sl" | tee -a verdicts
    [[ $engine != dfsssp ]] || return 0 # its ties are broken in another order every time
    run 0 "$WEFT" topology export one.weftnet --format ibnetdiscover -o back.net
    subnet_up back.net "$PWD/two" "${@:3}" || fail "OpenSM does not route $name by $engine again"
    subnet_down
    cmp one/opensm-lfts.dump two/opensm-lfts.dump
    cmp one/opensm.fdbs two/opensm.fdbs
    run 0 "$WEFT" import infiniband two/ibnetdiscover.txt --lft two/opensm-lfts.dump -o two.yaml
    cmp one.weftnet two.weftnet
}

tree=(topology.kind=fat-tree topology.form=m-port topology.levels=2)
run 0 "$WEFT" topology export "${tree[@]}" topology.arity=8 --format ibnetdiscover -o tree.net
run 0 "$WEFT" topology export "${tree[@]}" topology.arity=36 --format ibnetdiscover -o tree648.net
run 0 "$WEFT" topology export topology.kind=torus 'topology.dims=[4,4]' --format ibnetdiscover -o torus.net
echo 0x200000 >roots
for engine in minhop updn ftree dor lash dfsssp; do
    examine tree 1 "$engine"
done
examine tree648 0 minhop
examine tree648 0 updn
for engine in ftree dor; do # without contention, and with much of it
    examine tree648 0 "$engine"
    # Loads, shifts and bisection are those of a walk over the dumps, for all hosts and for a job.
    run 0 "$WEFT" check one.yaml
    walk one/ibnetdiscover.txt one/opensm-lfts.dump out
    sed -n '/^hosts/,/^$/{/^  /!p}' out
    awk -F'"' '/^Ca/ { print $4 }' one/ibnetdiscover.txt | shuf -n 101 --random-source=one/opensm.fdbs >job
    run 0 "$WEFT" check one.yaml 'traffic.all.from=file job' 'traffic.all.to=file job'
    walk one/ibnetdiscover.txt one/opensm-lfts.dump out job
done
for engine in lash dfsssp; do
    examine tree648 18 "$engine"
done
for engine in minhop dor lash dfsssp 'updn -a roots' \
    "torus-2QoS -Q --torus_config $WEFT_SOURCE/tests/data/infiniband/torus-2QoS.conf"; do
    # shellcheck disable=SC2086 # words
    examine torus 1 $engine
done
is verdicts 'tree by minhop: credit loops none, with SLs none
tree by updn: credit loops none, with SLs none
tree by ftree: credit loops none, with SLs none
tree by dor: credit loops none, with SLs none
tree by lash: credit loops none, with SLs none
tree by dfsssp: credit loops none, with SLs none
tree648 by minhop: credit loops none, with SLs unknown
tree648 by updn: credit loops none, with SLs unknown
tree648 by ftree: credit loops none, with SLs unknown
tree648 by dor: credit loops none, with SLs unknown
tree648 by lash: credit loops none, with SLs none
tree648 by dfsssp: credit loops none, with SLs none
torus by minhop: credit loops possible, with SLs possible
torus by dor: credit loops possible, with SLs possible
torus by lash: credit loops possible, with SLs none
torus by dfsssp: credit loops possible, with SLs none
torus by updn: credit loops none, with SLs none
torus by torus-2QoS: credit loops none, with SLs none'

# A spine is gone: what is left is exported and routed anew, as docs/howto/your-fabric.md says.
cp "$WEFT_SOURCE"/examples/06-your-fabric/* .
run 0 "$WEFT" import infiniband cluster.net --lft minhop.fdbs -o minhop.yaml
run 0 "$WEFT" topology export minhop.weftnet --format ibnetdiscover --without spine3 -o left.net
run 0 ./reroute left.net left minhop
cmp left/opensm.fdbs less.fdbs
diff <(grep -v '^#' left/ibnetdiscover.txt) <(grep -v '^#' less.net)
run 0 "$WEFT" import infiniband left/ibnetdiscover.txt --lft left/opensm.fdbs -o recomputed.yaml
run 0 "$WEFT" check minhop.yaml recomputed.yaml --without spine3
has out 'pairs cut off                none    29.8 %        none'
