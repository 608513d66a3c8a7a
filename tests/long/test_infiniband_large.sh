#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A subnet of 3,456 hosts and 720 switches with 190 MB of forwarding tables is imported in 5 s and 300 MiB.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
run 0 "$WEFT" topology export topology.kind=fat-tree topology.form=m-port topology.arity=24 topology.levels=3 \
    --format ibnetdiscover -o large.net
# OpenSM takes minutes for it: the tables lead nowhere, but have the form and the size of its dump.
awk '/^\[.*\(/ && ca { gsub(/[][()]/, " "); printf "0x%04x 001 # Channel Adapter portguid 0x%016s: '\''node of a rack'\''\n", ++lid, $2 }
    /^Ca/ { ca = 1 } /^Switch/ { ca = 0; id = substr($3, 4, 16)
        printf "0x%04x 001 # Switch portguid 0x%s: '\''a switch'\''\n", ++lid, id }' large.net |
    sed 's/0x  */0x/; s/portguid 0x\([0-9a-f]*\)/portguid 0x\1/' >one
sed -n 's/^Switch.*"S-\([0-9a-f]*\)".*/\1/p' large.net >guids
while read -r guid; do
    echo "Unicast lids [0-4176] of switch Lid 1 guid 0x$guid ('a switch'):"
    cat one
    echo '4176 lids dumped'
done <guids >large.dump
bytes=$(stat -c %s large.dump)
[[ $bytes -gt 180000000 ]] || fail "the dump has $bytes bytes"
started=$(date +%s%N)
(
    ulimit -v 307200 # KiB
    run 0 "$WEFT" import infiniband large.net --lft large.dump -o large.yaml
    has out '720 switches, 3006720 entries'
)
at_most $((($(date +%s%N) - started) / 1000000)) 5000 'import, ms'
