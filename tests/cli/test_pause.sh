#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pause per class: an 8-to-1 incast between two switches loses nothing (or the run would have status 3). A victim in its class
# gets what each of its sources gets, an eighth of a host's link, as it does with credits; in another class it gets all it
# offers. Buffers without headroom are refused with the size they need, cycles of buffers deadlock as with credits.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

awk '/^cat > pfc.yaml/ { on = 1; next } /^END$/ { on = 0 } on' "$WEFT_SOURCE/docs/howto/quality-of-service.md" >pfc.yaml

# accepted FLOW-CONTROL SL CLASS SHARE: the share lies within the interval.
accepted() {
    "$WEFT" export pfc.weft | awk -F, -v flow="$1" -v sl="$2" -v class="$3" -v share="$4" '
        $1 == flow && $2 == sl && $3 == "accepted" && $4 == class && $5 == "" { found = $8 <= share && share <= $9 }
        END { exit !found }' || { "$WEFT" export pfc.weft | grep accepted; fail "$1, victim in class $2: $3 has not $4"; }
}
settings=(--quiet --new --columns accepted measure.confidence=99.9%)
run 0 "$WEFT" run pfc.yaml "${settings[@]}"
for flow in credits pause; do
    for sl in 0 1; do
        accepted "$flow" "$sl" incast 0.125
    done
    accepted "$flow" 0 victim 0.125
    accepted "$flow" 1 victim 0.9
done
first=$(canonical pfc.weft)
for blocks in 1 2; do
    run 0 "$WEFT" run pfc.yaml "${settings[@]}" --blocks "$blocks" --threads 2
    [[ $(canonical pfc.weft) == "$first" ]] || fail "other results in $blocks blocks"
done

# The size that is named is enough, one flit less is not.
run 0 "$WEFT" check pfc.yaml vary.router.flow-control=[pause] router.buffer='931 flits'
has out 'pause                  at 1 flits, resume at 0; up to 930 may come after it: lossless'
run 1 "$WEFT" check pfc.yaml vary.router.flow-control=[pause] router.buffer='930 flits'
has err 'need 931'
# A longer cable asks for more room, between whichever switches it is.
run 0 "$WEFT" check pfc.yaml vary.router.flow-control=[pause] topology.routers=3 "links.where={'1 - 2': {latency: 1 us}}"
has out 'pause                  at 727 flits, resume at 703; up to 1321 may come after it: lossless'

cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 2, flow-control: pause, buffer: 8 flits}
routing: {kind: dimension-order, dateline: none}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 1.0}
measure: {warmup: 0 cycles, limit: {time: 20000 cycles}}
END
run 0 "$WEFT" check torus.yaml
has out 'deadlock               possible: '
run 3 "$WEFT" run torus.yaml --quiet --new
has err 'deadlock at tick '
first=$(cat err)
run 3 "$WEFT" run torus.yaml --quiet --new --blocks 5
is err "$first"
run 0 "$WEFT" run torus.yaml --quiet --new routing.dateline=on-entry
has out 'saturated'
