#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the tests notice a program that is broken? A dozen fresh mutants of four folders, each judged by a few quick tests alone: the way of
# judging works. How many are noticed is a matter of hundreds, and of all tests: tools/mutate, docs/reliability.md.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
grep -q __asan_init "$WEFT" && exit 77
[[ -f $WEFT_BUILD/build.ninja && -f $WEFT_BUILD/compile_commands.json ]] || { echo 'not a build by ninja'; exit 77; }
seed=${WEFT_SEED:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
echo "seed $seed"
"$WEFT_SOURCE/tools/mutate" --quick --build "$WEFT_BUILD" --seed "$seed" --count 12 --seconds 90 --jobs 2 --results drawn.csv \
    --scratch "$PWD/scratch"
killed=$(grep -c ',killed,' drawn.csv || true) judged=$(grep -cE ',(killed|survived),' drawn.csv || true)
[[ $judged -ge 3 && $killed -ge 1 ]] || fail "$killed of $judged mutants were noticed (seed $seed)"
echo "$killed of $judged mutants were noticed"
