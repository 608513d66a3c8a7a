#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OpenSM on ibsim, without hardware and on a socket of its own.
#     fabric_up FABRIC.net FOLDER                       starts ibsim alone
#     subnet_up FABRIC.net FOLDER ENGINE [OPTION...]    starts both; fails if another engine was used
#     subnet_ask FOLDER NTH                             SLs of paths between all hosts (psl); path_sl.c says what NTH is
#     subnet_down                                       stops both; also at the end of the shell
# OpenSM's dumps and the text of ibnetdiscover are in the folder.
umad2sim=$(find /usr/lib -name libumad2sim.so 2>/dev/null | head -n 1) || true # a folder may be closed to users
subnet_sim='' subnet_manager=''
# shellcheck disable=SC2154 # the folder is that of tests/cli/lib.sh
trap 'subnet_down; rm -rf "${work:?}"' EXIT

# infiniband_missing: what is not installed, if anything.
infiniband_missing() {
    local program
    for program in ibsim opensm ibnetdiscover ibtracert dump_lfts ibdmchk; do
        command -v "$program" >/dev/null || echo "$program"
    done
    [[ -n $umad2sim ]] || echo libumad2sim.so
    [[ -e /usr/include/infiniband/mad.h ]] || echo infiniband/mad.h
}

# await TEXT FILE PID: until the file contains the text; fails if the process ends before.
await() {
    until grep -qs "$1" "$2"; do
        kill -0 "$3" 2>/dev/null || return 1
        sleep 0.05
    done
}

# simulated COMMAND...: a command in the simulated subnet.
simulated() {
    LD_PRELOAD=$umad2sim timeout 60 "$@"
}

fabric_up() {
    local net=$1 folder=$2 size
    mkdir -p "$folder"
    rm -f "$folder"/*
    export IBSIM_SOCKNAME=weft$$ OSM_TMP_DIR=$folder OSM_CACHE_DIR=$folder
    export SIM_HOST=H-0000000000100000 # where OpenSM begins, whatever comes first in the file
    read -ra size < <(awk '/^(Ca|Switch)/ { nodes++; ports += $2 + 1 } /^Switch/ { switches++ }
        END { print "-N", nodes + 1, "-S", switches + 1, "-P", ports + 1 }' "$net")
    timeout -k 5 900 ibsim -s -n "${size[@]}" "$net" >"$folder/ibsim.log" 2>&1 &
    subnet_sim=$!
    await 'simulator ready' "$folder/ibsim.log" "$subnet_sim"
}

subnet_up() {
    local folder=$2 engine=$3
    fabric_up "$1" "$folder" || return 1
    shift 3
    printf '%s\n' 'qos TRUE' 'max_op_vls 4' 'qos_max_vls 8' 'force_log_flush TRUE' \
        'qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7' >"$folder/opensm.conf"
    LD_PRELOAD=$umad2sim timeout -k 5 600 opensm -e -s 0 -f "$folder/opensm.log" -D 0x43 \
        --dump_files_dir "$folder" -F "$folder/opensm.conf" -R "$engine" "$@" >"$folder/opensm.out" 2>&1 &
    subnet_manager=$!
    await 'SUBNET UP' "$folder/opensm.log" "$subnet_manager" || return 1
    simulated ibnetdiscover >"$folder/ibnetdiscover.txt" 2>"$folder/ibnetdiscover.err" || return 1
    grep -q "ucast_mgr_process: $engine tables configured" "$folder/opensm.log"
}

subnet_ask() {
    local folder=$1
    awk '/^caguid=/ { guid = substr($1, 8) } /^Ca/ { ca = 1 } /^Switch/ { ca = 0 } /^\[/ && ca { print guid, $5 }' \
        "$folder/ibnetdiscover.txt" | sort >"$folder/hosts"
    simulated ./path_sl "$2" <"$folder/hosts" >"$folder/psl" 2>"$folder/psl.err"
}

subnet_down() {
    local pid
    for pid in $subnet_manager $subnet_sim; do # in this order: the manager says goodbye to the fabric
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    subnet_manager='' subnet_sim=''
}
