#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Would the property test notice? Every line of mutations.txt breaks one place of the input-queued router; linked with
# the broken file instead of the library's, test_property must fail: packets differ, it crashes, or it does not end.
#
#     name | file below src/ | sed expression         lines that start with # are comments
#
# An expression that does not change exactly one place is an error, so the list cannot rot. The router as it is must pass.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
grep -q __asan_init "$WEFT" && exit 77
networks=150
shopt -s extglob
objects=("$WEFT_BUILD"/tests/CMakeFiles/test_property.dir/reference/test_property.c.o
    "$WEFT_BUILD"/tests/CMakeFiles/test_part_reference.dir/reference/!(traced).c.o)
library=$WEFT_BUILD/libinterweft.a
[[ -f ${objects[0]} && -f $library ]] || { echo 'test_property or the static library is not built'; exit 77; }
random123=$(sed -n 's/^RANDOM123_INCLUDE:PATH=//p' "$WEFT_BUILD/CMakeCache.txt")
flags=(-std=c17 -D_GNU_SOURCE -DNDEBUG -Og -ffp-contract=off -fopenmp)
own=$(sed -n 's/^Libs.private: //p' "$WEFT_BUILD/interweft.pc")
read -r -a libraries <<<"$(pkg-config --libs yaml-0.1 sqlite3) $own -lcmocka"

# build FOLDER [FILE]: test_property with the sources below FOLDER before those of the tree; only what depends on FILE is compiled anew.
build() {
    local folder=$1 changed=${2:-} source built=()
    for source in "$WEFT_SOURCE"/src/sim/router/input_queued/{,*/}*.c; do
        local name=${source#"$WEFT_SOURCE/"} object=$folder/${source##*/}.o
        if [[ -n $changed ]] && ! grep -qF "$changed" "whole/${source##*/}.d"; then
            built+=("whole/${source##*/}.o")
            continue
        fi
        [[ ! -f $folder/$name ]] || source=$folder/$name
        [[ $name != */run.c ]] || source=$WEFT_SOURCE/tests/reference/traced.c
        "$WEFT_CC" "${flags[@]}" -I "$folder/src" -I "$WEFT_SOURCE/include" -I "$WEFT_SOURCE/src" \
            -I "$WEFT_SOURCE/tests" \
            -isystem "$random123" -MMD -MF "${object%.o}.d" -c "$source" -o "$object" || return 1
        built+=("$object")
    done
    "$WEFT_CC" -fopenmp "${objects[@]}" "${built[@]}" "$library" "${libraries[@]}" -o "$folder/property"
}
# mutate NAME FILE EXPRESSION: a copy of the file below NAME/src, with one place changed.
mutate() {
    local copy=$1/src/$2 places
    mkdir -p "${copy%/*}"
    sed "$3" "$WEFT_SOURCE/src/$2" >"$copy"
    places=$(diff "$WEFT_SOURCE/src/$2" "$copy" | grep -cE '^[0-9,]+[acd][0-9,]+$' || true)
    [[ $places -eq 1 ]] || fail "$1: '$3' changes $places places of $2 instead of one"
}

mkdir -p whole/src
build whole || fail 'the router does not build'
SECONDS=0
whole/property "$networks" >out 2>&1 || { cat out; fail 'the router as it is fails'; }
whole/property "$networks" 1 compiled >out 2>&1 || { cat out; fail 'a compiled router as it is fails'; }
# A router that stops is noticed by the time: twice what both together take as they are. The machine may be busier then.
seconds=$((2 * SECONDS + 10))

count=0
while IFS= read -r line; do
    [[ -n $line && $line != '#'* ]] || continue
    name=${line%% | *} rest=${line#* | }
    file=${rest%% | *} expression=${rest#* | }
    name=${name//[^a-z0-9-]/-}
    mutate "$name" "$file" "$expression"
    build "$name" "$file" >"$name/log" 2>&1 || { cat "$name/log"; fail "$name: does not compile, so nothing is shown"; }
    status=0
    timeout "$seconds" "$name/property" "$networks" >"$name/log" 2>&1 &&
        timeout "$seconds" "$name/property" "$networks" 1 compiled >"$name/log" 2>&1 || status=$?
    [[ $status -ne 0 ]] || fail "$name: $networks networks do not notice '$expression' in $file"
    echo "$name: status $status, $(grep -c 'packets differ' "$name/log" || true) networks differ"
    count=$((count + 1))
done <"$WEFT_SOURCE/tests/reference/mutations.txt"
echo "$count mutations, all noticed"
[[ $count -ge 9 ]] || fail "only $count mutations"
