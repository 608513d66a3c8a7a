/* SPDX-License-Identifier: Apache-2.0 */
/* In place of metis.c in a program that was built without METIS. An order of its own would number
 * the routers of a fabric differently, and the same file would give other results. */
#include "interop/graph.h"

bool weft_graph_can_halve(void)
{
    return false;
}

weft_status weft_graph_halve(const weft_graph *graph, int32_t *load, int seed, int32_t *weight,
                             int32_t *part, weft_error *err)
{
    (void)graph, (void)load, (void)seed, (void)weight, (void)part;
    return weft_fail(
        err, WEFT_BAD_INPUT,
        "this program was built without METIS (Debian: libmetis-dev), which orders the "
        "routers of a fabric; --order file keeps the order of the file");
}
