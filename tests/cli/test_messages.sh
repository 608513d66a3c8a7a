#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What every verb says when something is wrong: which status, what on stderr, nothing on stdout, no
# file left over. The settings' own messages are in tests/data/scenarios/wrong.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

cat >good.yaml <<'END'
interweft: 1
title: Good
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, length: 8 flits, rho: 0.3}
measure: {limit: {packets: 3000}}
END
# wrong STATUS MESSAGE ARGUMENT...: weft fails so, with exactly this message.
wrong() {
    local status=$1 message=$2
    shift 2
    run "$status" "$WEFT" "$@"
    none out
    is err "$message"
}

# Usage: status 2.
run 2 "$WEFT"
none out
has err 'weft run'
wrong 2 "weft: there is no command 'rum'; did you mean 'run'?" rum
wrong 2 "weft: there is no command 'simulate'; \`weft --help\` lists them all" simulate
wrong 2 'weft: usage: weft crossbar run|search|count [FILE] [key=value …]' crossbar
wrong 2 'weft: usage: weft run FILE [key=value …]' run
wrong 2 "weft: 'other.yaml' is one name too many for run; a setting is key=value" run good.yaml other.yaml
wrong 2 "weft: run has no flag '--block'; did you mean '--blocks'?" run good.yaml --block 2
wrong 2 "weft: export has no flag '--blocks'; \`weft export --help\` lists them" export x --blocks 2
wrong 2 "weft: run has no flag '-v'; \`weft run --help\` lists them" run -v good.yaml
wrong 2 'weft: --blocks needs a value: --blocks N' run good.yaml --blocks
for value in 0 -1 2.5 two 1e3 99999999999999999999; do
    wrong 2 "weft: --blocks takes a whole number from 1 to 16777216, found '$value'" \
        run good.yaml "--blocks=$value"
done
for value in 0 -1GiB 4Gib GiB nan 1e30GiB; do
    wrong 2 "weft: --memory takes a size such as 4GiB, found '$value'" run good.yaml --memory "$value"
done
wrong 2 "weft: --tolerance takes a number from 0.0001 to 0.5, found '0'" saturate good.yaml --tolerance 0
wrong 2 'weft: --new takes no value' run good.yaml --new=yes
wrong 2 "weft: --format is csv, json or canonical, found 'xml'" export good.weft --format xml

# Wrong input: status 1. Mistakes in every point of a grid are found before the first is run.
wrong 1 'missing.yaml cannot be read: No such file or directory' run missing.yaml
wrong 1 '. is not a regular file' check .
wrong 1 "command line: router has no setting 'headr'; did you mean 'header'?
router.headr=2
       ^~~~~" run good.yaml router.headr=2
cat >late.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: bit-reversal, length: 8 flits, load: 0.3}
vary:
  topology.dims: [[4, 4], [8, 8], [6, 6]]
END
run 1 "$WEFT" run late.yaml
none out
has err 'late.yaml:4:8: pattern bit-reversal needs a power of two endpoints, this network has 36'
cat >misspelt.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: output-queued, headr: 1 cycle}
traffic:
  all: {length: 8 flits, load: 0.3}
END
run 1 "$WEFT" run misspelt.yaml
none out
has err "misspelt.yaml:3:31: router has no setting 'headr'; did you mean 'header'?"
[[ $(echo *.weft*) == '*.weft*' ]] || fail 'a run that did not start left files'

# Results that are not there, not results, not whole, not writable.
wrong 1 'there is no results file missing.weft' export missing.weft
wrong 1 'good.yaml is not a results file of Interweft' report good.yaml
: >empty.weft
wrong 1 'empty.weft is empty: no point has finished' export empty.weft
mkdir folder.weft
wrong 1 'folder.weft is not a file' run good.yaml --results folder.weft
wrong 1 'good.yaml is not a results file of Interweft' run good.yaml --results good.yaml --new
wrong 1 'none/x.weft.lock: cannot create the lock file: No such file or directory; --results FILE writes elsewhere' \
    run good.yaml --results none/x.weft
run 0 "$WEFT" run good.yaml --quiet
for size in 100 1000 5000; do
    head -c "$size" good.weft >cut.weft
    run 1 "$WEFT" export cut.weft --format json
    has err 'cut.weft'
    run 1 "$WEFT" run good.yaml --results cut.weft
    has err 'cut.weft'
done
mkdir locked
chmod 555 locked
if ! touch locked/x 2>/dev/null; then
    wrong 1 'locked/x.weft.lock: cannot create the lock file: Permission denied; --results FILE writes elsewhere' \
        run good.yaml --results locked/x.weft
fi

# Plug-ins.
wrong 1 'missing.so: no such plug-in' run good.yaml --plugin missing.so
run 1 "$WEFT" list --plugin good.yaml
none out
has err 'good.yaml: not a plug-in: '
echo 'int unrelated(void); int unrelated(void) { return 0; }' >other.c
"$WEFT_CC" -shared -fPIC other.c -o other.so
wrong 1 'other.so: not a plug-in: it does not export weft_plugin_get' list --plugin other.so

# Pictures replace files and nothing else.
mkfifo pipe
wrong 1 'cannot write pipe: it is not a regular file' report good.weft --svg pipe
ln -s good.yaml link
wrong 1 'cannot write link: it is not a regular file' report good.weft --png link
has good.yaml 'title: Good'
if command -v gnuplot >/dev/null; then
    run 1 "$WEFT" report good.weft --svg none/x.svg
    has err 'none/x.svg'
fi

# A full disk.
if [[ -c /dev/full ]]; then
    for words in 'export good.weft' 'report good.weft' 'check good.yaml' schema list --help; do
        # shellcheck disable=SC2086
        status=0 && "$WEFT" $words >/dev/full 2>err || status=$?
        [[ $status -eq 1 ]] || fail "status $status, not 1, when the disk is full: $words"
        is err 'cannot write the output'
    done
fi
mkdir tiny
tiny() {
    unshare -m bash -c 'mount -t tmpfs -o size=64k tmpfs tiny && exec "$@"' - "$@"
}
if tiny true 2>/dev/null; then
    run 4 tiny "$WEFT" run good.yaml --quiet --results tiny/x.weft measure.links=all measure.by=hops
    none out
    has err 'tiny/x.weft'
    has err 'the disk is full'
fi
