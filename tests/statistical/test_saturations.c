/* SPDX-License-Identifier: Apache-2.0 */
/* A few random networks; tests/long has 200.
 *
 *     test_saturations [FIRST [COUNT]]     from this seed on */
#include "statistical/saturations.h"

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : argc > 1 ? 1 : 5;
    return saturations_try(first, count) > 0;
}
