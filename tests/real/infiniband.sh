#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OpenSM on ibsim, without hardware and on a socket of its own: subnet FABRIC.net FOLDER ENGINE [OPTION...] routes a
# fabric and leaves OpenSM's dumps, the text of ibnetdiscover and the SLs of all paths (psl) in the folder. Fails if
# another engine was used.
umad2sim=$(find /usr/lib -name libumad2sim.so 2>/dev/null | head -n 1)

# infiniband_missing: what is not installed, if anything.
infiniband_missing() {
    local program
    for program in ibsim opensm ibnetdiscover ibdmchk; do
        command -v "$program" >/dev/null || echo "$program"
    done
    [[ -n $umad2sim ]] || echo libumad2sim.so
    [[ -e /usr/include/infiniband/mad.h ]] || echo infiniband/mad.h
}

# await TEXT FILE PID: until the file contains the text; fails if the process ends before.
await() {
    local tries
    for ((tries = 0; tries < 1200; tries++)); do
        grep -qs "$1" "$2" && return 0
        kill -0 "$3" 2>/dev/null || return 1
        sleep 0.05
    done
    return 1
}

subnet() {
    local net=$1 folder=$2 engine=$3 sim manager status=0
    shift 3
    mkdir -p "$folder"
    rm -f "$folder"/*
    export IBSIM_SOCKNAME=weft$$ OSM_TMP_DIR=$folder OSM_CACHE_DIR=$folder
    export SIM_HOST=H-0000000000100000 # where OpenSM begins, whatever comes first in the file
    printf '%s\n' 'qos TRUE' 'max_op_vls 4' 'qos_max_vls 8' 'force_log_flush TRUE' \
        'qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7' >"$folder/opensm.conf"
    ibsim -s -n "$net" >"$folder/ibsim.log" 2>&1 &
    sim=$!
    await 'simulator ready' "$folder/ibsim.log" "$sim" || status=1
    LD_PRELOAD=$umad2sim timeout -k 5 60 opensm -e -s 0 -f "$folder/opensm.log" -D 0x43 --dump_files_dir "$folder" \
        -F "$folder/opensm.conf" -R "$engine" "$@" >"$folder/opensm.out" 2>&1 &
    manager=$!
    await 'SUBNET UP' "$folder/opensm.log" "$manager" || status=1
    LD_PRELOAD=$umad2sim timeout 60 ibnetdiscover >"$folder/ibnetdiscover.txt" 2>"$folder/ibnetdiscover.err" || status=1
    awk '/^caguid=/ { guid = substr($1, 8) } /^Ca/ { ca = 1 } /^Switch/ { ca = 0 } /^\[/ && ca { print guid, $5 }' \
        "$folder/ibnetdiscover.txt" >"$folder/hosts"
    LD_PRELOAD=$umad2sim timeout 60 ./path_sl <"$folder/hosts" >"$folder/psl" 2>"$folder/psl.err" || status=1
    kill "$manager" 2>/dev/null # first: it says goodbye to the fabric
    wait "$manager" 2>/dev/null
    kill "$sim" 2>/dev/null
    wait "$sim" 2>/dev/null
    [[ $status -eq 0 ]] && grep -q "ucast_mgr_process: $engine tables configured" "$folder/opensm.log"
}
