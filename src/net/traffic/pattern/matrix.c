/* SPDX-License-Identifier: Apache-2.0 */
/* A traffic matrix from a file: line f, column t is the weight of traffic from f to t; the offered
 * traffic of a class is divided in these proportions. */
#include "net/traffic/common/traffic_table.h"
#include "net/traffic/pattern.h"

typedef struct settings {
    weft_file file;
    int of;
} settings;

static const weft_param params[] = {
    {.name = "file",
     .brief =
         "weights with commas: a line for each sender and a column for each receiver, or lines "
         "from,to,weight under a line of these names",
     .type = WEFT_PARAM_FILE,
     .offset = offsetof(settings, file)},
    {.name = "of",
     .brief =
         "what lines and columns are: endpoints, routers (those that have endpoints) or groups",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, of),
     .fallback = "endpoints",
     .choices = weft_traffic_table_places},
    {.name = NULL},
};

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    const settings *set = given;
    return weft_traffic_table_build(pattern, &set->file, WEFT_WEIGHTS_EITHER, set->of, err);
}

WEFT_TRAFFIC_TABLE_KIND(matrix, "matrix", "in the proportions of a traffic matrix from a file");
