#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A crew on 1 to 8 ranks under each MPI; which module is loaded when; what is said when it is missing.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
comm=$WEFT_BUILD/tests/test_comm

for kind in $(mpi_kinds); do
    for count in 1 2 3 4 8; do
        run 0 on_ranks "$kind" "$count" "$comm" --show
        sort -n out >sorted
        is sorted "$(for ((i = 0; i < count; i++)); do echo "$i of $count, $count here, $kind"; done)"
    done
    run 3 on_ranks "$kind" 3 "$comm" --abort
done

# On request without a launcher; never by itself, and not because of Slurm's own variables.
run 0 "$comm" --mpi
is out "0 of 1, 1 here, $(mpi_kinds | sed -n 1p)"
run 0 env SLURM_PROCID=1 SLURM_NTASKS=4 SLURM_JOB_ID=7 "$comm" --show
is out '0 of 1, 1 here, self'
for command in "$comm --show" "$WEFT --version" "$WEFT list"; do
    read -ra words <<<"$command"
    LD_DEBUG=files LD_DEBUG_OUTPUT=loaded run 0 "${words[@]}"
    has <(cat loaded.*) libc.so.6
    ! grep -E 'libmpi|interweft-mpi' loaded.* || fail "$command loads MPI"
    rm loaded.*
done

# The module of the launcher's MPI is missing, of another version, or no library at all.
mkdir alone
cp "$comm" alone/weft
for kind in $(mpi_kinds); do
    case $kind in
    openmpi) launcher=OMPI_COMM_WORLD_SIZE=1 person='Open MPI' ;;
    mpich) launcher=PMI_RANK=0 person=MPICH ;;
    esac
    module=interweft-mpi-$kind.so
    run 1 env "$launcher" alone/weft
    has err "started by the launcher of $person, but the module $module is not installed: build"
    has err "$PWD/alone"
    echo 'no library' >"alone/$module"
    run 1 env "$launcher" alone/weft
    has err 'the MPI module cannot be loaded: '
    has err "alone/$module"
    echo 'const struct { unsigned abi; void *open; } weft_mpi_module = {99, 0};' >other.c
    "$WEFT_CC" -shared -fPIC other.c -o "alone/$module"
    run 1 env "$launcher" alone/weft
    has err "alone/$module belongs to another version of Interweft: install both from one build"
    rm "alone/$module"
done
run 1 alone/weft --mpi
has err 'MPI was asked for, but no module interweft-mpi-….so is installed: build'
