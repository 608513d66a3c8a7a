#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What no machine can hold, what is no file, and what is a file only by its name: every command refuses it with a
# message that names it, within a second of a core and 100 MB.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
command -v /usr/bin/time >/dev/null || exit 77
seconds=1 kilobytes=102400 refusals=0
if [[ ${LSAN_OPTIONS:-}${ASAN_OPTIONS:-} != '' ]] && grep -q __asan_init "$WEFT"; then # the shadow of memory counts, too
    seconds=4 kilobytes=409600
fi

# refuse TEXT COMMAND...: it ends with status 1 or 2 and says TEXT, within both limits. A pipe nobody writes to would be
# waited for: then the time runs out.
refuse() {
    local text=$1 status=0 user system peak
    shift
    timeout -k 5 60 /usr/bin/time -q -o taken -f '%U %S %M' "$WEFT" "$@" >out 2>err </dev/null || status=$?
    [[ $status -eq 1 || $status -eq 2 ]] || {
        cat out err
        fail "status $status: weft $*"
    }
    has err "$text"
    read -r user system peak < <(tail -n 1 taken)
    awk -v u="$user" -v s="$system" -v most=$seconds 'BEGIN { exit u + s > most }' || fail "$user + $system s of a core: weft $*"
    [[ $peak -le $kilobytes ]] || fail "$peak kB: weft $*"
    refusals=$((refusals + 1))
}

cat >good.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
router: {kind: input-queued, vcs: 4}
routing: {kind: dimension-order}
traffic: {all: {pattern: uniform, length: 8 flits, load: 0.3}}
measure: {limit: {packets: 2000}}
END

# ---- what is no file, for every command that reads one ----
mkfifo pipe
mkdir folder
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
truncate -s 10G sparse
for file in pipe /dev/zero /dev/full folder socket sparse; do
    for command in run study 'study status' sensitivity saturate check plan 'crossbar run' 'crossbar search' 'topology show' \
        'topology export --format edges' 'workload show' 'workload time' report explain export 'selftest --plugin' 'check good.yaml --plugin' \
        'compare good.yaml'; do
        # shellcheck disable=SC2086
        refuse "$([[ $command == compare* ]] || echo "$file")" $command $file
    done
    refuse "$file" compare $file good.yaml
    for format in edges graphml anynet booksim infiniband workload; do
        refuse "$file" import $format $file -o imported
    done
    # Files that settings name.
    refuse "$file" check good.yaml "topology={kind: file, file: $file}" routing.kind=minimal-oblivious
    for pattern in matrix flows; do
        refuse "$file" check good.yaml "traffic.all.pattern={kind: $pattern, file: $file}"
    done
    for routing in tables source; do
        refuse "$file" check good.yaml "routing={kind: $routing, file: $file}"
    done
    refuse "$file" check good.yaml "traffic.all.from=file $file"
    refuse "$file" check good.yaml "jobs={a: {file: $file}}"
    printf 'include: %s\n' $file >includes.yaml
    refuse "$file" check includes.yaml
    ln -sf $file matrix.csv
    refuse matrix.csv crossbar run matrix=matrix.csv scheduler=islip
done
[[ ! -e imported ]] || fail 'something was imported'

# Nor is such a thing waited for where it stands beside results.
cat >paper.yaml <<'END'
interweft-study: 1
title: One point
scenarios: {torus: {scenario: good.yaml}}
END
mkfifo paper.weft.running
run 0 timeout 60 "$WEFT" study status paper.yaml

# ---- sizes ----
refuse 'topology.dims must be' check good.yaml 'topology.dims=[1000000, 1000000]'
for dims in '[65535, 65535]' '[10000, 10000, 10000]' '[1000, 1000, 1000, 1000]'; do # 10¹² routers and near it
    refuse 'routers (2^28), the most there can be' run good.yaml "topology.dims=$dims"
done
for kind in 'hypercube, dimensions: 40' 'full, routers: 1000000000000' 'fat-tree, levels: 6, arity: 100' 'slim-fly, q: 1000000' \
    'dragonfly, groups: 1000000, routers: 1000000, hosts: 1' 'butterfly, arity: 1000, stages: 6' 'mesh, dims: [1000000000000]' \
    'random-regular, routers: 1000000000000, degree: 3'; do
    for command in run check saturate 'topology show'; do
        # shellcheck disable=SC2086
        refuse 'command line: ' $command good.yaml "topology={kind: $kind}" routing.kind=minimal-oblivious
    done
done
for vcs in 1000000000 4294967297 9223372036854775807 99999999999999999999999 -1 1e99 nan; do
    refuse router.vcs run good.yaml router.vcs=$vcs
done
for setting in topology.hosts=1000000000 seed=99999999999999999999 'traffic.all.length=1e30 flits' traffic.all.load=1e400 \
    'vary={traffic.all.load: {from: 0.1, to: 0.9, step: 1e-12}}' 'vary={seed: {from: 1, to: 1000000000000, step: 1}}'; do
    refuse 'command line: ' run good.yaml "$setting"
done
refuse 'd must be' ts --d=1000000000000
refuse '--k' ts --k=99999999999999999999
refuse ranks workload show allreduce/ring ranks=1000000000000
refuse n crossbar search n=1000000 d=3

# ---- text ----
printf 'interweft: 1\ninclude: loop.yaml\n' >loop.yaml
refuse loop.yaml run loop.yaml
printf 'include: b.yaml\n' >a.yaml
printf 'include: a.yaml\n' >b.yaml
refuse a.yaml check a.yaml
for i in {0..40}; do # each file twice in the one before: 2⁴⁰ in all
    printf 'include: [c%d.yaml, c%d.yaml]\n' $((i + 1)) $((i + 1)) >"c$i.yaml"
done
echo 'interweft: 1' >c41.yaml
refuse yaml check c0.yaml
ln -s itself.yaml itself.yaml
refuse itself.yaml check itself.yaml
python3 - <<'END'
def write(name, text):
    open(name, "wb").write(text if isinstance(text, bytes) else text.encode())
write("lists.yaml", "interweft: 1\ntopology: " + "[" * 400000)
write("maps.yaml", "interweft: 1\ntopology: " + "{a: " * 200000)
write("indents.yaml", "".join(" " * i + "a:\n" for i in range(1300)))
write("key.yaml", "interweft: 1\n" + "k" * 1000000 + ": 1\n")
write("value.yaml", "interweft: 1\nseed: " + "1" * 1000000 + "\n")
write("nul.yaml", b"interweft: 1\ntitle: a\0b\n")
write("utf16.yaml", "interweft: 1\n".encode("utf-16"))
write("aliases.yaml", "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98+i)}: &{chr(98+i)} [{','.join(['*' + chr(97+i)] * 9)}]\n" for i in range(12)))
write("classes.yaml", "interweft: 1\ntraffic: {" + ",".join(f"c{i}: {{load: 0.1}}" for i in range(60000)) + "}\n")
write("nul.edges", b"a b\n\0\0\0c d\n")
write("name.edges", "a" * 1000000 + " b\n")
write("hosts.edges", "a b\nhost a 1000000000000\n")
write("deep.graphml", "<graphml>" + "<a>" * 300000)
write("lists.json", "[" * 1000000)
write("objects.json", '{"nodes":' * 200000)
write("nul.csv", b"1,2\n2,1\n\0\0\0,\n")
write("ranks.goal", "num_ranks 268435456\nrank 0 {\n}\n")
write("bytes.goal", "num_ranks 2\nrank 0 {\nl1: send 99999999999999999999b to 1\n}\nrank 1 {\n}\n")
write("nul.goal", b"num_ranks 2\nrank 0 {\n\0l1: send 1b to 1\n}\nrank 1 {\n}\n")
write("far.cfg", "topology = torus;\nk = 1000000000000;\nn = 1000000000000;\n")
write("deep.cfg", "a = " + "{" * 100000 + ";")
END
for file in lists maps indents key value nul utf16 aliases classes; do
    for command in check plan study 'crossbar run'; do
        # shellcheck disable=SC2086
        refuse $file.yaml $command $file.yaml
    done
done
for file in nul name hosts; do
    refuse $file.edges import edges $file.edges -o imported
done
refuse deep.graphml import graphml deep.graphml -o imported
for file in lists.json objects.json ranks.goal bytes.goal nul.goal; do
    refuse $file workload show $file
done
refuse nul.csv crossbar run matrix=nul.csv scheduler=islip
for file in far deep; do
    refuse $file.cfg import booksim $file.cfg -o imported
done

# ---- 10 GB, well begun ----
begin() { # FILE SOURCE
    truncate -s 10G "$1"
    head -c 100 "$2" | dd of="$1" conv=notrunc status=none
}
begin long.yaml good.yaml
for command in run check plan study 'crossbar run' saturate 'topology show'; do
    # shellcheck disable=SC2086
    refuse long.yaml $command long.yaml
done
begin long.weft "$WEFT_SOURCE/tests/fuzz/corpus/result/one"
for command in report export explain; do
    refuse long.weft $command long.weft
done
begin long.weftnet "$WEFT_SOURCE/tests/data/fabrics/small.weftnet"
refuse long.weftnet check good.yaml 'topology={kind: file, file: long.weftnet}' routing.kind=minimal-oblivious
begin long.edges "$WEFT_SOURCE/tests/data/fabrics/small.edges"
refuse long.edges import edges long.edges -o imported
begin long.goal "$WEFT_SOURCE/tests/data/workloads/ping-1.goal"
refuse long.goal workload show long.goal

# ---- a plug-in of another version ----
cat >old.c <<'END'
#include <stddef.h>
static const struct { unsigned abi; size_t size; const char *name; const void *items; } plugin = {1, sizeof plugin, "old", NULL};
const void *weft_plugin_get(void) { return &plugin; }
END
"$WEFT_CC" -shared -fPIC -o old.so old.c
refuse 'old.so: the plug-in was built for another version of Interweft' check good.yaml --plugin ./old.so
head -c 2000 old.so >cut.so
refuse 'cut.so: not a plug-in: it is cut short' check good.yaml --plugin ./cut.so
echo "$refusals refusals, each within $seconds s of a core and $kilobytes kB"
