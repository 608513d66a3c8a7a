#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/check-layers finds every kind of mistake in a wrong tree, and none in a right one.
set -euo pipefail
source_dir=${WEFT_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# put PATH: writes standard input to a file of the tree, under an SPDX line.
put() {
    mkdir -p "$tree/$(dirname "$1")"
    { echo '/* SPDX-License-Identifier: Apache-2.0 */' && cat; } >"$tree/$1"
}
# expect STATUS TEXT: the checker's status and whole output.
expect() {
    local status=0 output
    output=$("$source_dir/tools/check-layers" "$tree") || status=$?
    if [[ $status -ne $1 || $output != "$2" ]]; then
        diff <(echo "status $1"; echo "$2") <(echo "status $status"; echo "$output") || true
        exit 1
    fi
}

# A right tree: text in comments and strings is not code, and each exception holds.
put include/interweft/a.h <<'END'
#include "interweft/b.h"
#include <stdint.h>
END
put src/base/memory.c <<'END'
#include "base/memory.h"
#include <stdio.h>
void f(void) { fprintf(stderr, "no memory"); abort(); }
END
put src/kernel/exchange_self.c <<'END'
static void self_abort(weft_comm *comm, int status) { _exit(status); }
END
put src/base/philox.h <<'END'
#include <Random123/philox.h>
END
put src/net/topology.h <<'END'
#include "net/topology/list.def"
END
put src/net/topology/list.def <<'END'
TOPOLOGY(ring)
END
put src/net/topology/ring.c <<'END'
#include "net/topology/ring.h"
#include "net/topology/common/grid.h"
#include "net/topology.h"
#include "config/registry.h"
#include "interweft/topology.h"
/* exit(1) and printf("x") and
 * #include "sim/x.h" in a comment */
static const char *text = "a \" quote, exit(1), printf(";
int g(void) { snprintf(0, 0, ""); table->exp(1); return weft_log(2) + '"'; } // abort()
END
put src/study/study.c <<'END'
#include "sim/build.h"
END
put src/result/csv.c <<'END'
void h(void) { fprintf(file, "x"); }
END
put cli/main.c <<'END'
#include "verbs.h"
#include "report/table.h"
int main(void) { printf("x"); exit(0); }
END
{ echo 'Why it has over 600 lines.' && seq 700; } | put tests/unit/test_long.c
expect 0 ''

# A wrong tree: each mistake once.
rm -rf "${tree:?}"/*
put include/interweft/a.h <<'END'
#include "base/arena.h"
#include <sys/types.h>
END
put src/base/a.c <<'END'
#include "arena.h"
#include "config/registry.h"
#include <mpi.h>
#include <Random123/philox.h>
void f(void) { printf("x"); }
void g(void) { exit(1); }
double h(void) { return pow(2, 3); }
int k = 1; FILE *to = stderr;
/* TODO later */
#if 0
typedef int thing_t;
END
echo 'int x;' >"$tree/src/base/b.c"
put src/net/topology/list.def </dev/null
put src/net/topology/mesh.c <<'END'
#include "net/topology/torus.h"
END
put src/sim/router/queue/save.c <<'END'
#include "sim/router/common/wait_queue.h"
#include "sim/router/queue/queue.h"
#include "sim/router/shared_queue/shared_queue.h"
END
put src/net/notes.txt </dev/null
for i in {10..50}; do
    put "src/stats/s$i.c" </dev/null
done
put src/other/a.c </dev/null
put cli/run.c <<'END'
#include "sim/build.h"
END
seq 600 | put bench/long.c
expect 1 'bench/long.c:601: 601 lines; split it, or let the top comment say why it has over 600 lines
cli/run.c:2: cli must not include sim ("sim/build.h"); see tools/layers.txt
include/interweft/a.h:2: interweft must not include base ("base/arena.h"); see tools/layers.txt
include/interweft/a.h:3: a public header includes only the C library and interweft/, not <sys/types.h>
src/base/a.c:2: "arena.h" is not a path from src/; write "base/arena.h"
src/base/a.c:3: base must not include config ("config/registry.h"); see tools/layers.txt
src/base/a.c:4: MPI is named in kernel/exchange_mpi.c only
src/base/a.c:5: Random123 is named in base/philox.h only
src/base/a.c:6: only cli/, result/ and report/ print; return a weft_status with a sentence
src/base/a.c:7: the library neither exits nor aborts; return a weft_status
src/base/a.c:8: libm is not bit-stable; use the functions of base/numeric.h
src/base/a.c:9: only cli/, result/ and report/ print; return a weft_status with a sentence
src/base/a.c:10: unfinished work is not committed
src/base/a.c:11: dead code; delete it
src/base/a.c:12: names in _t belong to POSIX
src/base/b.c:1: the first line must be the SPDX line
src/net/notes.txt:1: only .c, .h and list.def files live in src/ and include/
src/net/topology/mesh.c:2: kinds must not include each other ("net/topology/torus.h"); share through the interface header beside src/net/topology/ or through common/
src/other/a.c:1: folder other is not in tools/layers.txt
src/sim/router/queue/save.c:4: kinds must not include each other ("sim/router/shared_queue/shared_queue.h"); share through the interface header beside src/sim/router/ or through common/
src/stats/s50.c:1: src/stats has more than 40 files; make folders of those that belong together
check-layers: 21 findings'

# A table with a cycle is refused.
rm -rf "${tree:?}"/*
put src/base/a.c </dev/null
mkdir "$tree/tools"
printf 'base: net\nnet: config\nconfig: base\n' >"$tree/tools/layers.txt"
output=$("$source_dir/tools/check-layers" "$tree") && { echo 'a cycle was accepted'; exit 1; }
[[ $output == tools/layers.txt:*'the table has a cycle'* ]] || { echo "$output"; exit 1; }
