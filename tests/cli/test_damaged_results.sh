#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A results file whose values another program changed is refused by table, row and reason, and nothing of it is exported.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"
command -v sqlite3 >/dev/null || exit 77
cat >one.yaml <<'END'
interweft: 1
topology: {kind: torus, dims: [4, 4]}
traffic:
  all: {pattern: uniform, load: 0.1, length: 4 flits}
measure: {half-width: 20%}
END
run 0 "$WEFT" run one.yaml --quiet --results whole.weft
run 0 "$WEFT" export whole.weft --format canonical
[[ $(sqlite3 whole.weft 'SELECT count(*) > 0 FROM histogram') == 1 && $(sqlite3 whole.weft 'SELECT count(*) > 0 FROM links') == 1 ]] ||
    fail 'the file has no histogram or no links: nothing is shown'

# refused TABLE REASON SQL: the file as SQL leaves it.
count=0
refused() {
    cp whole.weft changed.weft
    sqlite3 changed.weft "$3" || fail "sqlite3 does not take: $3"
    run 1 "$WEFT" export changed.weft --format canonical
    has err "changed.weft is damaged: table $1, row "
    has err "$2"
    none out
    count=$((count + 1))
}
for column in name class '"by"' unit method; do
    refused metric 'a text holds a zero byte' "UPDATE OR REPLACE metric SET $column = 'a' || char(0) || 'b' WHERE name = 'latency' AND class = '' AND \"by\" = ''"
done
refused metric 'a text is too long' "UPDATE metric SET unit = hex(zeroblob(40000)) WHERE name = 'latency' AND class = '' AND \"by\" = ''"
for column in x y; do
    refused histogram 'an array has a wrong size' "UPDATE histogram SET $column = zeroblob(7)"
    refused histogram 'two arrays differ in size' "UPDATE histogram SET $column = zeroblob(8 * 12345)"
done
refused histogram 'a text holds a zero byte' 'UPDATE histogram SET unit = char(0)'
refused series 'an array has a wrong size' 'INSERT INTO series SELECT point, name, class, unit, x, zeroblob(9) FROM histogram'
refused series 'two arrays differ in size' 'INSERT INTO series SELECT point, name, class, unit, zeroblob(8), zeroblob(16) FROM histogram'
refused links 'a text holds a zero byte' 'UPDATE links SET name = char(0)'
refused provenance 'a text holds a zero byte' 'UPDATE provenance SET host = char(0)'
refused provenance 'a text is too long' 'UPDATE provenance SET build = hex(zeroblob(40000))'
refused point 'a text holds a zero byte' 'UPDATE point SET verdict = char(0)'
refused point 'a text holds a zero byte' 'UPDATE point SET key = char(0)'
refused run 'a text holds a zero byte' 'UPDATE run SET scenario = char(0)'
echo "$count changes, all refused"

# A key names no more settings than a run can vary.
cp whole.weft changed.weft
sqlite3 changed.weft "UPDATE point SET key = '$(printf 'a%d=1 ' {1..3381})'"
run 1 "$WEFT" compare changed.weft whole.weft
is err 'changed.weft is damaged: its points are told apart by more settings than a run can vary'

# Every command that reads points says so, of a single point and of one among several, and leaves no file.
sed -e 's/half-width: 20%/limit: {packets: 500}/; s/load: 0.1, //' one.yaml >several.yaml
printf 'vary: {traffic.all.load: [0.1, 0.2], seed: [1, 2]}\n' >>several.yaml
run 0 "$WEFT" run several.yaml --quiet --results several.weft
damage="UPDATE metric SET unit = hex(zeroblob(40000)) WHERE name = 'latency' AND class = '' AND \"by\" = '' AND point"
cp whole.weft changed.weft
sqlite3 changed.weft "$damage = 1"
for point in 1 2 3 4; do
    cp several.weft damaged$point.weft
    sqlite3 damaged$point.weft "$damage = $point"
done
# said FILE COMMAND...: the command says that the file is damaged.
said() {
    run 1 "$WEFT" "${@:2}"
    has err "$1 is damaged: table metric, row "
    [[ -z $(find . -name 'no.*') ]] || fail "a file is left: ${*:2}"
}
for file in changed.weft damaged{1,2,3,4}.weft; do
    said "$file" report "$file"
    said "$file" report "$file" --html no.html
    said "$file" report "$file" --tex no.tex
    said "$file" report "$file" --csv no.csv
    said "$file" export "$file" --format json
    said "$file" compare "$file" "$file"
    said "$file" compare "$file" "$file" --json
    said "$file" explain "$file"
done
for point in 1 2 3 4; do
    said damaged$point.weft compare several.weft damaged$point.weft
    said damaged$point.weft report damaged$point.weft --over seed --tex no.tex
    said damaged$point.weft report several.weft damaged$point.weft --html no.html
done
