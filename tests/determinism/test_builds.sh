#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same result bytes from gcc, from clang, with AVX2 and FMA compiled in, and with
# either withheld from the C library. Builds that were not made, or are older than the sources, are
# left out; .ci/run makes them all.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# same NAME COMMAND...: this command's results are those of the program under test.
same() {
    local name=$1
    shift
    run 0 "$@" run "$scenario" --quiet --results other.weft --new
    [[ $(canonical other.weft) == "$expected" ]] || {
        diff <("$WEFT" export ours.weft --format canonical) \
            <("$WEFT" export other.weft --format canonical) | head -20 || true
        fail "$name gives other results on $(basename "$scenario")"
    }
}

# The variable must reach the C library: there, log and exp have a path with FMA and one without.
withheld=GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2
cat >fma.c <<'END'
#include <math.h>
#include <stdio.h>
int main(void)
{
    unsigned long long sum = 0;
    for (volatile double x = 1; x < 2; x += 1e-5) {
        union { double d; unsigned long long u; } y = {.d = log(x) + exp(x)};
        sum = sum * 31 + y.u;
    }
    printf("%llx\n", sum);
}
END
"$WEFT_CC" -O1 -fno-builtin fma.c -lm -o fma
if grep -qw fma /proc/cpuinfo; then
    [[ $(./fma) != $(env "$withheld" ./fma) ]] || fail 'GLIBC_TUNABLES has no effect here'
fi

programs=()
for build in release clang v3; do
    program=$WEFT_SOURCE/build/$build/weft
    [[ -x $program && ! $program -ef $WEFT ]] || continue
    [[ $build != v3 ]] || grep -qw avx2 /proc/cpuinfo || continue
    stale=$(find "$WEFT_SOURCE"/{include,src,cli} -newer "$program" -name '*.[ch]' -print -quit)
    if [[ $stale ]]; then
        echo "left out: build/$build is older than $stale"
    else
        programs+=("$program")
    fi
done

for scenario in "$WEFT_SOURCE"/tests/determinism/scenarios/*.yaml; do
    run 0 "$WEFT" run "$scenario" --quiet --results ours.weft --new
    expected=$(canonical ours.weft)
    for program in "${programs[@]}"; do
        same "$program" "$program"
    done
    same 'the C library without FMA and AVX2' env "$withheld" "$WEFT"
done
echo "the same results: ${programs[*]} and without FMA, AVX2"
