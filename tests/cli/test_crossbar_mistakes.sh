#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# weft crossbar: what is wrong in a matrix, its starts or a CSV file is told; inputs that searches take one by one.
# shellcheck source=/dev/null
source "$WEFT_SOURCE/tests/cli/lib.sh"

# told MESSAGE ARGUMENT...: a run is refused with this first line.
told() {
    run 1 "$WEFT" crossbar run "${@:2}"
    none out
    [[ $(head -n 1 err) == "$1" ]] || { cat err; fail "not: $1"; }
}
for n in 3 4; do told "command line: n must be 2 as the matrix has, found $n" 'matrix=[[1,2],[2,1]]' n=$n; done
told 'command line: matrix must be a list of 1 … 1024 rows, such as [[1, 2], [2, 1]], found an empty list' 'matrix=[]'
told 'command line: matrix: row 1 must be a list of 2 numbers' 'matrix=[[1,2],3]'
for cell in a -1 99999999999; do
    told "command line: matrix: row 0 must hold whole numbers from 0 to 1000000, found '$cell'" "matrix=[[$cell,2],[1,2]]"
done
told 'command line: matrix: row 0 must hold whole numbers from 0 to 1000000, found a list' 'matrix=[[1,[2]],[1,2]]'
told 'command line: matrix: rows must add up to 1 … 2147483647, found 0 in row 0' 'matrix=[[0,0],[0,0]]'
told 'command line: matrix: all rows and columns must have the same sum; row 0 has 3, column 0 has 2' 'matrix=[[1,2],[1,2]]'
told 'command line: matrix log-diagonal: n must be at most 20, found 100' matrix=log-diagonal n=100
told 'command line: w must be a whole number of thousandths, found 1e-05' matrix=unbalanced n=4 w=0.00001
told 'command line: starts must have 4 rows, found 1' matrix=uniform n=4 'starts=[[1]]'
told "command line: starts: row 0 must hold whole numbers from 0 to 1000000, found 'x'" matrix=uniform n=2 'starts=[[x,2],[3,4]]'
told 'command line: starts go with input smoothed' matrix=uniform n=2 'starts=[[1,2],[3,4]]' input=bursty
told 'a period of 1000000000 slots is too long; choose a smaller sum of the rows (or burst, or a rho with fewer digits)' \
    'matrix=[[1000000,0],[0,1000000]]' input=bursty burst=1000
told 'starts: the inputs take 135000000 slots or more until they repeat themselves, which is too long; choose earlier starts, a smaller sum of the rows or a rho with fewer digits' \
    'matrix=[[44999,1],[1,44999]]' rho=0.999 'starts=[[1,0],[0,0]]'
# csv MESSAGE TEXT: the file as printf writes it.
csv() {
    printf '%b' "$2" >it.csv
    told "it.csv$1" matrix=it.csv
}
csv ': has 1 lines of numbers, needs 2' '1,2\n'
csv ': has 0 lines of numbers, needs 1' '# nothing\n'
for text in '1,x\n2,1\n' '1,-2\n2,1\n' '1,2x\n2,1\n' '1,\n2,1\n'; do
    csv ':1: a matrix is as many lines as a line has whole numbers, separated by commas, at most 1024' "$text"
done
csv ':3: a matrix is as many lines as a line has whole numbers, separated by commas, at most 1024' '1,2\n2,1\n3,3\n'
told 'gone.csv cannot be read: No such file or directory' matrix=gone.csv
printf '1, 2 \n2\t,1\r\n' >blanks.csv
run 0 "$WEFT" crossbar run matrix=blanks.csv --slots 1
has out '   1 2
   2 1'
run 0 "$WEFT" crossbar run matrix=diagonal n=1 --slots 1
has out 'workload    1 × 1, rows and columns add up to 1; offered load 1'
run 0 "$WEFT" crossbar count n=6 d=9 # OEIS A003438
is out 'n=6 d=9  842286559093240 matrices'

# 2^32 slots and more are no small period.
for burst in 8192 8193; do
    run 1 "$WEFT" crossbar search n=3 d=524288 matrices=permuted count=1 input=bursty burst=$burst --results long$burst.weft --quiet
    is err "a period of $((524288 * burst)) slots is too long; choose a smaller sum of the rows (or burst, or a rho with fewer digits)"
    [[ ! -e long$burst.weft ]] || fail 'a search that cannot start leaves a file'
done

# Bursts, one switch at a time or many at once: the same bytes.
for lanes in 1 64; do
    run 0 "$WEFT" crossbar search n=3 d=3 input=bursty burst=2 --lanes $lanes --results lanes$lanes.weft --quiet
    has out 'worst'
done
[[ $(canonical lanes1.weft) == "$(canonical lanes64.weft)" ]] || fail 'lanes change what bursts give'
# Schedulers and inputs that draw have no period.
for setting in scheduler=pim input=bernoulli input=on-off; do
    run 0 "$WEFT" crossbar run matrix=uniform n=3 "$setting" --slots 2 --quiet
    has out 'throughput'
done
