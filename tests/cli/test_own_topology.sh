#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples/04-own-topology: a user's topology with unidirectional links builds without a warning, is drawn and counted
# right, proven free of deadlock with n virtual channels, and runs the same on any number of blocks.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp "$WEFT_SOURCE/examples/04-own-topology"/* .

line=$(grep '^cc ' README.md)
read -r -a command <<<"$line"
"$WEFT_CC" "${command[@]:1}" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I "$WEFT_SOURCE/include"

# 24 links, also where two of them join the same routers in opposite directions; no halving cuts fewer than 8.
run 0 "$WEFT" topology show kautz.yaml topology.degree=2 --plugin ./kautz.so
has out '24 local'
bisection=$(sed -n 's/^bisection *at most \([0-9]*\) links.*/\1/p' out)
[[ $bisection -ge 8 && $((bisection % 2)) -eq 0 ]] || fail "a bisection of $bisection links"
run 0 "$WEFT" topology export kautz.yaml topology.degree=2 --format dot --plugin ./kautz.so
[[ $(grep -c -e '->' out) -eq 24 ]] || fail 'not 24 arrows'

for degree in 2 3 4; do
    for length in 2 3 4; do
        run 0 "$WEFT" check kautz.yaml topology.degree=$degree topology.length=$length router.vcs=$length \
            --plugin ./kautz.so
        has out 'deadlock               none possible: the channel dependency graph is acyclic'
    done
done
run 1 "$WEFT" check kautz.yaml router.vcs=2 --plugin ./kautz.so
has err 'router.vcs must be at least 3 for routing dimension-order on a kautz'

for blocks in 1 5; do
    run 0 "$WEFT" run kautz.yaml --quiet --plugin ./kautz.so --blocks "$blocks" --results "$blocks.weft"
done
[[ $(canonical 1.weft) == $(canonical 5.weft) ]] || fail '5 blocks give other results than one'
for router in output-queued shared-queue; do
    run 0 "$WEFT" run kautz.yaml --quiet --plugin ./kautz.so "router={kind: $router}" --results "$router.weft"
done
