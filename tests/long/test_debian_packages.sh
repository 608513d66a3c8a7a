#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian packages: built here (a Debian 12), without a complaint of lintian but that it is a first upload, and
# installed in a fresh bookworm. From `apt install` to the first curve in two minutes, results as recorded.
# tests/long/test_debian.sh builds in fresh systems, too.
set -euo pipefail
work=$(mktemp -d)
cd "$work"
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/real/debian.sh"
trap 'leave bookworm; rm -rf "$work"' EXIT
if ! grep -q '^VERSION_ID="12"' /etc/os-release || ! command -v dh >/dev/null || [[ ! -s $WEFT_BUILD/report/head.html ]]; then
    echo 'skipped: needs Debian 12, debhelper and a build with the report page'
    exit 77
fi

name=$(archive)
mkdir packages
"$WEFT_SOURCE/tools/deb" "$name.tar.gz" packages >build.log 2>&1 || { tail -30 build.log; exit 1; }
if command -v lintian >/dev/null; then
    lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning packages/*.changes ||
        { echo 'lintian complains'; exit 1; }
fi

fresh bookworm
cp packages/*.deb bookworm/srv/
rm -f bookworm/srv/*dbgsym*
within bookworm 'apt-get -qq update' >/dev/null
start=$SECONDS
within bookworm 'apt-get -qq -y install --no-install-recommends ./interweft_*.deb' >install.log 2>&1 || { tail install.log; exit 1; }
first_curve bookworm
limit $((SECONDS - start)) 120 'bookworm: from apt install to the first curve'
golden bookworm "$name"
within bookworm 'cd /usr/share/doc/interweft && test -s README.md && test -s examples/01-first-curve/torus.yaml' ||
    { echo 'README or examples are not where a newcomer looks'; exit 1; }

# The other packages: a C program against the library, two processes, and all of it removed.
within bookworm 'apt-get -qq -y install --no-install-recommends ./*.deb gcc libc6-dev pkg-config openmpi-bin' >install.log 2>&1 ||
    { tail install.log; exit 1; }
# Pages that README and the others name are there, but for sources.
# shellcheck disable=SC2016 # the shell there reads it
within bookworm 'cd /usr/share/doc/interweft
    grep -roE "\]\([A-Za-z.][^)#: ]*" --include="*.md" README.md docs | sed "s/](//" | while IFS=: read -r page link; do
        [[ $link == bench/* || -e $(dirname "$page")/$link ]] || echo "$page: $link"
    done' >dead.txt
[[ ! -s dead.txt ]] || { cat dead.txt; echo 'links lead nowhere'; exit 1; }
# shellcheck disable=SC2016 # the shell there reads it
within bookworm 'gcc -std=c17 /usr/share/doc/libinterweft-dev/examples/sweep.c -o sweep $(pkg-config --cflags --libs interweft) && ./sweep' |
    grep -c 'converged' | grep -qx 6 || { echo 'sweep does not run'; exit 1; }
within bookworm 'mpirun --allow-run-as-root --oversubscribe -n 2 weft run torus.yaml traffic.all.rho=0.3 -o two.weft --quiet' >two.txt
grep -q '^All points reached the wanted half-width' two.txt || { cat two.txt; echo 'two processes do not run'; exit 1; }
# The Python package finds the library by itself; the same result as the program's.
within bookworm 'python3 - <<END
import interweft, subprocess
results = interweft.run("torus.yaml", traffic__all__rho=0.3, progress=False)
subprocess.run(["weft", "run", "torus.yaml", "traffic.all.rho=0.3", "-o", "one.weft", "--quiet"], check=True, stdout=subprocess.DEVNULL)
assert interweft.open("one.weft").export() == results.export()
END' || { echo 'python3-interweft does not run'; exit 1; }
within bookworm 'apt-get -qq -y purge "interweft*" "libinterweft*" "python3-interweft"' >/dev/null 2>&1
[[ -z $(find bookworm/usr -name '*interweft*' ! -path '*/doc/*') ]] || { echo 'purging leaves files'; exit 1; }
