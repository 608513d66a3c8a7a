#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft check on the forwarding tables of a fabric: loads of links, shifts and the effective bisection are those of a walk
# over the dumps themselves; a job's hosts, and cables unlike the others.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE"/tests/data/infiniband/{ibnetdiscover.txt,opensm-lfts.dump} .

# walk [JOB]: the lines of `weft check` in out against a walk over the dumps.
walk() {
    python3 "$WEFT_SOURCE/tests/cli/fabric_walk.py" ibnetdiscover.txt opensm-lfts.dump out "$@"
}

run 0 "$WEFT" import infiniband ibnetdiscover.txt --lft opensm-lfts.dump -o one.yaml
run 0 "$WEFT" check one.yaml
has out $'# forwarding tables\nhosts                  16'
has out '  T-'
walk
# A job on some of them.
run 0 "$WEFT" check one.yaml 'traffic.all.from=[H-0,H-1,H-2,H-3,H-4,H-5,H-6]'
has out $'# forwarding tables\nhosts                  7'
printf 'H-%d\n' {0..6} >job
walk job

# A cable at another speed.
sed 's/^\(\[1\]\t"S-0000000000200002"\[2\].*\) 4xQDR/\1 4xDDR/; s/^\(\[2\]\t"S-000000000020000e"\[1\].*\) 4xQDR/\1 4xDDR/' \
    ibnetdiscover.txt >slow.txt
run 0 "$WEFT" import infiniband slow.txt --lft opensm-lfts.dump -o slow.yaml
run 0 "$WEFT" check slow.yaml
has out 'unlike cables          4xDDR instead of 4xQDR  '
