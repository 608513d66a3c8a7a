#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft topology path: hop by hop through a fabric by its tables, with VLs, and through any network by its routing.
# tests/real/test_infiniband.sh compares paths with those of ibtracert.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/tests/data/infiniband/* .

run 0 "$WEFT" import infiniband ibnetdiscover.txt --lft opensm-lfts.dump --sl2vl opensm-sl2vl.dump --path-sl psl -o one.yaml
run 0 "$WEFT" topology path one.yaml H-0 H-11
is out 'from                   H-0, LID 1
to                     H-11, LID 28
routing                infiniband
service level          2
hops                   3

 hop    in   out   VCs  router
   0     5     1     0  T-0-0
   1     2     1     0  T-1-0
   2     2     4     1  T-2-0
   3     3     5     -  T-2-3'
# Every output is the port that the dump has for LID 28.
awk '/^ +[0-9]/ { print $5, $3 }' out | while read -r name port; do
    sed -n "/('$name')/,/dumped/p" opensm-lfts.dump | grep -q "^0x001c 00$port " || fail "the dump has another port at $name"
done

# By routers and endpoints of any network; choices and draws are told.
run 0 "$WEFT" topology path 0 10 topology.kind=torus 'topology.dims=[4,4]' routing.kind=minimal-adaptive
is out 'from                   endpoint 0
to                     endpoint 10
routing                minimal-adaptive
hops                   4, drawn: one of 4 equally likely paths

 hop    in   out   VCs  choices  router
   0     -     0     -        2  (0, 0)
   1     1     0     -        2  (1, 0)
   2     1     2     -        1  (2, 0)
   3     3     2     -        1  (2, 1)
   4     3     -     -        1  (2, 2)'
run 0 "$WEFT" topology path 'router (0, 1)' 'router (0, 3)' topology.kind=mesh 'topology.dims=[4,4]' \
    router.kind=input-queued router.vcs=4 router.buffer=8flits routing.kind=dimension-order
has out ' hop    in   out   VCs  router
   0     -     2   0-3  (0, 1)
   1     3     2   0-3  (0, 2)
   2     3     -     -  (0, 3)'
run 0 "$WEFT" topology path 3 3 topology.kind=torus 'topology.dims=[4,4]'
has out 'hops                   0'

# Where a packet may go astray, nothing waits anywhere: it takes the shortest way.
run 0 "$WEFT" topology path 0 39 topology='{kind: dragonfly, groups: 5, routers: 4, hosts: 2}' routing.kind=par \
    router.kind=input-queued router.vcs=8 router.buffer=8flits
has out 'hops                   3'

# Mistakes.
run 2 "$WEFT" topology path one.yaml H-0
is err 'weft: name both ends of a path: weft topology path FILE FROM TO'
run 1 "$WEFT" topology path one.yaml H-0 'H-*'
is err "to: a path is of one endpoint, 'H-*' names 16: choose one by its number, such as 0 or 1"
run 1 "$WEFT" topology path one.yaml H-0 H-16
is err "to: no host of this fabric has such a name; the first is 'H-0', found 'H-16'"
run 1 "$WEFT" topology path one.weftnet H-0 H-11
is err 'one.weftnet has no routing to follow: name a scenario of it, or a routing such as routing.kind=tables'
run 0 "$WEFT" topology path one.weftnet H-0 H-11 routing.kind=tables
has out 'hops                   3'
run 2 "$WEFT" topology show one.yaml H-0
is err "weft: 'H-0' is one name too many"
run 2 "$WEFT" topology path one.yaml H-0 H-11 --json
is err 'weft: a path is printed as text: --json, --svg, --png, --format and -o are for show and export'

# Hosts of one switch have the SLs of their own paths.
cat >two.net <<'END'
Switch 3 "a" # "a" base port 0 lid 1 lmc 0
[1] "n1"[1] # "n1" lid 3 4xEDR
[2] "n2"[1] # "n2" lid 4 4xEDR
[3] "b"[2] # "b" lid 2 4xEDR
Switch 2 "b" # "b" base port 0 lid 2 lmc 0
[1] "n3"[1] # "n3" lid 5 4xEDR
[2] "a"[3] # "a" lid 1 4xEDR
Ca 1 "n1" # "n1"
[1] "a"[1] # lid 3 lmc 0 "a" lid 1 4xEDR
Ca 1 "n2" # "n2"
[1] "a"[2] # lid 4 lmc 0 "a" lid 1 4xEDR
Ca 1 "n3" # "n3"
[1] "b"[1] # lid 5 lmc 0 "b" lid 2 4xEDR
END
cat >two.lft <<'END'
Unicast lids [0-5] of switch Lid 1 guid 0x200000 ('a'):
0x0001 000
0x0002 003
0x0003 001
0x0004 002
0x0005 003
5 lids dumped
Unicast lids [0-5] of switch Lid 2 guid 0x200001 ('b'):
0x0001 002
0x0002 000
0x0003 002
0x0004 002
0x0005 001
5 lids dumped
END
for ports in '0x200000 '{0..3}' '{1..3} '0x200001 '{0..2}' '{1..2}; do
    echo "$ports 0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67"
done >two.slvl
printf '0x100000 5 2\n0x100002 5 6\n' >two.psl
run 0 "$WEFT" import infiniband two.net --lft two.lft --sl2vl two.slvl --path-sl two.psl -o two.yaml
has out '2 paths between hosts, on 2 SLs'
has out '4 paths are not listed, and have SL 0'
for pair in n1:2 n2:6; do
    run 0 "$WEFT" topology path two.yaml "${pair%:*}" n3
    has out "service level          ${pair#*:}"
    [[ $(awk '/  a$/ { print $4 }' out) == "${pair#*:}" ]] || { cat out; fail 'another VL'; }
done
# Before a subnet manager has been there, hosts have no LIDs.
sed -E 's/" lid [345] /" lid 0 /; s/# lid [345] /# lid 0 /' two.net >none.net
run 0 "$WEFT" import infiniband none.net -o none.yaml
run 0 "$WEFT" topology path none.yaml n1 n3
has out $'from                   n1\nto                     n3\n'
# A job's critical path, too, names hosts: all send to all at once.
sed '/^traffic:/,$d' none.yaml >job.yaml
cat >>job.yaml <<'END'
jobs:
  all: {collective: all-to-all/linear, ranks: 3, size: 3000 B}
measure: {timeline: operations}
END
run 0 "$WEFT" run job.yaml --quiet
"$WEFT" export job.weft >job.csv
has job.csv 'path wait,all,link to n1,'
