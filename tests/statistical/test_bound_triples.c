/* SPDX-License-Identifier: Apache-2.0 */
/* No network saturates above its bound: random triples of topology, routing and pattern, whose
 * saturation is searched by short runs. The greatest load found stable may exceed the bound
 * by no more than the tolerance of the search.
 *
 * test_bound_triples [SEED [COUNT]] */
#include "statistical/saturations.h"

#include "interweft/random.h"

#define COUNT 20
#define FIRST 1

typedef struct pen {
    weft_random random;
    weft_text *text;
} pen;

static uint32_t draw(pen *p, uint32_t low, uint32_t high)
{
    return low + weft_random_below(&p->random, high - low + 1);
}

/* The sizes are drawn one after the other: arguments have no order. */
static void draw_topology(pen *p)
{
    uint32_t kind = draw(p, 0, 10), a = draw(p, 2, 4), b = draw(p, 2, 4), c = draw(p, 1, 3);
    static const char *const orders[] = {"relative", "absolute", "palm-tree", "circulant"};
    const char *order = orders[draw(p, 0, 3)];
    weft_text *to = p->text;
    weft_text_add(to, "topology: {kind: ");
    switch (kind) {
    case 0:
        weft_text_add(to, "torus, dims: [%u, %u], hosts: %u", a + 1, b + 2, c);
        break;
    case 1:
        weft_text_add(to, "mesh, dims: [%u, %u], hosts: %u", a + 1, b + 1, c);
        break;
    case 2:
        weft_text_add(to, "hypercube, dimensions: %u, hosts: %u", a + 1, c);
        break;
    case 3:
        weft_text_add(to, "hyperx, dims: [%u, %u], hosts: %u", a, b + 1, c + 1);
        break;
    case 4:
        weft_text_add(to, "full, routers: %u, hosts: %u", a + b, 2 * c);
        break;
    case 5:
        weft_text_add(to, "dragonfly, groups: %u, routers: %u, hosts: %u, arrangement: %s", a + b,
                      a, c, order);
        break;
    case 6:
        weft_text_add(to, "megafly, groups: %u, leaves: %u, spines: %u, hosts: %u", a + 1, a, b, c);
        break;
    case 7:
        weft_text_add(to, "fat-tree, form: xgft, down: [%u, %u, %u], up: [1, %u, %u]", c + 1, a, b,
                      draw(p, 1, 3), c);
        break;
    case 8:
        weft_text_add(to, "butterfly, arity: %u, stages: 3", a);
        break;
    case 9:
        weft_text_add(to, "slim-fly, q: 3, hosts: %u", c);
        break;
    default:
        weft_text_add(to,
                      "hierarchy, outer: {kind: torus, dims: [%u, %u]}, "
                      "inner: {kind: full, routers: %u, hosts: %u}",
                      a, b, a, c);
    }
    weft_text_add(to, "}\n");
}

static void draw_rest(pen *p)
{
    static const char *const routings[] = {
        "minimal",           "minimal",          "dimension-order",
        "minimal-oblivious", "minimal-adaptive", "o1turn",
        "valiant",           "valiant",          "ugal",
        "up-down",           "d-mod-k",          "valiant, via: router"};
    static const char *const patterns[] = {"uniform",   "uniform",           "group-adversarial",
                                           "tornado",   "neighbour",         "complement",
                                           "transpose", "random-permutation"};
    const char *routing = routings[draw(p, 0, sizeof routings / sizeof *routings - 1)];
    const char *pattern = patterns[draw(p, 0, sizeof patterns / sizeof *patterns - 1)];
    weft_text_add(p->text,
                  "routing: {kind: %s}\nrouter: {kind: input-queued, vcs: 8, buffer: 64 flits}\n"
                  "traffic: {all: {pattern: %s, length: %u flits, load: 0.1}}\n",
                  routing, pattern, draw(p, 1, 6));
}

static void write_triple(saturations *it, char path[128], char **text)
{
    weft_text drawn;
    weft_text_init(&drawn);
    pen p = {.random = weft_random_stream(it->seed, 0, 0, WEFT_FOR_ESTIMATE), .text = &drawn};
    weft_text_add(&drawn, "interweft: 1\nseed: %" PRIu64 "\n", it->seed);
    draw_topology(&p);
    draw_rest(&p);
    *text = weft_text_take(&drawn);
    (void)snprintf(path, 128, "%s/network.yaml", it->folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(*text, file) < 0 || fclose(file) != 0)
        abort();
}

static void judge(saturations *it, const char *text, const weft_saturation *found)
{
    it->compared++;
    if (found->bound > 0 && found->load <= found->bound * (1 + SATURATION_TOLERANCE))
        return;
    it->findings++;
    printf("seed %" PRIu64 ": a stable load above the bound\n%s", it->seed, text);
    saturation_tell("found", found);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : FIRST;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : COUNT;
    saturations it = {.seed = first, .folder = "/dev/shm/weft-triples-XXXXXX"};
    char path[128];
    if (!mkdtemp(it.folder))
        abort();
    for (; it.compared < count; it.seed++) {
        char *text;
        weft_saturation found;
        weft_error err;
        write_triple(&it, path, &text);
        it.tried++;
        if (saturation_find(path, SATURATION_PACKETS, &found, &err))
            judge(&it, text, &found);
        free(text);
    }
    (void)unlink(path);
    (void)rmdir(it.folder);
    printf("seeds %" PRIu64 " … %" PRIu64 ": %u drawn, %u searched, %u findings\n", first,
           it.seed - 1, it.tried, it.compared, it.findings);
    return it.findings ? 1 : 0;
}
