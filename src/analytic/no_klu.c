/* SPDX-License-Identifier: Apache-2.0 */
/* In place of klu.c in a program that was built without KLU. */
#include "analytic/chain.h"

weft_status weft_chain_klu(const weft_chain *chain, double *p, weft_error *err)
{
    (void)p;
    return weft_fail(
        err, WEFT_BAD_INPUT,
        "a chain of %u states with long transitions is solved by KLU, and this program "
        "was built without it (Debian: libsuitesparse-dev); solver=gth does without, "
        "in more time and memory",
        chain->states);
}
