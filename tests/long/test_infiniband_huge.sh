#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A three-level fat tree of 48-port switches with 27,648 hosts and forwarding tables by d-mod-k, 2.4 GB of them (clos.c), is
# imported within 60 s of a core and 2 GiB; shifts and effective bisection are looked at within two more minutes.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
"$WEFT_CC" -O2 "$WEFT_SOURCE/tests/long/clos.c" -o clos
./clos 48 .
(
    ulimit -v 2097152 # KiB
    within 60 0 "$WEFT" import infiniband clos.net --lft clos.fdbs -o clos.yaml
    has out 'hosts                  27648 of 27648 adapters, 24 at each of 1152 switches'
    has out '2880 switches, 87920640 entries, of opensm.fdbs'
    sed -i 's/^router:.*/router: {kind: output-queued}/' clos.yaml
    within 120 0 "$WEFT" check clos.yaml
    has out 'shifts                 2304 of 2304 looked at without contention'
)
