/* SPDX-License-Identifier: Apache-2.0 */
/* A subnet of InfiniBand as a scenario and the .weftnet fabric beside it. */
#include "interweft/interop.h"

#include "base/memory.h"
#include "interop/infiniband/dumps.h"
#include "interop/infiniband/fabric.h"
#include "interop/infiniband/scenario.h"

#include <stdlib.h>
#include <string.h>

/* ---- which description is it? ---- */

static weft_status look(void *user, weft_ib_line line, weft_error *err)
{
    char *first = user;
    (void)err;
    weft_ib_line_blanks(&line);
    if (*first == '\0' && line.at < line.end)
        *first = *line.at;
    return WEFT_OK;
}

static weft_status describe(const weft_infiniband_options *options, weft_ib_fabric *fabric,
                            weft_text *found, weft_error *err)
{
    weft_ib_source source = {.file = options->file};
    char first = '\0';
    WEFT_TRY(weft_ib_source_read(&source, "a description of a fabric", look, &first, NULL, err));
    weft_text_add(found, "%-22s %s\n", "description",
                  first == '{' ? "opensm-subnet.lst" : "text of ibnetdiscover");
    return first == '{' ? weft_ib_subnet_read(fabric, &source, err)
                        : weft_ib_netdiscover_read(fabric, &source, err);
}

static weft_status read_fabric(const weft_infiniband_options *options, weft_weftnet *net,
                               weft_text *found, weft_error *err)
{
    weft_ib_fabric fabric;
    weft_ib_fabric_init(&fabric, options->file);
    weft_status status = describe(options, &fabric, found, err);
    if (status == WEFT_OK)
        status = weft_ib_fabric_check(&fabric, err);
    if (status == WEFT_OK)
        status = weft_ib_fabric_finish(&fabric, options->keep_order, net, err);
    weft_ib_fabric_done(&fabric);
    if (status == WEFT_OK)
        weft_ib_lids_list(net->subnet);
    return status;
}

static weft_status read_dumps(const weft_infiniband_options *options, weft_weftnet *net,
                              weft_text *found, weft_error *err)
{
    const struct {
        const char *file;
        weft_status (*read)(weft_weftnet *net, const weft_ib_source *source, weft_text *found,
                            weft_error *err);
    } dumps[] = {{options->lft, weft_ib_lft_read},
                 {options->sl2vl, weft_ib_sl2vl_read},
                 {options->path_sl, weft_ib_path_sl_read},
                 {options->qos, weft_ib_qos_read}};
    for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++)
        if (dumps[i].file)
            WEFT_TRY(dumps[i].read(net, &(weft_ib_source){.file = dumps[i].file}, found, err));
    return WEFT_OK;
}

static weft_status write_fabric(const weft_weftnet *net, const char *path, weft_error *err)
{
    weft_pack pack = {0};
    weft_weftnet_pack(net, &pack);
    weft_status status = weft_bytes_write(path, pack.data, pack.count, err);
    weft_pack_done(&pack);
    return status;
}

weft_status weft_import_infiniband(const weft_infiniband_options *options, char **scenario,
                                   char **text, weft_error *err)
{
    weft_weftnet net = {0};
    weft_text found, summary, out;
    weft_text_init(&found);
    weft_text_init(&summary);
    weft_text_init(&out);
    weft_status status = read_fabric(options, &net, &summary, err);
    if (status == WEFT_OK)
        status = read_dumps(options, &net, &found, err);
    if (status == WEFT_OK) {
        weft_ib_summary_add(&net, &summary);
        weft_text_append(&summary, found.at, found.length);
        weft_ib_scenario_add(&net, options->file, options->fabric, &out, &summary);
        status = write_fabric(&net, options->fabric, err);
    }
    weft_text_done(&found);
    weft_weftnet_done(&net);
    *text = status == WEFT_OK ? weft_text_take(&summary) : NULL;
    *scenario = status == WEFT_OK ? weft_text_take(&out) : NULL;
    weft_text_done(&summary);
    weft_text_done(&out);
    return status;
}
