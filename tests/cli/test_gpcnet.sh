#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# studies/gpcnet in small: an incast of the congestors hurts their victims badly, an all-to-all hardly, congestion control ends it, and all scenarios of
# the study are sound.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
study=$WEFT_SOURCE/studies/gpcnet
for network in dragonfly fat-tree hyperx; do
    run 0 "$WEFT" check "$study/$network.yaml"
done
run 0 "$WEFT" run "$study/kinds.yaml" --quiet --new --results kinds.weft routing.kind=ugal vary.routing.kind='[ugal]' vary.seed='[1, 2]' \
    vary.host.response='[none]' jobs.victim.size='64 KiB' jobs.victim.start='20 us'
"$WEFT" export kinds.weft >rows.csv
python3 - <<'END' || fail 'impact factors are others'
import csv
rows = [r for r in csv.DictReader(open("rows.csv")) if (r["name"], r["class"], r["by"]) == ("slowdown", "victim", "")]
factor = {k: [float(r["value"]) for r in rows if (r["jobs.congestor.file"] == "none") == (k == "all-to-all")] for k in ("all-to-all", "incast")}
assert len(rows) == 4 and max(factor["all-to-all"]) < 2 < 5 < min(factor["incast"]), factor
END
# The four congestors together, and a ring of 8 B beside them: with control as if they were not there.
run 0 "$WEFT" run "$study/dragonfly.yaml" --quiet --new --results control.weft vary.seed='[1, 2, 3]' vary.routing.kind='[ugal]' \
    vary.together='[{jobs.victim.repeat: 4}]'
"$WEFT" export control.weft >rows.csv
python3 - <<'END' || fail 'congestion control does not bring the factor near 1'
import csv
rows = [r for r in csv.DictReader(open("rows.csv")) if (r["name"], r["class"], r["by"]) == ("slowdown", "victim", "")]
factor = {k: [float(r["value"]) for r in rows if (r["host.response"] == "none") == (k == "none")] for k in ("none", "cca")}
assert len(rows) == 6 and max(factor["cca"]) < 1.2 < 5 < sum(factor["none"]) / 3, factor
END
