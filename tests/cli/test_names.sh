#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/check-names finds every kind of name with two meanings, and none in a right tree.
set -euo pipefail
source_dir=${WEFT_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# put PATH: writes standard input to a file of the tree.
put() {
    mkdir -p "$tree/$(dirname "$1")"
    cat >"$tree/$1"
}
# expect STATUS TEXT: the checker's status and whole output.
expect() {
    local status=0 output
    output=$("$source_dir/tools/check-names" "$tree") || status=$?
    if [[ $status -ne $1 || $output != "$2" ]]; then
        diff <(echo "status $1"; echo "$2") <(echo "status $status"; echo "$output") || true
        exit 1
    fi
}

# A right tree: opaque types, a public prefix with the folder behind it, a longer prefix of another folder.
put include/interweft/study.h <<'END'
typedef struct weft_study weft_study;
weft_study *weft_study_open(void);
END
put src/study/conductor.h <<'END'
struct weft_study {
    int points;
};
void weft_study_lock(weft_study *study);
/* struct weft_text { in a comment */
END
put src/kernel/kernel.h <<'END'
typedef struct weft_engine weft_engine;
END
put src/kernel/engine.c <<'END'
struct weft_engine {
    int blocks;
};
END
put src/base/text.h <<'END'
typedef struct weft_text {
    int length;
} weft_text;
void weft_text_add(weft_text *text);
END
put src/report/text_table.h <<'END'
typedef struct weft_text_table {
    int rows;
} weft_text_table;
void weft_text_table_add(weft_text_table *table);
END
expect 0 ''

# A wrong tree: each mistake once.
put src/net/grid.h <<'END'
typedef struct weft_grid {
    int axes;
} weft_grid;
typedef enum weft_bound { WEFT_BOUND_LINKS } weft_bound;
void weft_key_find(void);
END
put src/config/vary.h <<'END'
typedef struct weft_grid weft_grid;
typedef int weft_bound;
static inline int weft_key_read(void)
{
    return 0;
}
END
put src/stats/control.c <<'END'
struct weft_text {
    int lines;
};
END
expect 1 'src/net/grid.h:4: weft_bound is defined at src/config/vary.h:2 too; one name, one meaning
src/stats/control.c:1: weft_text is defined at src/base/text.h:1 too; one name, one meaning
src/net/grid.h:1: weft_grid is declared at src/config/vary.h:1 as something else; one name, one meaning
src/net/grid.h:5: weft_key_find has the prefix weft_key_ of src/config/vary.h:3; a prefix belongs to one folder
check-names: 4 findings'
