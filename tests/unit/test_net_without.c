/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric without some of its routers: what stays has all that it had, router by router, cable by
 * cable, host by host. */
#include "base/memory.h"
#include "net/topology/common/weftnet.h"
#include "net/topology/common/weftnet_without.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A fabric with ranks, times of links and tables that tell all places apart. */
static void read_fabric(const char *name, weft_weftnet *net)
{
    char path[512];
    weft_error err = {""};
    (void)snprintf(path, sizeof path, "%s/%s", WEFT_TEST_DATA, name);
    if (weft_weftnet_read(path, net, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    if (!net->rank)
        net->rank = weft_alloc(sizeof *net->rank * net->routers);
    for (uint32_t r = 0; r < net->routers; r++)
        net->rank[r] = 7 * r;
    if (!net->timing)
        net->timing = weft_alloc(sizeof *net->timing * (net->n_cables + net->homes));
    for (uint32_t i = 0; i < net->n_cables + net->homes; i++)
        net->timing[i] = (weft_link_settings){.rate = {1000 + i, WEFT_BITS_PER_SECOND},
                                              .latency = {2000 + i, WEFT_CYCLES}};
    if (!net->table)
        net->table = weft_alloc((size_t)net->routers * net->homes);
    for (size_t i = 0; i < (size_t)net->routers * net->homes; i++)
        net->table[i] = (uint8_t)(i * 37 % 251);
    weft_subnet *subnet = net->subnet;
    size_t pairs = subnet ? (size_t)subnet->n_hosts * subnet->n_hosts : 0;
    if (subnet && !subnet->path_sl)
        subnet->path_sl = weft_alloc(pairs);
    for (size_t i = 0; i < pairs; i++)
        subnet->path_sl[i] = (uint8_t)(i * 7 % 13);
}

typedef struct pair {
    weft_weftnet before, after;
    uint32_t *now; /* by the number before: the number after, or WEFT_NOWHERE */
} pair;

static void open_pair(pair *it, const char *name, const char *without)
{
    weft_error err = {""};
    read_fabric(name, &it->before);
    read_fabric(name, &it->after);
    if (weft_weftnet_without(&it->after, without, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    it->now = weft_alloc(sizeof *it->now * it->before.routers);
    for (uint32_t r = 0; r < it->before.routers; r++) {
        it->now[r] = WEFT_NOWHERE;
        for (uint32_t n = 0; n < it->after.routers; n++)
            if (strcmp(weft_weftnet_name(&it->before, r), weft_weftnet_name(&it->after, n)) == 0)
                it->now[r] = n;
    }
}

static void close_pair(pair *it)
{
    weft_weftnet_done(&it->before);
    weft_weftnet_done(&it->after);
    free(it->now);
}

static bool same_timing(const weft_link_settings *a, const weft_link_settings *b)
{
    return a->rate.value == b->rate.value && a->latency.value == b->latency.value;
}

static void assert_routers_stay(const pair *it)
{
    const weft_weftnet *a = &it->before, *b = &it->after;
    for (uint32_t r = 0; r < a->routers; r++) {
        uint32_t n = it->now[r];
        if (n == WEFT_NOWHERE)
            continue;
        assert_int_equal(b->rank[n], a->rank[r]);
        assert_int_equal(n < b->homes, r < a->homes);
        for (uint32_t h = 0; h < a->homes; h++)
            if (it->now[h] != WEFT_NOWHERE)
                assert_int_equal(b->table[(size_t)n * b->homes + it->now[h]],
                                 a->table[(size_t)r * a->homes + h]);
        if (r >= a->homes)
            continue;
        assert_int_equal(b->hosts[n], a->hosts[r]);
        assert_true(same_timing(&b->timing[b->n_cables + n], &a->timing[a->n_cables + r]));
    }
}

static void assert_cables_stay(const pair *it)
{
    const weft_weftnet *a = &it->before, *b = &it->after;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < a->n_cables; c++) {
        weft_cable was = a->cables[c];
        uint32_t one = it->now[was.end[0].router], other = it->now[was.end[1].router];
        if (one == WEFT_NOWHERE || other == WEFT_NOWHERE)
            continue;
        assert_true(kept < b->n_cables);
        const weft_cable *is = &b->cables[kept];
        assert_int_equal(is->end[0].router, one);
        assert_int_equal(is->end[1].router, other);
        assert_int_equal(is->end[0].port, was.end[0].port);
        assert_int_equal(is->end[1].port, was.end[1].port);
        assert_int_equal(is->class, was.class);
        assert_int_equal(is->latency, was.latency);
        assert_true(same_timing(&b->timing[kept], &a->timing[c]));
        if (a->subnet)
            assert_memory_equal(&b->subnet->rates[kept], &a->subnet->rates[c],
                                sizeof *a->subnet->rates);
        kept++;
    }
    assert_int_equal(b->n_cables, kept);
}

/* By the number before, the number after of every host. */
static uint32_t *find_hosts(const pair *it)
{
    uint32_t *now = weft_alloc(sizeof *now * (it->before.subnet->n_hosts + 1u)), old = 0, new = 0;
    for (uint32_t h = 0; h < it->before.homes; h++)
        for (uint32_t i = 0; i < it->before.hosts[h]; i++)
            now[old++] = it->now[h] == WEFT_NOWHERE ? WEFT_NOWHERE : new ++;
    assert_int_equal(old, it->before.subnet->n_hosts);
    assert_int_equal(new, it->after.subnet->n_hosts);
    return now;
}

static void assert_subnet_stays(const pair *it)
{
    const weft_subnet *a = it->before.subnet, *b = it->after.subnet;
    uint32_t *host = find_hosts(it);
    for (uint32_t r = 0; r < it->before.routers; r++) {
        uint32_t n = it->now[r];
        if (n == WEFT_NOWHERE)
            continue;
        assert_memory_equal(&b->switches[n], &a->switches[r], sizeof *a->switches);
        assert_memory_equal(b->lft + (size_t)n * b->n_lids, a->lft + (size_t)r * a->n_lids,
                            a->n_lids);
        size_t cells = a->map_start[r + 1] - a->map_start[r];
        assert_int_equal(b->map_start[n + 1] - b->map_start[n], cells);
        assert_memory_equal(b->map + b->map_start[n], a->map + a->map_start[r],
                            cells * sizeof *a->map);
    }
    for (uint32_t x = 0; x < a->n_hosts; x++) {
        if (host[x] == WEFT_NOWHERE)
            continue;
        assert_memory_equal(&b->hosts[host[x]], &a->hosts[x], sizeof *a->hosts);
        for (uint32_t y = 0; a->path_sl && y < a->n_hosts; y++)
            if (host[y] != WEFT_NOWHERE)
                assert_int_equal(b->path_sl[(size_t)host[x] * b->n_hosts + host[y]],
                                 a->path_sl[(size_t)x * a->n_hosts + y]);
    }
    assert_int_equal(b->n_switches, it->after.routers);
    assert_int_equal(b->n_cables, it->after.n_cables);
    free(host);
}

static const struct {
    const char *name, *without;
    uint32_t routers, homes; /* that stay */
} fabrics[] = {
    {"fabrics/small.weftnet", "a", 5, 3},
    {"fabrics/small.weftnet", "s1", 5, 4},
    {"fabrics/small.weftnet", " s2 , b", 4, 3},
    {"fabrics/small.weftnet", "s*,a,b,c", 1, 1},
    {"fabrics/irregular.weftnet", "leaf1*", 37, 19},
    {"fabrics/irregular.weftnet", "leaf0,spine?,spine17", 36, 29},
};

static void what_stays_has_all_that_it_had(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++) {
        pair it;
        open_pair(&it, fabrics[i].name, fabrics[i].without);
        assert_int_equal(it.after.routers, fabrics[i].routers);
        assert_int_equal(it.after.homes, fabrics[i].homes);
        assert_routers_stay(&it);
        assert_cables_stay(&it);
        close_pair(&it);
    }
}

/* As it was read, without what read_fabric adds. */
static void what_stays_has_no_flaw(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++) {
        weft_weftnet net;
        char path[512];
        weft_error err = {""};
        (void)snprintf(path, sizeof path, "%s/%s", WEFT_TEST_DATA, fabrics[i].name);
        assert_int_equal(weft_weftnet_read(path, &net, &err), WEFT_OK);
        assert_int_equal(weft_weftnet_without(&net, fabrics[i].without, &err), WEFT_OK);
        const char *flaw = weft_weftnet_flaw(&net);
        if (flaw)
            fail_msg("%s without %s: %s", fabrics[i].name, fabrics[i].without, flaw);
        weft_weftnet_done(&net);
    }
}

/* Paths of all pairs of hosts have service levels of their own, to be told apart. */
static void a_subnet_stays_too(void **state)
{
    (void)state;
    static const char file[] = "infiniband/torus-2QoS.weftnet";
    weft_weftnet whole;
    read_fabric(file, &whole);
    uint32_t routers = whole.routers;
    for (uint32_t r = 0; r < routers; r += 3) {
        pair it;
        open_pair(&it, file, weft_weftnet_name(&whole, r));
        assert_int_equal(it.after.routers, routers - 1);
        assert_routers_stay(&it);
        assert_cables_stay(&it);
        assert_subnet_stays(&it);
        close_pair(&it);
    }
    weft_weftnet_done(&whole);
}

static const struct {
    const char *without, *said;
} refused[] = {
    {"x", "topology.without: there is no router 'x' in this fabric; the first is 'a'"},
    {"a, x", "topology.without: there is no router 'x' in this fabric; the first is 'a'"},
    {"a,,b", "topology.without: there is no router '' in this fabric; the first is 'a'"},
    {" ", "topology.without: there is no router '' in this fabric; the first is 'a'"},
    {"*", "topology.without leaves no router with hosts"},
    {"a,b,c,d", "topology.without leaves no router with hosts"},
};

static void names_that_there_are_not_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        weft_weftnet net;
        weft_error err = {""};
        read_fabric("fabrics/small.weftnet", &net);
        assert_int_equal(weft_weftnet_without(&net, refused[i].without, &err), WEFT_BAD_INPUT);
        assert_string_equal(err.text, refused[i].said);
        weft_weftnet_done(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_has_all_that_it_had),
        cmocka_unit_test(what_stays_has_no_flaw),
        cmocka_unit_test(a_subnet_stays_too),
        cmocka_unit_test(names_that_there_are_not_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
