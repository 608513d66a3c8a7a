/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies and routing functions. BookSim numbers routers with the first coordinate as the
 * lowest digit and goes along it first; Interweft's first dimension is the highest digit. So a
 * network is the same with its coordinates in the other order, and so is every pattern that does
 * not mind (booksim_traffic.c). */
#include "interop/booksim.h"

#include <string.h>

#define ROUTERS_MOST 16777216

static weft_status size_of(const weft_booksim *set, weft_booksim_net *net, int64_t least_k,
                           int64_t least_n)
{
    WEFT_TRY(weft_booksim_int(set, "k", least_k, 1024, &net->k));
    WEFT_TRY(weft_booksim_int(set, "n", least_n, 24, &net->n));
    net->nodes = 1;
    for (int64_t i = 0; i < net->n; i++)
        if ((net->nodes *= net->k) > ROUTERS_MOST)
            return weft_booksim_refuse(set, "n", "k^n routers are too many, at most %d",
                                       ROUTERS_MOST);
    return WEFT_OK;
}

static void write_dims(const weft_booksim_net *net, const char *kind, int64_t hosts, weft_text *out)
{
    weft_text_add(out, "topology: {kind: %s, dims: [", kind);
    for (int64_t i = 0; i < net->n; i++)
        weft_text_add(out, "%s%lld", i ? ", " : "", (long long)net->k);
    if (hosts > 1)
        weft_text_add(out, "], hosts: %lld}\n", (long long)hosts);
    else
        weft_text_add(out, "]}\n");
}

static void write_links(const weft_booksim_net *net, weft_text *out)
{
    weft_text_add(out, "links:    {local: {latency: %lld cycle%s}, host: {latency: 1 cycle}}\n",
                  (long long)net->wire, net->wire == 1 ? "" : "s");
}

/* xr and yr stretch patterns even where there is no concentration. */
static weft_status not_stretched(const weft_booksim *set)
{
    int64_t one;
    WEFT_TRY(weft_booksim_int(set, "xr", 1, 1, &one));
    return weft_booksim_int(set, "yr", 1, 1, &one);
}

static weft_status cube(const weft_booksim *set, weft_booksim_net *net, const char *kind,
                        weft_text *out)
{
    WEFT_TRY(size_of(set, net, 2, 1));
    WEFT_TRY(not_stretched(set));
    net->lattice = net->same_numbers = true;
    write_dims(net, kind, 1, out);
    write_links(net, out);
    return WEFT_OK;
}

static weft_status mesh(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    net->wire = 1;
    return cube(set, net, "mesh", out);
}

static weft_status torus(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    net->wire = weft_booksim_is(set, "use_noc_latency", "1") ? 2 : 1;
    return cube(set, net, "torus", out);
}

/* c endpoints at a router, xr by yr. */
static weft_status concentration(const weft_booksim *set, const weft_booksim_net *net, int64_t *c)
{
    int64_t x, y;
    WEFT_TRY(weft_booksim_int(set, "c", 1, 256, c));
    WEFT_TRY(weft_booksim_int(set, "xr", 1, 256, &x));
    WEFT_TRY(weft_booksim_int(set, "yr", 1, 256, &y));
    if (x * y != *c)
        return weft_booksim_refuse(set, "c", "it must be xr × yr = %lld", (long long)x * y);
    WEFT_TRY(weft_booksim_int(set, "x", net->k, net->k, &x));
    return weft_booksim_int(set, "y", net->k, net->k, &y);
}

static weft_status cmesh(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    int64_t c, two;
    WEFT_TRY(size_of(set, net, 2, 2));
    WEFT_TRY(weft_booksim_int(set, "n", 2, 2, &two));
    WEFT_TRY(weft_booksim_int(set, "c", 4, 4, &c));
    WEFT_TRY(concentration(set, net, &c));
    net->wire = weft_booksim_is(set, "use_noc_latency", "1") ? 2 : 1;
    net->nodes *= c;
    write_dims(net, "mesh", c, out);
    write_links(net, out);
    return WEFT_OK;
}

static weft_status flatfly(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    int64_t c;
    WEFT_TRY(size_of(set, net, 2, 1));
    WEFT_TRY(concentration(set, net, &c));
    if (!weft_booksim_is(set, "use_noc_latency", "0"))
        return weft_booksim_refuse(set, "use_noc_latency",
                                   "it gives the wires of a flatfly different lengths; 0 would be "
                                   "right");
    net->wire = 1;
    net->nodes *= c;
    net->lattice = net->same_numbers = c == 1;
    write_dims(net, "flattened-butterfly", c, out);
    write_links(net, out);
    return WEFT_OK;
}

static weft_status fly(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    WEFT_TRY(size_of(set, net, 2, 1));
    WEFT_TRY(not_stretched(set));
    if (net->n == 1 && net->k > 256)
        return weft_booksim_refuse(set, "k", "a switch has at most 256 endpoints");
    if (net->n == 1)
        weft_text_add(out, "topology: {kind: full, routers: 1, hosts: %lld}\n", (long long)net->k);
    else
        weft_text_add(out, "topology: {kind: butterfly, arity: %lld, stages: %lld}\n",
                      (long long)net->k, (long long)net->n);
    net->wire = 1;
    net->same_numbers = net->n == 1;
    write_links(net, out);
    return WEFT_OK;
}

static weft_status fattree(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    WEFT_TRY(size_of(set, net, 2, 2));
    WEFT_TRY(not_stretched(set));
    weft_text_add(out, "topology: {kind: fat-tree, arity: %lld, levels: %lld}\n", (long long)net->k,
                  (long long)net->n);
    net->wire = 1;
    net->same_numbers = true;
    write_links(net, out);
    return WEFT_OK;
}

static weft_status qtree(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    int64_t only;
    WEFT_TRY(weft_booksim_int(set, "k", 4, 4, &only));
    WEFT_TRY(weft_booksim_int(set, "n", 3, 3, &only));
    WEFT_TRY(size_of(set, net, 4, 3));
    WEFT_TRY(not_stretched(set));
    weft_text_add(out, "topology: {kind: fat-tree, form: xgft, down: [4, 4, 4], up: [1, 1, 1]}\n");
    net->wire = 1;
    net->same_numbers = true;
    write_links(net, out);
    return WEFT_OK;
}

/* p endpoints and p global links at each of 2p routers of a group; every two groups joined. */
static weft_status dragonfly(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    int64_t one;
    WEFT_TRY(weft_booksim_int(set, "k", 1, 22, &net->k));
    WEFT_TRY(weft_booksim_int(set, "n", 1, 1, &one));
    WEFT_TRY(not_stretched(set));
    int64_t p = net->k, groups = 2 * p * p + 1;
    net->nodes = 2 * p * p * groups;
    net->wire = 10;
    net->same_numbers = true;
    weft_text_add(out,
                  "topology: {kind: dragonfly, groups: %lld, routers: %lld, hosts: %lld, "
                  "global: %lld, arrangement: absolute}\n",
                  (long long)groups, 2 * (long long)p, (long long)p, (long long)p);
    weft_text_add(out, "links:    {local: {latency: 10 cycles}, global: {latency: 100 cycles}, "
                       "host: {latency: 1 cycle}}\n");
    return WEFT_OK;
}

static weft_status anynet(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    (void)out;
    net->anynet = weft_booksim_get(set, "network_file")->text;
    net->wire = 1;
    if (*net->anynet == '\0')
        return weft_booksim_refuse(set, "network_file", "an anynet needs the name of its file");
    return not_stretched(set);
}

const weft_booksim_topology weft_booksim_topologies[] = {
    {"mesh", "`mesh`, n dimensions of k routers", mesh},
    {"torus", "`torus`, n dimensions of k routers", torus},
    {"cmesh", "`mesh`, k × k routers of 4 endpoints; express channels are never used", cmesh},
    {"fly", "`butterfly` of n stages; n = 1: `full`, one router", fly},
    {"fattree", "`fat-tree`, arity k, n levels", fattree},
    {"qtree", "`fat-tree`, form xgft, with single roots", qtree},
    {"flatfly", "`flattened-butterfly`, n dimensions of k routers, c endpoints each", flatfly},
    {"dragonflynew", "`dragonfly` of 2k² + 1 groups of 2k routers, k endpoints each", dragonfly},
    {"anynet", "`file`; the fabric is imported, its links must be of one latency", anynet},
    {"tree4", "its roots have two links to every subtree; write it as an anynet", NULL},
    {.name = NULL},
};

#define SEVERAL                                                                        \
    "it asks for channels of several outputs at once, Interweft's VC stage for those " \
    "of one; write `routing: {kind: minimal-adaptive}` with `vc-stage: false`"
#define TIED    "it ties channels to destinations"
#define EXPRESS "it uses express channels, which a mesh has not"
#define QUEUES  "it weighs queues by its own constants; write `routing: {kind: ugal}`"

const weft_booksim_routing weft_booksim_routings[] = {
    {"dor", "mesh", "{kind: dimension-order}", NULL, 1, 0, 0},
    {"dim_order", "mesh", "{kind: dimension-order}", NULL, 1, 0, 0},
    {"dim_order", "torus", "{kind: dimension-order}", NULL, 2, 0, 0},
    {"xy_yx", "mesh", "{kind: o1turn}", NULL, 2, 0, 2},
    {"valiant", "mesh", "{kind: valiant, via: router}", NULL, 2, 0, 0},
    {"valiant", "torus", "{kind: valiant, via: router}", NULL, 4, 0, 0},
    {"dor_no_express", "cmesh", "{kind: dimension-order}", NULL, 1, 0, 0},
    {"xy_yx_no_express", "cmesh", "{kind: o1turn}", NULL, 2, 0, 2},
    {"dest_tag", "fly", "{kind: dimension-order}", NULL, 1, 0, 0},
    {"nca", "fattree", "{kind: minimal-oblivious, selection: random}", NULL, 1, 0, 0},
    {"nca", "qtree", "{kind: d-mod-k}", NULL, 1, 0, 0},
    {"ran_min", "flatfly", "{kind: dimension-order}", NULL, 1, 0, 0},
    {"xyyx", "flatfly", "{kind: o1turn}", NULL, 2, 0, 2},
    {"min", "dragonflynew", "{kind: dimension-order}",
     "packets on a global link share both channels, BookSim takes the second for all", 2, 2, 0},
    {"min", "anynet", "{kind: dimension-order, dateline: none}",
     "of several shortest ways it may be another one", 1, 0, 0},
    {"min_adapt", "mesh", NULL, SEVERAL, 0, 0, 0},
    {"min_adapt", "torus", NULL, SEVERAL, 0, 0, 0},
    {"adaptive_xy_yx", "mesh", NULL, "it looks at queues; write `routing: {kind: o1turn}`", 0, 0,
     0},
    {"planar_adapt", "mesh", NULL, SEVERAL, 0, 0, 0},
    {"romm", "mesh", NULL, "its intermediate routers are minimal ones only; valiant is translated",
     0, 0, 0},
    {"romm_ni", "mesh", NULL, TIED, 0, 0, 0},
    {"dim_order_ni", "mesh", NULL, TIED, 0, 0, 0},
    {"dim_order_pni", "mesh", NULL, TIED, 0, 0, 0},
    {"dim_order_ni", "torus", NULL, TIED, 0, 0, 0},
    {"valiant_ni", "torus", NULL, TIED, 0, 0, 0},
    {"dim_order_bal", "torus", NULL,
     "it balances channels by a second dateline; dim_order is translated", 0, 0, 0},
    {"chaos", "mesh", NULL, "it belongs to router = chaos", 0, 0, 0},
    {"chaos", "torus", NULL, "it belongs to router = chaos", 0, 0, 0},
    {"dor", "cmesh", NULL, EXPRESS "; dor_no_express is translated", 0, 0, 0},
    {"xy_yx", "cmesh", NULL, EXPRESS "; xy_yx_no_express is translated", 0, 0, 0},
    {"anca", "fattree", NULL, SEVERAL, 0, 0, 0},
    {"adaptive_xyyx", "flatfly", NULL, "it looks at queues; xyyx is translated", 0, 0, 0},
    {"valiant", "flatfly", NULL,
     "its phases share channels in its own way; write `routing: {kind: valiant}`", 0, 0, 0},
    {"ugal", "flatfly", NULL, QUEUES, 0, 0, 0},
    {"ugal_pni", "flatfly", NULL, QUEUES, 0, 0, 0},
    {"ugal_xyyx", "flatfly", NULL, QUEUES, 0, 0, 0},
    {"ugal", "dragonflynew", NULL, QUEUES, 0, 0, 0},
    {.name = NULL},
};

static weft_status write_routing(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    const char *topology = weft_booksim_get(set, "topology")->text, *known = "";
    for (const weft_booksim_routing *row = weft_booksim_routings; row->name; row++) {
        if (strcmp(row->topology, topology) != 0)
            continue;
        if (!weft_booksim_is(set, "routing_function", row->name)) {
            if (row->becomes)
                known =
                    weft_arena_format(set->arena, "%s%s%s", known, *known ? ", " : "", row->name);
            continue;
        }
        if (!row->becomes)
            return weft_booksim_refuse(set, "routing_function", "%s", row->why);
        if (row->n && net->n != row->n)
            return weft_booksim_refuse(set, "n", "routing_function = %s needs %lld dimensions",
                                       row->name, (long long)row->n);
        WEFT_TRY(
            weft_booksim_int(set, "num_vcs", row->least, row->most ? row->most : 16, &net->vcs));
        weft_text_add(out, "routing:  %s%s%s\n", row->becomes, row->why ? " # " : "",
                      row->why ? row->why : "");
        return WEFT_OK;
    }
    return weft_booksim_refuse(set, "routing_function", "on a %s these are translated: %s",
                               topology, known);
}

weft_status weft_booksim_network(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    const char *known = "";
    for (const weft_booksim_topology *row = weft_booksim_topologies; row->name; row++) {
        if (weft_booksim_is(set, "topology", row->name)) {
            if (!row->write)
                return weft_booksim_refuse(set, "topology", "%s", row->becomes);
            WEFT_TRY(row->write(set, net, out));
            return write_routing(set, net, out);
        }
        if (row->write)
            known = weft_arena_format(set->arena, "%s%s%s", known, *known ? ", " : "", row->name);
    }
    return weft_booksim_refuse(set, "topology", "these are translated: %s", known);
}
