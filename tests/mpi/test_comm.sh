#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A crew on 1 to 8 ranks under each MPI; programs that have started MPI themselves; which module is loaded when; what is said
# when it is missing.
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

# A program may have started MPI before, in a way that allows several threads; it ends it itself then.
for kind in $(mpi_kinds); do
    command -v "mpicc.$kind" >/dev/null || continue
    cat >before.c <<'END'
#include <mpi.h>
#include <stddef.h>
__attribute__((constructor)) static void before(void)
{
    int level;
    MPI_Init_thread(NULL, NULL, LEVEL, &level);
    if (ENDED)
        MPI_Finalize();
}
__attribute__((destructor)) static void after(void)
{
    int ended;
    MPI_Finalized(&ended);
    if (!ended)
        MPI_Finalize();
}
END
    # started LEVEL ENDED STATUS: on two ranks.
    started() {
        "mpicc.$kind" -shared -fPIC -DLEVEL="$1" -DENDED="$2" before.c -o "before-$kind.so"
        run "$3" on_ranks "$kind" 2 env LD_PRELOAD="$PWD/before-$kind.so" "$comm" --show
    }
    started MPI_THREAD_SERIALIZED 0 0
    sort -n out >sorted
    is sorted "0 of 2, 2 here, $kind
1 of 2, 2 here, $kind"
    started MPI_THREAD_SINGLE 0 1
    has err 'MPI was started in this process with thread level 0, and MPI_THREAD_SERIALIZED = 2 is needed: start it by MPI_Init_thread'
    started MPI_THREAD_SERIALIZED 1 1
    has err 'MPI has been ended in this process and cannot be started again'
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
