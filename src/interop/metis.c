/* SPDX-License-Identifier: Apache-2.0 */
/* The only file that names METIS. */
#include "interop/graph.h"

#include <assert.h>
#include <metis.h>

static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit indices");

bool weft_graph_can_halve(void)
{
    return true;
}

weft_status weft_graph_halve(const weft_graph *graph, int32_t *load, int seed, int32_t *weight,
                             int32_t *part, weft_error *err)
{
    idx_t options[METIS_NOPTIONS], vertices = (idx_t)graph->vertices, constraints = 1, parts = 2;
    (void)METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_NUMBERING] = 0;
    int code =
        METIS_PartGraphRecursive(&vertices, &constraints, graph->start, graph->to, load, NULL,
                                 graph->weight, &parts, NULL, NULL, options, weight, part);
    if (code == METIS_OK)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "METIS could not cut the network (%s)",
                     code == METIS_ERROR_MEMORY ? "out of memory" : "its error");
}
