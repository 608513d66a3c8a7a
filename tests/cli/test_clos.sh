#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A three-level fat tree of InfiniBand with forwarding tables by d-mod-k (tests/long/clos.c): 128 hosts here, 27,648 in
# tests/long/test_infiniband_huge.sh.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
"$WEFT_CC" -O1 "$WEFT_SOURCE/tests/long/clos.c" -o clos
./clos 8 .
run 0 "$WEFT" import infiniband clos.net --lft clos.fdbs -o clos.yaml
has out 'hosts                  128 of 128 adapters, 4 at each of 32 switches'
has out 'forwarding tables      80 switches, 16640 entries, of opensm.fdbs'
run 0 "$WEFT" check clos.yaml
has out 'deadlock               none possible: the channel dependency graph is acyclic'
has out 'path lengths           0 hops 384, 2 hops 1536, 4 hops 14336 pairs of hosts'
has out 'shifts                 127 of 127 without contention; on the worst link flows 1 in the mean, 1 at most'
run 0 "$WEFT" topology path clos.yaml node0 node127
has out '   0     1     8     0  edge 0.0
   1     1     8     0  aggregation 0.3
   2     1     8     0  core 3.3
   3     8     4     0  aggregation 7.3
   4     8     4     -  edge 7.3'
