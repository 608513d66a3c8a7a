/* SPDX-License-Identifier: Apache-2.0 */
/* What was read stays until nobody has used it for the last two networks. Of a program that is
 * divided, what is checked and added up of all ranks is found while it is read. */
#include "net/jobs/job_programs.h"

#include "base/memory.h"
#include "net/topology.h"
#include "program/files.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct weft_job_file { /* a program that was read */
    struct weft_job_file *next;
    weft_job_programs *of; /* NULL: it is of one job alone */
    char *path;
    weft_program program;
    uint32_t users;
    uint64_t last; /* the network that has used it last */
    uint64_t most; /* it was read with */
    /* Of a divided one: with which costs, the ranks that are here, and what was found. */
    weft_host_costs costs;
    uint64_t flit, calc;
    uint64_t *kept;
    weft_job_sums sums;
    weft_status status;
    weft_error err;
};

typedef struct weft_job_file file;

struct weft_job_programs {
    pthread_mutex_t lock;
    file *files;
    uint64_t networks; /* so far */
};

weft_job_programs *weft_job_programs_create(void)
{
    weft_job_programs *programs = weft_alloc(sizeof *programs);
    (void)pthread_mutex_init(&programs->lock, NULL);
    return programs;
}

static void forget(file *it)
{
    weft_program_done(&it->program);
    free(it->kept);
    free(it->path);
    free(it);
}

/* Forgets what nobody uses and what was not used lately. */
static void clear(weft_job_programs *programs, uint64_t lately)
{
    for (file **at = &programs->files; *at;) {
        file *it = *at;
        if (it->users > 0 || it->last + lately > programs->networks) {
            at = &it->next;
            continue;
        }
        *at = it->next;
        forget(it);
    }
}

void weft_job_programs_destroy(weft_job_programs *programs)
{
    if (!programs)
        return;
    clear(programs, 0);
    (void)pthread_mutex_destroy(&programs->lock);
    free(programs);
}

void weft_job_programs_release(weft_job *job)
{
    file *it = job->file;
    if (!it)
        return;
    job->file = NULL;
    job->program = (weft_program){0};
    if (!it->of) {
        forget(it);
        return;
    }
    (void)pthread_mutex_lock(&it->of->lock);
    it->users--;
    (void)pthread_mutex_unlock(&it->of->lock);
}

/* ---- reading ---- */

typedef struct reader {
    const weft_job_reading *how;
    weft_job *job;
    file *into;
} reader;

static weft_status check_operation(const weft_job_set *set, uint32_t rank,
                                   const weft_operation *operation, weft_error *err)
{
    uint64_t size = weft_operation_size(operation);
    if (operation->kind == WEFT_OPERATION_CALC)
        return WEFT_OK;
    if (size > WEFT_JOB_FLITS_MAX * set->flit)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "rank %u has a message of %llu bytes; at most %u flits (links.flit) can "
                         "be simulated",
                         rank, (unsigned long long)size, WEFT_JOB_FLITS_MAX);
    if (operation->nic > 0)
        return weft_fail(err, WEFT_BAD_INPUT, "rank %u uses nic %u: an endpoint has one, nic 0",
                         rank, operation->nic);
    return WEFT_OK;
}

static weft_status check_numbers(const weft_job *job, uint32_t rank, weft_error *err)
{
    uint32_t operations = weft_ranks_operations(&job->program, rank);
    if (2 * (uint64_t)operations * job->repeats <= WEFT_JOB_NUMBERS_MAX)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "rank %u has %u operations × %u repetitions; at most %u together can be "
                     "simulated",
                     rank, operations, job->repeats, WEFT_JOB_NUMBERS_MAX / 2);
}

/* Of a program that is not divided. */
static weft_status check_rank(const weft_job_set *set, const weft_job *job, uint32_t rank,
                              weft_error *err)
{
    const weft_program *program = &job->program;
    for (uint32_t i = program->first[rank]; i < program->first[rank + 1]; i++) {
        const weft_operation *operation = &program->operations[i];
        WEFT_TRY(check_operation(set, rank, operation, err));
        if (operation->kind == WEFT_OPERATION_SEND &&
            weft_operation_size(operation) > set->costs.eager &&
            weft_program_wild(program, operation->peer))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "rank %u receives from any source or with any tag, and rank %u sends "
                             "it more than host.eager: that cannot be simulated",
                             operation->peer, rank);
    }
    return WEFT_OK;
}

static weft_status check_program(const weft_job_set *set, const weft_job *job, weft_error *err)
{
    for (uint32_t r = 0; r < job->program.n_ranks; r++) {
        WEFT_TRY(check_numbers(job, r, err));
        if (!job->program.divided)
            WEFT_TRY(check_rank(set, job, r, err));
    }
    return WEFT_OK;
}

static void visit(void *user, uint32_t rank, const weft_operation *operations, uint32_t count)
{
    reader *r = user;
    file *into = r->into;
    for (uint32_t i = 0; i < count && into->status == WEFT_OK; i++)
        into->status = check_operation(r->how->set, rank, &operations[i], &into->err);
    weft_job_sums_add(r->how->set, operations, count, &into->sums);
}

/* The ranks whose endpoints are here. */
static weft_status keep(void *user, uint32_t n_ranks, uint64_t **kept, weft_error *err)
{
    reader *r = user;
    const weft_job_reading *how = r->how;
    size_t words = (size_t)n_ranks / 64 + 1, endpoints = weft_topology_endpoints(how->topology);
    r->job->program.n_ranks = n_ranks;
    if (!r->job->endpoint)
        WEFT_TRY(how->place(how->user, r->job, err));
    *kept = weft_alloc(sizeof **kept * words);
    bool *own = weft_alloc(endpoints);
    if (how->part)
        how->part->find(how->part, how->topology, own);
    else
        memset(own, true, endpoints);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        if (own[r->job->endpoint[rank]])
            (*kept)[rank / 64] |= (uint64_t)1 << rank % 64;
    free(own);
    return WEFT_OK;
}

static weft_status keep_noted(void *user, uint32_t n_ranks, uint64_t **kept, weft_error *err)
{
    reader *r = user;
    size_t words = (size_t)n_ranks / 64 + 1;
    WEFT_TRY(keep(user, n_ranks, kept, err));
    r->into->kept = weft_alloc(sizeof **kept * words);
    memcpy(r->into->kept, *kept, sizeof **kept * words);
    return WEFT_OK;
}

static weft_status read_file(reader *r, file **read, weft_error *err)
{
    const weft_job_set *set = r->how->set;
    r->into = weft_alloc(sizeof *r->into);
    *r->into = (file){.of = r->how->programs,
                      .path = weft_text_format("%s", r->how->path),
                      .most = r->how->most,
                      .costs = set->costs,
                      .flit = set->flit,
                      .calc = set->calc};
    weft_program_division division = {.most = r->how->most,
                                      .answers = set->costs.eager != UINT64_MAX,
                                      .keep = keep_noted,
                                      .visit = visit,
                                      .user = r};
    weft_status status = weft_program_read_part(r->how->path, &division, &r->into->program, err);
    if (status != WEFT_OK) {
        forget(r->into);
        return status == WEFT_BAD_USAGE ? WEFT_BAD_INPUT : status; /* it stands in the scenario */
    }
    *read = r->into;
    return WEFT_OK;
}

/* True if a job can use what was read for another one. */
static weft_status fits(reader *r, const file *it, bool *fit, weft_error *err)
{
    const weft_job_reading *how = r->how;
    const weft_job_set *set = how->set;
    uint64_t *kept;
    *fit = strcmp(it->path, how->path) == 0 && it->most == how->most;
    if (!*fit || !it->program.divided)
        return WEFT_OK;
    *fit = memcmp(&it->costs, &set->costs, sizeof it->costs) == 0 && it->flit == set->flit &&
           it->calc == set->calc;
    if (!*fit)
        return WEFT_OK;
    WEFT_TRY(keep(r, it->program.n_ranks, &kept, err));
    *fit = memcmp(kept, it->kept, sizeof *kept * (it->program.n_ranks / 64 + 1)) == 0;
    free(kept);
    return WEFT_OK;
}

static weft_status find(reader *r, file **found, weft_error *err)
{
    weft_job_programs *programs = r->how->programs;
    for (file *it = programs->files; it; it = it->next) {
        bool fit;
        WEFT_TRY(fits(r, it, &fit, err));
        if (fit) {
            *found = it;
            return WEFT_OK;
        }
    }
    clear(programs, 2);
    WEFT_TRY(read_file(r, found, err));
    (*found)->next = programs->files;
    programs->files = *found;
    return WEFT_OK;
}

static weft_status find_locked(reader *r, file **found, weft_error *err)
{
    weft_job_programs *programs = r->how->programs;
    (void)pthread_mutex_lock(&programs->lock);
    weft_status status = find(r, found, err);
    if (status == WEFT_OK) {
        (*found)->users++;
        (*found)->last = programs->networks;
    }
    (void)pthread_mutex_unlock(&programs->lock);
    return status;
}

/* As often as there are names for its messages. */
static uint32_t most_repeats(const weft_program *program)
{
    uint32_t most = 1;
    for (uint32_t r = 0; r < program->n_ranks; r++)
        if (weft_ranks_operations(program, r) > most)
            most = weft_ranks_operations(program, r);
    uint32_t repeats = WEFT_JOB_NUMBERS_MAX / 2 / most;
    return repeats > 0 ? repeats : 1;
}

weft_status weft_job_programs_read(const weft_job_reading *how, weft_job *job, weft_error *err)
{
    reader r = {.how = how, .job = job};
    file *found = NULL;
    WEFT_TRY(how->programs ? find_locked(&r, &found, err) : read_file(&r, &found, err));
    job->file = found; /* weft_job_programs_release from here on */
    job->program = found->program;
    job->sums = found->sums;
    if (found->status != WEFT_OK)
        return weft_fail(err, found->status, "%s", found->err.text);
    if (job->background)
        job->repeats = most_repeats(&job->program);
    WEFT_TRY(check_program(how->set, job, err));
    return job->endpoint ? WEFT_OK : how->place(how->user, job, err);
}

void weft_job_programs_next(weft_job_programs *programs)
{
    if (!programs)
        return;
    (void)pthread_mutex_lock(&programs->lock);
    programs->networks++;
    (void)pthread_mutex_unlock(&programs->lock);
}
