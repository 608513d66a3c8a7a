#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OpenSM on ibsim, without hardware and on a socket of its own: subnet FABRIC.net FOLDER ENGINE [OPTION...] routes a
# fabric once and leaves OpenSM's dumps and the text of ibnetdiscover in the folder. Fails if another engine was used.
umad2sim=$(find /usr/lib -name libumad2sim.so 2>/dev/null | head -n 1)

# infiniband_missing: what is not installed, if anything.
infiniband_missing() {
    local program
    for program in ibsim opensm ibnetdiscover ibdmchk; do
        command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || echo "$program"
    done
    [[ -n $umad2sim ]] || echo libumad2sim.so
}

subnet() {
    local net=$1 folder=$2 engine=$3 tries sim status=0
    shift 3
    mkdir -p "$folder"
    rm -f "$folder"/*
    export IBSIM_SOCKNAME=weft$$ OSM_TMP_DIR=$folder OSM_CACHE_DIR=$folder
    export SIM_HOST=H-0000000000100000 # where OpenSM begins, whatever comes first in the file
    ibsim -s -n "$net" >"$folder/ibsim.log" 2>&1 &
    sim=$!
    for ((tries = 0; tries < 100; tries++)); do
        grep -q 'simulator ready' "$folder/ibsim.log" && break
        sleep 0.05
    done
    printf 'qos TRUE\nmax_op_vls 4\nqos_max_vls 8\nqos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7\n' >"$folder/opensm.conf"
    LD_PRELOAD=$umad2sim timeout 60 opensm -o -e -f "$folder/opensm.log" -D 0x43 --dump_files_dir "$folder" \
        -F "$folder/opensm.conf" -R "$engine" "$@" >"$folder/opensm.out" 2>&1 || status=$?
    LD_PRELOAD=$umad2sim timeout 60 ibnetdiscover >"$folder/ibnetdiscover.txt" 2>"$folder/ibnetdiscover.err" || status=$?
    kill "$sim" 2>/dev/null
    wait "$sim" 2>/dev/null
    [[ $status -eq 0 ]] && grep -q "ucast_mgr_process: $engine tables configured" "$folder/opensm.log"
}
