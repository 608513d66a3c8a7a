#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the program gets from its parent: a signal of children that is ignored loses no picture, and a limit on the size of files is told
# as what it is, and leaves results that go on.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cat >torus.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic: {all: {pattern: uniform, length: 16 flits, rho: 0.3}}
measure: {half-width: 20%, limit: {packets: 1000}}
END
run 0 "$WEFT" run torus.yaml --quiet -o whole.weft
status=0
(ulimit -f 8 && exec "$WEFT" run torus.yaml --quiet -o small.weft) >out 2>err </dev/null || status=$?
[[ $status -eq 1 ]] || fail "status $status at the largest size of a file"
is err 'small.weft: cannot write: the disk takes no more (full, an I/O error, or a limit on the size of files); mended, the same command goes on'
[[ ! -e small.weft.lock ]] || fail 'the results are locked'
run 0 "$WEFT" run torus.yaml --quiet -o small.weft
[[ $(canonical small.weft) == "$(canonical whole.weft)" ]] || fail 'other results after the limit'
status=0
(ulimit -f 8 && exec "$WEFT" report whole.weft --html whole.html) >out 2>err </dev/null || status=$?
[[ $status -eq 1 && ! -e whole.html && ! -e whole.html.part ]] || fail 'a part of a page is left'
is err 'cannot write whole.html: File too large'

command -v gnuplot >/dev/null || exit 0
cat >ignore.py <<'END'
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])
END
run 0 python3 ignore.py "$WEFT" model mm1 lambda=0.1/0.9/0.1 --svg mm1.svg
has mm1.svg '</svg>'
