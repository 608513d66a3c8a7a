#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft import infiniband: every dump gives the same fabric, which runs and is exported as it was; what is
# wrong in a dump is told. tests/real/test_infiniband.sh does it with a live subnet manager.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/tests/data/infiniband/* .
rest=(--sl2vl opensm-sl2vl.dump --path-sl psl --qos opensm.conf)

run 0 "$WEFT" import infiniband ibnetdiscover.txt --lft opensm-lfts.dump "${rest[@]}" -o one.yaml
is err 'wrote one.yaml
wrote one.weftnet'
is out 'description            text of ibnetdiscover
switches               16
hosts                  16 of 16 adapters, 1 at each of 16 switches
cables                 32 between switches of 4xQDR, 32 Gb/s
links of hosts         16 of 4xQDR, 32 Gb/s
LIDs                   32, 1 … 32
forwarding tables      16 switches, 512 entries, of opensm-lfts.dump
SL2VL tables           480 pairs of ports of switches, 4 different, of opensm-sl2vl.dump
path SLs               240 paths between hosts, on 4 SLs
QoS                    5 keys qos_… of OpenSM, kept word by word'
cmp one.weftnet torus-2QoS.weftnet

# Other dumps of the same session.
run 0 "$WEFT" import infiniband ibnetdiscover.txt --lft dump_lfts.txt "${rest[@]}" -o two.yaml
has out 'of dump_lfts or ibroute'
cmp one.weftnet two.weftnet
run 0 "$WEFT" import infiniband opensm-subnet.lst --lft opensm.fdbs "${rest[@]}" -o three.yaml
has out 'description            opensm-subnet.lst'
has out '512 entries, of opensm.fdbs'
cmp one.weftnet three.weftnet
# A file for ibsim has names only: GUIDs are those that ibsim gives, LIDs those that the tables tell.
awk '/^(Switch|Ca)/ { print "\n" $1 " " $2 " " $5; next }
    /^\[/ { gsub(/\([0-9a-f]*\)/, ""); sub(/#[^"]*/, "# "); print $1 " " $4 substr($2, index($2, "[")) }' \
    ibnetdiscover.txt | tac -s $'\n\n' >names.net
has names.net '[5] "H-15"[1]'
run 0 "$WEFT" import infiniband names.net --lft opensm-lfts.dump -o names.yaml
has out 'cables                 32 between switches of an unknown rate'
has out 'LIDs                   32, 1 … 32'
run 1 "$WEFT" import infiniband names.net --lft opensm.fdbs -o names.yaml
is err 'opensm.fdbs names LIDs, but neither it nor the description of the fabric says whose they are: import the output of ibnetdiscover, or opensm-subnet.lst'

# It runs by its tables, and hosts have names.

run 0 "$WEFT" check one.yaml
has out 'deadlock               none possible'
run 0 "$WEFT" run one.yaml --quiet 'traffic.all.from=[H-3,H-1?]' 'traffic.all.to=H-0' measure.limit.time=20us
run 1 "$WEFT" check one.yaml traffic.all.from=node17
has err "traffic.all.from: no host of this fabric has such a name; the first is 'H-0', found 'node17'"

# Credit loops by VL: dfsssp has none with the SLs of its paths, and some if all packets have one SL.
for ((guid = 0x200000; guid < 0x200010; guid++)); do
    for ports in {0..5}' '{1..5}; do
        printf '0x%x %s 0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67\n' "$guid" "$ports"
    done
done >slvl
run 0 "$WEFT" import infiniband opensm-subnet.lst --lft dfsssp.fdbs --sl2vl slvl --path-sl dfsssp.psl -o dfsssp.yaml
has out "480 pairs of ports of switches, 1 different, of ibdmchk's lines"
has out '240 paths between hosts, on 8 SLs'
run 0 "$WEFT" check dfsssp.yaml
has out 'deadlock               none possible: the channel dependency graph is acyclic (319 channels, 12 levels)'
run 0 "$WEFT" check dfsssp.yaml traffic.all.sl=3
has out 'deadlock               possible: 4 packets can form a cyclic wait'
has out 'in VC 3 behind router T-3-0 output 1, waits for output 1 VC 3 of router T-0-0'
# What maps SLs at endpoints does not take the place of the SLs of paths.
run 0 "$WEFT" check dfsssp.yaml 'router.sl2vl=[3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]'
has out 'deadlock               none possible: the channel dependency graph is acyclic (319 channels, 12 levels)'
run 1 "$WEFT" check dfsssp.yaml router.vcs=4
has err 'router.vcs must be at least 8, the VLs that the SL2VL tables of this fabric name, found 4'
# With the same paths and SLs, but SL2VL tables that map VLs 4 to 7 onto 0 to 3, packets of two SLs wait for each other.
sed 's/0x45 0x67/0x01 0x23/g' slvl >merged.slvl
run 0 "$WEFT" import infiniband opensm-subnet.lst --lft dfsssp.fdbs --sl2vl merged.slvl --path-sl dfsssp.psl -o merged.yaml
has out '240 paths between hosts, on 8 SLs'
run 0 "$WEFT" check merged.yaml
has out 'deadlock               possible: 6 packets can form a cyclic wait'
has out 'a packet from router T-3-3 to T-1-1, in VC 2 behind router T-2-3 output 4, waits for output 4 VC 2 of router T-2-2'
run 0 "$WEFT" import infiniband opensm-subnet.lst --lft dfsssp.fdbs --sl2vl slvl -o loops.yaml
has out 'no SLs of paths are given (--path-sl): all packets have SL 0'
run 0 "$WEFT" check loops.yaml
has out 'deadlock               possible: 4 packets can form a cyclic wait'
has out 'a packet from router T-3-0 to T-1-1, in VC 0 behind router T-3-0 output 1, waits for output 1 VC 0 of router T-0-0'
run 1 "$WEFT" check names.yaml routing.kind=infiniband
has err 'routing infiniband needs a fabric with forwarding tables and SL2VL tables: weft import infiniband FILE --lft FILE --sl2vl FILE'

# The way back: the text of ibnetdiscover but for its heading, and from there the same fabric.
run 0 "$WEFT" topology export one.weftnet --format ibnetdiscover -o back.net
diff <(grep -v '^#' ibnetdiscover.txt | sort) <(grep -v '^#' back.net | sort) || fail 'the export differs'
run 0 "$WEFT" import infiniband back.net --lft opensm-lfts.dump "${rest[@]}" -o back.yaml
cmp one.weftnet back.weftnet
run 0 "$WEFT" topology export back.weftnet --format ibnetdiscover
cmp out back.net
# Any network of ours.
for kind in 'torus topology.dims=[4,4]' 'fat-tree topology.arity=4 topology.levels=2' 'dragonfly topology.groups=9 topology.routers=4 topology.hosts=2'; do
    # shellcheck disable=SC2086 # words
    run 0 "$WEFT" topology export topology.kind=$kind --format ibnetdiscover -o ours.net
    run 0 "$WEFT" import infiniband ours.net -o ours.yaml
    run 0 "$WEFT" topology export ours.weftnet --format ibnetdiscover -o again.net
    diff <(grep -v '^# all' ours.net | sort) <(sort again.net) || fail "$kind is not the same after import and export"
    run 0 "$WEFT" check ours.yaml
done
# Rates are those of the scenario, the least of InfiniBand that carry them: of 1x, 2x and 4x, wider or faster if they must be.
for rate in 2Gb/s:1xSDR 2.1Gb/s:1xDDR 25Gb/s:1xEDR 32Gb/s:4xQDR 54Gb/s:4xFDR 56Gb/s:4xEDR 100Gb/s:4xEDR 200Gb/s:4xHDR \
    400Gb/s:8xHDR 600Gb/s:12xHDR 800Gb/s:4xXDR 9Tb/s:12xXDR; do
    run 0 "$WEFT" topology export topology.kind=mesh 'topology.dims=[2,2]' clock=1GHz links.rate="${rate%:*}" --format ibnetdiscover
    has out '# rates are the least of InfiniBand that carry those of the scenario'
    [[ $(grep -o '[0-9]*x[A-Z]*$' out | sort -u) == "${rate#*:}" ]] || fail "another rate than $rate: $(grep -m1 -o '[0-9]*x[A-Z]*$' out)"
done
run 0 "$WEFT" topology export topology.kind=mesh 'topology.dims=[2,2]' --format ibnetdiscover
has out '# all links are 4xEDR: the scenario does not say how fast they are'
run 0 "$WEFT" topology export topology.kind=mesh 'topology.dims=[2,2]' clock=1GHz links.flit=16B --format ibnetdiscover
[[ $(grep -o '[0-9]*x[A-Z]*$' out | sort -u) == 4xHDR ]] || fail 'a flit of 16 B in every ns is no 4xHDR'
run 1 "$WEFT" topology export topology.kind=butterfly topology.arity=2 topology.stages=3 --format ibnetdiscover
has err 'the links of a butterfly lead one way, which InfiniBand does not know: use dot'

# Different numbers of hosts, two cables between two switches, links of different rates, an adapter with two ports.
cat >odd.net <<'END'
Switch 8 "a" # "a" base port 0 lid 1 lmc 0
[1] "n1"[1] # "node1" lid 3 4xEDR
[2] "n2"[1] # "node2" lid 4 4xEDR
[7] "b"[3] # "b" lid 2 4xEDR
[8] "b"[4] # "b" lid 2 4xHDR
[6] "b"[5] # "b" lid 2 4xEDR

Switch 8 "b" # "b" enhanced port 0 lid 2 lmc 0
[1] "n1"[2] # "node1" lid 5 4xEDR
[3] "a"[7] # "a" lid 1 4xEDR
[4] "a"[8] # "a" lid 1 4xHDR
[5] "a"[6] # "a" lid 1 4xEDR

Ca 2 "n1" # "node1"
[1] "a"[1] # lid 3 lmc 0 "a" lid 1 4xEDR
[2] "b"[1] # lid 5 lmc 0 "b" lid 2 4xEDR

Ca 1 "n2" # "node2"
[1] "a"[2] # lid 4 lmc 0 "a" lid 1 4xEDR
END
cat >odd.lft <<'END'
Unicast lids [0-5] of switch Lid 1 guid 0x0000000000200000 ('a'):
0x0001 000
0x0002 007
0x0003 001
0x0004 002
0x0005 008
5 lids dumped
Unicast lids [0-5] of switch Lid 2 guid 0x0000000000200001 ('b'):
0x0001 003
0x0002 000
0x0003 004
0x0004 005
0x0005 001
5 lids dumped
END
run 0 "$WEFT" import infiniband odd.net --lft odd.lft -o odd.yaml
is out 'description            text of ibnetdiscover
switches               2
hosts                  3 of 2 adapters, 1 … 2 at 2 switches
cables                 1 between switches of 4xHDR, 200 Gb/s
cables                 2 between switches of 4xEDR, 100 Gb/s
                       1 pairs of switches have several cables
links of hosts         3 of 4xEDR, 100 Gb/s
LIDs                   5, 1 … 5
forwarding tables      2 switches, 10 entries, of opensm-lfts.dump'
# The way back here, too: an adapter with two ports is one node.
run 0 "$WEFT" topology export odd.weftnet --format ibnetdiscover -o odd-back.net
[[ $(grep -c '^Ca' odd-back.net) -eq 2 ]] || fail 'an adapter was written twice'
run 0 "$WEFT" import infiniband odd-back.net --lft odd.lft -o odd-back.yaml
cmp odd.weftnet odd-back.weftnet
# Rates that are no whole Gb/s; of as many cables of either kind the faster ones are the usual ones.
sed 's/4xHDR/1xFDR/; /^\[6\] "b"/d; /^\[5\] "a"/d' odd.net >slow.net
run 0 "$WEFT" import infiniband slow.net -o slow.yaml
has out 'cables                 1 between switches of 4xEDR, 100 Gb/s
cables                 1 between switches of 1xFDR, 13636 Mb/s'
has slow.yaml 'links: {flit: 64 B, rate: 100 Gb/s}'
sed '/^\[7\] "b"/d; /^\[3\] "a"/d' slow.net >slower.net
run 0 "$WEFT" import infiniband slower.net -o slower.yaml
has slower.yaml 'links: {flit: 64 B, rate: 13636 Mb/s}'
run 0 "$WEFT" check odd.yaml
has out 'endpoints              3'
has out 'throughput bound       1: injection ports saturate'
# A cable that is down takes with it what its tables send over it.
run 1 "$WEFT" check odd.yaml faults='a:p8->b'
has err 'the forwarding tables do not lead from router '
has err 'links on their way are down, and only the subnet manager, or whoever made the tables, can compute new ones (routing up-down finds a way)'
run 0 "$WEFT" check odd.yaml faults='a:p8->b' routing=up-down
# Adapters with two ports are two endpoints; a switch left out takes its hosts with it.
run 0 "$WEFT" check odd.yaml traffic.all.from=node1
has out '2 of 3 endpoints send'
run 0 "$WEFT" check odd.yaml traffic.all.from=node1/P2
has out '1 of 3 endpoints send'
run 0 "$WEFT" check odd.yaml topology.without=b
has out 'endpoints              2'
run 1 "$WEFT" check odd.yaml topology.without=c
has err "topology.without: there is no router 'c' in this fabric; the first is 'a'"
run 1 "$WEFT" check odd.yaml faults=b
has err 'topology.without leaves a router out with its endpoints'
# A slower cable.
run 0 "$WEFT" check odd.yaml "links.where={a - b: {rate: 10 Gb/s}}"
has out 'saturates first (channel load'
run 0 "$WEFT" run odd.yaml --quiet measure.limit.time=100us measure.links=all
"$WEFT" export odd.weft --format json >odd.json
for link in 'a:p8->b' 'b:p4->a' 'b:p5->a'; do
    grep -q "$link" odd.json || fail "no link $link in the results"
done

# What is wrong.
# wrong SENTENCE FILE [FLAG FILE]
wrong() {
    run 1 "$WEFT" import infiniband "${@:2}" -o wrong.yaml
    none out
    is err "$1"
    [[ ! -e wrong.weftnet && ! -e wrong.yaml ]] || fail 'an import that failed left a file'
}
head -c 500 odd.net >cut.net
wrong 'cut.net:19: the file ends in the middle of this line: it is cut off' cut.net
head -n 12 odd.net >cut.net
wrong "cut.net:2: port 1 of a leads to 'n1', which the file does not describe: it may be cut off" cut.net
grep -v '"a"\[8\]' odd.net >oneside.net
wrong 'oneside.net:5: port 8 of a leads to port 4 of b, which does not list this cable; both sides must' oneside.net
sed 's/^\[4\] "a"\[8\]/[4] "a"[7]/' odd.net >cross.net
wrong 'cross.net:5: port 8 of a leads to port 4 of b here, which leads to port 7 of a in line 11' cross.net
sed 's/lid 4 lmc/lid 5 lmc/' odd.net >twice.net
wrong 'twice.net:19: LID 5 is that of node2 here and of node1 in line 16; every port has its own' twice.net
sed 's/^\[7\] "b"/[8] "b"/' odd.net >port.net
wrong 'port.net:4: port 8 of a is listed twice, here and in line 5' port.net
sed 's/"a"\[2\]/"a"[9]/; s/^\[2\] "n2"/[9] "n2"/' odd.net >far.net
wrong 'far.net:3: a has ports 1 … 8, found port 9' far.net
{ cat odd.net; echo; echo 'Ca 1 "n2"'; } >again.net
wrong 'again.net:21: node2 is described twice, in line 18 and here' again.net
# Switches of one name get their GUIDs behind it, unless that is the name of another one.
sed 's/"b" enhanced/"a" enhanced/' odd.net >same.net
run 0 "$WEFT" import infiniband same.net -o same.yaml
run 0 "$WEFT" topology export same.weftnet --format edges
has out 'host "a 0x200001" 1'
{ sed 's/"a" base/"b 0x200002" base/' odd.net && printf '\nSwitch 4 "c" # "b"\n'; } >same.net
wrong "same.net:21: two switches are called 'b 0x200002'" same.net
sed 's/^Switch 8 "b"/switchguid=0x200000\n&/' odd.net >guid.net
wrong 'guid.net:9: GUID 0x200000 is that of b here and of a in line 1; every node has its own' guid.net
printf 'Switch 70 "a"\n[69] "b"[1]\n[1] "h"[1]\nSwitch 4 "b"\n[1] "a"[69]\n[2] "g"[1]\n' >wide.net
printf 'Ca 1 "h"\n[1] "a"[1]\nCa 1 "g"\n[1] "b"[2]\n' >>wide.net
run 0 "$WEFT" import infiniband wide.net -o wide.yaml
run 0 "$WEFT" run wide.yaml --quiet measure.limit.time='1 us'
printf 'Switch 4 "a"\n' >alone.net
wrong 'alone.net has no adapters at its switches' alone.net
printf 'Ca 1 "a"\n[1] "b"[1]\nCa 1 "b"\n[1] "a"[1]\n' >pair.net
wrong 'pair.net:2: adapter a is joined to adapter b, without a switch' pair.net
printf 'Rt 2 "a"\n' >router.net
wrong "router.net:1: expected Switch, Ca, a port such as [5] or a key such as switchguid=0x…, found 'Rt 2 \"a\"'" router.net
head -n 3 opensm-subnet.lst >cut.lst
wrong 'cut.lst:1: port 1 of H-0 leads to port 5 of T-0-0, which does not list this cable; both sides must' cut.lst

head -n 9 odd.lft >cut.lft
wrong 'cut.lft:9: the table of switch b ends with LID 1, the fabric has LIDs up to 5: the file is cut off' odd.net --lft cut.lft
head -c 1000 opensm.fdbs >cut.fdbs
wrong 'cut.fdbs:33: the file ends in the middle of this line: it is cut off' ibnetdiscover.txt --lft cut.fdbs
sed '20,30d' opensm.fdbs >gap.fdbs
run 0 "$WEFT" import infiniband ibnetdiscover.txt --lft gap.fdbs -o gap.yaml
has out 'forwarding tables      16 switches, 501 entries, of opensm.fdbs
                       11 more are missing, or lead nowhere'
sed '19,34d' opensm.fdbs >gap.fdbs
wrong "$(grep -n -m2 '^dump_ucast' gap.fdbs | sed -n '2s/^\([0-9]*\).*/gap.fdbs:\1/p'): the table of switch T-0-0 ends with LID 16, the fabric has LIDs up to 32: the file is cut off" \
    ibnetdiscover.txt --lft gap.fdbs
head -n 7 odd.lft >half.lft
wrong 'half.lft:7: the file ends without a forwarding table for switch b, GUID 0x200001; 1 of 2 switches have one: it is cut off, or of another fabric' \
    odd.net --lft half.lft
sed 's/^0x0004 005/0x0003 005/' odd.lft >twice.lft
wrong 'twice.lft:12: switch b has LID 3 twice, by port 4 before and by port 5 here' odd.net --lft twice.lft
sed 's/^0x0004 005/0x0004 009/' odd.lft >port.lft
wrong 'port.lft:12: switch b has ports 0 … 8, found port 9' odd.net --lft port.lft
sed 's/guid 0x0000000000200001/guid 0x0000000000200007/' odd.lft >other.lft
wrong 'other.lft:8: no switch of the fabric has GUID 0x200007: are both of one fabric?' odd.net --lft other.lft
sed 's/guid 0x0000000000200001/guid 0x0000000000200000/' odd.lft >second.lft
wrong 'second.lft:8: switch a has a second table' odd.net --lft second.lft
wrong 'opensm.conf has no forwarding tables: it should be opensm-lfts.dump, opensm.fdbs, or the text of dump_lfts or ibroute' \
    odd.net --lft opensm.conf
sed 's/^0x0004 005/0x0004 up/' odd.lft >word.lft
wrong "word.lft:12: an entry is a LID and a port, \`0x0005 002\`, found '0x0004 up'" odd.net --lft word.lft
# Tables that lead nowhere are imported; what they miss is told when they are used.
sed 's/^0x0004 005/0x0004 255/' odd.lft >lost.lft
run 0 "$WEFT" import infiniband odd.net --lft lost.lft -o lost.yaml
run 1 "$WEFT" check lost.yaml
has err 'the forwarding tables do not lead from router b to router a'

head -n 30 opensm-sl2vl.dump >cut.sl2vl
wrong 'cut.sl2vl has no SL2VL table for switch T-0-0, from port 5 to port 5: it is cut off, or of another fabric' \
    ibnetdiscover.txt --sl2vl cut.sl2vl
sed '4s/1  0/1  16/' opensm-sl2vl.dump >vl.sl2vl
run 1 "$WEFT" import infiniband ibnetdiscover.txt --sl2vl vl.sl2vl -o wrong.yaml
has err "vl.sl2vl:4: an SL2VL table is \`in out : \` and 16 VLs 0 … 15, or \`guid in out\` and 8 numbers such as 0x01, found"
sed '3s/ 2$/ 16/' psl >level
wrong "level:3: a path is the GUID of an adapter, a LID and an SL 0 … 15, such as 0x100000 5 0, found '0x0000000000100000 11 16'" \
    ibnetdiscover.txt --path-sl level
sed '3s/ 11 / 99 /' psl >lid
wrong 'lid:3: no port of the fabric has LID 99' ibnetdiscover.txt --path-sl lid
sed '3s/100000 /100009 /' psl >guid
wrong 'guid:3: no adapter of the fabric has GUID 0x100009' ibnetdiscover.txt --path-sl guid
head -n 100 psl >cut.psl
run 0 "$WEFT" import infiniband ibnetdiscover.txt --lft opensm-lfts.dump --path-sl cut.psl -o cut.yaml
has out 'path SLs               100 paths between hosts, on'
has out '                       140 paths are not listed, and have SL 0'
# A line is a path from every port of its adapter, and one to itself is none between hosts.
cat >ports.net <<'END'
Switch 4 "a" # "a" base port 0 lid 1 lmc 0
[1] "n1"[1] # "n1" lid 2 4xEDR
[2] "n1"[2] # "n1" lid 3 4xEDR
[3] "n2"[1] # "n2" lid 4 4xEDR
[4] "n2"[2] # "n2" lid 5 4xEDR
caguid=0x100000
Ca 2 "n1" # "n1"
[1] "a"[1] # lid 2 lmc 0 "a" lid 1 4xEDR
[2] "a"[2] # lid 3 lmc 0 "a" lid 1 4xEDR
caguid=0x100008
Ca 2 "n2" # "n2"
[1] "a"[3] # lid 4 lmc 0 "a" lid 1 4xEDR
[2] "a"[4] # lid 5 lmc 0 "a" lid 1 4xEDR
END
{
    echo "Unicast lids [0-5] of switch Lid 1 guid 0x200000 ('a'):"
    printf '0x%04x %03d\n' 1 0 2 1 3 2 4 3 5 4
    echo '5 lids dumped'
} >ports.lft
printf '%s 1\n' 0x10000{0,8}\ {2..5} >ports.psl
run 0 "$WEFT" import infiniband ports.net --lft ports.lft --path-sl ports.psl -o ports.yaml
has out 'path SLs               12 paths between hosts, on 1 SLs'
! grep 'are not listed' out || fail 'paths that are listed are not'
head -c 3330 psl >cut.psl
wrong 'cut.psl:140: the file ends in the middle of this line: it is cut off' ibnetdiscover.txt --path-sl cut.psl
head -c 20000 opensm-subnet.lst >cut.lst
wrong 'cut.lst:60: the file ends in the middle of this line: it is cut off' cut.lst
head -c 20000 opensm-lfts.dump >cut.dump
wrong 'cut.dump:335: the file ends in the middle of this line: it is cut off' ibnetdiscover.txt --lft cut.dump
wrong "psl has no keys qos_…: it should be OpenSM's configuration" ibnetdiscover.txt --qos psl
sed 's/^qos_sl2vl .*/qos_sl2vl 0,1,2/' opensm.conf >short.conf
wrong "short.conf:7: qos_sl2vl takes 16 VLs 0 … 15, found '0,1,2'" ibnetdiscover.txt --qos short.conf
sed 's/^qos_vlarb_low .*/qos_vlarb_low 0,1/' opensm.conf >weights.conf
wrong "weights.conf:6: qos_vlarb_low takes VLs and weights such as 0:64,1:64, found '0,1'" ibnetdiscover.txt --qos weights.conf

# The command line.
run 2 "$WEFT" import infiniband odd.net
is err 'weft: -o OUT.yaml is missing: weft import infiniband odd.net -o OUT.yaml'
run 2 "$WEFT" import edges odd.net --lft odd.lft -o x.weftnet
is err 'weft: --lft, --sl2vl, --path-sl and --qos are for infiniband alone'
run 2 "$WEFT" import infiniband odd.net -o x.yaml --hosts 4
is err 'weft: --hosts is not for infiniband: its hosts have names'
run 1 "$WEFT" import infiniband missing.net -o x.yaml
is err 'missing.net cannot be read: No such file or directory'
