#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fresh systems of Debian 12 and 13 (or WEFT_SUITES): from the release archive to a first curve in ten minutes, without
# network once the packages are there; the fast tests; then the Debian packages, built and installed there. The same results on both.
set -euo pipefail
work=$(mktemp -d)
cd "$work"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/debian.sh"
read -r -a suites <<<"${WEFT_SUITES:-bookworm trixie}"
trap 'for suite in "${suites[@]}"; do leave "$suite"; done; rm -rf "$work"' EXIT
name=$(archive)

# from_archive SUITE: as docs/howto/install.md says.
from_archive() {
    local start=$SECONDS
    within "$1" "tar xf $name.tar.gz && $name/tools/install-deps --build" >install.log 2>&1 || { tail install.log; exit 1; }
    {
        echo "cd /srv/$name"
        sed -n '/^cmake -B/,/^cmake --install/s|~/\.local|/usr/local|p; /^cmake -B/,/^cmake --build/p' "$WEFT_SOURCE/docs/howto/install.md"
    } >"$1/srv/build.sh"
    [[ $(wc -l <"$1/srv/build.sh") -eq 4 ]] || { cat "$1/srv/build.sh"; exit 1; }
    # No network from here on.
    unshare --net chroot "$1" bash -e /srv/build.sh >build.log 2>&1 || { tail -30 build.log; exit 1; }
    first_curve "$1"
    limit $((SECONDS - start)) 600 "$1: from the release archive to the first curve"
    golden "$1" "$name"
    within "$1" "cmake --build $name/build --target uninstall && ! command -v weft && rm -rf $name/build" >/dev/null
}

# fast_tests SUITE: built and run there; those that need more than is installed are skipped.
fast_tests() {
    within "$1" "apt-get -qq -y install --no-install-recommends libcmocka-dev sqlite3 g++ git procps python3" >install.log 2>&1 ||
        { tail install.log; exit 1; }
    within "$1" "cmake -S $name -B tests -D WEFT_BENCH=OFF && cmake --build tests -j 2" >build.log 2>&1 || { tail -30 build.log; exit 1; }
    within "$1" 'ctest --test-dir tests -L "^fast$" -j 2 --output-on-failure' >tests.log 2>&1 || { tail -200 tests.log; exit 1; }
    echo "$1: $(grep 'tests passed' tests.log)"
    rm -rf "$1/srv/tests"
}

# packages SUITE: built in it, installed in it.
packages() {
    cp -r "$WEFT_SOURCE/debian" "$1/srv/$name/"
    within "$1" "mkdir -p packages && apt-get -qq -y install --no-install-recommends dpkg-dev fakeroot &&
        apt-get -qq -y build-dep --no-install-recommends ./$name && $name/tools/deb $name.tar.gz packages" >build.log 2>&1 ||
        { tail -30 build.log; exit 1; }
    local start=$SECONDS
    within "$1" 'rm -f packages/*dbgsym* torus.weft; apt-get -qq -y install --no-install-recommends ./packages/interweft_*.deb' \
        >install.log 2>&1 || { tail install.log; exit 1; }
    first_curve "$1"
    limit $((SECONDS - start)) 120 "$1: from apt install to the first curve"
    golden "$1" "$name"
}

for suite in "${suites[@]}"; do
    fresh "$suite"
    cp "$name.tar.gz" "$suite/srv/"
    within "$suite" 'apt-get -qq update' >/dev/null
    from_archive "$suite"
    fast_tests "$suite"
    packages "$suite"
done
