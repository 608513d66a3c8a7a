/* SPDX-License-Identifier: Apache-2.0 */
/* A point of a part is taken if its settings are those that the grid has for its key now, whether
 * or not it is chosen: whatever was run from another text of the scenario is passed over. What is
 * passed over and in no results file is counted, so that nobody removes the only copy. */
#include "study/portion/portion.h"

#include "base/memory.h"
#include "result/extend.h"
#include "result/store.h"
#include "study/beside.h"
#include "study/reuse.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

#define ALONE_MOST    32  /* processes for a point that is the only one left */
#define ALONE_SECONDS 600 /* a shorter one has a single process */

/* ---- what is left ---- */

static bool is_open(const weft_study *study, const weft_result *result, const bool *stale, size_t i)
{
    return stale[i] || !weft_result_has(result, weft_plan_key(study->plan, i));
}

static weft_status estimate(weft_study *study, size_t i, weft_schedule_item *item,
                            weft_left_point *left, weft_error *err)
{
    weft_cost cost;
    uint32_t ranks = study->options.ranks ? (uint32_t)study->options.ranks : 1;
    WEFT_TRY(weft_study_estimate(study, i, ranks, item, &cost, err));
    *left = (weft_left_point){
        .point = i + 1, .seconds = item->seconds, .bytes = item->bytes, .ranks = ranks};
    return WEFT_OK;
}

/* The only point left may have as many processes as shorten it, unless it is short or the
 * caller has said how many. */
static void widen(const weft_study *study, weft_schedule_item *item, weft_left_point *left)
{
    if (study->options.ranks || left->seconds < ALONE_SECONDS || item->width == 1)
        return;
    item->width = 0;
    weft_schedule_widths(
        &(weft_schedule_options){.members = ALONE_MOST, .memory = study->options.memory}, 1, item);
    left->ranks = item->width;
}

static weft_status list_left(weft_study *study, const weft_result *result, const bool *stale,
                             weft_left_point **left, size_t *n_left, weft_error *err)
{
    size_t points = weft_plan_points(study->plan);
    weft_schedule_item last = {0};
    *n_left = 0;
    *left = weft_alloc(sizeof **left * points);
    for (size_t i = 0; i < points; i++) {
        if (weft_portion_leaves_out(study, i) || !is_open(study, result, stale, i))
            continue;
        WEFT_TRY(estimate(study, i, &last, &(*left)[*n_left], err));
        ++*n_left;
    }
    if (*n_left == 1)
        widen(study, &last, *left);
    return WEFT_OK;
}

weft_status weft_study_left(weft_study *study, weft_left_point **left, size_t *n_left,
                            weft_error *err)
{
    assert(weft_comm_size(study->comm) == 1);
    weft_result *result;
    bool *stale = weft_alloc(sizeof *stale * weft_plan_points(study->plan));
    int64_t memory = study->memory;
    *left = NULL;
    weft_status status = weft_reuse_open(study, stale, &result, err);
    if (status == WEFT_OK) {
        study->memory = study->options.memory; /* this machine's own is no limit */
        status = list_left(study, result, stale, left, n_left, err);
        study->memory = memory;
        if (result != study->kept)
            weft_result_close(result);
    }
    if (status != WEFT_OK) {
        free(*left);
        *left = NULL;
    }
    free(stale);
    return status;
}

/* ---- collecting ---- */

typedef struct collection {
    weft_study *study;
    weft_result *result;
    bool *stale;
    size_t taken, others;
} collection;

/* The point of the grid with this key; as many as there are: none. */
static size_t on_grid(const collection *c, const char *key)
{
    size_t i = 0, points = weft_plan_points(c->study->plan);
    while (i < points && strcmp(weft_plan_key(c->study->plan, i), key) != 0)
        i++;
    return i;
}

/* One that ended for want of memory would have gone on in a process that has more, unless this much
 * was asked for. */
static bool wants_more(const weft_study *study, const weft_point *point)
{
    return !study->options.memory && strstr(point->verdict, "memory limit");
}

/* Does a point of a part hold for point i of this scenario? */
static weft_status holds(const weft_study *study, size_t i, const weft_point *point, bool *same,
                         weft_error *err)
{
    WEFT_TRY(weft_reuse_same(study, i, point, same, err));
    *same = *same && !wants_more(study, point);
    return WEFT_OK;
}

/* A point that is not taken counts unless the results hold it, or nobody would take it. A joint
 * plan runs points again whose settings have changed, wherever they are. */
static weft_status pass_over(collection *c, size_t i, const weft_point *point, weft_error *err)
{
    const weft_point *there;
    bool on_joint = weft_plan_is_joint(c->study->plan) && i < weft_plan_points(c->study->plan);
    if (on_joint || wants_more(c->study, point))
        return WEFT_OK;
    size_t k = weft_result_find(c->result, point->key);
    if (k < weft_result_points(c->result)) {
        WEFT_TRY(weft_result_head(c->result, k, &there, err));
        if (strcmp(there->settings, point->settings) == 0)
            return WEFT_OK;
    }
    c->others++;
    return WEFT_OK;
}

static weft_status take_point(collection *c, weft_result *part, size_t k, weft_error *err)
{
    const weft_study *study = c->study;
    size_t i = on_grid(c, weft_result_key(part, k));
    const weft_point *point;
    bool open = i < weft_plan_points(study->plan) && is_open(study, c->result, c->stale, i);
    bool same = false;
    if (!open) {
        WEFT_TRY(weft_result_head(part, k, &point, err));
        return pass_over(c, i, point, err);
    }
    WEFT_TRY(weft_result_read(part, k, &point, err));
    WEFT_TRY(holds(study, i, point, &same, err));
    if (!same)
        return pass_over(c, i, point, err);
    WEFT_TRY(weft_result_replace(c->result, point, err));
    c->stale[i] = false;
    c->taken++;
    return WEFT_OK;
}

static weft_status take_part(collection *c, const char *identity, const char *path, weft_error *err)
{
    weft_result *part;
    struct stat info;
    if (stat(path, &info) != 0 || info.st_size == 0) /* not begun, or killed just then */
        return WEFT_OK;
    WEFT_TRY(weft_result_open(path, &part, err));
    weft_status status = WEFT_OK; /* settings of a joint plan have what files held */
    if (!weft_plan_is_joint(c->study->plan))
        status = weft_store_same_files(part, identity, err);
    for (size_t k = 0; k < weft_result_points(part) && status == WEFT_OK; k++)
        status = take_point(c, part, k, err);
    weft_result_close(part);
    return status;
}

weft_status weft_study_collect(weft_study *study, const char *const *parts, size_t n_parts,
                               size_t *taken, size_t *others, weft_error *err)
{
    assert(weft_comm_size(study->comm) == 1);
    collection c = {.study = study,
                    .stale = weft_alloc(sizeof *c.stale * weft_plan_points(study->plan))};
    weft_text identity;
    weft_text_init(&identity);
    weft_status status = weft_plan_identity(study->plan, &identity, err);
    if (status == WEFT_OK)
        status = weft_reuse_open(study, c.stale, &c.result, err);
    for (size_t k = 0; k < n_parts && status == WEFT_OK; k++)
        status = take_part(&c, identity.at, parts[k], err);
    if (c.result && c.result != study->kept)
        weft_result_close(c.result);
    *taken = c.taken;
    *others = c.others;
    weft_text_done(&identity);
    free(c.stale);
    return status;
}
