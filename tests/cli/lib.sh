#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the script tests share: sourced first, it moves to an empty directory that is removed again.
set -euo pipefail
unset GLIBC_TUNABLES
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    printf '%s:%s: %s\n' "$(basename "$0")" "${BASH_LINENO[-2]}" "$1"
    exit 1
}
# run STATUS COMMAND...: runs it into ./out and ./err and insists on its exit status.
run() {
    local wanted=$1 status=0
    shift
    "$@" >out 2>err </dev/null || status=$?
    [[ $status -eq $wanted ]] || {
        cat out err
        fail "status $status instead of $wanted: $*"
    }
}
# within SECONDS STATUS COMMAND...: as run; it takes at most so many seconds of a core.
within() {
    local TIMEFORMAT='%U %S'
    { time run "${@:2}"; } 2>taken
    at_most "$(awk '{ print int(1000 * ($1 + $2)) }' taken)" "${1}000" "ms of a core for ${*:4:4}"
}
# has FILE TEXT: the file contains it.
has() {
    [[ $(cat "$1") == *"$2"* ]] || {
        cat "$1"
        fail "$1 does not contain: $2"
    }
}
# is FILE TEXT: the file is exactly this text and a newline.
is() {
    diff <(printf '%s\n' "$2") "$1" || fail "$1 is not the text expected"
}
# none FILE...: these files are empty or do not exist.
none() {
    local file
    for file; do
        [[ ! -s $file ]] || {
            cat "$file"
            fail "$file should be empty"
        }
    done
}
# canonical RESULTS: a checksum of the result bytes.
canonical() {
    "$WEFT" export "$1" --format canonical | sha256sum
}
# metric RESULTS NAME: the value of a metric of the whole network, for a single point.
metric() {
    "$WEFT" export "$1" | awk -F, -v name="$2" '$1 == name && $2 == "" && $3 == "" { print $5 }'
}
# peak RESULTS: the largest resident set, in bytes, of the process that ran the last point.
peak() {
    "$WEFT" export "$1" --format json | sed -n 's/.*"peak_bytes": \([0-9]*\).*/\1/p' | tail -1
}
# at_most A B WHAT: A ≤ B, both whole numbers.
at_most() {
    echo "$3: $1 (at most $2)"
    [[ $1 -le $2 ]] || fail "$3: $1 is more than $2"
}
# chords N K: the edges of a ring of N routers, N even, with K chords at every one that a fixed sequence draws.
chords() {
    awk -v n="$1" -v most="$2" 'BEGIN { x = 1
        for (i = 0; i < n; i++) print "r" i, "r" (i + 1) % n
        for (i = 0; i < n; i++) p[i] = i
        for (k = 0; k < most; k++) {
            for (i = n - 1; i > 0; i--) { x = x * 16807 % 2147483647; j = x % (i + 1); t = p[i]; p[i] = p[j]; p[j] = t }
            for (i = 0; i + 1 < n; i += 2) if ((p[i] - p[i + 1]) % (n - 2) != 1 && (p[i + 1] - p[i]) % (n - 2) != 1) print "r" p[i], "r" p[i + 1] } }' |
        sort -u
}
# follow PAGE LINES [EXAMPLE]: runs the commands of docs/howto/PAGE.md in ./PAGE, an empty directory or one with the files of an example. They
# print, line for line, what the page shows, LINES or more. Their output is ./out and ./err.
follow() {
    local page=$WEFT_SOURCE/docs/howto/$1.md line
    mkdir -p "$1" .bin
    ln -sf "$WEFT" .bin/weft
    [[ -z ${3-} ]] || cp "$WEFT_SOURCE/examples/$3"/* "$1"
    awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$page" >.commands
    awk '/^```$/ { on = !on; skip = skip && on; next } /^```[a-z]+$/ { skip = on = 1; next }
         on && !skip && $0 != "…" && $0 != ""' "$page" >.shown
    (bin=$PWD/.bin && cd "$1" && PATH=$bin:$PATH bash -euo pipefail ../.commands) >out 2>err </dev/null || {
        cat out err
        fail "a command of $1.md failed"
    }
    [[ $(wc -l <.shown) -ge $2 ]] || fail "$1.md shows too little"
    sed 's/ *$//' out >.trimmed
    while IFS= read -r line; do
        grep -qxF -- "$line" .trimmed || {
            cat out
            fail "$1.md shows a line that is not printed: $line"
        }
    done <.shown
}
