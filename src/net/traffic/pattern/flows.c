/* SPDX-License-Identifier: Apache-2.0 */
/* A list of flows between endpoints from a file; the offered traffic of a class is divided among
 * them in proportion to their weights. */
#include "net/traffic/common/traffic_table.h"
#include "net/traffic/pattern.h"

typedef struct settings {
    weft_file file;
} settings;

static const weft_param params[] = {
    {.name = "file",
     .brief = "lines from,to,weight (or from,to: weight 1) of endpoints' numbers",
     .type = WEFT_PARAM_FILE,
     .offset = offsetof(settings, file)},
    {.name = NULL},
};

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    const settings *set = given;
    return weft_traffic_table_build(pattern, &set->file, WEFT_WEIGHTS_FLOWS, WEFT_OF_ENDPOINTS,
                                    err);
}

WEFT_TRAFFIC_TABLE_KIND(flows, "flows", "in the proportions of a list of flows from a file");
