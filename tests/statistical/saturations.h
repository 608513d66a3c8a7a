/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation of random networks (topology, router, routing, pattern), each found twice: without
 * limits, and by runs so short that many of them cannot tell. Both brackets hold the same load,
 * neither exceeds the throughput bound, and with finite buffers neither exceeds the load accepted
 * at an offered load of 1.0. */
#ifndef WEFT_TEST_SATURATIONS_H
#define WEFT_TEST_SATURATIONS_H

#include "interweft/study.h"
#include "random/scene.h"
#include "study/kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SATURATION_PACKETS = 20000 }; /* of a short run */
#define SATURATION_TOLERANCE 0.1

typedef struct saturations {
    uint64_t seed;
    unsigned tried, compared, finite, wide, findings;
    char folder[64];
} saturations;

static inline void saturation_write(const saturations *it, char path[128], char **text)
{
    weft_registry registry;
    weft_text drawn;
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_text_init(&drawn);
    scene_draw_network(&registry, it->seed, &drawn);
    weft_registry_done(&registry);
    *text = weft_text_take(&drawn);
    (void)snprintf(path, 128, "%s/network.yaml", it->folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(*text, file) < 0 || fclose(file) != 0)
        abort();
}

/* False: refused, or deadlocked. */
static inline bool saturation_find(const char *path, int packets, weft_saturation *found,
                                   weft_error *err)
{
    char limit[64];
    const char *overrides[] = {limit, NULL};
    (void)snprintf(limit, sizeof limit, "measure.limit.packets=%d", packets);
    weft_study_options options = {.file = path, .results = "unused.weft", .threads = 1};
    options.overrides = packets > 0 ? overrides : NULL;
    weft_catalog *catalog = weft_catalog_create();
    weft_study *study = NULL;
    weft_status status = weft_study_open(&options, catalog, &study, err);
    if (status == WEFT_OK)
        status = weft_study_saturate(study, 0, SATURATION_TOLERANCE, found, err);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
    return status == WEFT_OK;
}

static inline void saturation_tell(const char *name, const weft_saturation *found)
{
    printf("  %-7s %.4f … %.4f, bound %.4f, accepted %.4f [%.4f, %.4f]%s%s%s\n", name, found->load,
           found->unstable, found->bound, found->accepted, found->accepted_lo, found->accepted_hi,
           found->accepted_steady ? "" : " not steady", *found->why ? ", wide because " : "",
           found->why);
}

/* Above the accepted load by more than both intervals? */
static inline bool saturation_exceeds(const weft_saturation *found)
{
    double width = (found->accepted_hi - found->accepted_lo) / 2;
    double step = SATURATION_TOLERANCE * found->load;
    return found->accepted_steady && found->load - found->accepted > width + step;
}

static inline void saturation_judge(saturations *it, const char *text, const weft_saturation *full,
                                    const weft_saturation *brief)
{
    const char *wrong = NULL;
    bool finite = strstr(text, "router: {kind: input-queued") != NULL;
    double step = 1 + SATURATION_TOLERANCE;
    if (full->load > brief->unstable * step || brief->load > full->unstable * step)
        wrong = "the brackets do not meet";
    for (int i = 0; i < 2 && !wrong; i++) {
        const weft_saturation *one = i ? brief : full;
        if (one->bound > 0 && one->load > one->bound * step)
            wrong = "a stable load above the bound";
        else if (finite && saturation_exceeds(one))
            wrong = "a stable load above what is accepted at 1.0";
    }
    it->finite += finite;
    it->wide += *brief->why != 0;
    it->findings += wrong != NULL;
    if (!wrong)
        return;
    printf("seed %" PRIu64 ": %s\n%s", it->seed, wrong, text);
    saturation_tell("full", full);
    saturation_tell("brief", brief);
}

/* Tries networks from a seed on until so many could be compared; returns the findings. */
static inline unsigned saturations_try(uint64_t first, unsigned count)
{
    saturations it = {.seed = first, .folder = "/dev/shm/weft-saturations-XXXXXX"};
    if (!mkdtemp(it.folder))
        abort();
    char path[128];
    for (; it.compared < count; it.seed++) {
        char *text;
        weft_saturation full, brief;
        weft_error err;
        saturation_write(&it, path, &text);
        it.tried++;
        if (saturation_find(path, 0, &full, &err) &&
            saturation_find(path, SATURATION_PACKETS, &brief, &err)) {
            it.compared++;
            saturation_judge(&it, text, &full, &brief);
        }
        free(text);
    }
    (void)unlink(path);
    (void)rmdir(it.folder);
    printf("seeds %" PRIu64 " … %" PRIu64 ": %u drawn, %u compared (%u with finite buffers, %u "
           "brackets of short runs wide), %u findings\n",
           first, it.seed - 1, it.tried, it.compared, it.finite, it.wide, it.findings);
    return it.findings;
}

#endif
