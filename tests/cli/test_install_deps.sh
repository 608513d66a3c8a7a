#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/install-deps starts no service: while packages are set up a policy forbids it, behind that new services are
# disabled. What was there before stays as it was. Programs of the system are stand-ins here.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
mkdir bin
export PATH=$PWD/bin:$PATH WEFT_POLICY=$PWD/policy-rc.d
# stand_in NAME: a program of this name, from stdin.
stand_in() {
    { echo '#!/bin/bash'; cat; } >"bin/$1"
    chmod +x "bin/$1"
}
stand_in sudo <<<'exec "$@"'
stand_in update-rc.d <<<'echo "$*" >>disabled'
stand_in apt-get <<'END'
[[ " $* " == *' install '* ]] || exit 0
"$WEFT_POLICY" opensm start 2>/dev/null
echo "$?" >answer
END
stand_in dpkg-query <<'END'
grep -qx "${!#}" missing || echo 'install ok installed'
END
# missing PACKAGE...: these are, all others are there.
missing() {
    printf '%s\n' "$@" >missing
}

missing opensm gnuplot-nox
run 0 "$WEFT_SOURCE/tools/install-deps"
is out 'install-deps: installing gnuplot-nox opensm
install-deps: services installed, not started and disabled: opensm'
is answer 101
is disabled 'opensm disable'
[[ ! -e $WEFT_POLICY ]] || fail 'the policy is left behind'

# Services that were there are not touched, and a policy that was there stays.
missing gnuplot-nox
rm -f disabled
run 0 "$WEFT_SOURCE/tools/install-deps"
is answer 127
none disabled
printf '#!/bin/sh\nexit 0\n' >"$WEFT_POLICY"
chmod +x "$WEFT_POLICY"
missing munge
run 1 "$WEFT_SOURCE/tools/install-deps"
has err 'lets munge start: it should answer 101 for now, or munge be installed by hand'
sed -i 's/exit 0/exit 101/' "$WEFT_POLICY"
run 0 "$WEFT_SOURCE/tools/install-deps"
is disabled 'munge disable'
[[ $(tail -n 1 "$WEFT_POLICY") == 'exit 101' ]] || fail 'the policy of the machine is changed'

missing none
run 0 "$WEFT_SOURCE/tools/install-deps"
has out 'packages are installed'

# Names alone; those of Debian 13 are others.
missing opensm
run 0 "$WEFT_SOURCE/tools/install-deps" --list
has out gnuplot-nox
has out libcmocka-dev
run 0 "$WEFT_SOURCE/tools/install-deps" --build --list
! grep -q libcmocka out || fail 'building needs no cmocka'
echo 'VERSION_ID="13"' >trixie
run 0 env WEFT_OS_RELEASE=trixie "$WEFT_SOURCE/tools/install-deps" --test --list
has out libklu2
! grep -q -- -14 out || fail 'Debian 13 has no clang 14'
run 0 "$WEFT_SOURCE/tools/install-deps" --help
has out '--user     to run a program that is built'

# Neither root nor sudo: root is told what to do.
mkdir least
for program in bash env grep sed mktemp rm; do ln -s "$(command -v "$program")" least/; done
ln -s "$PWD/bin/dpkg-query" "$PWD/bin/apt-get" least/
printf '#!/bin/sh\necho 1000\n' >least/id
chmod +x least/id
missing gnuplot-nox
run 1 env PATH="$PWD/least" "$WEFT_SOURCE/tools/install-deps" --user
is err 'install-deps: packages are installed by root, and there is no sudo here; as root: apt-get install gnuplot-nox'
