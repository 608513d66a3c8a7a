#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/reference/weftnet.md describes the files that weft import writes: the reader of the page finds what the program
# finds, in a plain fabric and in a subnet of InfiniBand.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
awk '/^```/ { code = $0 == "```python"; next } code' "$WEFT_SOURCE/docs/reference/weftnet.md" >read.py
cp "$WEFT_SOURCE"/tests/data/fabrics/small.weftnet "$WEFT_SOURCE"/tests/data/infiniband/torus-2QoS.weftnet .

# cables FILE: as the program exports them.
cables() {
    "$WEFT" topology export "$1" --format edges | awk '!/^(#|host|router)/ { sub(/.*ports=/, "", $4); split($4, at, ":"); print $1, at[1], $2, at[2] }'
}
run 0 python3 read.py small.weftnet
has out '6 routers, 8 hosts, 10 cables'
diff <(tail -n +2 out) <(cables small.weftnet) || fail 'other cables'
run 0 python3 read.py torus-2QoS.weftnet
has out '16 routers, 16 hosts, 32 cables'
diff <(sed -n '2,33p' out) <(cables torus-2QoS.weftnet) || fail 'other cables of the torus'
# The tables are those of the dump, switch by switch in the order of the file.
names=$("$WEFT" topology export torus-2QoS.weftnet --format edges | awk '/^host/ { print $2 }')
sed -n 's/^\(H-[0-9]*\) LID \([0-9]*\) /\1 \2 /p' out | while read -r name lid ports; do
    for switch in $names; do
        sed -n "/('$switch')/,/dumped/p" "$WEFT_SOURCE/tests/data/infiniband/opensm-lfts.dump" |
            awk -v lid="$(printf '0x%04x' "$lid")" '$1 "" == lid "" { printf "%d ", $2 }'
    done >theirs
    [[ "$ports " == "$(cat theirs)" ]] || fail "other ports for $name: $ports, $(cat theirs)"
done
[[ $(grep -c '^H-' out) -eq 16 ]] || fail 'other hosts'
