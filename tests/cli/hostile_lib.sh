#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files with hostile names, given to every writer; what they write is left in the current folder.
# shellcheck shell=bash disable=SC2016

hostile() {
    python3 "$WEFT_SOURCE/tests/cli/hostile.py" "$@"
}
# every STATUSES NAME COMMAND...: its output in NAME.out and NAME.err; it ends with one of the statuses, "01" for instance.
every() {
    local statuses=$1 name=$2 status=0
    shift 2
    "$@" >"$name.out" 2>"$name.err" </dev/null || status=$?
    [[ $statuses == *$status* ]] || {
        cat -v "$name.err"
        fail "status $status: $*"
    }
}
# write_all: through all readers and writers. Pictures by gnuplot where it is.
write_all() {
    local i format name
    hostile make
    for i in title*.yaml; do
        name=${i%.yaml}
        every 0 "run-$name" "$WEFT" run "$i" --quiet
    done
    every 0 check-title "$WEFT" check title0.yaml
    # One results file of many points, each with another name.
    sed 's/\[0.1, 0.2\]/{from: 0.01, to: 0.29, step: 0.01}/' title0.yaml >many.yaml
    every 0 run-many "$WEFT" run many.yaml --quiet measure.links=all measure.series='100 cycles'
    cp many.weft same.weft
    cp many.weft renamed.weft
    hostile edit many.weft
    hostile rename renamed.weft
    for name in many renamed title0 title4 title6 title9 title23 title29; do
        every 01 "report-$name" "$WEFT" report "$name.weft" --html "$name.html" --csv "$name.csv" --tex "$name.tex" \
            --svg "$name.svg" --png "$name.png"
        every 01 "table-$name" "$WEFT" report "$name.weft" --columns all
    done
    every 01 report-two "$WEFT" report many.weft same.weft --html two.html --csv two.csv
    for format in csv json; do
        every 0 "export-$format" "$WEFT" export many.weft --format "$format"
        cp "export-$format.out" "export.$format"
    done
    every 0 canonical "$WEFT" export many.weft --format canonical
    cp many.weft copy.weft
    every 01 compare "$WEFT" compare many.weft same.weft
    every 01 compare-copy "$WEFT" compare many.weft copy.weft --metric latency
    every 01 compare-renamed "$WEFT" compare renamed.weft same.weft
    every 01 explain "$WEFT" explain renamed.weft
    every 01 explain-json "$WEFT" explain renamed.weft --json
    every 01 over "$WEFT" report renamed.weft --over traffic.all.rho --csv over.csv
    every 01 status "$WEFT" status many.weft
    every 0 study "$WEFT" study study.yaml --quiet
    every 0 report-study "$WEFT" report study.weft --html study-points.html --csv study-points.csv
    # Fabrics.
    every 0 import-graphml "$WEFT" import graphml ring.graphml -o ring.weftnet
    every 0 import-edges "$WEFT" import edges ring.edges -o edges.weftnet
    every 0 import-net "$WEFT" import infiniband ring.net --lft ring.lft -o subnet.yaml
    every 01 import-booksim "$WEFT" import booksim booksim.cfg
    for i in worse*.graphml worse*.net; do
        name=${i/./-}
        every 01 "$name" "$WEFT" import "$([[ $i == *.net ]] && echo infiniband || echo graphml)" "$i" -o "$name.weftnet"
    done
    for format in graphml dot edges ibnetdiscover; do
        every 01 "export-$format" "$WEFT" topology export ring.yaml --format "$format" -o "exported.$format"
        every 01 "print-$format" "$WEFT" topology export ring.yaml --format "$format"
    done
    every 0 show "$WEFT" topology show ring.yaml
    every 01 show-svg "$WEFT" topology show ring.yaml --svg ring.svg --png ring.png
    every 01 path "$WEFT" topology path ring.yaml 'router `touch pwned`' 'router $(touch pwned)'
    every 01 check-ring "$WEFT" check ring.yaml
    every 013 check-subnet "$WEFT" check subnet.yaml --html subnet.html --svg subnet.svg --png subnet.png
    every 013 check-subnet-json "$WEFT" check subnet.yaml --json
    cp check-subnet-json.out subnet.json
    every 0 run-ring "$WEFT" run ring.yaml --quiet
    every 0 report-ring "$WEFT" report ring.weft --html ring.html --csv ring.csv
    every 01 explain-ring "$WEFT" explain ring.weft --svg why.svg --png why.png
    # Names of files, and what a message shows of a wrong value.
    for i in $'x\e]0;owned\a.yaml' '`touch pwned`.yaml' '$(touch pwned).yaml' '; touch pwned;.yaml' $'line\nbreak.yaml' $'\xff\xfe.yaml'; do
        cp title4.yaml "$i"
        name=$(cksum <<<"$i" | tr -dc 0-9)
        every 0 "file-$name" "$WEFT" run "$i" --quiet
        every 01 "files-$name" "$WEFT" report "${i%.yaml}.weft" --svg "${i%.yaml}.svg" --html "${i%.yaml}.html"
        mv -- "${i%.yaml}.html" "file-$name.html"
        mv "${i%.yaml}.svg" "file-$name.svg"
        rm -f "$i" "${i%.yaml}.weft"
        every 1 "missing-$name" "$WEFT" check "$i"
        every 1 "wrong-$name" "$WEFT" check title4.yaml "routing.kind=${i%.yaml}"
        every 1 "unknown-$name" "$WEFT" check title4.yaml "${i%.yaml}=3"
        every 1 "plugin-$name" "$WEFT" list --plugin "$i"
    done
}
