#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The installed library: found by pkg-config and by CMake, shared and static, from C and C++; the programs of
# examples/07-library build without a warning and print results; uninstalling leaves nothing.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

if grep -q '^WEFT_SANITIZE:STRING=.' "$WEFT_BUILD/CMakeCache.txt"; then
    echo 'skipped: a library with sanitizers needs them in every program'
    exit 77
fi
prefix=$PWD/there
# Another test may install at the same time and write its list over ours.
for _ in 1 2 3 4 5; do
    cmake --install "$WEFT_BUILD" --prefix "$prefix" >/dev/null
    cp "$WEFT_BUILD/install_manifest.txt" manifest
    ! grep -q "^$prefix/bin/weft$" manifest || break
done
library=$(dirname "$(find "$prefix" -name libinterweft.a)")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
[[ $(pkg-config --modversion interweft) == $(sed -n 's/.*WEFT_VERSION "\(.*\)".*/\1/p' "$prefix/include/interweft/version.h") ]] ||
    fail 'interweft.pc and version.h do not agree'
read -r -a flags <<<"$(pkg-config --cflags --libs interweft)"

example=$WEFT_SOURCE/examples/07-library
strict=(-O1 -Wall -Wextra -Wpedantic -Werror)
"$WEFT_CC" -std=c17 "${strict[@]}" "$example/sweep.c" -o sweep "${flags[@]}"
"$WEFT_CC" -std=c17 "${strict[@]}" "$example/own_pattern.c" -o own_pattern "${flags[@]}"
cxx=g++
[[ $WEFT_CC != *clang* ]] || cxx=clang++
"$cxx" -std=c++17 "${strict[@]}" "$example/live.cpp" -o live "${flags[@]}"
for header in "$prefix"/include/interweft/*.h; do
    echo "#include <interweft/${header##*/}>" >one.cpp
    "$cxx" -std=c++17 "${strict[@]}" -I "$prefix/include" -fsyntax-only one.cpp || fail "${header##*/} is not C++17 by itself"
done

# Every call has C linkage in C++, too.
nm -D --defined-only "$library/libinterweft.so" | sed -n 's/.* T \(weft_[a-z_0-9]*\)@.*/\1/p' >calls
[[ $(wc -l <calls) -gt 150 ]] || fail 'the library has few calls'
{
    echo '#include <interweft/interweft.h>'
    echo 'typedef void (*call)(void);'
    echo 'extern const call calls[];'
    echo 'const call calls[] = {'
    sed 's/.*/    reinterpret_cast<call>(\&&),/' calls
    echo '};'
    echo 'int main() { return calls[0] == nullptr; }'
} >linked.cpp
"$cxx" -std=c++17 "${strict[@]}" linked.cpp -o linked "${flags[@]}" >log 2>&1 || { cat log; fail 'a call has no C linkage in C++'; }

mkdir empty
cd empty || exit 1
../sweep >../sweep.txt
[[ $(grep -c 'converged .* ± .* cycles$' ../sweep.txt) -eq 6 ]] || { cat ../sweep.txt; fail 'sweep prints no six points'; }
../own_pattern >../own.txt
grep -q '^traffic.all.pattern.stride=9 *converged *2\.1 hops' ../own.txt || { cat ../own.txt; fail 'the own pattern is not run'; }
../live >../live.txt 2>../live.err
grep -q '^9 points, 1 at a time$' ../live.txt || fail 'live: no outline'
grep -q '^enough after 3 points' ../live.txt || { cat ../live.txt ../live.err; fail 'live does not stop'; }
grep -q 'latency' ../live.err || fail 'live: no progress'
[[ -z $(ls) ]] || fail 'results in memory left files'
cd ..

# CMake finds it by its prefix; the static library carries all it needs.
cmake -S "$example" -B cmake -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_C_COMPILER="$WEFT_CC" -D CMAKE_CXX_COMPILER="$cxx" >log 2>&1 ||
    { cat log; fail 'CMake does not find the library'; }
cmake --build cmake >log 2>&1 || { cat log; fail 'CMake does not build with the library'; }
cmake/sweep_static >static.txt
cmp sweep.txt static.txt || fail 'the shared and the static library disagree'
! ldd cmake/sweep_static | grep -q libinterweft || fail 'sweep_static is not static'

# The ABI: a name with its major version, every symbol in a version, and nothing but ours.
objdump -p "$library/libinterweft.so" | grep -q 'SONAME *libinterweft.so.0$' || fail 'no SONAME'
foreign=$(nm -D --defined-only --with-symbol-versions "$library/libinterweft.so" | awk '$3 !~ /^weft_[a-z_0-9]*@@INTERWEFT_0\./ && $2 != "A"')
[[ -z $foreign ]] || fail "symbols that are not ours: $foreign"

# The Python package finds the library of its own installation.
if command -v python3 >/dev/null; then
    env -u LD_LIBRARY_PATH PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$prefix/share/interweft/python" \
        python3 -c 'import interweft; print(interweft._library.lib._name, interweft.model("mm1", lambda_=0.8)[0]["latency"])' >python.txt
    grep -qx "$library/libinterweft.so.0 5 time units" python.txt || { cat python.txt; fail 'Python finds another library, or none'; }
fi

# What the target uninstall calls.
cmake -D MANIFEST="$PWD/manifest" -P "$WEFT_SOURCE/cmake/uninstall.cmake" >log 2>&1 || { cat log; fail 'uninstall fails'; }
left=$(find "$prefix" -type f -o -type l | head -3)
[[ $(wc -l <manifest) -gt 50 && -z $left ]] || fail "uninstalling leaves $left"
! find "$prefix" -name interweft | grep -q . || fail 'uninstalling leaves folders of ours'
