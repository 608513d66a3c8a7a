#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The release archive: the same bytes each time, the report page inside, configured and its page built where there
# is neither node nor npm, nor cmocka. The whole build from it is tests/long/test_debian.sh.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

if [[ ! -e $WEFT_SOURCE/.git || ! -s $WEFT_BUILD/report/head.html ]]; then
    echo 'skipped: no checkout, or a build without the report page'
    exit 77
fi
version=$(sed -n 's/.*WEFT_VERSION "\(.*\)".*/\1/p' "$WEFT_SOURCE/include/interweft/version.h")
mkdir one two
"$WEFT_SOURCE/tools/dist" "$version" "$WEFT_BUILD/report" one >/dev/null 2>&1
"$WEFT_SOURCE/tools/dist" "$version" "$WEFT_BUILD/report" two >/dev/null 2>&1
cmp "one/interweft-$version.tar.gz" "two/interweft-$version.tar.gz" || fail 'two archives of one tree differ'

tar xf "one/interweft-$version.tar.gz"
cd "interweft-$version" || exit 1
for file in CMakeLists.txt README.md LICENSE tools/install-deps report/built/head.html examples/01-first-curve/torus.yaml; do
    [[ -s $file ]] || fail "the archive has no $file"
done
[[ ! -e build && ! -e .git && -z $(find . -type f -empty ! -name py.typed) ]] || fail 'the archive holds more than sources'

# A machine without node: programs are found through links, and these are none of them.
mkdir ../bin
for program in cmake make ninja pkg-config as ld uname sed; do
    path=$(command -v "$program") && ln -s "$path" "../bin/$program"
done
env PATH="$PWD/../bin" CC="$(command -v "$WEFT_CC")" cmake -B build -D CMAKE_DISABLE_FIND_PACKAGE_cmocka=ON -D WEFT_BENCH=OFF \
    -D WEFT_REPORT=ON -D WEFT_MPI=OFF -D WEFT_METIS=OFF -D WEFT_KLU=OFF >log 2>&1 || { cat log; fail 'it is not configured without node'; }
grep -q 'Without METIS (Debian: libmetis-dev): import of fabrics only with --order file' log || { cat log; fail 'METIS is not named'; }
grep -q 'Without KLU (Debian: libsuitesparse-dev)' log || fail 'KLU is not named'
grep -q 'Without tests (Debian: libcmocka-dev)' log || fail 'cmocka is not named'
grep -q 'Without MPI (Debian: libopenmpi-dev' log || fail 'MPI is not named'
cmake --build build --target report_page >log 2>&1 || { cat log; fail 'the page is not built'; }
