/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on forwarding tables of a mesh of any size, from its file on; how long it took and
 * how much memory. */
#ifndef WEFT_TEST_TABLE_VERDICT_H
#define WEFT_TEST_TABLE_VERDICT_H

#include "analysis/deadlock/deadlock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "contract/vcs.h"
#include "contract/mesh_tables.h"

#include <time.h>

static inline double table_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A packet of a circle is where it is said to be and waits for what is said. */
static inline void table_check_packet(const mesh_tables *mesh, const weft_topology *topology,
                                      const weft_deadlock_packet *packet)
{
    uint32_t at = packet->from;
    while (at != packet->at.router && at != packet->to)
        at = topology->kind->peer(topology, at, mesh_port(mesh, at, packet->to)).router;
    assert_int_equal(at, packet->at.router);
    assert_int_equal(mesh_port(mesh, at, packet->to), packet->at.port);
    at = topology->kind->peer(topology, at, packet->at.port).router;
    assert_int_equal(at, packet->next.router);
    assert_int_equal(mesh_port(mesh, at, packet->to), packet->next.port);
}

/* VCs: of the routers. seconds: of CPU at most, 0: any. */
static inline void table_verdict(const mesh_tables *mesh, uint32_t vcs, double seconds,
                                 int64_t bytes)
{
    char path[] = "tables-XXXXXX.weftnet", settings[64];
    int fd = mkstemps(path, 8);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_true(mesh_write_apart(mesh, path));
    (void)snprintf(settings, sizeof settings, "path=%s", path);
    const example place = {"file", settings};
    vc_net it;
    weft_error err = {0};
    weft_deadlock found;
    double start = table_clock();
    if (vc_net_try(&it, &place, "tables", "", "dimension-order", vcs, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_deadlock_question question = {.topology = it.routing.topology,
                                       .traffic_classes = 1,
                                       .routing = {&it.routing},
                                       .vcs = vcs,
                                       .budget = (uint64_t)128 << 20};
    weft_deadlock_init(&found, &question);
    double took = table_clock() - start;
    int64_t peak = weft_memory_peak();
    print_message("%u routers, %u destinations: verdict %d, %.1f s of CPU, %.2f GiB at most\n",
                  mesh_routers(mesh), mesh->homes, (int)found.verdict, took,
                  (double)peak * 0x1p-30);
    assert_int_equal(found.verdict, mesh->mixed ? WEFT_DEADLOCK_FOUND : WEFT_DEADLOCK_FREE);
    assert_int_equal(found.examined, mesh->homes);
    for (uint32_t i = 0; i < found.length; i++)
        table_check_packet(mesh, it.routing.topology, &found.circle[i]);
    assert_true(seconds == 0 || took < seconds);
    assert_true(peak < bytes);
    weft_deadlock_done(&found);
    vc_net_close(&it);
    assert_int_equal(remove(path), 0);
}

#endif
