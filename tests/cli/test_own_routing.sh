#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples/03-own-routing: a user's routing of at most 50 lines builds without a warning, is proven free of deadlock,
# runs the same on any number of blocks, and carries more than dimension order.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
example=$WEFT_SOURCE/examples/03-own-routing
cp "$example"/* .

lines=$(wc -l <west_first.c)
at_most "$lines" 50 'lines of west_first.c'
line=$(grep '^cc ' README.md)
read -r -a command <<<"$line"
"$WEFT_CC" "${command[@]:1}" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
    -I "$WEFT_SOURCE/include"

run 0 "$WEFT" describe west-first --plugin ./west_first.so
has out 'west, then any minimal port'
run 0 "$WEFT" check mesh.yaml --plugin ./west_first.so
has out 'none possible'
run 1 "$WEFT" check mesh.yaml --plugin ./west_first.so topology.kind=torus
has err 'routing west-first needs a mesh of two dimensions'
run 1 "$WEFT" check mesh.yaml routing.kind=west-first
has err 'west-first'

sed '/^vary/,$d' mesh.yaml >point.yaml
for kind in dimension-order west-first; do
    for blocks in 1 5; do
        run 0 "$WEFT" run point.yaml --plugin ./west_first.so --quiet --blocks "$blocks" --new \
            --results "$kind-$blocks.weft" routing.kind="$kind" traffic.all.load=0.3
    done
    [[ $(canonical "$kind-1.weft") == $(canonical "$kind-5.weft") ]] ||
        fail "$kind: 5 blocks give other results than one"
done
slow=$(metric dimension-order-1.weft accepted)
fast=$(metric west-first-1.weft accepted)
awk -v slow="$slow" -v fast="$fast" 'BEGIN { exit !(fast > 1.15 * slow) }' ||
    fail "west-first accepts $fast, dimension order $slow"
