#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The likeliest mistakes at the command line, each with the sentence that helps; and what looks like one but is meant.
# shellcheck source=tests/cli/lib.sh
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
routing:  {kind: minimal-adaptive}
traffic:
  all: {pattern: uniform, length: 8 flits}
measure: {limit: {time: 2000 cycles}}
vary:
  traffic.all.rho: {from: 0.1, to: 0.3, step: 0.1}
END
run 0 "$WEFT" run torus.yaml --quiet

# says STATUS SENTENCE ARGUMENTS...: the first line on stderr, to the letter.
says() {
    local wanted=$1 sentence=$2
    shift 2
    run "$wanted" "$WEFT" "$@"
    none out
    [[ $(head -1 err) == "$sentence" ]] || {
        cat err
        fail "weft $*: not the sentence expected"
    }
}
says 2 "weft: there is no command 'rum'; did you mean 'run'?" rum torus.yaml
says 2 "weft: there is no command 'torus.yaml'; did you mean \`weft run torus.yaml\`?" torus.yaml
says 2 'weft: usage: weft run FILE [key=value …]' run
says 1 "tours.yaml cannot be read: No such file or directory; did you mean 'torus.yaml'?" run tours.yaml
says 1 "torus.weft is a results file, not a scenario; \`weft report\` shows it" run torus.weft
says 2 "weft: 'other.yaml' is one name too many for run; a setting is key=value" run torus.yaml other.yaml
says 2 "weft: 'seed' is one name too many for check; a setting is key=value" check torus.yaml seed
says 2 "weft: run has no flag '--job'; did you mean '--jobs'?" run torus.yaml --job 2
says 2 "weft: --jobs takes a whole number from 1 to 1024, found '0'" run torus.yaml --jobs 0
says 2 'weft: --jobs needs a value: --jobs N' run torus.yaml --jobs
says 2 "weft: --memory takes a size such as 4GiB, found '4GG'" check torus.yaml --memory 4GG
says 1 'command line: traffic.all.rho: 20 is 20 times what links carry; 20 % is 0.2; a load above 1 needs traffic.all.overload: true' run torus.yaml traffic.all.rho=20
says 1 'command line: traffic.all.rho: 150% is 1.5 times what links carry; a load above 1 needs traffic.all.overload: true' run torus.yaml traffic.all.rho=150%
says 1 "command line: links has no setting 'bandwidth'; did you mean 'rate'?" run torus.yaml links.bandwidth=10Gbit/s
says 1 "there is no results file tours.weft; did you mean 'torus.weft'?" report tours.weft
says 2 "weft: -o curve.gif: report writes files that end in .html .csv .tex .svg .png .pdf" report torus.weft -o curve.gif
says 1 "command line: traffic has no class 'al'; did you mean 'all'?" run torus.yaml traffic.al.rho=0.2
says 1 "command line: routing has no setting 'selecton'; did you mean 'selection'?" run torus.yaml routing.selecton=random
says 1 'command line: measure.half-width must be 0.000001 … 1, found 5; did you mean 5%?' run torus.yaml measure.half-width=5
says 1 "command line: router.header must be a duration such as 2 cycles or 5 ns, found '2' without a unit (cycles, ps, ns, us, ms, s, min, h)" run torus.yaml router.header=2
says 1 "command line: topology.dims must be a list of whole numbers such as [16, 16], found '16x16'" run torus.yaml topology.dims=16x16
says 1 'command line: vary.traffic.all.rho: a step of 0.1 never leads from 0.9 to 0.1' run torus.yaml traffic.all.rho=0.9/0.1/0.1
says 2 "weft: there is no kind, family, section or key 'tors'; did you mean 'torus'?" describe tors
says 2 "weft: --format is csv, json or canonical, found 'xml'" export torus.weft --format xml
says 1 'torus.weft: 3 of its 3 points were run with router.header 1 cycle, this scenario has 2 cycles; --results FILE starts another file beside it, --new starts this one anew' run torus.yaml router.header=2cycles

# Several values at once, blanks around '=', settings before the file, standard input, -o.
points() {
    run 0 "$WEFT" check "$@" --jobs 1
    sed -n 's/^points *//p' out
}
[[ $(points torus.yaml traffic.all.rho=0.1/0.5/0.1) == 5 ]] || fail 'from/to/step'
[[ $(points torus.yaml traffic.all.rho=10%,20% routing.selection=random,diagonal) == 4 ]] || fail 'a,b'
[[ $(points torus.yaml traffic.all.rho='[0.1, 0.2]') == 2 ]] || fail 'a list'
[[ $(points torus.yaml traffic.all.rho=0.2 title=a,b) == 1 ]] || fail 'one value, and a text'
for setting in 'seed = 3' 'seed =3' 'seed= 3'; do
    run 0 "$WEFT" check torus.yaml "$setting"
    has out 'seed: 3'
    # shellcheck disable=SC2086
    run 0 "$WEFT" check torus.yaml $setting
    has out 'seed: 3'
done
run 0 "$WEFT" check seed=3 torus.yaml
has out 'seed: 3'
"$WEFT" check - <torus.yaml >out
has out 'results                stdin.weft'
status=0
{ cat torus.yaml && head -c 1048576 /dev/zero | tr '\0' '#'; } | "$WEFT" check - >out 2>err || status=$?
[[ $status -eq 1 ]] || fail "status $status of a scenario of over 1 MiB that is piped in"
is err '- is larger than 1 MiB, the limit of a scenario file'
run 0 "$WEFT" check torus.yaml traffic.all.rho=1.0
run 0 "$WEFT" run torus.yaml traffic.all.rho=0.1,1.2 traffic.all.overload=true --quiet
has out '0.1'
has out '1.2'
for file in points.csv page.html curve.tex; do
    run 0 "$WEFT" report torus.weft -o $file
    [[ -s $file ]] || fail "report -o $file"
done
run 0 "$WEFT" export torus.weft -o all.csv
none out
cmp all.csv points.csv
run 0 "$WEFT" run torus.yaml -o other.weft --quiet router.header=2cycles
has err 'results in other.weft'
