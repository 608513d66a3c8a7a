#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A search over the processes of a launcher: the same result bytes on 1, 2 and 4 ranks, and after a kill.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"

search=(crossbar search 'scheduler=[islip,rrm]' 'iterations=[1,2]' n=4 d=7 cap=1000 --quiet)
run 0 "$WEFT" "${search[@]}" --results one.weft
canonical one.weft >wanted
# The same with more than 64 ports.
wide=(crossbar search matrices=permuted count=16 n=80 d=20 cap=200 --quiet)
run 0 "$WEFT" "${wide[@]}" --results wide.weft
canonical wide.weft >wanted-wide
for kind in $(mpi_kinds); do
    for ranks in 1 2 4; do
        run 0 on_ranks "$kind" "$ranks" "$WEFT" "${search[@]}" --results "$kind-$ranks.weft"
        canonical "$kind-$ranks.weft" | diff wanted - || fail "$kind: other bytes on $ranks ranks"
    done
    run 0 on_ranks "$kind" 3 "$WEFT" "${wide[@]}" --results "$kind-wide.weft"
    canonical "$kind-wide.weft" | diff wanted-wide - || fail "$kind: other bytes of a wide switch"
    # Rank 1 dies; the launcher ends all. The same search goes on alone.
    # shellcheck disable=SC2016
    on_ranks "$kind" 2 bash -c 'if [[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} == 1 ]]; then (sleep 3; kill -9 $$) & fi; exec "$@"' \
        x "$WEFT" crossbar search scheduler=firm n=4 d=8 --lanes 1 --results "$kind-cut.weft" --quiet >/dev/null 2>&1 || true
    run 0 "$WEFT" crossbar search scheduler=firm n=4 d=8 --results "$kind-cut.weft" --quiet
    [[ $(metric "$kind-cut.weft" matrices) == 981541 ]] || fail "$kind: a matrix was lost or repeated"
done
