/* SPDX-License-Identifier: Apache-2.0 */
/* Rules between the settings of a job. */
#include "base/suggest.h"
#include "config/settings.h"

static weft_status check_phase(weft_binder *b, const char *path, const weft_node *map,
                               const weft_phase_settings *phase)
{
    bool computes = phase->compute.unit != WEFT_NO_TIME;
    if (computes == (phase->collective != NULL))
        return weft_node_complain(b->err, map,
                                  "%s is either a calculation (compute: 2 ms) or a collective "
                                  "(collective: allreduce/ring); give %s",
                                  path, computes ? "one of them" : "one");
    if (!computes && (phase->imbalance > 0 || phase->noise > 0))
        return weft_node_complain(b->err, map, "%s: imbalance and noise are those of calculations",
                                  path);
    if (phase->size.unit == WEFT_FLITS)
        return weft_node_complain(b->err, weft_node_get(map, "size"),
                                  "%s.size is in bytes, such as 64 KiB", path);
    return WEFT_OK;
}

static weft_status bind_phases(weft_binder *b, const char *job_path, const weft_node *map,
                               weft_job_settings *job)
{
    const weft_node *phases = weft_node_get(map, "phases");
    if (!phases)
        return WEFT_OK;
    if (phases->type != WEFT_NODE_MAP || phases->n_values == 0)
        return weft_node_complain(
            b->err, phases,
            "%s.phases must be a map from names to phases, such as {forward: {compute: 2 ms}, "
            "gradients: {collective: allreduce/ring, size: 1 MiB}}, found %s",
            job_path, phases->type == WEFT_NODE_MAP ? "none" : weft_node_found(phases, b->arena));
    weft_phase_settings *made = WEFT_TAKE(b->arena, weft_phase_settings, phases->n_values);
    for (size_t i = 0; i < phases->n_values; i++) {
        WEFT_TRY(weft_bind_name(b, phases->keys[i], "a phase"));
        const char *path =
            weft_arena_format(b->arena, "%s.phases.%s", job_path, phases->keys[i]->text);
        WEFT_TRY(weft_bind_table(b, path, phases->values[i], &weft_table_phases, &made[i]));
        made[i].name = phases->keys[i]->text;
        WEFT_TRY(check_phase(b, path, phases->values[i], &made[i]));
    }
    job->phases = made;
    job->n_phases = phases->n_values;
    return WEFT_OK;
}

static weft_status check_program(weft_binder *b, const char *path, const weft_node *map,
                                 const weft_job_settings *job)
{
    if (!job->file.text && !job->collective && job->n_phases == 0)
        return weft_node_complain(b->err, map,
                                  "%s lacks its program: give file (a GOAL schedule) or "
                                  "collective, such as allreduce/ring, or phases",
                                  path);
    if (job->n_phases > 0 && (job->file.text || job->collective))
        return weft_node_complain(b->err, weft_node_key(map, "phases"),
                                  "%s has both 'phases' and '%s'; give one", path,
                                  job->file.text ? "file" : "collective");
    if (job->steps != WEFT_NONE_INT && (!job->collective || job->repeat > 1 || job->background))
        return weft_node_complain(b->err, weft_node_key(map, "steps"),
                                  "%s.steps is for one collective that is not repeated", path);
    if (job->file.text && job->collective)
        return weft_node_complain(b->err, weft_node_key(map, "collective"),
                                  "%s has both 'file' and 'collective'; give one", path);
    if (job->file.text && job->ranks != WEFT_NONE_INT)
        return weft_node_complain(b->err, weft_node_key(map, "ranks"),
                                  "%s.ranks is for collectives: the file says how many there are",
                                  path);
    if (job->background && job->repeat != 1)
        return weft_node_complain(b->err, weft_node_key(map, "repeat"),
                                  "%s repeats until the others have ended, since it is in the "
                                  "background: leave out 'repeat'",
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
    WEFT_TRY(bind_phases(b, path, map, job));
    return check_program(b, path, map, job);
}

static size_t find_job(const weft_named_sections *named, const char *name)
{
    size_t i = 0;
    while (i < named->n_jobs && strcmp(named->jobs[i].name, name) != 0)
        i++;
    return i;
}

static weft_status refuse_unknown(weft_binder *b, const weft_node *node,
                                  const weft_named_sections *named, const weft_job_settings *job)
{
    weft_suggest suggest = {.word = job->after};
    for (size_t i = 0; i < named->n_jobs; i++)
        weft_suggest_offer(&suggest, named->jobs[i].name);
    return weft_node_complain(b->err, node, "jobs.%s.after: there is no job '%s'%s", job->name,
                              job->after, weft_suggest_text(&suggest));
}

/* From job to job: each must exist and end, and the way must end too. A circle that the way only
 * leads to is told of the jobs in it. */
static weft_status check_after(weft_binder *b, const weft_node *jobs,
                               const weft_named_sections *named, size_t first)
{
    const weft_node *node = weft_node_get(jobs->values[first], "after");
    size_t at = first;
    for (size_t steps = 0; named->jobs[at].after && steps < named->n_jobs; steps++) {
        const weft_job_settings *job = &named->jobs[at];
        at = find_job(named, job->after);
        if (at == named->n_jobs)
            return refuse_unknown(b, weft_node_get(jobs->values[job - named->jobs], "after"), named,
                                  job);
        if (named->jobs[at].background)
            return weft_node_complain(b->err, node,
                                      "jobs.%s.after: job %s is in the background and ends with "
                                      "the run; name one that ends by itself",
                                      job->name, job->after);
        if (at == first)
            return weft_node_complain(b->err, node,
                                      "jobs.%s.after: the job waits for %s, which waits for it in "
                                      "turn; one of them must begin first",
                                      named->jobs[first].name, named->jobs[first].after);
    }
    return WEFT_OK;
}

static weft_status check_jobs(weft_binder *b, const weft_node *jobs,
                              const weft_named_sections *named)
{
    size_t background = 0;
    for (size_t i = 0; i < named->n_jobs; i++) {
        background += named->jobs[i].background;
        WEFT_TRY(check_after(b, jobs, named, i));
    }
    if (background == named->n_jobs)
        return weft_node_complain(b->err, jobs,
                                  "all jobs are in the background: a run ends when the others "
                                  "have; let one not be in the background");
    return WEFT_OK;
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
    return check_jobs(b, jobs, named);
}
