/* SPDX-License-Identifier: Apache-2.0 */
/* Rules between the settings of a job. */
#include "config/settings.h"

static weft_status check_program(weft_binder *b, const char *path, const weft_node *map,
                                 const weft_job_settings *job)
{
    if (!job->file.text && !job->collective)
        return weft_node_complain(b->err, map,
                                  "%s lacks its program: give file (a GOAL schedule) or "
                                  "collective, such as allreduce/ring",
                                  path);
    if (job->file.text && job->collective)
        return weft_node_complain(b->err, weft_node_key(map, "collective"),
                                  "%s has both 'file' and 'collective'; give one", path);
    if (job->file.text && job->ranks != WEFT_NONE_INT)
        return weft_node_complain(b->err, weft_node_key(map, "ranks"),
                                  "%s.ranks is for collectives: the file says how many there are",
                                  path);
    if (job->size.unit == WEFT_FLITS)
        return weft_node_complain(b->err, weft_node_get(map, "size"),
                                  "%s.size is in bytes, such as 64 KiB", path);
    return WEFT_OK;
}

static weft_status bind_job(weft_binder *b, const weft_node *key, const weft_node *map,
                            weft_job_settings *job)
{
    WEFT_TRY(weft_bind_name(b, key, "a job"));
    const char *path = weft_arena_format(b->arena, "jobs.%s", key->text);
    WEFT_TRY(weft_bind_table(b, path, map, &weft_table_jobs, job));
    job->name = key->text;
    return check_program(b, path, map, job);
}

weft_status weft_settings_jobs(weft_binder *b, const weft_node *tree, weft_named_sections *named)
{
    const weft_node *jobs = weft_node_get(tree, "jobs");
    if (!jobs)
        return WEFT_OK;
    if (jobs->type != WEFT_NODE_MAP || jobs->n_values == 0)
        return weft_node_complain(b->err, jobs, "jobs must be a map from names to jobs, found %s",
                                  jobs->type == WEFT_NODE_MAP ? "none"
                                                              : weft_node_found(jobs, b->arena));
    named->n_jobs = jobs->n_values;
    named->jobs = WEFT_TAKE(b->arena, weft_job_settings, jobs->n_values);
    for (size_t i = 0; i < jobs->n_values; i++)
        WEFT_TRY(bind_job(b, jobs->keys[i], jobs->values[i], &named->jobs[i]));
    return WEFT_OK;
}
