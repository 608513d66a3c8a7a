/* SPDX-License-Identifier: Apache-2.0 */
/* A few random networks; tests/long has 200.
 *
 *     test_saturations [FIRST [COUNT]]     from this seed on */
#include "statistical/saturations.h"

int main(int argc, char **argv)
{
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
    if (argc > 1)
        return saturations_try(strtoull(argv[1], NULL, 10), count) > 0;
    return saturations_try(6, 3) + saturations_try(10, 1) > 0; /* seconds each */
}
