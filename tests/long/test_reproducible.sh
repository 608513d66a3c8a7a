#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds are reproducible bit by bit: the release archive is built and installed in two folders whose names differ in length, one
# after the other, by one compiler at a time and by several, in other locales and time zones; the program, the libraries, the
# modules, the page and all else that is installed are the same bytes. So are the Debian packages, where debhelper is installed.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
if [[ ! -e $WEFT_SOURCE/.git || ! -s $WEFT_BUILD/report/head.html ]]; then
    echo 'skipped: no checkout, or a build without the report page'
    exit 77
fi
version=$(sed -n 's/.*WEFT_VERSION "\(.*\)".*/\1/p' "$WEFT_SOURCE/include/interweft/version.h")
mkdir first then-another-with-a-longer-name
"$WEFT_SOURCE/tools/dist" "$version" "$WEFT_BUILD/report" . >/dev/null 2>&1
# build FOLDER JOBS GENERATOR
build() {
    tar xf "interweft-$version.tar.gz" -C "$1"
    run 0 cmake -G "$3" -S "$1/interweft-$version" -B "$1/build" -D CMAKE_INSTALL_PREFIX=/usr -D WEFT_TESTS=OFF -D WEFT_BENCH=OFF
    run 0 cmake --build "$1/build" -j "$2"
    run 0 env DESTDIR="$PWD/$1/installed" cmake --install "$1/build"
}
build first 1 Ninja
export TZ=Asia/Tokyo LC_ALL=C
umask 027
build then-another-with-a-longer-name 3 'Unix Makefiles'
umask 022
(cd first/installed && find . -type f | sort | xargs sha256sum) >first.txt
(cd then-another-with-a-longer-name/installed && find . -type f | sort | xargs sha256sum) >second.txt
diff first.txt second.txt || fail 'two builds differ'
! grep -rlF "$PWD" first/installed || fail 'a file holds a path of this machine'
echo "$(wc -l <first.txt) installed files are the same, among them $(grep -cE 'bin/weft$|libinterweft|interweft-mpi' first.txt) of code"

command -v dh >/dev/null || { echo 'left out: packages, there is no debhelper'; exit 0; }
mkdir packages a-longer-name-for-packages
WEFT_JOBS=1 "$WEFT_SOURCE/tools/deb" "interweft-$version.tar.gz" packages >deb.log 2>&1 || { tail -30 deb.log; fail 'no packages'; }
WEFT_JOBS=3 TZ=America/Lima "$WEFT_SOURCE/tools/deb" "interweft-$version.tar.gz" a-longer-name-for-packages >deb.log 2>&1 ||
    { tail -30 deb.log; fail 'no packages'; }
for package in packages/*.deb packages/*.dsc packages/*.debian.tar.xz; do
    cmp "$package" "a-longer-name-for-packages/$(basename "$package")" || fail "$(basename "$package") differs"
done
echo "$(find packages -name '*.deb' | wc -l) packages are the same"
