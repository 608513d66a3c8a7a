#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A private Slurm on this machine, for tests: slurm_needs, slurm_up FOLDER, slurm_down FOLDER. As root, on loopback, all
# state in the folder; no service of the system is touched. Its node claims four cores, whatever the machine has; jobs that
# were requeued may begin again after six seconds, the least there is (cred_expire). Jobs of the partition
# urgent preempt those of the other one.

# slurm_needs: ends the test as skipped where something is missing.
slurm_needs() {
    local program
    for program in slurmctld slurmd munged srun; do
        command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
    done
    [[ $(id -u) -eq 0 && -f $WEFT_BUILD/interweft-mpi-openmpi.so ]] || {
        echo 'skipped: needs root and the module for Open MPI'
        exit 77
    }
    [[ $(nproc) -ge 2 ]] || { echo 'skipped: needs two cores'; exit 77; }
}
# slurm_scenario CYCLES: one that runs 6 s per million of them on a fast core, 30 s on a slow one.
slurm_scenario() {
    cat <<END
interweft: 1
title: A job for Slurm
topology: {kind: torus, dims: [16, 16, 16]}
links: {latency: 15 cycles}
traffic:
  all: {pattern: uniform, length: 64 flits, rho: 0.3}
measure: {links: off, half-width: 0.001%, limit: {time: $1 cycles}}
END
}
slurm_up() {
    local folder=$1 host tries port=$((20000 + $$ % 10000))
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
SlurmctldPort=$port
SlurmdPort=$((port + 10000))
AuthType=auth/munge
AuthInfo=socket=$folder/munge.sock,cred_expire=5
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
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
ReturnToService=1
SlurmdParameters=config_overrides
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=4000 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=test Nodes=$host Default=YES MaxTime=60 State=UP PriorityTier=1
PartitionName=urgent Nodes=$host MaxTime=60 State=UP PriorityTier=9
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
# slurm_processes PATTERN: the processes of jobs submitted here whose command lines match.
slurm_processes() {
    local pid
    pgrep -f -- "$1" | while read -r pid; do
        [[ $(readlink "/proc/$pid/cwd") != "$PWD" ]] || echo "$pid"
    done
}
# slurm_hold RESULTS: waits until the first task of a job runs and holds its processes, so that it is slow on any machine:
# ${held[@]}. slurm_told: waits until they are told to stop, or have stopped (preemption lets go what is held), and lets them go on.
slurm_hold() {
    local tries
    for ((tries = 0; tries < 1500; tries++)); do
        [[ -s $1.slurm/0.weft.progress ]] && break
        sleep 0.02
    done
    mapfile -t held < <(slurm_processes "^[^ ]*weft run .*--results=$1 .*--part $1.slurm/0.weft")
    [[ ${#held[@]} -gt 0 ]] || {
        cat "$1.slurm"/*.log
        return 1
    }
    kill -STOP "${held[@]}"
}
slurm_told() {
    local tries
    for ((tries = 0; tries < 400; tries++)); do
        if ! [[ -e /proc/${held[0]} ]] || grep -q '^ShdPnd:.*[4-7c-f]...$' "/proc/${held[0]}/status"; then
            kill -CONT "${held[@]}" 2>/dev/null || true
            return
        fi
        sleep 0.1
    done
    return 1
}
