/* SPDX-License-Identifier: Apache-2.0 */
/* One lock guards all there is to share: which item is next, the first failure, and taking. */
#include "farm/workers.h"

#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct weft_workers {
    const weft_workers_job *job;
    pthread_mutex_t lock;
    size_t next;      /* the first item that nobody has begun */
    uint32_t running; /* items in hand */
    weft_status status;
    weft_error error;
};

/* The item to begin now; false: none. */
static bool begin(weft_workers *workers, size_t *i)
{
    pthread_mutex_lock(&workers->lock);
    bool any = workers->status == WEFT_OK && workers->next < workers->job->n_items;
    if (any) {
        *i = workers->next++;
        workers->running++;
    }
    pthread_mutex_unlock(&workers->lock);
    return any;
}

/* A row that was made is taken also after a failure elsewhere. */
static void finish(weft_workers *workers, size_t i, weft_status status, const void *row,
                   size_t bytes, weft_error *err)
{
    pthread_mutex_lock(&workers->lock);
    if (status == WEFT_OK)
        status = workers->job->take(workers->job->user, i, row, row ? bytes : 0, err);
    if (status != WEFT_OK && workers->status == WEFT_OK) {
        workers->status = status;
        workers->error = *err;
    }
    workers->running--;
    pthread_mutex_unlock(&workers->lock);
}

static void *work(void *user)
{
    weft_workers *workers = user;
    for (size_t i; begin(workers, &i);) {
        void *row = NULL;
        size_t bytes = 0;
        weft_error err = {0};
        weft_status status = workers->job->run(workers->job->user, workers, i, &row, &bytes, &err);
        finish(workers, i, status, row, bytes, &err);
        free(row);
    }
    return NULL;
}

bool weft_workers_stops(weft_workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    bool stops = workers->status != WEFT_OK;
    pthread_mutex_unlock(&workers->lock);
    return stops;
}

uint32_t weft_workers_beside(weft_workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    size_t all = workers->running + workers->job->n_items - workers->next;
    pthread_mutex_unlock(&workers->lock);
    return all < workers->job->threads ? (uint32_t)all : workers->job->threads;
}

weft_status weft_workers_run(const weft_workers_job *job, weft_error *err)
{
    assert(job->threads > 0);
    weft_workers workers = {.job = job, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t wanted = job->threads < job->n_items ? job->threads : job->n_items, made = 1;
    pthread_t *threads = weft_alloc((wanted + 1) * sizeof *threads);
    /* where the system has no thread left, those that are there do it all */
    while (made < wanted && pthread_create(&threads[made], NULL, work, &workers) == 0)
        made++;
    (void)work(&workers);
    for (size_t k = 1; k < made; k++)
        (void)pthread_join(threads[k], NULL);
    free(threads);
    (void)pthread_mutex_destroy(&workers.lock);
    if (workers.status != WEFT_OK)
        return weft_fail(err, workers.status, "%s", workers.error.text);
    return WEFT_OK;
}
