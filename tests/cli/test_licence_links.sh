#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything linked into weft, its library and its modules is permissive, LGPL (as a shared object),
# or GPL with the GCC runtime exception. A new library is added to the list with its licence.
set -euo pipefail

# licence SONAME: prints the licence of an allowed shared object, fails for any other.
licence() {
    case $1 in
    libinterweft.so*) echo 'Apache-2.0' ;;
    libyaml-0.so.2) echo 'MIT' ;;
    libsqlite3.so.*) echo 'public domain' ;;
    libmetis.so.5) echo 'Apache-2.0' ;;
    libklu.so.[12] | libbtf.so.[12]) echo 'LGPL-2.1-or-later' ;;
    libamd.so.[23] | libcolamd.so.[23] | libsuitesparseconfig.so.[57]) echo 'BSD-3-Clause' ;;
    libc.so.6 | libm.so.6 | libdl.so.2 | librt.so.1 | libpthread.so.0 | \
        libresolv.so.2 | ld-linux-x86-64.so.2)
        echo 'LGPL-2.1-or-later' ;;
    linux-vdso.so.1) echo 'the kernel, not linked' ;;
    libgcc_s.so.1 | libgomp.so.1) echo 'GPL-3.0 with the GCC runtime exception' ;;
    libasan.so.* | libubsan.so.* | libtsan.so.*) echo 'MIT or Apache-2.0 with LLVM exception' ;;
    libstdc++.so.6) echo 'GPL-3.0 with the GCC runtime exception' ;;
    libomp.so.5) echo 'Apache-2.0 with LLVM exception' ;;
    libmpi.so.40 | libopen-rte.so.40 | libopen-pal.so.40 | libopen-pal.so.80 | libpmix.so.2) echo 'BSD-3-Clause (Open MPI)' ;;
    # What the Open MPI of Debian 13 brings.
    libpsm2.so.2 | libfabric.so.1 | libibverbs.so.1 | librdmacm.so.1 | libefa.so.1) echo 'BSD, or GPL-2.0 if one prefers' ;;
    libcap.so.2) echo 'BSD-3-Clause, or GPL-2.0 if one prefers' ;;
    libnl-3.so.200 | libnl-route-3.so.200) echo 'LGPL-2.1-only' ;;
    libmunge.so.2) echo 'LGPL-3.0-or-later' ;;
    libmpich.so.12) echo 'the MPICH licence, permissive' ;;
    libhwloc.so.15 | libevent_core-2.1.so.7 | libevent_pthreads-2.1.so.7) echo 'BSD-3-Clause' ;;
    libucp.so.0 | libucs.so.0 | libuct.so.0 | libucm.so.0) echo 'BSD-3-Clause (UCX)' ;;
    libudev.so.1 | libnuma.so.1) echo 'LGPL-2.1-or-later' ;;
    libz.so.1) echo 'Zlib' ;;
    *) return 1 ;;
    esac
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
            echo "$1 links $soname, which is not in the allow list of $0"
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
        grep -v -e 'libinterweft\.a' -e '/libpthread\.a' || true)
    if [[ -n $foreign ]]; then
        echo "weft links the static archives $foreign"
        status=1
    fi
fi
exit $status
