#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# BookSim2's curves: latency without load to the formula, mean latency and saturation within the study's bars, for every file of
# theirs; a part of the grid that `weft reproduce booksim2 --full` runs. A wrong expected value is noticed. Where the
# router's rule is another one, tests/reference/test_worm shows theirs.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cp -r "$WEFT_SOURCE/studies" .

run 0 "$WEFT" reproduce booksim2 --quick --quiet
cat out
for network in mesh torus torus3d; do
    has out "booksim2/zero-load-$network: agrees"
done
for figure in hold-mesh-8 hold-torus-8 hold-torus-16 mesh-uniform-1 mesh-transpose-1 torus-uniform-1 torus3d-uniform-1 \
    mesh-uniform-8 mesh-transpose-8 torus-uniform-8 torus3d-uniform-8; do
    has out "booksim2/$figure: agrees"
done
for figure in torus-tornado-1 torus-tornado-8; do # shown, not judged
    has out "booksim2/$figure: not claimed"
done
[[ $(grep -c '^  agrees .* of saturation, within' out) -eq 22 ]] || fail 'claims are missing'

# Every file of theirs is used, and every recorded verdict stands.
for file in "$WEFT_SOURCE"/studies/booksim2/*.csv; do
    grep -q "table: $(basename "$file")" "$WEFT_SOURCE/studies/booksim2/study.yaml" || fail "$file is not used"
done
for file in "$WEFT_SOURCE"/studies/booksim2/recorded/*.csv; do
    ! grep -q ',disagrees,' "$file" || fail "$file has a disagreement"
done

# 46.4 cycles at load .3 become 49.4: more than two per cent and two cycles.
sed -i 's/^\(torus8^2,8,32,1,0.3,[0-9.]*\),46.3979,/\1,49.3979,/' studies/booksim2/packet_hold.csv
run 1 "$WEFT" reproduce booksim2/hold-torus-8 --quick --quiet
has out 'plain load=0.3: ours is'
has out 'booksim2/hold-torus-8: disagrees'
