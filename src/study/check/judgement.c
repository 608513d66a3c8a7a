/* SPDX-License-Identifier: Apache-2.0 */
/* Files one after the other: each as it is, and changed if it has any of the parts that are
 * named. So a fabric whose parts are gone already stands beside one that loses them. */
#include "base/file.h"
#include "base/memory.h"
#include "study/check/judge.h"
#include "study/internal.h"

#include <stdlib.h>
#include <string.h>

/* The judgement with the arena it lives in. */
typedef struct holder {
    weft_judgement shown; /* first, so that a pointer to it is one to the holder */
    weft_arena arena;
} holder;

typedef struct whatif {
    const weft_judge_options *options;
    bool *found; /* of every name and rate: some file has the part */
} whatif;

static size_t count_texts(const char *const *texts)
{
    size_t count = 0;
    while (texts && texts[count])
        count++;
    return count;
}

static size_t count_parts(const weft_judge_options *options)
{
    return count_texts(options->without) + count_texts(options->rates);
}

/* "without spine3, with leaf1:p7=1xEDR" */
static const char *describe(const weft_judge_options *options, weft_arena *arena)
{
    const char *text = "", *between = "without ";
    if (count_parts(options) == 0)
        return NULL;
    for (size_t i = 0; i < count_texts(options->without); i++, between = ", ")
        text = weft_arena_format(arena, "%s%s%s", text, between, options->without[i]);
    between = *text ? ", with " : "with ";
    for (size_t i = 0; i < count_texts(options->rates); i++, between = ", ")
        text = weft_arena_format(arena, "%s%s%s", text, between, options->rates[i]);
    return text;
}

/* Takes away what the options name; *any: something of it was there. */
static weft_status apply(const whatif *change, weft_parts *parts, bool *any, weft_error *err)
{
    const weft_judge_options *options = change->options;
    size_t names = count_texts(options->without), rates = count_texts(options->rates);
    *any = false;
    for (size_t i = 0; i < names + rates; i++) {
        uint32_t count;
        if (i < names)
            count = weft_parts_remove(parts, options->without[i]);
        else
            WEFT_TRY(weft_parts_change_rate(parts, options->rates[i - names], &count, err));
        *any = *any || count > 0;
        change->found[i] = change->found[i] || count > 0;
    }
    return WEFT_OK;
}

/* Fails if a part was found nowhere. */
static weft_status check_found(const whatif *change, const weft_parts *parts, weft_error *err)
{
    const weft_judge_options *options = change->options;
    size_t names = count_texts(options->without);
    for (size_t i = 0; i < count_parts(options); i++)
        if (!change->found[i])
            return weft_parts_refuse(
                parts, i < names ? options->without[i] : options->rates[i - names], err);
    return WEFT_OK;
}

static const char *stem(const char *file, weft_arena *arena)
{
    const char *name = weft_bytes_name(file), *dot = strrchr(name, '.');
    return weft_arena_copy(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static weft_judge_case *add_case(holder *held, const char *file)
{
    weft_judge_case *it = &held->shown.cases[held->shown.n_cases++];
    it->name = stem(file, &held->arena);
    return it;
}

static weft_status judge_case(weft_judge_case *it, const whatif *change,
                              const weft_network *network, const weft_parts *parts,
                              weft_arena *arena, weft_error *err)
{
    bool thorough = change->options->thorough;
    WEFT_TRY(weft_judge_tables(it, network, parts, thorough, arena, err));
    return weft_judge_loops(it, network, parts, thorough, arena, err);
}

static weft_status judge_network(holder *held, const whatif *change, size_t nth,
                                 const weft_network *network, weft_error *err)
{
    const weft_judge_options *options = change->options;
    const char *file = options->files[nth];
    weft_judge_case *whole;
    weft_parts parts;
    bool any = false;
    if (!weft_forwarding_has_lft(&network->topology))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.512s has no forwarding tables to judge; weft import infiniband FILE "
                         "--lft DUMP makes a scenario that has",
                         file);
    weft_parts_init(&parts, &network->topology);
    whole = add_case(held, file);
    weft_status status = judge_case(whole, change, network, &parts, &held->arena, err);
    if (status == WEFT_OK)
        status = apply(change, &parts, &any, err);
    if (status == WEFT_OK && any) {
        weft_judge_case *less = add_case(held, file);
        less->changed = true;
        status = judge_case(less, change, network, &parts, &held->arena, err);
        less->n_gone = whole->hosts - less->hosts;
    }
    if (status == WEFT_OK && nth + 1 == options->n_files)
        status = check_found(change, &parts, err);
    weft_parts_done(&parts);
    return status;
}

static weft_status judge_file(holder *held, const whatif *change, size_t nth,
                              const weft_catalog *catalog, weft_error *err)
{
    const weft_judge_options *options = change->options;
    weft_study *study;
    weft_study_point point;
    WEFT_TRY(weft_study_open(
        &(weft_study_options){.file = options->files[nth], .overrides = options->overrides},
        catalog, &study, err));
    weft_status status = weft_study_point_open(study, 0, &point, err);
    if (status == WEFT_OK) {
        status = judge_network(held, change, nth, &point.network, err);
        weft_study_point_close(&point);
    }
    weft_study_close(study);
    return status;
}

weft_status weft_judgement_make(const weft_judge_options *options, const weft_catalog *catalog,
                                weft_judgement **judgement, weft_error *err)
{
    holder *held = weft_alloc(sizeof *held);
    whatif change = {.options = options};
    weft_status status = WEFT_OK;
    weft_arena_init(&held->arena);
    held->shown.cases = WEFT_TAKE(&held->arena, weft_judge_case, 2 * options->n_files);
    held->shown.change = describe(options, &held->arena);
    change.found = WEFT_TAKE(&held->arena, bool, count_parts(options) + 1);
    for (size_t i = 0; i < options->n_files && status == WEFT_OK; i++)
        status = judge_file(held, &change, i, catalog, err);
    *judgement = status == WEFT_OK ? &held->shown : NULL;
    if (status != WEFT_OK)
        weft_judgement_destroy(&held->shown);
    return status;
}

void weft_judgement_destroy(weft_judgement *judgement)
{
    holder *held = (holder *)(void *)judgement;
    if (!held)
        return;
    weft_arena_done(&held->arena);
    free(held);
}
