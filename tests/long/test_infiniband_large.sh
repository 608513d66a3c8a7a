#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A subnet of 3,456 hosts and 720 switches, exported by us and routed by OpenSM: its dumps of 190 and 80 MB are imported
# in 5 s of a core and 300 MiB, all shifts are looked at within a minute, and a simulation gives the same bytes on 1 and 2
# ranks.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/infiniband.sh"
PATH=$PATH:/usr/sbin
missing=$(infiniband_missing)
[[ -z $missing ]] || { echo "skipped: no ${missing//$'\n'/ }"; exit 77; }
run 0 "$WEFT" topology export topology.kind=fat-tree topology.form=m-port topology.arity=24 topology.levels=3 \
    --format ibnetdiscover -o large.net
subnet_up large.net "$PWD/osm" ftree || fail 'OpenSM does not route it by ftree'
subnet_down
for dump in opensm-lfts.dump:180000000 opensm.fdbs:75000000; do
    file=osm/${dump%:*}
    [[ $(stat -c %s "$file") -gt ${dump#*:} ]] || fail "$file is small"
    (
        ulimit -v 307200 # KiB
        within 5 0 "$WEFT" import infiniband osm/ibnetdiscover.txt --lft "$file" -o "${file##*.}.yaml"
        has out '720 switches, '
    )
done
cmp dump.weftnet fdbs.weftnet
within 60 0 "$WEFT" check dump.yaml
has out 'of 3455 without contention'
sed -n '/^# forwarding/,/^$/p' out

for kind in $(mpi_kinds); do
    for ranks in 1 2; do
        run 0 on_ranks "$kind" "$ranks" "$WEFT" run dump.yaml --quiet --ranks "$ranks" --results "$kind$ranks.weft" measure.limit.packets=200000 \
            measure.links=all
        canonical "$kind$ranks.weft" >>sums
    done
done
[[ $(sort -u sums | wc -l) -eq 1 ]] || fail 'other bytes on other ranks'
