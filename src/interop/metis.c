/* SPDX-License-Identifier: Apache-2.0 */
/* The only file that names METIS. */
#include "interop/graph.h"

#include <assert.h>
#include <metis.h>
#include <signal.h>

static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit indices");

bool weft_graph_can_halve(void)
{
    return true;
}

/* METIS takes SIGTERM and SIGABRT as errors of its own while it works, and gives them back as
 * signals that are caught once. */
static int halve_undisturbed(const weft_graph *graph, idx_t *load, idx_t *options, idx_t *weight,
                             idx_t *part)
{
    idx_t vertices = (idx_t)graph->vertices, constraints = 1, parts = 2;
    struct sigaction stop, failure;
    sigaction(SIGTERM, NULL, &stop);
    sigaction(SIGABRT, NULL, &failure);
    int code =
        METIS_PartGraphRecursive(&vertices, &constraints, graph->start, graph->to, load, NULL,
                                 graph->weight, &parts, NULL, NULL, options, weight, part);
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGABRT, &failure, NULL);
    return code;
}

weft_status weft_graph_halve(const weft_graph *graph, int32_t *load, int seed, int32_t *weight,
                             int32_t *part, weft_error *err)
{
    idx_t options[METIS_NOPTIONS];
    (void)METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_NUMBERING] = 0;
    int code = halve_undisturbed(graph, load, options, weight, part);
    if (code == METIS_ERROR) {
        /* A SIGTERM that was not for METIS: it ends the process, or asks it to stop, and the graph
         * is halved once more. */
        (void)raise(SIGTERM);
        code = halve_undisturbed(graph, load, options, weight, part);
    }
    if (code == METIS_OK)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "METIS could not cut the network (%s)",
                     code == METIS_ERROR_MEMORY ? "out of memory" : "its error");
}
