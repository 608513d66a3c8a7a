#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Processes that do not mean the same, as on two machines: another file of the same name, other options, a
# plug-in that one of them lacks; more processes for a point than there are; standard input, which rank 0
# alone has. One message, the status of wrong input, and no results.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
mkdir 0 1
cat >enter <<'END' # a folder
cd "$1" && shift && exec "$@"
END

# two KIND FIRST SECOND: a process in ./0 and one in ./1, each with words of its own.
two() {
    local -a flags=(-bind-to none) first second
    [[ $1 == mpich ]] || flags=(--quiet --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
    read -ra first <<<"$2"
    read -ra second <<<"$3"
    timeout 60 "mpirun.$1" "${flags[@]}" -n 1 bash enter 0 "$WEFT" "${first[@]}" : \
        -n 1 bash enter 1 "$WEFT" "${second[@]}"
}
# refused MESSAGE FIRST [SECOND]: with one MPI after the other, the one line that weft itself writes;
# nothing is run. WEFT_MPIS=2: with both.
refused() {
    local kind
    for kind in "${kinds[@]:0:${WEFT_MPIS:-1}}"; do
        run "${status:-1}" two "$kind" "$2" "${3:-$2}"
        [[ $(grep -cF "$1" err) -eq 1 ]] || {
            cat err
            fail "$kind: not said once: $1"
        }
        none out
        [[ -z $(compgen -G '[01]/*weft*') ]] || fail "results are left by $2 / ${3:-$2}"
    done
    kinds=("${kinds[@]:1}" "${kinds[0]}")
}
# scenario LOADS [PATTERN]
scenario() {
    cat <<END
interweft: 1
topology: {kind: torus, dims: [8, 8]}
traffic:
  all: {pattern: ${2:-uniform}, length: 4 flits, rho: 0.2}
measure: {half-width: 1%, limit: {time: 20000 cycles}}
vary:
  traffic.all.rho: $1
END
}
mapfile -t kinds < <(mpi_kinds)
for folder in 0 1; do
    scenario '[0.1, 0.2, 0.3]' >$folder/t.yaml
    printf 'interweft-study: 1\nscenarios: {torus: {scenario: t.yaml}}\n' >$folder/paper.yaml
    printf 'scheduler: islip\nn: 2\nd: 3\n' >$folder/x.yaml
done

# Other options; first of all alike, in folders of their own.
for kind in "${kinds[@]}"; do
    run 0 two "$kind" 'run t.yaml --quiet --threads 1' 'run t.yaml --quiet --threads 2'
    [[ -s 0/t.weft && ! -e 1/t.weft ]] || fail 'no results in the folder of rank 0 alone'
    rm 0/t.weft
done
alike='all processes must be started alike'
refused "process 1 has another --points than process 0: $alike" 'run t.yaml' 'run t.yaml --points 2'
refused "process 1 has another --ranks than process 0: $alike" 'run t.yaml' 'run t.yaml --ranks 2'
refused "process 1 has another --blocks than process 0: $alike" 'run t.yaml --blocks 4' 'run t.yaml --blocks 8'
refused "process 1 has another --new than process 0: $alike" 'run t.yaml --new' 'run t.yaml'
refused "process 1 has another --part than process 0: $alike" 'run t.yaml' 'run t.yaml --part p.weft'
refused "process 1 has another results file than process 0: $alike" 'run t.yaml -o a.weft' 'run t.yaml -o b.weft'
refused "process 1 has another command than process 0: $alike" 'run t.yaml' 'saturate t.yaml'
refused "process 1 has another --tolerance than process 0: $alike" 'saturate t.yaml' 'saturate t.yaml --tolerance 0.1'
refused "process 1 reads another scenario than process 0: t.yaml and" 'run t.yaml' 'run t.yaml seed=2'

# A file that holds something else: another load, one point fewer, another network.
other='and the files that it names must be the same everywhere'
# differs COMMAND...: with every such file on the second machine.
differs() {
    local loads
    for loads in '[0.1, 0.2, 0.4]' '[0.1, 0.2]'; do
        scenario "$loads" >1/t.yaml
        refused "process 1 reads another scenario than process 0: $2 $other" "$*"
    done
    scenario '[0.1, 0.2, 0.3]' | sed 's/8, 8/8, 4/' >1/t.yaml
    refused "process 1 reads another scenario than process 0: $2 $other" "$*"
    cp 0/t.yaml 1/t.yaml
}
differs run t.yaml
differs run t.yaml --ranks 2
differs run t.yaml --points 1,2
differs saturate t.yaml
differs study paper.yaml
differs sensitivity t.yaml --seeds 2
differs check t.yaml
for folder in 0 1; do # and a file that a scenario names
    scenario '[0.1]' '{kind: flows, file: flows.csv}' >$folder/t.yaml
    printf 'from,to\n%d,5\n' $folder >$folder/flows.csv
done
refused "process 1 reads another scenario than process 0: t.yaml $other" 'run t.yaml'
rm 1/t.yaml
refused 't.yaml cannot be read: No such file or directory' 'run t.yaml'
scenario '[0.1, 0.2, 0.3]' | tee 0/t.yaml >1/t.yaml

# A search of the crossbar laboratory, which is no scenario.
sed -i 's/d: 3/d: 4/' 1/x.yaml
refused 'process 1 reads other settings than process 0: their file and the command line must be the same everywhere' \
    'crossbar search x.yaml'
refused "process 1 has another results file than process 0: $alike" 'crossbar search n=2 d=3' 'crossbar search n=2 d=3 -o b.weft'
rm 1/x.yaml
refused 'x.yaml cannot be read: No such file or directory' 'crossbar search x.yaml'

# A plug-in that is missing on one machine, or was forgotten there.
"$WEFT_CC" -shared -fPIC -I "$WEFT_SOURCE/include" -o 0/own.so "$WEFT_SOURCE/examples/03-own-routing/west_first.c"
own='topology.kind=mesh routing.kind=west-first'
refused 'own.so: ' "run t.yaml $own --plugin ./own.so"
rm -rf 1/own.so
mv 0/own.so 1
refused 'own.so: ' "run t.yaml $own --plugin ./own.so"
refused "there is no routing 'west-first'" "run t.yaml $own" "run t.yaml $own --plugin ./own.so"
cp 1/own.so 0
refused "there is no routing 'west-first'" "run t.yaml $own --plugin ./own.so" "run t.yaml $own"

# More processes for a point than there are; how many a check may ask about is its own affair.
status=2
refused 'weft: --ranks 5: there are 2 processes' 'run t.yaml --ranks 5'
refused 'weft: --ranks 5: there are 2 processes' 'study paper.yaml --ranks 5'
run 2 "$WEFT" run 0/t.yaml --ranks 5
# shellcheck disable=SC2016 # the marks are the message's
is err 'weft: --ranks 5: there is one process; `mpirun -n 5 weft …` starts several'
none out
run 0 "$WEFT" check 0/t.yaml --ranks 5
[[ -z $(compgen -G '*.weft') ]] || fail 'results of a point that was refused'

# Standard input, which one process has.
status=1
refused 'with several processes a scenario is read from a file, not from standard input' 'run - --quiet'
refused 'with several processes a scenario is read from a file, not from standard input' 'saturate -'
refused 'with several processes settings are read from a file, not from standard input' 'crossbar search -'
run 0 "$WEFT" run 0/t.yaml --quiet
for kind in "${kinds[@]}"; do
    on_ranks "$kind" 1 "$WEFT" run - --quiet --new --results one.weft <0/t.yaml >out 2>err || fail "$(cat err)"
    [[ $(canonical one.weft) == "$(canonical t.weft)" ]] || fail 'other results from standard input'
done

# Machines with other numbers of cores cut one network alike: every process must mean the same blocks.
cat >large.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [128, 128]}
links: {latency: 15 cycles}
traffic:
  all: {pattern: uniform, length: 16 flits, rho: 0.4}
measure: {links: off, half-width: 0.01%, limit: {time: 300 cycles}}
END
cp large.yaml 0
cp large.yaml 1
cp enter entered
run 0 "$WEFT" run large.yaml --quiet
# cores KIND FIRST SECOND: so many on the two machines.
cores() {
    # shellcheck disable=SC2016 # for the shell of the process
    printf 'cores=(%d %d)\nexport OMP_NUM_THREADS=${cores[$1]}\n' "$2" "$3" | cat - entered >enter
    run 0 two "$1" 'run large.yaml --quiet --new --ranks 2' 'run large.yaml --quiet --new --ranks 2'
    [[ $(canonical 0/large.weft) == "$(canonical large.weft)" ]] || fail "other results on $2 and $3 cores"
}
for kind in "${kinds[@]}"; do
    cores "$kind" 1 3
    cores "$kind" 4 2
done
