#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft import infiniband: one mistake in a line of a dump is told with its line, what was expected and what was found.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/tests/data/infiniband/* .

# told MESSAGE LINE TEXT FILE [FLAG FILE]: the last file named, with this text as that line, is refused with this message.
told() {
    local names=("${@:4}")
    awk -v at="$2" -v text="$3" 'NR == at { print text; next } { print }' "${names[-1]}" >changed
    names[-1]=changed
    run 1 "$WEFT" import infiniband "${names[@]}" -o wrong.yaml
    none out
    is err "changed:$2: $1"
    [[ ! -e wrong.weftnet && ! -e wrong.yaml ]] || fail 'an import that failed left a file'
}
# ---- ibnetdiscover ----
net=small.net
cat >$net <<'END'
switchguid=0x200000(200000)
Switch 8 "S-0000000000200000"  # "a" base port 0 lid 1 lmc 0
[1] "H-0000000000100000"[1]  # "node1" lid 2 4xEDR
[2] "H-0000000000100002"[1]  # "node2" lid 3 4xEDR
caguid=0x100000
Ca 1 "H-0000000000100000"  # "node1"
[1](100001) "S-0000000000200000"[1]  # lid 2 lmc 0 "a" lid 1 4xEDR
Ca 1 "H-0000000000100002"  # "node2"
[1](100003) "S-0000000000200000"[2]  # lid 3 lmc 0 "a" lid 1 4xEDR
END
run 0 "$WEFT" import infiniband $net -o small.yaml
has out 'hosts                  2 of 2 adapters'
# mistakes WHAT LINE BEFORE FILE [FLAG FILE]: BEFORE and every line of the input, as that line of the file, are refused as no WHAT.
mistakes() {
    local text
    while IFS= read -r text; do told "$1, found '$text'" "$2" "$3$text" "${@:4}"; done
}
# shellcheck disable=SC2016 # quotes of messages
{
    node='a node is `Switch 36 "NAME"` or `Ca 1 "NAME"` with at most 254 ports'
    port='a port is `[5] "NAME"[8]` with numbers 1 … 254'
    path='a path is the GUID of an adapter, a LID and an SL 0 … 15, such as 0x100000 5 0'
    table='an SL2VL table is `in out : ` and 16 VLs 0 … 15, or `guid in out` and 8 numbers such as 0x01'
    cable='a line is `{ SW … PN:01 } { CA … PN:01 } PHY=4x LOG=ACT SPD=25`'
    entry='an entry is a LID and a port, `0x0005 002`'
}
mistakes "$node" 2 Switch $net <<'END'
 255 "S-0000000000200000"
 eight "S-0000000000200000"
 8
 8 S-0000000000200000
 8 "S-0000000000200000
END
mistakes 'a LID is a number 0 … 49151' 2 'Switch 8 "S-0000000000200000"  # "a"' $net <<'END'
 lid x
 lid 49152
END
mistakes 'an LMC is a number 0 … 7' 2 'Switch 8 "S-0000000000200000"  # "a"' $net <<'END'
 lid 1 lmc 8
 lid 1 lmc x
 lid 49151 lmc 3
END
mistakes "$port" 7 '' $net <<'END'
[0] "S-0000000000200000"[1]
[255] "S-0000000000200000"[1]
[1 "S-0000000000200000"[1]
[1](100001 "S-0000000000200000"[1]
[1](zz) "S-0000000000200000"[1]
[1] S-0000000000200000
[1] "S-0000000000200000"
[1] "S-0000000000200000"[0]
END
told "a LID is a number 0 … 49151, found 'lid x'" 7 '[1](100001) "S-0000000000200000"[1]  # lid x' $net
told 'a port comes before any Switch or Ca' 2 '[1] "S-0000000000200000"[1]' $net
mistakes 'expected Switch, Ca, a port such as [5] or a key such as switchguid=0x…' 1 '' $net <<'END'
switchguid=zz
vendid=zz
devid=
sysimgguid=g
caguid=
END
# An id without a GUID is a name; a rate that is not known is none, here and in opensm-subnet.lst.
sed 's/S-0000000000200000/S-00000000002000zz/; /switchguid/d' $net >named.net
run 0 "$WEFT" import infiniband named.net -o named.yaml
for rate in xEDR 4EDR 4xZZZ 99xEDR ''; do
    sed "s/4xEDR/$rate/" $net >rate.net
    run 0 "$WEFT" import infiniband rate.net -o rate.yaml
    has out 'links of hosts         2 of an unknown rate'
done

# ---- opensm-subnet.lst: every part of a line is needed ----
first=$(head -n 1 opensm-subnet.lst)
# without PART WITH: the first line with something else for a part is refused; a word is shown up to 80 characters.
without() {
    local text=${first/"$1"/"$2"}
    told "$cable, found '${text:0:80}'" 1 "$text" opensm-subnet.lst
}
for part in ' Ports:01' ' SystemGUID:0000000000100000' ' NodeGUID:0000000000100000' ' PortGUID:0000000000100001' ' VenID:000000' ' DevID:0000' \
    ' {H-0}' '} LID:0001' ' PN:01' ' }' ' PN:05'; do
    without "$part" ''
done
without CA-SM RT
without PN:01 PN:00
without PN:01 PN:FF
without LID:0001 LID:FFFF
without Ports:01 Ports:FF
for edit in 's/PHY=4x/PHY=x/' 's/PHY=4x//' 's/SPD=10/SPD=99/' 's/SPD=10//'; do
    sed "$edit" opensm-subnet.lst >rate.lst
    run 0 "$WEFT" import infiniband rate.lst -o rate.yaml
    has out 'links of hosts         16 of an unknown rate'
done
sed 's/SPD=10/SPD=EDR  /' opensm-subnet.lst >rate.lst
run 0 "$WEFT" import infiniband rate.lst -o rate.yaml
has out 'links of hosts         16 of 4xEDR, 100 Gb/s'

# ---- forwarding tables ----
lft=(ibnetdiscover.txt --lft opensm-lfts.dump)
told 'this line should name a switch by its guid' 1 'Unicast lids [0-32] of switch T' "${lft[@]}"
told "expected the GUID of a switch, found 'zz'" 1 'Unicast lids [0-32] of switch Lid 1 guid zz' "${lft[@]}"
told "expected the GUID of a switch, found 'zz'" 1 'dump_ucast_routes: Switch zz' ibnetdiscover.txt --lft opensm.fdbs
told 'an entry comes before any switch' 1 '0x0001 002' "${lft[@]}"
mistakes "$entry" 4 '' "${lft[@]}" <<'END'
0x0001
0x0zz1 002
0x0001 300
END

# ---- SLs of paths, SL2VL tables, QoS ----
mistakes "$path" 2 '' ibnetdiscover.txt --path-sl psl <<'END'
zz
0x0000000000100000
0x0000000000100000 zz
0x0000000000100000 5
0x0000000000100000 5 16
0x0000000000100000 60000 1
END
sed 's/ lid [0-9]*//; s/lmc 0//' $net >nameless.net
run 1 "$WEFT" import infiniband nameless.net --path-sl psl -o wrong.yaml
is err 'psl names LIDs, but the fabric has none: give its forwarding tables too (--lft)'
sl2vl=(ibnetdiscover.txt --sl2vl opensm-sl2vl.dump)
mistakes "$table" 4 '' "${sl2vl[@]}" <<'END'
zz
0
0 1
0 1 : 0 1
0 1 : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 16
300 1 : 0
0x0000000000200000 0 1 0x01
0x0000000000200000 0 1 0x1ff
0x0000000000200000 zz
0x0000000000200000 0 zz
0xzz 0 1
Switch zz
END
ones='0x01 0x01 0x01 0x01 0x01 0x01 0x01 0x01'
told 'switch T-0-0 has ports 0 … 5, found ports 9 and 1' 4 '9 1 : 0  1  0  1  0  1  0  1  4  5  4  5  4  5  4  5 ' "${sl2vl[@]}"
told 'switch T-0-0 has ports 0 … 5, found ports 0 and 9' 4 "0x0000000000200000 0 9 $ones" "${sl2vl[@]}"
told 'no switch of the fabric has GUID 0x200099: are both of one fabric?' 4 "0x0000000000200099 0 1 $ones" "${sl2vl[@]}"
told 'no switch of the fabric has GUID 0x77: are both of one fabric?' 4 'Switch 0x77' "${sl2vl[@]}"
printf 'Channel Adapter 0x1\n' >adapters.sl2vl
run 1 "$WEFT" import infiniband ibnetdiscover.txt --sl2vl adapters.sl2vl -o wrong.yaml
is err 'adapters.sl2vl has no SL2VL tables of switches: it should be opensm-sl2vl.dump (opensm writes it with QoS on)'
# There may be 4096 different tables.
awk 'BEGIN { for (i = 0; i <= 4096; i++) printf "0x0000000000200000 0 1 0x%02x 0x%02x 0 0 0 0 0 0\n", i / 256, i % 256 }' >many.sl2vl
run 1 "$WEFT" import infiniband ibnetdiscover.txt --sl2vl many.sl2vl -o wrong.yaml
is err 'many.sl2vl:4097: there are more than 4096 different SL2VL tables'
qos=(ibnetdiscover.txt --qos opensm.conf)
told 'qos_max_vls has no value' 3 'qos_max_vls' "${qos[@]}"
mistakes 'qos_sl2vl takes 16 VLs 0 … 15' 3 'qos_sl2vl ' "${qos[@]}" <<'END'
0,1,2
16
0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15x
END
mistakes 'qos_ca_vlarb_high takes VLs and weights such as 0:64,1:64' 3 'qos_ca_vlarb_high ' "${qos[@]}" <<'END'
0:1,
0:256
0
0:64,1
END
sed '3s/.*/qos_sl2vl (null)/' opensm.conf >null.conf
run 0 "$WEFT" import infiniband ibnetdiscover.txt --qos null.conf -o null.yaml
has out 'keys qos_… of OpenSM, kept word by word'
