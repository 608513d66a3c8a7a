/* SPDX-License-Identifier: Apache-2.0 */
/* One parallel run, timed, on the threads and ranks it is given: bench/scaling starts it many
 * times.
 *
 *     bench_parallel torus DIMS LATENCY RHO CYCLES [threads=N] [blocks=N] [fixed] [timed]
 *     bench_parallel hot SIDE CYCLES [threads=N] [blocks=N] [fixed] [timed]
 *     bench_parallel file SCENARIO [KEY=VALUE...] [threads=N] [blocks=N] [fixed] [timed]
 *     bench_parallel phold ENTITIES TICKS [threads=N] [blocks=N] [timed]
 *     bench_parallel empty WINDOWS [threads=N]
 *
 * file: the first point of a scenario; its work is events, `most` the largest share of them that a
 * rank had, times the ranks (1: equal), `user` the user time of all, `setup` the time before the
 * run. hot: a side × side torus on which every message goes to one endpoint. empty: windows without
 * events beside the bare exchange of an empty message between two ranks. Prints one line of
 * name=value. */
#include "base/clock.h"
#include "base/memory.h"
#include "scene.h"
#include "sim/ownership.h"
#include "sim/rank_map.h"
#include "unit/phold.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

typedef struct how {
    unsigned threads, blocks;
    bool fixed, timed;
    bool any;     /* routers of any kind: events are counted, not packet-hops */
    double began; /* the program, on the clock */
} how;

static how read_how(int argc, char **argv)
{
    how way = {.threads = 1, .began = weft_clock()};
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "threads=", 8) == 0)
            way.threads = (unsigned)strtoul(argv[i] + 8, NULL, 10);
        else if (strncmp(argv[i], "blocks=", 7) == 0)
            way.blocks = (unsigned)strtoul(argv[i] + 7, NULL, 10);
        else if (strcmp(argv[i], "fixed") == 0)
            way.fixed = true;
        else if (strcmp(argv[i], "timed") == 0)
            way.timed = true;
    }
    return way;
}

static void sum(weft_comm *comm, int64_t *values, size_t count)
{
    comm->kind->sum(comm, values, count);
}

/* One line: the work done by all ranks, the wall time of the slowest part, where the time went. */
static void print(weft_comm *comm, uint64_t work, double wall, const weft_engine_times *times)
{
    int64_t all[] = {(int64_t)(times->run_s * 1e9),  (int64_t)(times->exchange_s * 1e9),
                     (int64_t)(times->wait_s * 1e9), (int64_t)(times->meet_s * 1e9),
                     (int64_t)times->windows,        (int64_t)times->steals,
                     (int64_t)times->sent_bytes,     weft_memory_peak()};
    sum(comm, all, sizeof all / sizeof *all);
    if (comm->rank > 0)
        return;
    printf("work=%llu wall=%.6f rate=%.3f run=%.6f exchange=%.6f wait=%.6f meet=%.6f windows=%lld "
           "steals=%lld sent=%lld peak=%lld\n",
           (unsigned long long)work, wall, (double)work / wall * 1e-6, (double)all[0] * 1e-9,
           (double)all[1] * 1e-9, (double)all[2] * 1e-9, (double)all[3] * 1e-9, (long long)all[4],
           (long long)all[5], (long long)all[6], (long long)all[7]);
}

/* The largest of the ranks' numbers over their mean. */
static double excess(weft_comm *comm, int64_t mine)
{
    int64_t *all = weft_alloc(sizeof *all * comm->size), most = 0, together = 0;
    all[comm->rank] = mine;
    sum(comm, all, comm->size);
    for (uint32_t r = 0; r < comm->size; r++) {
        most = all[r] > most ? all[r] : most;
        together += all[r];
    }
    free(all);
    return together ? (double)most * comm->size / (double)together : 1;
}

/* Share of the links whose ends belong to different ranks. */
static double cut_share(const weft_topology *topology, uint32_t ranks, const how *way)
{
    weft_partition partition;
    uint64_t links = 0, cut = 0;
    weft_partition_init(&partition, topology,
                        weft_ownership_blocks(topology, ranks, way->threads, way->blocks));
    uint32_t *owner = weft_alloc(sizeof *owner * partition.blocks);
    weft_rank_map_blocks(&partition, ranks, NULL, owner);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < weft_topology_tier(topology, r).ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            if (to == WEFT_NOWHERE)
                continue;
            links++;
            cut += owner[weft_partition_place(&partition, r).block] !=
                   owner[weft_partition_place(&partition, to).block];
        }
    free(owner);
    weft_partition_done(&partition);
    return links ? (double)cut / (double)links : 0;
}

static double user_time(weft_comm *comm)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    int64_t us = (int64_t)usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec;
    sum(comm, &us, 1);
    return (double)us * 1e-6;
}

static void run_scene(weft_comm *comm, const weft_scene *scene, const how *way)
{
    weft_error err;
    weft_simulation *simulation;
    weft_ending ending;
    weft_simulation_options options = {.blocks = way->blocks,
                                       .threads = way->threads,
                                       .comm = comm->size > 1 ? comm : NULL,
                                       .timed = way->timed,
                                       .fixed = way->fixed};
    weft_scene_must(weft_simulation_create(&scene->network, &options, &simulation, &err), &err);
    int64_t nothing = 0;
    sum(comm, &nothing, 1); /* all begin together */
    double began = weft_clock();
    double user = user_time(comm);
    weft_scene_must(weft_simulation_run(simulation, &ending, &err), &err);
    double wall = weft_clock() - began;
    user = user_time(comm) - user;
    int64_t own = (int64_t)weft_simulation_events(simulation);
    double most = excess(comm, own);
    int64_t sums[2] = {own, weft_scene_under_way(simulation)};
    sum(comm, sums, 2);
    uint64_t hops = way->any ? (uint64_t)sums[0] : weft_scene_hops(simulation, sums[1]);
    weft_engine_times times = weft_simulation_times(simulation);
    if (comm->rank == 0)
        printf("events=%lld most=%.3f user=%.3f setup=%.3f ", (long long)sums[0], most, user,
               began - way->began);
    print(comm, hops, wall, &times);
    weft_simulation_destroy(simulation);
}

static void run_torus(weft_comm *comm, char **argv, const how *way)
{
    weft_scene scene;
    char limit[64];
    (void)snprintf(limit, sizeof limit, "time: %s cycles, packets: 1000000000000", argv[3]);
    weft_scene_open_s2_at(&scene, argv[0], (unsigned)strtoul(argv[1], NULL, 10),
                          strtod(argv[2], NULL), limit);
    run_scene(comm, &scene, way);
    weft_scene_close(&scene);
}

#define OVERRIDES_MAX 32

/* A word of our own, not a key of the scenario. */
static bool is_how(const char *word)
{
    return strncmp(word, "threads=", 8) == 0 || strncmp(word, "blocks=", 7) == 0;
}

static void run_file(weft_comm *comm, char **argv, const how *way)
{
    weft_scene scene;
    const char *overrides[OVERRIDES_MAX + 1] = {NULL};
    how events = *way;
    for (int i = 1, n = 0; argv[i] && n < OVERRIDES_MAX; i++)
        if (strchr(argv[i], '=') && !is_how(argv[i]))
            overrides[n++] = argv[i];
    events.any = true;
    weft_scene_open_file(&scene, argv[0], overrides);
    if (comm->rank == 0)
        printf("cut=%.4f ", cut_share(&scene.network.topology, comm->size, way));
    run_scene(comm, &scene, &events);
    weft_scene_close(&scene);
}

/* The hot endpoint lies in the middle of the first half of the rows: what comes from the other half
 * crosses the first one too. Its links carry as much as they can. */
static void run_hot(weft_comm *comm, char **argv, const how *way)
{
    weft_scene scene;
    char text[1024];
    unsigned side = (unsigned)strtoul(argv[0], NULL, 10);
    double endpoints = (double)side * side;
    (void)snprintf(text, sizeof text,
                   "interweft: 1\n"
                   "topology: {kind: torus, dims: [%u, %u]}\n"
                   "links: {latency: 16 cycles}\n"
                   "endpoint: {reception: unlimited}\n"
                   "routing: {kind: minimal-adaptive, selection: diagonal}\n"
                   "traffic:\n"
                   "  all: {pattern: {kind: hot-spot, node: %u, share: 100%%}, arrival: poisson,\n"
                   "        length: 1 flits, load: %.17g}\n"
                   "measure: {half-width: 0.0001%%, links: off,\n"
                   "          limit: {time: %s cycles, packets: 1000000000000}}\n",
                   side, side, side / 4 * side + side / 2, 3.2 / endpoints, argv[1]);
    weft_scene_open(&scene, text);
    run_scene(comm, &scene, way);
    weft_scene_close(&scene);
}

static void run_phold(weft_comm *comm, char **argv, const how *way)
{
    uint32_t entities = (uint32_t)strtoul(argv[0], NULL, 10);
    weft_time ticks = strtoll(argv[1], NULL, 10);
    uint32_t blocks = way->blocks ? way->blocks : comm->size * way->threads;
    uint32_t *size = weft_alloc(sizeof *size * blocks);
    for (uint32_t b = 0; b < blocks; b++)
        size[b] =
            (uint32_t)((uint64_t)(b + 1) * entities / blocks - (uint64_t)b * entities / blocks);
    phold *model = phold_open(&(phold_plan){.blocks = blocks,
                                            .size = size,
                                            .seed = 1,
                                            .threads = way->threads,
                                            .comm = comm->size > 1 ? comm : NULL,
                                            .timed = way->timed});
    weft_engine_run(model->engine, 1000); /* fills */
    int64_t before = (int64_t)weft_engine_events(model->engine);
    sum(comm, &before, 1);
    double began = weft_clock();
    weft_engine_run(model->engine, 1000 + ticks);
    double wall = weft_clock() - began;
    int64_t after = (int64_t)weft_engine_events(model->engine);
    sum(comm, &after, 1);
    weft_engine_times times = weft_engine_timing(model->engine);
    print(comm, (uint64_t)(after - before), wall, &times);
    phold_destroy(model);
    free(size);
}

/* The bare exchange: an empty message each way, again and again. */
static double exchange(weft_comm *comm, uint64_t windows)
{
    const weft_comm_kind *kind = comm->kind;
    uint32_t other = comm->rank ^ 1;
    uint64_t word[2] = {0};
    kind->requests(comm, 2);
    double began = weft_clock();
    for (uint64_t w = 0; w < windows; w++) {
        kind->receive(comm, 1, other, &word[1], sizeof word[1]);
        kind->send(comm, 0, other, &word[0], sizeof word[0]);
        while (!kind->finished(comm, 1))
            ;
        while (!kind->finished(comm, 0))
            ;
    }
    return (weft_clock() - began) / (double)windows;
}

static void tick_nothing(void *state, weft_block *block, const weft_batch *batch)
{
    (void)state;
    (void)block;
    (void)batch;
}

/* One block on every rank or thread, all neighbours, no event anywhere. */
static weft_engine *open_empty(weft_comm *comm, unsigned threads)
{
    static const weft_event_model model = {.tick = tick_nothing};
    uint32_t blocks = comm->size * threads, others[64][64], owner[64];
    weft_block_plan plan[64] = {0};
    for (uint32_t b = 0; b < blocks; b++) {
        owner[b] = b / threads;
        for (uint32_t o = 0; o + 1 < blocks; o++)
            others[b][o] = o < b ? o : o + 1;
        plan[b] = (weft_block_plan){
            .name = b, .entities = 1, .n_neighbours = blocks - 1, .neighbours = others[b]};
    }
    return weft_engine_create(&(weft_engine_plan){.model = &model,
                                                  .n_blocks = threads,
                                                  .blocks = plan + comm->rank * threads,
                                                  .window = 1,
                                                  .timer_shift = 6,
                                                  .threads = threads,
                                                  .comm = comm->size > 1 ? comm : NULL,
                                                  .owner = owner});
}

static void run_empty(weft_comm *comm, char **argv, const how *way)
{
    uint64_t windows = strtoull(argv[0], NULL, 10);
    double best_bare = 1, best_ours = 1;
    for (int round = 0; round < 15; round++) {
        double bare = comm->size == 2 ? exchange(comm, windows) : 0;
        weft_engine *engine = open_empty(comm, way->threads);
        weft_engine_run(engine, 1000);
        double began = weft_clock();
        weft_engine_run(engine, 1000 + (weft_time)windows);
        double ours = (weft_clock() - began) / (double)windows;
        weft_engine_destroy(engine);
        best_bare = bare < best_bare ? bare : best_bare;
        best_ours = ours < best_ours ? ours : best_ours;
    }
    if (comm->rank == 0)
        printf("empty_ns=%.0f bare_ns=%.0f ratio=%.2f\n", best_ours * 1e9, best_bare * 1e9,
               best_bare > 0 ? best_ours / best_bare : 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int arguments;
        void (*run)(weft_comm *comm, char **argv, const how *way);
    } works[] = {{"torus", 4, run_torus},
                 {"file", 1, run_file},
                 {"hot", 2, run_hot},
                 {"phold", 2, run_phold},
                 {"empty", 1, run_empty}};
    weft_error err;
    weft_comm *comm;
    weft_scene_must(weft_comm_open(false, &comm, &err), &err);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (argc > 1 && strcmp(argv[1], works[i].name) == 0 && argc >= 2 + works[i].arguments) {
            how way = read_how(argc, argv);
            works[i].run(comm, argv + 2, &way);
            weft_comm_close(comm);
            return 0;
        }
    (void)fprintf(stderr, "usage: bench_parallel torus|file|hot|phold|empty …\n");
    return 2;
}
