#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Answers for scripts: --json of check, topology show, saturate, model and reproduce is JSON with the numbers that the text shows;
# saturate keeps its search in a results file and does not search again. (compare: test_compare.sh)
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >torus.yaml <<'END'
interweft: 1
title: A "small" torus
topology: {kind: torus, dims: [4, 4]}
routing: {kind: dimension-order}
traffic:
  all: {pattern: uniform, length: 8 flits, load: 0.2}
measure: {limit: {packets: 20000}}
END
# holds CONDITION: what ./out holds, as the variable d.
holds() {
    python3 -c 'import json, sys; d = json.load(open("out")); assert eval(sys.argv[1]), d' "$1" || fail "not so: $1"
}

run 0 "$WEFT" check torus.yaml --json
holds 'list(d) == ["settings", "network", "cost"] and "title: \"A \\\"small\\\" torus\"" in d["settings"]'
holds 'd["network"]["routers"] == {"text": "16", "value": 16}'
holds 'd["network"]["offered"]["load"] == 0.2 and d["network"]["mean path"]["unit"] == "hops"'
holds 'd["cost"]["results"]["text"] == "torus.weft" and d["cost"]["memory while running"]["unit"] == "MiB"'
run 0 "$WEFT" check torus.yaml --worst --json
holds 'd["worst pattern"]["throughput bound"]["value"] > 0.6 and "0>" in d["worst pattern"]["witness"]["text"]'

run 0 "$WEFT" topology show torus.yaml --json
holds 'd["cables"]["local"] == 32 and d["cables"]["host"] == 16 and d["diameter"] == {"text": "4 hops", "value": 4, "unit": "hops"}'

run 0 "$WEFT" model mm1 'lambda=[0.3,0.5]' mu=1 --json
holds 'd["model"] == "mm1" and [p["vary"]["lambda"] for p in d["points"]] == [0.3, 0.5] and d["simulated"] == []'
holds 'any(abs(v["value"] - 1) < 1e-12 for v in d["points"][1]["values"])'

# What is found, and the search: the same from the file, without a run.
run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.1
is err 'results in torus-saturation.weft'
cp out text
canonical torus-saturation.weft >first
run 0 timeout 5 "$WEFT" saturate torus.yaml --quiet --tolerance 0.1
cmp out text
canonical torus-saturation.weft | cmp - first
run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.1 --json
holds 'len(d) == 1 and 0 < d[0]["load"] <= d[0]["unstable"] <= 1 and d[0]["accepted_lo"] <= d[0]["accepted"] <= d[0]["accepted_hi"]'
holds 'd[0]["probes"] and all(p["verdict"].split(":")[0] in ("stable", "unstable", "undecided") for p in d[0]["probes"])'
run 0 "$WEFT" report torus-saturation.weft --csv search.csv
grep -q '^offered load,,probe,1,1,' search.csv || fail 'no probe in the results'
run 0 "$WEFT" report torus-saturation.weft
cmp out text
# A file that was named is not given up; the one that nobody named is.
run 1 "$WEFT" saturate torus.yaml --quiet --tolerance 0.2 --results torus-saturation.weft
has err 'torus-saturation.weft holds the results of another scenario'
run 0 "$WEFT" saturate torus.yaml --quiet --tolerance 0.2

ln -s "$WEFT_SOURCE/studies" studies
run 0 "$WEFT" reproduce --json
holds 'any(s["name"] == "rexford-shin" and len(s["figures"]) > 3 for s in d)'
