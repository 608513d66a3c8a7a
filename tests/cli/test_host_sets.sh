#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Jobs on parts of a machine: who sends and who receives is named in a scenario, on the command line and in files; loads, bounds and
# statistics are of those; and a file that has changed since results were begun is noticed.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >jobs.yaml <<'END'
interweft: 1
title: A job on two rows of a torus
topology: {kind: torus, dims: [8, 8]}
router: {kind: input-queued, vcs: 2, buffer: 16 flits}
routing: dimension-order
traffic:
  job: {pattern: uniform, length: 4 flits, load: 0.3, from: ['router (0, *)', 8-15], to: from}
measure: {devices: ports, half-width: 5%, limit: {packets: 100000}}
END
run 0 "$WEFT" check jobs.yaml
has out "from: [\"router (0, *)\", 8-15], to: from"
has out 'parties                16 of 64 endpoints send, 16 may receive: traffic.job'
has out 'offered                load 0.3,'
run 0 "$WEFT" run jobs.yaml --quiet
[[ $(awk '$1 == "offered" && $2 == "load" { print $3 }' out) == 0.3 ]] || fail 'load is not of the job'
# Fairness is over the 16 that send, and all traffic stays within the two rows.
"$WEFT" export jobs.weft >all.csv
[[ $(awk -F, '$1 == "fairness" && $2 == "" { print $8 }' all.csv) -eq 16 ]] || fail 'fairness counts others too'
# Two hops' worth of rows: between rows 0 and 1 a packet goes one hop in x, never seven.
awk -F, '$1 == "hops" && $2 == "" && $3 == "" && ($5 < 2.5 || $5 > 2.9) { exit 1 }' all.csv ||
    fail 'the job leaves its rows'

# The same sets in other words give the same bytes, the settings aside.
printf '# rows of the job\nrouter (0, *)\n\n  8-11 # half of the next\nrouter 12-15\n' >rows.txt
one=$("$WEFT" export jobs.weft | sha256sum)
run 0 "$WEFT" run jobs.yaml --quiet --new 'traffic.job.from=file rows.txt'
[[ $("$WEFT" export jobs.weft | sha256sum) == "$one" ]] || fail 'a file of endpoints gives other results'
run 0 "$WEFT" run jobs.yaml --quiet --new traffic.job.from=0-15 traffic.job.to=[0-7,8-15]
[[ $("$WEFT" export jobs.weft | sha256sum) == "$one" ]] || fail 'ranges give other results'

# A wrong line of such a file is told with its place.
printf '0-3\nrack 7\n' >wrong.txt
run 1 "$WEFT" check jobs.yaml 'traffic.job.from=file wrong.txt'
has err 'wrong.txt:2: endpoints are named by all, 0-15, 0-60/4, router NAME, group 2 or file NAME'
run 1 "$WEFT" check jobs.yaml traffic.job.pattern=tornado
has err 'pattern tornado sends all over the network: leave out to (from is possible), or choose one of uniform'
run 0 "$WEFT" check jobs.yaml traffic.job.pattern=tornado traffic.job.to=all
has out '16 of 64 endpoints send, 64 may receive'

# Seven send to one, which can take a seventh of what they offer.
run 0 "$WEFT" check jobs.yaml traffic.job.from=0-6 traffic.job.to=40
has out '0.142857: the reception port of endpoint 40 saturates first'

# Files that have changed: results are not gone on with, and --new starts anew.
cat >flows.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: {kind: flows, file: flows.csv}, length: 4 flits, load: 0.1, from: file hosts.txt}
measure: {limit: {time: 20000 cycles}}
vary: {seed: [1, 2, 3]}
END
printf '0,3,3\n1,3,1\n' >flows.csv
printf '0-7\n' >hosts.txt
run 0 "$WEFT" run flows.yaml --quiet
run 0 "$WEFT" run flows.yaml --quiet # nothing has changed
before=$(sha256sum <flows.weft)
printf '0,3,3\n1,3,2\n' >flows.csv
run 1 "$WEFT" run flows.yaml --quiet
is err 'flows.weft: the file flows.csv has changed since these results were begun; --results FILE starts others beside them, --new starts them anew'
printf '0,3,3\n1,3,1\n' >flows.csv
run 0 "$WEFT" run flows.yaml --quiet
printf '0-3\n' >hosts.txt
run 1 "$WEFT" run flows.yaml --quiet
has err 'the file hosts.txt has changed since these results were begun'
[[ $(sha256sum <flows.weft) == "$before" ]] || fail 'results were touched'
run 0 "$WEFT" run flows.yaml --quiet --new
# A narrower grid is there already; another network is another scenario.
run 0 "$WEFT" run flows.yaml vary.seed='[1, 2]'
has err 'all 2 points are there already'
run 1 "$WEFT" run flows.yaml --quiet topology.dims='[4, 8]'
has err 'flows.weft: 3 of its 3 points were run with topology.dims [4, 4], this scenario has [4, 8]'

# A checkpoint that was made with other contents is told of and not gone on from.
cat >long.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [8, 8]}
traffic:
  all: {pattern: uniform, length: 4 flits, load: 0.2, from: file hosts.txt}
measure: {half-width: 0.0001%, limit: {time: 600000 cycles, packets: 1000000000}}
END
printf '0-31\n' >hosts.txt
"$WEFT" run long.yaml --quiet >out 2>err </dev/null &
process=$!
until [[ -s long.weft ]]; do
    sleep 0.01
done
kill -TERM $process
status=0
wait $process || status=$?
[[ $status -eq 4 ]] || fail "status $status after SIGTERM instead of 4"
rm long.weft # only the checkpoint is left
printf '0-30\n' >hosts.txt
run 0 "$WEFT" run long.yaml --quiet measure.limit.time='600000 cycles'
has err 'is of another content of a file that the scenario names; going on from before it'
[[ $("$WEFT" export long.weft | awk -F, '$1 == "delivered" { print ($5 > 0) }') -eq 1 ]] || fail 'it did not run'
