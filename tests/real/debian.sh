# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Fresh Debian systems in a folder, for tests of packages. Sourced by tests/long/test_debian_packages.sh and
# tests/long/test_debian.sh. Needs root, debootstrap, and the mirror that this machine's apt uses.

# The mirror is the one that this machine is configured for.
# shellcheck disable=SC2016 # apt reads it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -1 || true)
if [[ $(id -u) -ne 0 || -z $mirror ]] || ! command -v debootstrap >/dev/null; then
    echo 'skipped: needs root, debootstrap and a mirror in the sources of apt'
    exit 77
fi

# fresh SUITE: a new system in the folder SUITE.
fresh() {
    debootstrap --variant=minbase "$1" "$PWD/$1" "$mirror" >debootstrap.log 2>&1 || { tail debootstrap.log; exit 1; }
    mount -t proc proc "$1/proc"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts"
    ln -sf pts/ptmx "$1/dev/ptmx"
    mkdir -p "$1/srv"
}
# leave SUITE: it can be removed.
leave() {
    local folder
    for folder in "$1/proc" "$1/dev/pts"; do
        ! mountpoint -q "$folder" || umount "$folder"
    done
}
# within SUITE COMMAND: as root of that system, in its folder /srv.
within() {
    chroot "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive HOME=/root \
        bash -euo pipefail -c "cd /srv; $2"
}
# limit TOOK SECONDS WHAT: says it, and fails if it took longer on a machine with a core to spare.
limit() {
    echo "$3: $1 s"
    (($1 <= $2)) && return
    echo "$2 s are the limit; load average $(cut -d ' ' -f 1 /proc/loadavg) on $(nproc) cores"
    awk -v cores="$(nproc)" '{ exit $1 <= cores + 1 }' /proc/loadavg
}
# archive: writes the release archive into the working directory.
archive() {
    local version
    version=$(sed -n 's/.*WEFT_VERSION "\(.*\)".*/\1/p' "$WEFT_SOURCE/include/interweft/version.h")
    "$WEFT_SOURCE/tools/dist" "$version" "$WEFT_BUILD/report" . >/dev/null
    echo "interweft-$version"
}
# first_curve SUITE: README's scenario with the installed program.
first_curve() {
    cp "$WEFT_SOURCE/examples/01-first-curve/torus.yaml" "$1/srv/"
    within "$1" 'weft run torus.yaml --quiet >table.txt && weft report torus.weft --csv torus.csv --html torus.html >/dev/null'
    [[ $(grep -c converged "$1/srv/table.txt") -ge 24 && -s $1/srv/torus.html ]] || { cat "$1/srv/table.txt"; exit 1; }
}
# golden SUITE NAME: the results of tests/golden with the installed program.
golden() {
    [[ -d $1/srv/$2 ]] || tar xf "$2.tar.gz" -C "$1/srv"
    within "$1" "mkdir -p golden && cd golden && WEFT=\$(command -v weft) WEFT_SOURCE=/srv/$2 bash /srv/$2/tests/golden/test_results.sh"
}
