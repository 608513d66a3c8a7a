#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The library has no mutable globals (invariant 2 of ARCHITECTURE.md): two studies can run in one
# process. Looked up in the objects themselves: nothing of ours is in a writable section. Constant
# tables of pointers are in .data.rel.ro, which the loader makes read-only.
set -euo pipefail
archive=$WEFT_BUILD/libinterweft.a
if [[ ! -f $archive ]]; then
    echo "skipped: the library is not a static archive"
    exit 0
fi
found=$(nm --format=sysv "$archive" 2>/dev/null | awk -F'|' '
    /^.*\.o[\]:]/ { object = $0; next }
    {
        gsub(/ /, "", $1)
        gsub(/ /, "", $7)
        instrumentation = $1 ~ /^(__|\.L|___asan|llvm\.)/ || $1 ~ /gcov|asan|ubsan|sancov/
        if ($7 ~ /^\.(data|bss|tdata|tbss)$|^\.(data|bss)\.[^r]|^\*COM\*$/ && !instrumentation)
            print object " " $1 " in " $7
    }')
if [[ -n $found ]]; then
    echo 'mutable globals in the library:'
    echo "$found"
    exit 1
fi
