#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the tests with several ranks share, on top of tests/cli/lib.sh. There are more ranks than
# cores, so those that wait must let the others run: Open MPI is told so, and MPICH, which always
# spins, leaves it to kernel/exchange_mpi.c.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# mpi_kinds: the MPIs whose module is built and whose launcher is installed, one per line.
mpi_kinds() {
    local kind
    for kind in openmpi mpich; do
        if [[ -f $WEFT_BUILD/interweft-mpi-$kind.so ]] && command -v "mpirun.$kind" >/dev/null; then
            echo "$kind"
        fi
    done
}
# on_ranks KIND N COMMAND...: runs it on N ranks of this machine.
on_ranks() {
    local kind=$1 count=$2
    shift 2
    case $kind in
    openmpi)
        mpirun.openmpi --quiet --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 \
            -n "$count" "$@"
        ;;
    mpich) mpirun.mpich -bind-to none -n "$count" "$@" ;;
    *) fail "no MPI is called $kind" ;;
    esac
}

if [[ -z $(mpi_kinds) ]]; then
    echo 'skipped: no MPI module is built, or no launcher is installed'
    exit 77
fi
