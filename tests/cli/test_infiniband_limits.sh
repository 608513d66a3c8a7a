#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# InfiniBand fabrics of sizes and with names that do not fit everywhere: what is too large is told with the limit, names are cut.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# More hosts than SLs of paths are kept for: 265 switches in a row with 250 each. They need no LIDs of their own.
awk 'BEGIN {
    for (s = 0; s < 265; s++) {
        printf "Switch 254 \"S%d\"%s\n", s, (s == 0 ? " # \"S0\" base port 0 lid 1 lmc 0" : "")
        for (p = 1; p <= 250; p++) printf "[%d] \"H%d-%d\"[1]\n", p, s, p
        if (s > 0) printf "[251] \"S%d\"[252]\n", s - 1
        if (s < 264) printf "[252] \"S%d\"[251]\n", s + 1
    }
    for (s = 0; s < 265; s++)
        for (p = 1; p <= 250; p++) printf "Ca 1 \"H%d-%d\"\n[1] \"S%d\"[%d]\n", s, p, s, p
}' >many.net
echo '0x100000 1 0' >many.psl
run 1 "$WEFT" import infiniband many.net --path-sl many.psl -o many.yaml
is err 'SLs of paths are kept for at most 65536 hosts, this fabric has 66250: leave many.psl out, and all packets have SL 0'
[[ ! -e many.yaml && ! -e many.weftnet ]] || fail 'an import that failed left a file'

# More endpoints than routing infiniband can name: 65 switches in a row (port 1: a host, 2 and 3: the neighbours) with 1024 each.
awk 'BEGIN {
    for (s = 0; s < 65; s++) {
        printf "switchguid=0x%x\nSwitch 3 \"S%d\" # \"s%d\" base port 0 lid %d lmc 0\n[1] \"H%d\"[1]\n", 1000 + s, s, s, 1 + s, s
        if (s > 0) printf "[2] \"S%d\"[3]\n", s - 1
        if (s < 64) printf "[3] \"S%d\"[2]\n", s + 1
    }
    for (s = 0; s < 65; s++) printf "Ca 1 \"H%d\"\n[1] \"S%d\"[1] # lid %d lmc 0\n", s, s, 101 + s
}' >row.net
awk 'BEGIN {
    for (s = 0; s < 65; s++) {
        printf "Unicast lids [0-165] of switch Lid %d guid 0x%016x (s%d):\n", 1 + s, 1000 + s, s
        for (t = 0; t < 65; t++) printf "0x%04x %03d\n", 1 + t, (t < s ? 2 : t == s ? 0 : 3)
        for (t = 0; t < 65; t++) printf "0x%04x %03d\n", 101 + t, (t < s ? 2 : t == s ? 1 : 3)
        print "130 lids dumped"
    }
}' >row.lft
awk 'BEGIN {
    for (s = 0; s < 65; s++)
        for (out = 1; out <= 3; out++)
            for (at = 0; at <= 3; at++) printf "0x%016x %d %d 0 0 0 0 0 0 0 0\n", 1000 + s, at, out
}' >row.sl2vl
run 0 "$WEFT" import infiniband row.net --lft row.lft --sl2vl row.sl2vl -o row.yaml
has out 'forwarding tables      65 switches, 8450 entries'
run 0 "$WEFT" check row.yaml topology.hosts=2
has out 'endpoints              130'
run 1 "$WEFT" check row.yaml topology.hosts=1024
is err 'row.yaml:5:10: routing infiniband knows at most 65535 endpoints, this network has 66560: use fewer, or routing tables'

# Names of more than 63 bytes are cut, between two characters.
long=$(printf 'é%.0s' {1..40})
echo "$long hub" >long.edges
run 0 "$WEFT" import edges long.edges -o long.weftnet --order file
run 0 "$WEFT" topology export long.weftnet --format ibnetdiscover
has out "# 1 names are cut to 63 bytes, or have ' for \": InfiniBand has no more room"
has out "\"S-0000000000200000\"		# \"${long:0:31}\" base"
