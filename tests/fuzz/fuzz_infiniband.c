/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions and dumps of an InfiniBand subnet, of any bytes: each reader gets them, those of
 * dumps for the subnet of tests/data/infiniband, whose files are the corpus. None crashes; what a
 * description makes is sound, and written and read again it is the same. WEFT_READER=lft, or
 * another of the names below, gives them to one reader alone. */
#include "fuzz_file.h"
#include "interop/graph.h"
#include "interop/infiniband/dumps.h"
#include "interop/infiniband/fabric.h"

/* Is the fabric sound, and the same after a round trip? */
static void examine(const weft_weftnet *net)
{
    weft_pack one = {0}, two = {0};
    weft_weftnet again;
    weft_error err;
    weft_weftnet_pack(net, &one);
    if (weft_weftnet_parse("fuzz", one.data, one.count, &again, &err) != WEFT_OK)
        abort();
    weft_weftnet_pack(&again, &two);
    if (one.count != two.count || memcmp(one.data, two.data, one.count) != 0)
        abort();
    weft_weftnet_done(&again);
    weft_pack_done(&one);
    weft_pack_done(&two);
}

typedef weft_status describe(weft_ib_fabric *, const weft_ib_source *, weft_error *);

static weft_status make(describe *read, const weft_ib_source *source, weft_weftnet *net)
{
    weft_ib_fabric fabric;
    weft_error err;
    weft_ib_fabric_init(&fabric, "fuzz");
    *net = (weft_weftnet){0};
    weft_status status = read(&fabric, source, &err);
    if (status == WEFT_OK)
        status = weft_ib_fabric_check(&fabric, &err);
    if (status == WEFT_OK)
        status = weft_ib_fabric_finish(&fabric, !weft_graph_can_halve(), net, &err);
    weft_ib_fabric_done(&fabric);
    if (status == WEFT_OK)
        weft_ib_lids_list(net->subnet);
    return status;
}

/* The subnet of the corpus, packed. */
static weft_pack corpus(void)
{
    weft_pack pack = {0};
    weft_weftnet net;
    weft_ib_source source = {.file = "tests/data/infiniband/ibnetdiscover.txt"};
    if (make(weft_ib_netdiscover_read, &source, &net) != WEFT_OK)
        abort(); /* run it where tests/ is */
    weft_weftnet_pack(&net, &pack);
    weft_weftnet_done(&net);
    return pack;
}

typedef weft_status dump(weft_weftnet *, const weft_ib_source *, weft_text *, weft_error *);

/* Readers of descriptions and of dumps, by name. */
static const struct {
    const char *name;
    describe *read;
} descriptions[] = {{"netdiscover", weft_ib_netdiscover_read}, {"subnet", weft_ib_subnet_read}};
static const struct {
    const char *name;
    dump *read;
} dumps[] = {{"lft", weft_ib_lft_read},
             {"sl2vl", weft_ib_sl2vl_read},
             {"path-sl", weft_ib_path_sl_read},
             {"qos", weft_ib_qos_read}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static weft_pack base;
    weft_ib_source source = {.file = "fuzz", .text = (const char *)data, .length = size};
    weft_weftnet net;
    weft_error err;
    weft_text found;
    if (!base.data)
        base = corpus();
    if (!data)
        return 0;
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++) {
        if (!fuzz_wants(descriptions[i].name))
            continue;
        if (make(descriptions[i].read, &source, &net) == WEFT_OK)
            examine(&net);
        weft_weftnet_done(&net);
    }
    for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
        if (!fuzz_wants(dumps[i].name))
            continue;
        weft_text_init(&found);
        if (weft_weftnet_parse("corpus", base.data, base.count, &net, &err) != WEFT_OK)
            abort();
        if (dumps[i].read(&net, &source, &found, &err) == WEFT_OK)
            examine(&net);
        weft_weftnet_done(&net);
        weft_text_done(&found);
    }
    return 0;
}
