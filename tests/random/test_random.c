/* SPDX-License-Identifier: Apache-2.0 */
/* Random scenarios over the whole registry, each tried as random/trial.h says. The seeds are fresh
 * in every run, and printed: a scenario follows from its seed alone.
 *
 *     test_random                          a few hundred from a seed that /dev/urandom gives
 *     test_random FIRST [COUNT]            these; one unless told
 *     test_random --refused FIRST COUNT    the same; also tells why scenarios are refused
 *     test_random --ranks FIRST COUNT      on the ranks of a launcher, against one process
 *     test_random --show SEED              prints a scenario and runs nothing
 *
 * What was found is printed with its scenario; it belongs into tests/data/scenarios/found
 * (random/test_found.c). */
#include "random/scene.h"
#include "random/trial.h"
#include "study/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* LEAST_RAN: percent; 58 are expected, with a standard error of 3; four errors less. */
enum { COUNT = 250, LEAST_RAN = 46, SHOWN_MOST = 20 };

typedef struct task {
    uint64_t first, count;
    bool refusals;         /* are told */
    weft_context *context; /* NULL: each scenario is tried in a process of its own */
    uint64_t tried, ends[TRIAL_ENDS];
} task;

static char *draw(uint64_t seed)
{
    weft_registry registry;
    weft_text text;
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_text_init(&text);
    scene_draw(&registry, seed, &text);
    weft_registry_done(&registry);
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
    if (!tells(it))
        return;
    if (end == TRIAL_REFUSED && it->refusals)
        printf("refused %" PRIu64 " %s", seed, said);
    if (end == TRIAL_FINDING && it->ends[end] <= SHOWN_MOST)
        printf("finding, seed %" PRIu64 ":\n%s%s\n", seed, said, text);
}

static void try_one(task *it, uint64_t seed, const char *folder)
{
    char *text = draw(seed), *path = weft_text_format("%s/scenario.yaml", folder);
    trial one = {.file = path,
                 .folder = folder,
                 .blocks = 2 + (int64_t)(seed % 5),
                 .threads = it->context ? 1 : 2,
                 .context = it->context};
    weft_text said;
    weft_text_init(&said);
    trial_end end = !write_file(path, text) ? TRIAL_FINDING
                    : it->context           ? trial_here(&one, &said)
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
    if (few)
        printf("fewer than %d of 100 ran: too much is drawn that is refused\n", (int)LEAST_RAN);
    return few || it->ends[TRIAL_FINDING] > 0;
}

static int try_all(task *it)
{
    /* In memory: results are synchronised to their disk. */
    char folder[] = "/dev/shm/weft-random-XXXXXX";
    if (!mkdtemp(folder))
        return 2;
    uint64_t end = it->first + it->count;
    if (tells(it))
        printf("seeds %" PRIu64 " … %" PRIu64 "\n", it->first, end - 1);
    for (uint64_t seed = it->first; seed < end; seed++) {
        if (it->context && tells(it)) /* the last one told is the one that died */
            (void)fprintf(stderr, "seed %" PRIu64 "\n", seed);
        try_one(it, seed, folder);
    }
    char *remove = weft_text_format("rm -rf %s", folder);
    int left = system(remove);
    free(remove);
    return judge(it) || left != 0;
}

static int try_on_ranks(task *it)
{
    weft_error err;
    if (weft_context_open(false, &it->context, &err) != WEFT_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    int status = try_all(it);
    weft_context_close(it->context);
    return status;
}

static void show(uint64_t seed)
{
    char *text = draw(seed);
    (void)fputs(text, stdout);
    free(text);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
    char **numbers = argv + (*how ? 2 : 1);
    int given = argc - (*how ? 2 : 1);
    task it = {.first = given > 0 ? strtoull(numbers[0], NULL, 10) : fresh_seed(),
               .count = given > 1   ? strtoull(numbers[1], NULL, 10)
                        : given > 0 ? 1
                                    : COUNT,
               .refusals = strcmp(how, "--refused") == 0};
    if (strcmp(how, "--show") == 0)
        show(it.first);
    else
        return strcmp(how, "--ranks") == 0 ? try_on_ranks(&it) : try_all(&it);
    return 0;
}
