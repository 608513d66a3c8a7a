#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What fuzzing has found worth keeping (tests/fuzz/corpus), and the seeds, once more: every reader takes each file or refuses it,
# whatever compiler and sanitizers this build has. The readers of command lines need the program itself, so tools/fuzz alone
# has them.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
cd "$WEFT_SOURCE" || exit
here=$OLDPWD readers=0 files=0
while read -r reader target _ folders; do
    [[ $reader != '#'* && -n $reader && $target != fuzz_command ]] || continue
    read -r -a seeds <<<"${folders//-/}"
    mkdir -p "$here/$reader/packed"
    [[ ! -e tests/fuzz/corpus/$reader.zip ]] || python3 -m zipfile -e "tests/fuzz/corpus/$reader.zip" "$here/$reader/packed"
    [[ ! -d tests/fuzz/corpus/$reader ]] || seeds+=("tests/fuzz/corpus/$reader")
    mapfile -t inputs < <(find "$here/$reader/packed" "${seeds[@]}" -type f -size -64k)
    TMPDIR=$here/$reader WEFT_READER=$reader "$WEFT_BUILD/tests/test_corpora" "$target" "${inputs[@]}" >"$here/log" 2>&1 </dev/null ||
        { tail -n 30 "$here/log"; fail "$reader: an input of its corpus ends the program"; }
    readers=$((readers + 1)) files=$((files + ${#inputs[@]}))
done <tests/fuzz/readers.txt
[[ $readers -ge 30 ]] || fail "only $readers readers"
echo "$readers readers, $files inputs"
# The table of docs/reliability.md is that of docs/fuzz.csv.
tools/fuzz --table >"$here/table"
! grep -vxFf docs/reliability.md "$here/table" || fail 'docs/reliability.md has another table: tools/fuzz --table'
