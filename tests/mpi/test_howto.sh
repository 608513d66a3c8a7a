#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command of docs/howto/parallel.md runs in an empty directory, and all ways of running its large
# point give the same bytes.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"

read -r kind < <(mpi_kinds)
mkdir bin
ln -s "$WEFT" bin/weft
cat >bin/mpirun <<END
#!/usr/bin/env bash
source <(sed '/lib.sh/d' "$WEFT_SOURCE/tests/mpi/lib.sh")
[[ \$1 == -n ]] && on_ranks $kind "\${@:2}"
END
chmod +x bin/mpirun
export PATH=$PWD/bin:$PATH
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$WEFT_SOURCE/docs/howto/parallel.md" >commands
bash -euo pipefail commands >out 2>err || { cat out err; fail 'a command of the page failed'; }
for file in ranks alone; do
    [[ $(canonical "$file.weft") == "$(canonical large.weft)" ]] || fail "$file.weft differs from large.weft"
done
run 0 "$WEFT" run large.yaml --quiet --results whole.weft 'measure.limit.time=1000000 cycles'
[[ $(canonical stopped.weft) == "$(canonical whole.weft)" ]] || fail 'stopped and gone on with: other results'
[[ ! -e stopped.weft.checkpoint ]] || fail 'a checkpoint is left'
