/* SPDX-License-Identifier: Apache-2.0 */
/* The worst pattern for a routing, in words and as a file that the pattern `traffic_classes`
 * reads. */
#include "base/file.h"
#include "base/text.h"
#include "analysis/bounds/worst_pattern.h"
#include "study/internal.h"
#include "net/naming.h"

#define EFFORT     8
#define SHOWN_MOST 64 /* pairs of a witness on the terminal */

/* An end by name in an imported fabric, else by number. */
static void add_end(weft_text *text, const weft_topology *topology, const weft_worst *worst,
                    uint32_t end)
{
    char number[WEFT_NAME_BYTES];
    const char *host =
        worst->hosts > 1 || topology->concentration == 1 ? weft_naming_host(topology, end) : NULL;
    if (host)
        weft_text_add(text, "%s", host);
    else if (worst->hosts > 1)
        weft_text_add(text, "%u", end);
    else
        weft_text_add(text, "%s", weft_naming_name(topology, end, number));
}

static void add_witness(weft_text *text, const weft_topology *topology, const weft_worst *worst)
{
    uint32_t shown = worst->ends < SHOWN_MOST ? worst->ends : SHOWN_MOST;
    const char *name = worst->hosts > 1 ? "endpoint" : "router";
    weft_text_add(text, "%-22s %s>%s", "witness", name, name);
    for (uint32_t e = 0; e < shown; e++) {
        weft_text_add(text, "%s", e % 8 ? " " : "\n    ");
        add_end(text, topology, worst, e);
        weft_text_append(text, ">", 1);
        add_end(text, topology, worst, worst->to[e]);
    }
    if (shown < worst->ends)
        weft_text_add(text, "\n    … %u more (--witness FILE writes all)", worst->ends - shown);
    weft_text_add(text, "\n");
}

static void describe(weft_text *text, const weft_network *network, const weft_worst *worst)
{
    char name[WEFT_LINK_NAME_BYTES];
    weft_naming_link(&network->topology, worst->router, worst->port, name);
    weft_text_add(text, "# worst pattern for routing %s\n",
                  network->traffic_classes[0].routing.kind->base.name);
    weft_text_add(text, "%-22s %.6g, on link %s\n", "channel load", worst->gamma, name);
    weft_text_add(text, "%-22s %.6g\n", "throughput bound", worst->throughput);
    if (worst->exact)
        weft_text_add(text, "%-22s exact: no permutation is worse (matchings on all links)\n",
                      "search");
    else if (worst->matched)
        weft_text_add(text, "%-22s the worst found; matchings on %u of %u links\n", "search",
                      worst->matched, worst->links);
    else
        weft_text_add(text, "%-22s the worst found by local search\n", "search");
    add_witness(text, &network->topology, worst);
}

static weft_status write_witness(const char *path, const weft_network *network,
                                 const weft_worst *worst, weft_error *err)
{
    uint32_t each = network->endpoints / worst->ends; /* endpoints of an end */
    weft_text rows;
    weft_text_init(&rows);
    for (uint32_t e = 0; e < network->endpoints; e++)
        if (worst->to[e / each] != e / each)
            weft_text_add(&rows, "%u,%u\n", e, worst->to[e / each] * each + e % each);
    weft_status status = weft_bytes_write(path, rows.at, rows.length, err);
    weft_text_done(&rows);
    return status;
}

weft_status weft_study_worst(weft_study *study, const weft_worst_options *options, char **text,
                             weft_error *err)
{
    weft_study_point point;
    weft_worst worst;
    weft_worst_plan plan = {.seed = options->seed,
                            .effort = options->effort ? options->effort : EFFORT};
    WEFT_TRY(weft_study_point_open(study, 0, &point, err));
    weft_status status = weft_worst_find(&worst, &point.network, 0, &plan, err);
    if (status == WEFT_OK && options->witness && weft_comm_rank(study->comm) == 0)
        status = write_witness(options->witness, &point.network, &worst, err);
    if (status == WEFT_OK) {
        weft_text out;
        weft_text_init(&out);
        describe(&out, &point.network, &worst);
        *text = weft_text_take(&out);
    }
    weft_worst_done(&worst);
    weft_study_point_close(&point);
    return status;
}
