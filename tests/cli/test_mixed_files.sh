#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Results, searches, sensitivities, models and programs do not take each other's places: not as results that are gone on with,
# not as what is explained, not as outputs. Columns of exports have one name each.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >t.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 30%, limit: {packets: 4000}}
END
# refused FILE SENTENCE COMMAND...: the file stays as it is.
refused() {
    cksum <"$1" >before
    run 1 "$WEFT" "${@:3}"
    grep -qxF "$2" err || { cat err; fail "another message"; }
    cksum <"$1" | cmp -s before - || fail "$1 is another file after ${*:3}"
}
run 0 "$WEFT" saturate t.yaml --tolerance 0.2 -o search.weft --quiet
run 0 "$WEFT" sensitivity t.yaml --seeds 2 --vary traffic.all.rho --results varied.weft --quiet
run 0 "$WEFT" run t.yaml -o run.weft --quiet
search='search.weft holds a search for saturation; --results FILE starts another file beside it, --new starts this one anew'
refused search.weft "$search" run t.yaml -o search.weft
refused search.weft "$search" sensitivity t.yaml --seeds 2 --results search.weft
grid='in a grid over setting, seed, this one is over nothing and has other seeds'
refused varied.weft "varied.weft: 6 of its 6 points were run $grid; --results FILE starts another file beside it, --new starts this one anew" \
    run t.yaml -o varied.weft
refused run.weft "run.weft has points of something else, 'a run' for one, and these are told by their setting; --results FILE starts another file beside it" \
    sensitivity t.yaml --seeds 2 --results run.weft
# What is its own is gone on with.
run 0 "$WEFT" sensitivity t.yaml --seeds 2 --vary traffic.all.rho --results varied.weft
has err 'all 6 points are there already'

run 0 "$WEFT" model mm1 lambda=0.2/0.8/0.2 -o model.weft --quiet
refused model.weft 'model.weft holds answers of a model, and explain is for what weft run or weft study has run' explain model.weft
refused search.weft 'search.weft holds a search for saturation, and explain is for what weft run or weft study has run' explain search.weft

# What varies is called "value", or "n", as other columns are.
run 0 "$WEFT" export varied.weft
[[ $(head -n 1 out) == setting,seed,key.value,name,class,by,index,value,* ]] || fail "$(head -n 1 out)"
run 0 "$WEFT" model credit lambda=0.5 mu1=1 mu2=1 n=1/3/1 m=2 -o credit.weft --quiet
run 0 "$WEFT" export credit.weft
[[ $(head -n 1 out) == key.n,name,* ]] || fail "$(head -n 1 out)"
# The ending says which format; --format says more.
run 0 "$WEFT" export run.weft -o run.json
python3 -c 'import json; assert json.load(open("run.json"))["interweft"] == 1'
run 0 "$WEFT" export run.weft --format csv -o run.json
[[ $(head -c 5 run.json) == name, ]] || fail 'no CSV'

# A program is no output of its own.
printf 'num_ranks 2\nrank 0 {\nl1: send 10b to 1\n}\nrank 1 {\nl1: recv 10b from 0\n}\n' >p.goal
ln p.goal same.goal
cksum <p.goal >program
run 2 "$WEFT" workload time p.goal --csv ./same.goal
is err 'weft: ./same.goal is the program itself: name another file'
run 2 "$WEFT" import workload p.goal -o p.goal
is err 'weft: p.goal is the program itself: name another file'
cksum <p.goal | cmp -s program - || fail 'the program is another'
run 2 "$WEFT" workload time p.goal ranks=7
is err 'weft: ranks is of a collective operation, and p.goal is a file, which has its own'
