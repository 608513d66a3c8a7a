/* SPDX-License-Identifier: Apache-2.0 */
/* Kautz graph K(d, n): routers are the words of n letters out of d + 1, no two neighbouring
 * letters equal; there are (d + 1) d^(n−1). A link leads from s1 s2 … sn to s2 … sn x for each
 * of the d letters x other than sn, one way. The diameter is n, and every shortest path is the
 * only one.
 *
 * A router's number is its word in mixed radix: the first letter, then of every other letter its
 * rank (0 … d − 1) among those that differ from the letter before it. Output p appends the
 * letter of rank p; input i is from the router that had the letter of rank i, counted without
 * the word's first, in front.
 *
 * The route header is the destination + 1. The VC class of a hop is the number of hops still to
 * come after it, so classes fall at every hop and the channel dependency graph is acyclic. */
#include <interweft/interweft.h>

#include <assert.h>
#include <stdio.h>

enum { LETTERS_MAX = 15, DEGREE_MAX = 32 };
#define ROUTERS_MAX 1048576u

typedef struct settings {
    int64_t degree, length, hosts;
} settings;

typedef struct instance {
    uint32_t degree, length;
    double mean; /* distance */
} instance;

typedef struct word {
    uint8_t at[LETTERS_MAX];
} word;

static const weft_param params[] = {
    {.name = "degree",
     .brief = "d: links out of every router, and into it",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, degree),
     .min = 2,
     .max = DEGREE_MAX},
    {.name = "length",
     .brief = "n: letters of a router's word, the diameter; there are (d + 1) d^(n-1) routers",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, length),
     .min = 1,
     .max = LETTERS_MAX},
    {.name = "hosts",
     .brief = "endpoints at every router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = 256},
    {.name = NULL},
};

/* The place of a letter among those that differ from `other`, and the letter of a place. */
static uint32_t rank_of(uint32_t letter, uint32_t other)
{
    assert(letter != other);
    return letter < other ? letter : letter - 1;
}
static uint32_t letter_of(uint32_t rank, uint32_t other)
{
    return rank < other ? rank : rank + 1;
}

static word spell(const instance *net, uint32_t router)
{
    word text = {{0}};
    uint32_t n = net->length;
    for (uint32_t i = n - 1; i > 0; i--, router /= net->degree)
        text.at[i] = (uint8_t)(router % net->degree);
    text.at[0] = (uint8_t)router;
    for (uint32_t i = 1; i < n; i++)
        text.at[i] = (uint8_t)letter_of(text.at[i], text.at[i - 1]);
    return text;
}

static uint32_t number(const instance *net, const word *text)
{
    uint32_t router = text->at[0];
    for (uint32_t i = 1; i < net->length; i++)
        router = router * net->degree + rank_of(text->at[i], text->at[i - 1]);
    return router;
}

/* Hops between two words: what is left of the second behind the longest end of the first that
 * begins it. */
static uint32_t hops(const instance *net, const word *from, const word *to)
{
    uint32_t n = net->length, k = 0;
    for (; k < n; k++) {
        uint32_t same = 0;
        while (k + same < n && from->at[k + same] == to->at[same])
            same++;
        if (k + same == n)
            break;
    }
    return k;
}

/* True if every router that ends of length n − j begin is also one that those of length n − k
 * do, j < k. */
static bool within(const instance *net, const word *text, uint32_t j, uint32_t k)
{
    uint32_t n = net->length;
    if (k == n)
        return text->at[j] != text->at[n - 1];
    for (uint32_t i = 0; k + i < n; i++)
        if (text->at[j + i] != text->at[k + i])
            return false;
    return true;
}

/* Sum of the distances from one router. k letters can be appended in d^k ways; the routers they
 * lead to begin with the last n − k letters, so those of a smaller j are all among them or none
 * is. */
static uint64_t sum_from(const instance *net, const word *text)
{
    uint64_t exactly[LETTERS_MAX + 1], ways = 1, sum = 0;
    for (uint32_t k = 0; k <= net->length; k++, ways *= net->degree) {
        exactly[k] = ways;
        for (uint32_t j = 0; j < k; j++)
            if (within(net, text, j, k))
                exactly[k] -= exactly[j];
        sum += k * exactly[k];
    }
    return sum;
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    instance *net = topology->self;
    *net = (instance){.degree = (uint32_t)set->degree, .length = (uint32_t)set->length};
    uint64_t routers = net->degree + 1;
    for (uint32_t i = 1; i < net->length; i++)
        routers *= net->degree;
    if (routers > ROUTERS_MAX)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "a Kautz graph of degree %u and length %u has more than %u routers; a smaller "
            "degree or length would be right",
            net->degree, net->length, ROUTERS_MAX);
    topology->routers = (uint32_t)routers;
    topology->concentration = (uint32_t)set->hosts;
    topology->ports = net->degree;
    topology->links = routers * net->degree;
    while (routers >> topology->header_bits > 0)
        topology->header_bits++;
    topology->max_vc_classes = net->length;
    for (uint32_t p = 0; p < net->degree; p++)
        topology->vc_classes[p] = (uint8_t)net->length;
    uint64_t sum = 0;
    for (uint32_t r = 0; r < topology->routers; r++) {
        word text = spell(net, r);
        sum += sum_from(net, &text);
    }
    net->mean = (double)sum / (double)(routers * (routers - 1));
    return WEFT_OK;
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const instance *net = topology->self;
    word text = spell(net, router);
    uint32_t n = net->length, first = text.at[0], last = text.at[n - 1];
    for (uint32_t i = 0; i + 1 < n; i++)
        text.at[i] = text.at[i + 1];
    text.at[n - 1] = (uint8_t)letter_of(port, last);
    return (weft_end){.router = number(net, &text), .port = rank_of(first, text.at[0])};
}

static weft_end upstream(const weft_topology *topology, uint32_t router, uint32_t in)
{
    const instance *net = topology->self;
    word text = spell(net, router);
    uint32_t n = net->length, first = text.at[0], last = text.at[n - 1];
    for (uint32_t i = n - 1; i > 0; i--)
        text.at[i] = text.at[i - 1];
    text.at[0] = (uint8_t)letter_of(in, first);
    return (weft_end){.router = number(net, &text), .port = rank_of(last, text.at[n - 1])};
}

static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const instance *net = topology->self;
    word here = spell(net, from), there = spell(net, to);
    return hops(net, &here, &there);
}

static double mean_distance(const weft_topology *topology)
{
    return ((const instance *)topology->self)->mean;
}

static uint32_t diameter(const weft_topology *topology)
{
    return ((const instance *)topology->self)->length;
}

static uint32_t make_header(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    (void)topology;
    (void)tie; /* there is one shortest path */
    return from == to ? 0 : to + 1;
}

static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t header,
                              unsigned most, weft_minimal_port *out)
{
    const instance *net = topology->self;
    if (header == 0 || most == 0)
        return 0;
    word here = spell(net, router), there = spell(net, header - 1);
    uint32_t n = net->length, left = hops(net, &here, &there);
    assert(left > 0);
    out[0] = (weft_minimal_port){.port = (uint16_t)rank_of(there.at[n - left], here.at[n - 1]),
                                 .hops = (uint16_t)left,
                                 .next_header = left == 1 ? 0 : header,
                                 .dim = WEFT_NO_DIM};
    return 1;
}

static uint32_t vc_class(const weft_topology *topology, uint32_t router,
                         const weft_minimal_port *port)
{
    (void)topology;
    (void)router;
    return port->hops - 1u;
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t header)
{
    return header <= topology->routers && header != router + 1;
}

static void name(const weft_topology *topology, uint32_t router, char *text, size_t size)
{
    const instance *net = topology->self;
    word letters = spell(net, router);
    char line[LETTERS_MAX + 1];
    for (uint32_t i = 0; i < net->length; i++)
        line[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[letters.at[i]];
    line[net->length] = 0;
    snprintf(text, size, "%s", line);
}

static const weft_topology_kind kautz = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "kautz",
             .brief = "Kautz graph K(d, n): one-way links, diameter n, (d + 1) d^(n-1) routers",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(instance)},
    .build = build,
    .peer = peer,
    .distance = distance,
    .mean_distance = mean_distance,
    .make_header = make_header,
    .minimal_ports = minimal_ports,
    .upstream = upstream,
    .vc_class = vc_class,
    .header_valid = header_valid,
    .closed_form.diameter = diameter,
    .name = name,
};

static const weft_plugin_item items[] = {{"topology", &kautz.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "kautz", items};

const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
