/* SPDX-License-Identifier: Apache-2.0 */
/* The only file that names METIS. */
#include "interop/graph.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <metis.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <unistd.h>

static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit indices");

bool weft_graph_can_halve(void)
{
    return true;
}

/* Threads take turns: one would note down METIS's handlers, which another has let in, as those of
 * the program. The lock is the kernel's, on what this process alone has in /proc, since the library
 * has no variables to lock; without /proc there are no turns. */
static int take_turn(void)
{
    int turn = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (turn >= 0 && flock(turn, LOCK_EX) != 0 && errno == EINTR)
        ;
    return turn;
}

/* A child of the program may have the descriptor too, so closing it would not do. */
static void give_turn(int turn)
{
    if (turn < 0)
        return;
    (void)flock(turn, LOCK_UN);
    (void)close(turn);
}

/* A call of METIS. */
typedef struct halving {
    const weft_graph *graph;
    idx_t *load, *options, *weight, *part;
    int code;
    atomic_bool done;
} halving;

static void *halve(void *user)
{
    halving *it = user;
    idx_t vertices = (idx_t)it->graph->vertices, constraints = 1, parts = 2;
    it->code = METIS_PartGraphRecursive(&vertices, &constraints, it->graph->start, it->graph->to,
                                        it->load, NULL, it->graph->weight, &parts, NULL, NULL,
                                        it->options, it->weight, it->part);
    atomic_store(&it->done, true);
    return NULL;
}

/* Returns once METIS has put its handlers in and the program has its own for SIGTERM again. */
static void keep_stop(halving *it, const struct sigaction *stop)
{
    struct sigaction now;
    while (!atomic_load(&it->done)) {
        sigaction(SIGTERM, NULL, &now);
        if (now.sa_handler != stop->sa_handler) {
            sigaction(SIGTERM, stop, NULL);
            return;
        }
        sched_yield();
    }
}

/* METIS takes SIGTERM and SIGABRT as errors of its own while it works, and leaves by a jump, out of
 * the middle of malloc if need be. So it works in a thread that no SIGTERM reaches; the program
 * gets its handler back at once, and in the end with its flags. SIGABRT is how METIS tells itself
 * that memory is out. */
static int halve_undisturbed(halving *it)
{
    struct sigaction stop, failure;
    sigset_t term, before;
    pthread_t thread;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    int turn = take_turn();
    sigaction(SIGTERM, NULL, &stop);
    sigaction(SIGABRT, NULL, &failure);
    pthread_sigmask(SIG_BLOCK, &term, &before);
    if (pthread_create(&thread, NULL, halve, it) == 0) {
        keep_stop(it, &stop);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_join(thread, NULL);
    } else {
        (void)halve(it); /* the system has no thread left */
    }
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGABRT, &failure, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    give_turn(turn);
    return it->code;
}

weft_status weft_graph_halve(const weft_graph *graph, int32_t *load, int seed, int32_t *weight,
                             int32_t *part, weft_error *err)
{
    idx_t options[METIS_NOPTIONS];
    (void)METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_NUMBERING] = 0;
    halving it = {.graph = graph, .load = load, .options = options, .weight = weight, .part = part};
    int code = halve_undisturbed(&it);
    if (code == METIS_OK)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "METIS could not cut the network (%s)",
                     code == METIS_ERROR_MEMORY ? "out of memory" : "its error");
}
