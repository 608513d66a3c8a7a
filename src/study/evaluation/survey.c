/* SPDX-License-Identifier: Apache-2.0 */
/* What has become of the points of a study. */
#include "base/memory.h"
#include "result/extend.h"
#include "study/beside.h"
#include "study/reuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static weft_status estimate_all(weft_study *study, weft_point_survey *points, weft_error *err)
{
    size_t count = weft_plan_points(study->plan);
    weft_schedule_item *items = weft_alloc(count * sizeof *items);
    uint32_t threads;
    study->at_once = weft_beside_most(study, count);
    weft_status status = weft_beside_estimate(study, 1, items, &threads, err);
    for (size_t i = 0; i < count && status == WEFT_OK; i++)
        points[i] = (weft_point_survey){.seconds = items[i].seconds, .bytes = items[i].bytes};
    free(items);
    return status;
}

/* Of a plan that is not joint, weft_study_run looks at the settings and refuses others. */
static weft_status holds(const weft_study *study, size_t i, const weft_point *point, bool *same,
                         weft_error *err)
{
    *same = true;
    return weft_plan_is_joint(study->plan) ? weft_reuse_same(study, i, point, same, err) : WEFT_OK;
}

static weft_status look_at(const weft_study *study, weft_result *result, size_t i,
                           weft_point_survey *survey, weft_error *err)
{
    const weft_point *point;
    bool same;
    size_t k = weft_result_find(result, weft_plan_key(study->plan, i));
    size_t failed = strlen(WEFT_REUSE_FAILED);
    if (k == weft_result_points(result))
        return WEFT_OK;
    WEFT_TRY(weft_result_read(result, k, &point, err));
    WEFT_TRY(holds(study, i, point, &same, err));
    if (same && strncmp(point->verdict, WEFT_REUSE_FAILED, failed) == 0) {
        survey->state = WEFT_POINT_FAILED;
        (void)snprintf(survey->why, sizeof survey->why, "%s", point->verdict + failed);
    } else if (same) {
        survey->state = WEFT_POINT_DONE;
        survey->took = point->wall_seconds;
    }
    return WEFT_OK;
}

weft_status weft_study_survey(weft_study *study, weft_point_survey *points, weft_error *err)
{
    weft_result *result = study->kept;
    WEFT_TRY(estimate_all(study, points, err));
    if (!result && (weft_study_in_memory(study) || access(study->results, F_OK) != 0))
        return WEFT_OK;
    weft_error refused;
    weft_status status = result ? WEFT_OK : weft_result_open(study->results, &result, &refused);
    if (status != WEFT_OK)
        return strstr(refused.text, WEFT_RESULT_EMPTY) ? WEFT_OK
                                                       : weft_fail(err, status, "%s", refused.text);
    for (size_t i = 0; i < weft_plan_points(study->plan) && status == WEFT_OK; i++)
        status = look_at(study, result, i, &points[i], err);
    if (result != study->kept)
        weft_result_close(result);
    return status;
}
