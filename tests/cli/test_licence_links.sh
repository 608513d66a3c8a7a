#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything linked into weft, its library and its modules is permissive, LGPL (as a shared object),
# or GPL with the GCC runtime exception. A new library is added to tools/licences.txt with its licence.
set -euo pipefail

# licence SONAME: prints the licence of an allowed shared object, fails for any other. The kernel's own is not linked.
licence() {
    local pattern words
    [[ $1 != linux-vdso.so.1 ]] || return 0
    while read -r pattern words; do
        # shellcheck disable=SC2053 # a pattern
        [[ $pattern == '#' || $1 != $pattern ]] || { echo "$words" && return; }
    done <"$WEFT_SOURCE/tools/licences.txt"
    return 1
}

# The list itself: a GPL library, and one nobody has looked at, are refused.
for soname in libgsl.so.27 libumfpack.so.5 libreadline.so.8 libfyaml.so.0 libunheard-of.so.1; do
    if licence "$soname" >/dev/null; then
        echo "the allow list accepts $soname"
        exit 1
    fi
done

status=0
# check_links FILE: every shared object it needs, directly or not.
check_links() {
    local soname count=0
    while read -r soname; do
        count=$((count + 1))
        if ! licence "$soname" >/dev/null; then
            echo "$1 links $soname, which is not in tools/licences.txt"
            status=1
        fi
    done < <(ldd "$1" | awk '$1 != "statically" { sub(/.*\//, "", $1); print $1 }')
    if ((count < 2)); then
        echo "$1: ldd names no shared objects"
        status=1
    fi
}
check_links "$WEFT"
while IFS= read -r module; do
    check_links "$module"
done < <(find "$WEFT_BUILD" -maxdepth 2 -name '*.so' ! -path '*plugin*')

# Static archives do not show in ldd: the link line of weft names only our own, and the C library's
# libpthread.a, which has been empty since 2.34.
if [[ -f $WEFT_BUILD/build.ninja ]]; then
    foreign=$(ninja -C "$WEFT_BUILD" -t commands weft | grep -o '[^ ]*\.a\( \|$\)' |
        grep -v -e 'libinterweft\.a' -e 'libreport_page\.a' -e '/libpthread\.a' || true)
    if [[ -n $foreign ]]; then
        echo "weft links the static archives $foreign"
        status=1
    fi
fi
exit $status
