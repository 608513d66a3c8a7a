/* SPDX-License-Identifier: Apache-2.0 */
/* Random scenarios over the whole registry, each tried as random/trial.h says. The seeds are fresh
 * in every run, and printed: a scenario follows from its seed alone.
 *
 *     test_random                          a few hundred from a seed that /dev/urandom gives
 *     test_random FIRST [COUNT]            these; one unless told
 *     test_random --once FIRST COUNT [S]   one run each, one after the other in this process, for S
 *                                          seconds at least; a line a minute, and memory stays flat
 *     test_random --ranks FIRST COUNT      on the ranks of a launcher, against one process
 *     test_random --show SEED              prints a scenario and runs nothing
 *
 * Before the numbers --refused also tells why scenarios are refused, --kinds how often every kind
 * of the registry was drawn and run.
 * What was found is printed with its scenario; it belongs into tests/data/scenarios/found
 * (random/test_found.c). */
#include "base/clock.h"
#include "random/histogram.h"
#include "random/resident.h"
#include "random/scene.h"
#include "random/trial.h"
#include "sanitized.h"
#include "study/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* LEAST_RAN: percent; 72 are expected, with a standard error of 3 (of 4); four errors less. */
enum { COUNT = SANITIZED ? 120 : 250, LEAST_RAN = SANITIZED ? 55 : 60, SHOWN_MOST = 20 };

typedef struct task {
    uint64_t first, count;
    double seconds;        /* goes on for so long */
    bool once, refusals;   /* are told */
    weft_context *context; /* NULL: each scenario is tried in a process of its own */
    const char *shared;    /* the folder of all ranks */
    weft_registry registry;
    histogram *kinds;
    bool table; /* of them is printed */
    uint64_t tried, ends[TRIAL_ENDS];
    double slowest; /* seconds of one, and its seed */
    uint64_t slow_seed;
} task;

static char *draw(const task *it, uint64_t seed)
{
    weft_text text;
    weft_text_init(&text);
    scene_draw(&it->registry, seed, (scene_listener){it->kinds ? histogram_note : NULL, it->kinds},
               &text);
    return weft_text_take(&text);
}

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool fine = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && fine;
}

/* Does this process tell? */
static bool tells(const task *it)
{
    return !it->context || weft_context_rank(it->context) == 0;
}

static void tell(task *it, uint64_t seed, trial_end end, const char *said, const char *text)
{
    it->tried++;
    it->ends[end]++;
    histogram_end(it->kinds, end == TRIAL_RAN || end == TRIAL_DEADLOCKED);
    if (!tells(it))
        return;
    if (end == TRIAL_REFUSED && it->refusals)
        printf("refused %" PRIu64 " %s", seed, said);
    if (end == TRIAL_FINDING && it->ends[end] <= SHOWN_MOST)
        printf("finding, seed %" PRIu64 ":\n%s%s\n"
               "again: test_random %s%" PRIu64 "; once mended it belongs into "
               "tests/data/scenarios/found\n",
               seed, said, text,
               it->context ? "--ranks "
               : it->once  ? "--once "
                           : "",
               seed);
}

static void try_one(task *it, uint64_t seed, const char *folder)
{
    char *text = draw(it, seed), *path = weft_text_format("%s/scenario.yaml", folder);
    trial one = {.file = path,
                 .folder = folder,
                 .shared = it->shared,
                 .blocks = 2 + (int64_t)(seed % 6),
                 .threads = it->context ? 1 + (int64_t)(seed % 2) : 2,
                 .context = it->context,
                 .stop = seed % 4 == 3 ? 0 : seed * 0x9e3779b97f4a7c15u >> 20,
                 .light = scene_is_light(seed)};
    weft_text said;
    weft_text_init(&said);
    trial_end end = !write_file(path, text) ? TRIAL_FINDING
                    : it->context           ? trial_here(&one, &said)
                    : it->once              ? trial_once(&one, &said)
                                            : trial_apart(&one, &said);
    tell(it, seed, end, said.at ? said.at : "", text);
    weft_text_done(&said);
    free(path);
    free(text);
}

static uint64_t fresh_seed(void)
{
    uint64_t seed = 1;
    FILE *file = fopen("/dev/urandom", "rb");
    if (file && fread(&seed, sizeof seed, 1, file) != 1)
        seed = 1;
    if (file)
        (void)fclose(file);
    return seed >> 24;
}

static int judge(const task *it)
{
    uint64_t ran = it->ends[TRIAL_RAN] + it->ends[TRIAL_DEADLOCKED];
    bool few = it->tried >= 100 && 100 * ran < LEAST_RAN * it->tried;
    if (!tells(it))
        return 0;
    printf("%" PRIu64 " tried: %" PRIu64 " ran, %" PRIu64 " deadlocked as foretold, %" PRIu64
           " refused, %" PRIu64 " findings\n",
           it->tried, it->ends[TRIAL_RAN], it->ends[TRIAL_DEADLOCKED], it->ends[TRIAL_REFUSED],
           it->ends[TRIAL_FINDING]);
    printf("slowest: %.2f s, seed %" PRIu64 "\n", it->slowest, it->slow_seed);
    if (it->table)
        histogram_print(it->kinds);
    if (few)
        printf("fewer than %d of 100 ran: too much is drawn that is refused\n", (int)LEAST_RAN);
    return few || it->ends[TRIAL_FINDING] > 0;
}

/* The last seed told is the one that died. */
static void tell_seed(const task *it, uint64_t seed, const char *folder)
{
    if (it->context && tells(it))
        (void)fprintf(stderr, "seed %" PRIu64 "\n", seed);
    if (it->once) {
        char *path = weft_text_format("%s/seed", folder),
             *text = weft_text_format("%" PRIu64, seed);
        (void)write_file(path, text);
        free(path);
        free(text);
    }
}

static bool remove_folder(const char *folder)
{
    char *remove = weft_text_format("rm -rf %s", folder);
    int left = system(remove);
    free(remove);
    return left == 0;
}

/* Of this process. */
static double seconds_of_cpu(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void note_time(task *it, uint64_t seed, double seconds)
{
    if (seconds <= it->slowest)
        return;
    it->slowest = seconds;
    it->slow_seed = seed;
}

static int try_all(task *it)
{
    /* In memory: results are synchronised to their disk. */
    char folder[] = "/dev/shm/weft-random-XXXXXX";
    if (!mkdtemp(folder))
        return 2;
    resident memory = {0};
    double begin = weft_clock();
    if (tells(it))
        printf("seeds %" PRIu64 " … in %s\n", it->first, folder);
    for (uint64_t i = 0; i < it->count || weft_clock() - begin < it->seconds; i++) {
        if (it->context && scene_is_light(it->first + i))
            continue; /* ranks would exchange windows without end, and nothing in them */
        tell_seed(it, it->first + i, folder);
        double start = seconds_of_cpu();
        try_one(it, it->first + i, folder);
        note_time(it, it->first + i, seconds_of_cpu() - start);
        if (it->once)
            resident_look(&memory, weft_clock() - begin, it->tried);
    }
    bool flat = !it->once || resident_flat(&memory);
    bool gone = remove_folder(folder);
    return judge(it) || !flat || !gone;
}

static int try_on_ranks(task *it)
{
    weft_error err;
    if (weft_context_open(false, &it->context, &err) != WEFT_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    /* All ranks of this machine have the same parent. */
    char *shared = weft_text_format("/dev/shm/weft-random-ranks-%d", (int)getppid());
    (void)mkdir(shared, 0700); /* one of them is the first */
    it->shared = shared;
    int status = try_all(it);
    bool last = tells(it); /* the others are done with it after the last run */
    weft_context_close(it->context);
    if (last)
        (void)remove_folder(shared);
    free(shared);
    return status;
}

static void show(const task *it)
{
    char *text = draw(it, it->first);
    (void)fputs(text, stdout);
    free(text);
}

static int do_task(task *it, bool shows, bool ranks)
{
    it->kinds = histogram_create(&it->registry);
    int status = 0;
    if (shows)
        show(it);
    else
        status = ranks ? try_on_ranks(it) : try_all(it);
    histogram_destroy(it->kinds);
    return status;
}

int main(int argc, char **argv)
{
    bool shows = false, ranks = false;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    task it = {.tried = 0};
    char **word = argv + 1, **end = argv + argc;
    for (; word < end && word[0][0] == '-'; word++) {
        shows = shows || strcmp(*word, "--show") == 0;
        ranks = ranks || strcmp(*word, "--ranks") == 0;
        it.once = it.once || strcmp(*word, "--once") == 0;
        it.refusals = it.refusals || strcmp(*word, "--refused") == 0;
        it.table = it.table || strcmp(*word, "--kinds") == 0;
    }
    it.first = word < end ? strtoull(word[0], NULL, 10) : fresh_seed();
    it.count = word + 1 < end ? strtoull(word[1], NULL, 10) : word < end ? 1 : COUNT;
    it.seconds = word + 2 < end ? strtod(word[2], NULL) : 0;
    weft_registry_init(&it.registry);
    weft_kinds_register(&it.registry);
    int status = do_task(&it, shows, ranks);
    weft_registry_done(&it.registry);
    return status;
}
