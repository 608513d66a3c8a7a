#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# studies/gpcnet in small: an incast of the congestors hurts their victims badly, an all-to-all hardly, and all scenarios of the study are sound.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
study=$WEFT_SOURCE/studies/gpcnet
for network in dragonfly fat-tree hyperx; do
    run 0 "$WEFT" check "$study/$network.yaml"
done
run 0 "$WEFT" run "$study/kinds.yaml" --quiet --new --results kinds.weft routing.kind=ugal vary.routing.kind='[ugal]' vary.seed='[1, 2]' \
    jobs.victim.size='64 KiB'
"$WEFT" export kinds.weft >rows.csv
python3 - <<'END' || fail 'impact factors are others'
import csv
rows = [r for r in csv.DictReader(open("rows.csv")) if (r["name"], r["class"], r["by"]) == ("slowdown", "victim", "")]
factor = {k: [float(r["value"]) for r in rows if (r["jobs.congestor.file"] == "none") == (k == "all-to-all")] for k in ("all-to-all", "incast")}
assert len(rows) == 4 and max(factor["all-to-all"]) < 2 < 5 < min(factor["incast"]), factor
END
