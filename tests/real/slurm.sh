#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A private Slurm on this machine, for tests: slurm_up FOLDER, slurm_down FOLDER. As root, on loopback, all
# state in the folder; no service of the system is touched.
slurm_up() {
    local folder=$1 host tries
    host=$(hostname -s)
    mkdir -p "$folder"/{munge,state,spool,log}
    chmod 755 "$folder"
    chmod 700 "$folder/munge"
    dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 status=none
    chmod 400 "$folder/munge/key"
    cat >"$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=16827
SlurmdPort=16828
AuthType=auth/munge
AuthInfo=socket=$folder/munge.sock
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/log/jobs
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=60 State=UP
CONF
    export SLURM_CONF=$folder/slurm.conf
    munged -F --key-file="$folder/munge/key" --socket="$folder/munge.sock" \
        --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
        --seed-file="$folder/munge/seed" --num-threads=2 >"$folder/log/munged" 2>&1 &
    echo $! >"$folder/1.pid"
    for ((tries = 0; tries < 50; tries++)); do
        [[ -S $folder/munge.sock ]] && break
        sleep 0.1
    done
    slurmctld -D -c >"$folder/log/slurmctld" 2>&1 &
    echo $! >"$folder/2.pid"
    slurmd -D -N "$host" >"$folder/log/slurmd" 2>&1 &
    echo $! >"$folder/3.pid"
    for ((tries = 0; tries < 200; tries++)); do
        timeout 2 sinfo -h -o %T 2>/dev/null | grep -qE 'idle|mix|alloc' && return 0
        sleep 0.1
    done
    grep -h . "$folder"/log/* >&2
    return 1
}
slurm_down() {
    local file
    for file in 3 2 1; do
        kill "$(cat "$1/$file.pid")" 2>/dev/null
        wait "$(cat "$1/$file.pid")" 2>/dev/null
    done
    return 0
}
