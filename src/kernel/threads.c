/* SPDX-License-Identifier: Apache-2.0 */
/* Threads outside a run: how many there are, and loops they share. */
#include "base/cores.h"
#include "kernel/engine.h"

#include <omp.h>
#include <stdlib.h>

unsigned weft_team_default(uint32_t here)
{
    if (getenv("OMP_NUM_THREADS"))
        return (unsigned)omp_get_max_threads();
    unsigned cores = (unsigned)omp_get_num_procs(); /* of the affinity mask */
    unsigned quota = weft_cores_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    cores = (quota && quota < cores ? quota : cores) / (here ? here : 1);
    return cores ? cores : 1;
}

void weft_team_each(unsigned threads, uint32_t count, void (*each)(void *user, uint32_t i),
                    void *user)
{
    if (threads <= 1) {
        for (uint32_t i = 0; i < count; i++)
            each(user, i);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        unsigned thread = (unsigned)omp_get_thread_num(), all = (unsigned)omp_get_num_threads();
        for (uint32_t i = weft_team_row(count, all, thread);
             i < weft_team_row(count, all, thread + 1); i++)
            each(user, i);
    }
}
