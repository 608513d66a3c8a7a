#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same sources give the same bytes in any folder and at any time: the files that know of folders (the page inside the program, the
# search for MPI modules, assertions and debug information), compiled in two folders whose names differ in length, and the order in
# which the program is linked. The whole build and the Debian packages: tests/long/test_reproducible.sh.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
command -v ninja >/dev/null || { echo 'skipped: needs ninja'; exit 77; }

objects=(CMakeFiles/report_page.dir/report/embed.c.o)
for file in kernel/comm kernel/exchange_self base/version base/memory; do
    objects+=("CMakeFiles/interweft.dir/src/$file.c.o")
done
# build FOLDER BUILD CONFIGURATION FLAGS
build() {
    mkdir "$1"
    cp -r "$WEFT_SOURCE"/{CMakeLists.txt,cmake,include,src,cli,report,tools} "$1/"
    if [[ -s $WEFT_BUILD/report/head.html ]]; then
        mkdir -p "$1/report/built"
        cp "$WEFT_BUILD"/report/{head,tail}.html "$1/report/built/"
    fi
    run 0 cmake -G Ninja -S "$1" -B "$1/$2" -D CMAKE_C_COMPILER="$WEFT_CC" -D CMAKE_BUILD_TYPE="$3" -D CMAKE_C_FLAGS="$4" -D WEFT_BENCH=OFF \
        -D WEFT_TESTS=OFF -D WEFT_MPI=OFF
    run 0 ninja -C "$1/$2" "${objects[@]}"
}
# alike CONFIGURATION FLAGS
alike() {
    local object
    build one build "$1" "$2"
    build another-folder-with-a-longer-name b "$1" "$2"
    for object in "${objects[@]}"; do
        cmp "one/build/$object" "another-folder-with-a-longer-name/b/$object" || fail "$1: $object depends on its folder"
        ! strings -a "one/build/$object" | grep -F "$PWD" || fail "$1: $object holds a path of this machine"
    done
    rm -rf one another-folder-with-a-longer-name
}
alike Release ''
alike RelWithDebInfo -UNDEBUG
# Generators link the program of the same files in the same order.
for generator in Ninja 'Unix Makefiles'; do
    run 0 cmake -G "$generator" -S "$WEFT_SOURCE" -B "by $generator" -D CMAKE_C_COMPILER="$WEFT_CC" -D WEFT_BENCH=OFF -D WEFT_TESTS=OFF \
        -D WEFT_MPI=OFF -D WEFT_REPORT=OFF
done
ninja -C 'by Ninja' -t commands weft | tail -n 1 | grep -oE '[^ ]+\.(o|a|so)\b' >ninja.txt
grep -oE '[^ ]+\.(o|a|so)\b' 'by Unix Makefiles/CMakeFiles/weft.dir/link.txt' >make.txt
[[ $(wc -l <make.txt) -gt 80 ]] || fail 'the files of the program are not known'
diff ninja.txt make.txt || fail 'generators link the program in another order'
! grep -rnE '__(DATE|TIME|TIMESTAMP)__' "$WEFT_SOURCE"/{src,cli,include,report}/ || fail 'the time of a build is in it'
