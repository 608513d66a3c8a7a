#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the tests of weft study share.

# rows RESULTS: a line for every point, with what tells one run of it from another.
rows() {
    python3 - "$1" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
columns = [c[1] for c in db.execute("PRAGMA table_info(provenance)")]
keys = dict(db.execute("SELECT id, key FROM point"))
for row in db.execute("SELECT * FROM provenance"):
    row = dict(zip(columns, row))
    if row["point"] in keys:
        print(keys[row["point"]], row["finished"], row["wall_seconds"], sep="\t")
END
}
# again COUNT PATTERN COMMAND...: the command runs so many points, all with keys that match, and leaves all others alone.
again() {
    rows paper.weft | sort >before
    run 0 "${@:3}"
    rows paper.weft | sort >after
    comm -13 before after | cut -f 1 >ran
    [[ $(wc -l <ran) -eq $1 ]] || {
        cat ran err
        fail "$(wc -l <ran) points were run instead of $1"
    }
    if grep -Ev "$2" ran; then fail "points ran that do not depend on it"; fi
}
# kill_at COUNT PROCESS: kills it as soon as paper.weft holds so many points.
kill_at() {
    python3 - "$1" "$2" <<'END'
import os, signal, sqlite3, sys, time
wanted, process = int(sys.argv[1]), int(sys.argv[2])
def points():
    try:
        db = sqlite3.connect("file:paper.weft?mode=ro&immutable=1", uri=True)
        return db.execute("SELECT count(*) FROM point").fetchone()[0]
    except sqlite3.Error:
        return 0  # not there yet, or in the middle of a write
while points() < wanted:
    time.sleep(0.002)
os.kill(process, signal.SIGKILL)
END
}
# killed_study POINTS KILLS: a study of so many points (a multiple of 50) is killed so often, each time after a random
# number of further points, and gives the bytes of one that was left alone.
killed_study() {
    cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 1%, limit: {packets: 10000}}
END
    cat >paper.yaml <<END
interweft-study: 1
seeds: 5
vary: {traffic.all.rho: {from: 0.1, to: 0.5, step: 0.1}}
series:
  short: {traffic.all.length: 8 flits}
  long: {traffic.all.length: 24 flits}
figures: {latency: {y: mean}}
tables: {numbers: {columns: [accepted, mean]}}
scenarios:
END
    for ((s = 0; s < $1 / 50; s++)); do
        printf '  s%d: {scenario: torus.yaml, set: {topology.dims: [4, %d]}}\n' "$s" "$((3 + s))" >>paper.yaml
    done
    run 0 "$WEFT" study paper.yaml --quiet -o alone
    local there=0 kills status
    for ((kills = 1; kills <= $2; kills++)); do
        "$WEFT" study paper.yaml --quiet >out 2>err </dev/null &
        there=$((there + 1 + RANDOM % ($1 / ($2 + 1))))
        kill_at "$there" $!
        status=0
        wait $! 2>/dev/null || status=$?
        [[ $status -eq 137 ]] || fail "the study had ended (status $status) before kill $kills"
    done
    run 0 "$WEFT" study status paper.yaml
    local line
    line=$(grep '^all ' out)
    read -r _ finished _ _ open <<<"$line"
    # a point whose transaction was cut is not there
    [[ $finished -ge $((there - 2)) && $open -gt 0 && $((finished + open)) -eq $1 ]] || fail "not in the middle: $line"
    printf '%d kills, the last one after %d of %d points\n' "$2" "$finished" "$1"
    run 0 "$WEFT" study paper.yaml --quiet
    [[ $(canonical paper.weft) == "$(canonical alone/paper.weft)" ]] || fail 'other bytes after kills'
    cmp paper.csv alone/paper.csv || fail 'other numbers after kills'
    cmp paper.html alone/paper.html || fail 'another page after kills'
}
# half_bad_study: a study of two points, of which one deadlocks.
half_bad_study() {
    cat <<'END'
interweft-study: 1
scenarios:
  torus:
    scenario:
      topology: {kind: torus, dims: [8, 8]}
      router: {kind: input-queued, vcs: 2, buffer: 4 flits}
      traffic: {all: {pattern: uniform, length: 4 flits, load: 1.0}}
      measure: {warmup: 0 cycles, limit: {time: 4000 cycles}}
    series: {sound: {routing: {kind: dimension-order}}, cyclic: {routing: {kind: dimension-order, dateline: none}}}
END
}
