#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compilers: gcc 11 and 12, clang 14, 16 and 19 of Debian 12, and the gcc of Debian 13 in a fresh system. Each builds the library and
# the program without a warning, and the golden results are as recorded.
#
#     WEFT_COMPILERS='gcc-11 trixie'     some of them; default: all
#     WEFT_COMPILER_FOLDER=F             keeps builds there and goes on with them
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
read -r -a compilers <<<"${WEFT_COMPILERS:-gcc-11 gcc-12 clang-14 clang-16 clang-19 trixie}"
builds=${WEFT_COMPILER_FOLDER:-$PWD/builds}
jobs=${WEFT_JOBS:-$(nproc)}
options=(-G Ninja -D WEFT_WERROR=ON -D WEFT_TESTS=OFF -D WEFT_BENCH=OFF -D WEFT_MPI=OFF)
mkdir -p "$builds"

# openmp VERSION: the OpenMP library of this clang, unpacked: only one can be installed.
openmp() {
    local folder=$builds/openmp-$1 package
    [[ -e $folder/usr ]] && return
    mkdir -p "$folder"
    (cd "$folder" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download "libomp-$1-dev" "libomp5-$1" &&
        for package in *.deb; do dpkg -x "$package" .; done) || fail "libomp-$1-dev is not to be had"
}
# builds_with COMPILER OPTION…
builds_with() {
    local compiler=$1 start=$SECONDS
    shift
    cmake -S "$WEFT_SOURCE" -B "$builds/$compiler" "${options[@]}" -D CMAKE_C_COMPILER="$compiler" "$@" >configure.log 2>&1 ||
        { cat configure.log; fail "$compiler: not configured"; }
    ninja -C "$builds/$compiler" -k 0 -j "$jobs" weft >build.log 2>&1 ||
        { grep -E '(error|warning): ' build.log | head -20; fail "$compiler: does not build without a warning"; }
    WEFT=$builds/$compiler/weft "$WEFT_SOURCE/tools/golden" || fail "$compiler: other results"
    echo "$compiler: $("$compiler" --version | head -1): no warning, golden results as recorded, $((SECONDS - start)) s"
}
# builds_on SUITE: with the gcc of another Debian, from the release archive.
builds_on() {
    local suite=$1
    (
        # shellcheck source=/dev/null
        source "$WEFT_SOURCE/tests/real/debian.sh"
        # shellcheck disable=SC2154 # work is lib.sh's
        trap 'leave "$suite"; rm -rf "$work"' EXIT
        name=$(archive)
        fresh "$suite"
        tar xf "$name.tar.gz" -C "$suite/srv"
        within "$suite" 'apt-get -qq update' >/dev/null
        within "$suite" "$name/tools/install-deps --build" >install.log 2>&1 || { tail install.log; fail "$suite: packages are not installed"; }
        within "$suite" "cmake -S $name -B build ${options[*]} && ninja -C build -k 0 -j $jobs weft" >build.log 2>&1 ||
            { grep -E '(error|warning): ' build.log | head -20; fail "$suite: does not build without a warning"; }
        within "$suite" "ln -sf /srv/build/weft /usr/local/bin/weft"
        golden "$suite" "$name"
        echo "$suite: $(within "$suite" 'gcc --version | head -1'): no warning, golden results as recorded"
    )
}

for compiler in "${compilers[@]}"; do
    case $compiler in
    trixie) builds_on "$compiler" ;;
    *)
        command -v "$compiler" >/dev/null || { echo "skipped: needs $compiler"; exit 77; }
        more=()
        if [[ $compiler == clang-1[69] ]]; then
            version=${compiler#clang-}
            openmp "$version"
            folder=$builds/openmp-$version/usr/lib/llvm-$version/lib
            more=(-D CMAKE_C_FLAGS="-isystem $folder/clang/$version/include"
                -D CMAKE_EXE_LINKER_FLAGS="-L$folder -Wl,-rpath,$folder" -D CMAKE_SHARED_LINKER_FLAGS="-L$folder")
        fi
        builds_with "$compiler" "${more[@]}"
        ;;
    esac
done
