#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No two source files use functions of each other, directly or over others: the symbols of all object files have an order. The one
# exception is the reading of settings, which is recursive by nature (config/bind: a table has values, a value may be a kind
# with a table).
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# Pairs "user definer" of files; objects of sources that are gone are left out.
(
    cd "$WEFT_BUILD/CMakeFiles/interweft.dir" || exit 1
    find src -name '*.c.o' | while read -r object; do
        [[ ! -e $WEFT_SOURCE/${object%.o} ]] || echo "$object"
    done | xargs nm --format=posix --print-file-name
) | sed 's|\.c\.o: | |; s|^src/config/bind/bind[_a-z]* |src/config/bind |' >symbols
[[ $(cut -d ' ' -f 1 symbols | sort -u | wc -l) -gt 300 ]] || fail 'too few object files'
awk '$3 ~ /^[TDRBV]$/ { definer[$2] = $1 }
     $3 == "U" { user[++n] = $1; symbol[n] = $2 }
     END { for (i = 1; i <= n; i++) if (symbol[i] in definer && definer[symbol[i]] != user[i]) print user[i], definer[symbol[i]] }' \
    symbols | sort -u >pairs
[[ $(wc -l <pairs) -gt 500 ]] || fail 'too few pairs'
tsort pairs >/dev/null 2>circles || { cat circles; fail 'files that use each other in a circle'; }
