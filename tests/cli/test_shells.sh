#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Manual pages without a warning, completion in the shells that are here, and examples in every --help that the program
# understands.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
mkdir bin
ln -s "$WEFT" bin/weft
export PATH=$PWD/bin:$PATH
mapfile -t commands < <(weft completion commands)
[[ ${#commands[@]} -ge 19 ]] || fail 'too few commands'

# Both ways to ask.
cmp <(weft run --help) <(weft help run) || fail 'weft help run is not weft run --help'

# Every flag that help names stands in the manual page, and man finds nothing to complain about.
for command in "${commands[@]}"; do
    weft man "$command" >"weft-$command.1"
    while read -r flag _; do
        grep -qF -- "\\fB${flag//-/\\-}\\fR" "weft-$command.1" || fail "the manual page of $command has no $flag"
    done < <(weft "$command" --help | grep -E '^  -' || true)
done
weft man >weft.1
weft man scenario >weft-scenario.5
grep -q '^\.SH MEASURE' weft-scenario.5 || fail 'the page of scenarios has no section measure'
if command -v groff >/dev/null; then
    for page in *.[15]; do
        complaints=$(LC_ALL=C.UTF-8 groff -man -Tutf8 -K utf8 -ww -rLL=100n "$page" 2>&1 >/dev/null | grep -v "can't break line\|cannot adjust line\|cannot break line" || true)
        [[ -z $complaints ]] || fail "$page: $complaints"
        LC_ALL=C.UTF-8 groff -man -Tutf8 -K utf8 -P-c -P-b -P-u -rLL=78n "$page" >page.txt 2>/dev/null
        [[ $(wc -L <page.txt) -le 80 ]] || fail "$page: $(wc -L <page.txt) columns, where a terminal has 80"
    done
fi

# complete LINE: what bash offers behind it.
weft completion bash >weft.bash
cat >complete.bash <<'END'
. ./weft.bash
COMP_LINE=$1 COMP_POINT=${#1}
read -r -a COMP_WORDS <<<"$1"
[[ $1 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMPREPLY=()
_weft
printf '%s\n' "${COMPREPLY[@]}"
END
complete() {
    bash complete.bash "$1"
}
[[ $(complete 'weft sat') == saturate ]] || fail "bash: sat: $(complete 'weft sat')"
[[ $(complete 'weft run --thr') == --threads ]] || fail 'bash: --thr'
[[ $(complete 'weft run torus.yaml measure.half') == 'measure.half-width=' ]] || fail 'bash: measure.half'
[[ $(complete 'weft run torus.yaml topo') == topology. ]] || fail "bash: topo: $(complete 'weft run torus.yaml topo')"
[[ $(weft completion sections | sort | uniq -d) == '' ]] || fail 'a section stands twice'
[[ $(complete 'weft run torus.yaml routing.kind=val') == valiant ]] || fail "bash: $(complete 'weft run torus.yaml routing.kind=val')"
[[ $(complete 'weft describe flattened') == flattened-butterfly ]] || fail 'bash: describe'
[[ $(complete 'weft model erlang-b') == erlang-b ]] || fail 'bash: model'
touch torus.yaml
[[ $(complete 'weft run tor') == torus.yaml ]] || fail 'bash: files'
[[ $(complete 'weft list top') == topology ]] || fail 'bash: families'

weft completion zsh >_weft
if command -v zsh >/dev/null; then
    zsh -n _weft || fail 'zsh does not read its completion'
fi
weft completion fish >weft.fish
if command -v fish >/dev/null; then
    fish -n weft.fish || fail 'fish does not read its completion'
    found=$(fish -c 'source weft.fish; complete -C "weft satur"; complete -C "weft run --thre"; complete -C "weft run torus.yaml measure.half"; complete -C "weft run torus.yaml topo"')
    [[ $found == *saturate* && $found == *--threads* && $found == *measure.half-width=* && $found == *topology.* ]] || fail "fish: $found"
fi

# Examples are commands of their verb; what takes no time is run, as are the files that they name.
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
routing: {kind: minimal-adaptive}
traffic: {all: {pattern: uniform, length: 16 flits}}
measure: {half-width: 20%, limit: {packets: 5000}}
vary: {traffic.all.rho: [0.2], routing.selection: [random, diagonal]}
END
printf 'a b\nb c\nc a\n' >cables.txt
printf '0 send 1 0 8\n1 recv 0 0 8\n' >trace.ti
cat >mix.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
jobs: {all: {collective: allreduce/ring, size: 4096 B, placement: random}}
measure: {timeline: operations}
vary: {seed: [1, 2]}
END
cat >vcs.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 2, buffer: 16 flits}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 4 flits, load: 0.5}}
measure: {limit: {time: 3000 cycles}}
vary: {traffic.all.load: [0.2, 0.5]}
END
printf 'interweft-plan: 1\nendpoints: 64\nswitch: {ports: 16}\nsimulate: 0\n' >machine.yaml
printf 'interweft-study: 1\nscenarios: {torus: {scenario: torus.yaml}}\n' >paper.yaml
weft run mix.yaml --quiet >/dev/null 2>&1
weft run torus.yaml --quiet >/dev/null 2>&1
weft run vcs.yaml --quiet >/dev/null 2>&1
weft run torus.yaml "topology.dims=[8,8]" -o small.weft --quiet >/dev/null 2>&1
for command in "${commands[@]}"; do
    weft "$command" --help | sed -n '/^Examples:$/,$p' | tail -n +2 >examples
    [[ -s examples ]] || fail "weft $command --help has no example"
    while read -r line; do
        case $line in
        *"weft $command"*) ;;
        *) fail "an example of $command is another command: $line" ;;
        esac
        case $line in
        mpirun* | *reproduce\ * | *booksim* | *selftest* | *'man -l'* | *'weft cancel'* | *search* | *tolerance* | *worst*) continue ;;
        esac
        bash -c "$line" >out 2>err </dev/null || { cat err; fail "an example of $command fails: $line"; }
    done <examples
done
