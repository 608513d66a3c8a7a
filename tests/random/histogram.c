/* SPDX-License-Identifier: Apache-2.0 */
#include "random/histogram.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, NAME = 64 };

typedef struct bar {
    char name[NAME];
    bool here; /* in the scenario at hand */
    uint64_t drawn, ran;
} bar;

struct histogram {
    bar bars[MOST];
    size_t count;
};

static bar *bar_of(histogram *it, const char *family, const char *kind)
{
    char name[NAME];
    (void)snprintf(name, sizeof name, "%s/%s", family, kind);
    for (size_t i = 0; i < it->count; i++)
        if (strcmp(it->bars[i].name, name) == 0)
            return &it->bars[i];
    if (it->count == MOST)
        return NULL;
    memcpy(it->bars[it->count].name, name, sizeof name);
    return &it->bars[it->count++];
}

histogram *histogram_create(const weft_registry *registry)
{
    static const char apart[] = " model fabric "; /* of other files */
    histogram *it = weft_alloc(sizeof *it);
    for (size_t f = 0; f < registry->n_families; f++) {
        const weft_family *family = &registry->families[f];
        char word[NAME];
        (void)snprintf(word, sizeof word, " %s ", family->name);
        for (size_t k = 0; !strstr(apart, word) && k < family->n_kinds; k++)
            (void)bar_of(it, family->name, family->kinds[k]->name);
    }
    return it;
}

void histogram_destroy(histogram *it)
{
    free(it);
}

void histogram_note(void *to, const char *family, const char *kind)
{
    bar *found = bar_of(to, family, kind);
    if (found)
        found->here = true;
}

void histogram_end(histogram *it, bool ran)
{
    for (size_t i = 0; i < it->count; i++) {
        it->bars[i].drawn += it->bars[i].here;
        it->bars[i].ran += it->bars[i].here && ran;
        it->bars[i].here = false;
    }
}

void histogram_print(const histogram *it)
{
    printf("%-32s %9s %9s\n", "kind", "drawn", "ran");
    for (size_t i = 0; i < it->count; i++)
        printf("%-32s %9" PRIu64 " %9" PRIu64 "\n", it->bars[i].name, it->bars[i].drawn,
               it->bars[i].ran);
}
