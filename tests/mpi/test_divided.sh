#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Long programs are divided: every process keeps the operations of its own ranks alone. The same bytes as from one
# process, and of what is wrong in a program the same words.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/mpi/lib.sh"
kind=$(mpi_kinds | sed -n 1p)
cp "$WEFT_SOURCE/tests/mpi/scenarios/divided.yaml" .
goal() {
    awk -v ranks="$1" -v steps="$2" -f "$WEFT_SOURCE/tests/data/workloads/exchange.awk"
}
goal 24 40 >trace.goal
run 0 "$WEFT" import workload trace.goal -o trace.bin
numbers() { # without what tells the setting, and without what only whole programs have
    "$WEFT" export "$1" --format canonical | grep -v ' point \|"bound"\|flow slowdown\|"slowdown"'
}

# One that is divided is the same program; with and without requests, and the binary form too.
for eager in '512 B' '1 MB'; do
    run 0 "$WEFT" run divided.yaml --quiet --new --results whole.weft measure.ideal-limit=100000 \
        host.eager="$eager"
    run 0 "$WEFT" run divided.yaml --quiet --new --results one.weft host.eager="$eager"
    diff <(numbers whole.weft) <(numbers one.weft) || fail "divided, eager $eager: other results"
done
run 0 "$WEFT" run divided.yaml --quiet --new --results one.weft
"$WEFT" export one.weft --format canonical >wanted
for count in 1 2 3 4; do
    for threads in 1 2; do
        run 0 on_ranks "$kind" "$count" "$WEFT" run divided.yaml --quiet --new --results ours.weft \
            --ranks "$count" --threads "$threads"
        diff wanted <("$WEFT" export ours.weft --format canonical) ||
            fail "$count ranks with $threads threads: other results"
    done
done
echo 'divided on 1 to 4 ranks with 1 and 2 threads: the same bytes'

# Mistakes that only the owner of a rank could see, and those that come late in the file.
same_words() { # WORDS: all processes say the same, and it is this
    run 1 "$WEFT" run divided.yaml --quiet --new --results one.weft
    has err "$1"
    cp err one
    for count in 2 4; do
        run 1 on_ranks "$kind" "$count" "$WEFT" run divided.yaml --quiet --new --results ours.weft \
            --ranks "$count"
        grep -F "$(head -1 one)" err >/dev/null || fail "$count ranks: $(cat err)"
    done
}
sed '/^rank 17 /,/^}/s/^l4: recv 1000b from 15 tag 1$/l4: recv 1000b from 15 tag 2/' trace.goal >wrong.goal
mv wrong.goal trace.goal
same_words "send 1000 B to rank 17 with tag 1 (operation 112 of rank 15): that rank has no receive for this message"
goal 24 40 | sed '/^rank 23 /,/^}/s/^l3: send 1000b to 1 /l3: send 1000b to 99 /' >trace.goal
same_words 'ranks are 0 to 23, found 99'
goal 24 40 | sed '/^rank 20 /,/^}/s/^l5 requires l4$/l4 requires l5\nl5 requires l4/' >trace.goal
same_words 'rank 20: operation'
goal 24 40 | sed '/^rank 9 /,/^}/s/^l1: recv 64b from 8 tag 0$/l1: recv 64b from -1 tag 0/' >trace.goal
same_words 'rank 9 receives from any source or with any tag'
has err 'measure.ideal-limit: 2880'

# Ranks that wait for each other are told in the same words.
cat >trace.goal <<'END'
num_ranks 8
rank 0 {
a: recv 100b from 7 tag 3
b: send 100b to 1 tag 3
b requires a
}
END
for rank in 1 2 3 4 5 6 7; do
    printf 'rank %d {\na: recv 100b from %d tag 3\nb: send 100b to %d tag 3\nb requires a\n}\n' \
        "$rank" $((rank - 1)) $(((rank + 1) % 8)) >>trace.goal
done
run 3 "$WEFT" run divided.yaml --quiet --new --results one.weft
has err 'rank 0 waits at recv 100 B from rank 7 (operation 1 of rank 0)'
grep '  rank\|  and' err >wanted
for count in 2 4; do
    run 3 on_ranks "$kind" "$count" "$WEFT" run divided.yaml --quiet --new --results ours.weft --ranks "$count"
    diff wanted <(grep '  rank\|  and' err | head -"$(wc -l <wanted)") || fail "$count ranks tell it differently"
done
echo 'mistakes are told in the same words on 1, 2 and 4 ranks'
