/* SPDX-License-Identifier: Apache-2.0 */
/* Foreign formats in and out, and the order in which routers come. */
#include "base/memory.h"
#include "interop/formats.h"
#include "interop/graph.h"

#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#include "contract/networks.h"

typedef weft_status reader(weft_import_graph *import_graph, const char *text, size_t length,
                           weft_error *err);
typedef weft_status writer(const weft_topology *topology, weft_text *text, weft_error *err);

/* A fabric from a text; notes may be NULL. */
static weft_status import(reader *read, const char *text, weft_import_graph_options options,
                          weft_weftnet *net, char **notes, weft_error *err)
{
    weft_import_graph import_graph;
    weft_text said;
    weft_text_init(&said);
    weft_import_graph_init(&import_graph, "f");
    weft_status status = read(&import_graph, text, strlen(text), err);
    if (status == WEFT_OK)
        status = weft_import_graph_finish(&import_graph, &options, net, &said, err);
    weft_import_graph_done(&import_graph);
    assert(status != WEFT_OK || (net->hosts && net->name));
    if (notes && status == WEFT_OK)
        *notes = weft_text_take(&said);
    else
        weft_text_done(&said);
    return status;
}

static void imported(reader *read, const char *text, weft_import_graph_options options,
                     weft_weftnet *net)
{
    weft_error err = {0};
    weft_status status = import(read, text, options, net, NULL, &err);
    if (status != WEFT_OK)
        print_error("%s\n", err.text);
    assert(status == WEFT_OK && net->hosts && net->name);
}

static void refused(reader *read, const char *text, const char *message)
{
    weft_error err = {0};
    weft_weftnet net = {0};
    assert_int_equal(import(read, text, (weft_import_graph_options){0}, &net, NULL, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, message);
}

static const weft_import_graph_options as_it_comes = {.keep_order = true};

static void edge_lists_are_read(void **state)
{
    (void)state;
    weft_weftnet net = {0};
    imported(weft_edges_read,
             "\xEF\xBB\xBF# comment\n\nspine leaf1\r\nspine \"leaf 2\" latency=3 # more\n"
             "host leaf1 2\nhost \"leaf 2\"\nhost \"leaf 2\"\n\"host\" spine",
             as_it_comes, &net);
    assert_int_equal(net.routers, 4);
    assert_int_equal(net.homes, 2); /* they come first */
    assert_string_equal(weft_weftnet_name(&net, 0), "leaf1");
    assert_string_equal(weft_weftnet_name(&net, 1), "leaf 2");
    assert_string_equal(weft_weftnet_name(&net, 2), "spine");
    assert_string_equal(weft_weftnet_name(&net, 3), "host");
    assert_int_equal(net.hosts[0], 2);
    assert_int_equal(net.hosts[1], 2);
    assert_int_equal(net.cables[1].latency, 3);
    assert_int_equal(net.cables[2].end[1].port, 2); /* the third cable of spine */
    weft_weftnet_done(&net);
}

static void hosts_are_given_where_none_are(void **state)
{
    (void)state;
    weft_weftnet net = {0};
    char *notes = NULL;
    weft_error err;
    assert_int_equal(import(weft_edges_read, "a b", as_it_comes, &net, &notes, &err), WEFT_OK);
    assert_int_equal(net.homes, 2);
    assert_int_equal(net.hosts[1], 1);
    assert_string_equal(notes, "no hosts are named: every router has one (--hosts N for more)\n");
    free(notes);
    notes = NULL;
    weft_weftnet_done(&net);
    imported(weft_edges_read, "a b\nhost b 9", (weft_import_graph_options){.hosts = 3}, &net);
    assert_int_equal(net.homes, 1);
    assert_int_equal(net.hosts[0], 3);
    weft_weftnet_done(&net);
    assert_int_equal(
        import(weft_edges_read, "a b\nhost b 9\nhost a", as_it_comes, &net, &notes, &err), WEFT_OK);
    assert_string_equal(notes, "");
    assert_int_equal(net.hosts[0] + net.hosts[1], 10);
    free(notes);
    notes = NULL;
    weft_weftnet_done(&net);
}

/* The example of BookSim2, and one with latencies. */
static void anynet_files_are_read(void **state)
{
    (void)state;
    weft_weftnet net = {0};
    imported(weft_anynet_read,
             "router 0 node 0 node 1 node 2 router 1\nrouter 1 node 3 node 4 node 5\n"
             "router 2 node 6 node 7 node 8 router 1 router 0\n",
             as_it_comes, &net);
    assert_int_equal(net.routers, 3);
    assert_int_equal(net.n_cables, 3);
    assert_int_equal(net.hosts[2], 3);
    assert_int_equal(net.cables[0].latency, 0);
    weft_weftnet_done(&net);
    imported(
        weft_anynet_read,
        "router 7 router 3 15 node 1\nrouter 3 router 7 router 12 node 0 2\nnode 2 router 12\n",
        as_it_comes, &net);
    assert_int_equal(net.n_cables, 2); /* 3–7 is one cable */
    assert_string_equal(weft_weftnet_name(&net, 1), "7");
    assert_int_equal(net.cables[0].latency, 15);
    assert_int_equal(net.cables[0].class, WEFT_LINK_GLOBAL);
    assert_int_equal(net.cables[1].latency, 1); /* as BookSim2 has it */
    assert_int_equal(net.cables[1].class, WEFT_LINK_LOCAL);
    weft_weftnet_done(&net);
}

static void graphml_files_are_read(void **state)
{
    (void)state;
    weft_weftnet net = {0};
    imported(weft_graphml_read,
             "<?xml version='1.0'?><!-- <node> --><graphml>"
             "<key id='x' attr.name='hosts'/><key id='y' for='edge' attr.name=\"class\"/>"
             "<key id='z' attr.name='colour'/><graph edgedefault='undirected'>"
             "<edge source='b' target='a&amp;&#x3C;&#228;'><data key='z'><b>no</b></data>"
             "<data key='y'> regional </data></edge>\n<node id='b'/>"
             "<node id='a&amp;&lt;\xC3\xA4'><data key='x'>4.0</data></node></graph></graphml>",
             as_it_comes, &net);
    assert_int_equal(net.routers, 2);
    assert_int_equal(net.homes, 1);
    assert_string_equal(weft_weftnet_name(&net, 0), "a&<\xC3\xA4");
    assert_int_equal(net.hosts[0], 4);
    assert_int_equal(net.cables[0].class, WEFT_LINK_REGIONAL);
    weft_weftnet_done(&net);
}

/* Latencies are cycles unless they have a unit, those of hosts as those of cables. */
static void graphml_latencies_of_hosts_are_read(void **state)
{
    (void)state;
    weft_weftnet net = {0};
    imported(weft_graphml_read,
             "<graphml><key id='l' attr.name='host_latency'/><graph edgedefault='undirected'>"
             "<node id='a'><data key='l'>3.0</data></node>"
             "<node id='b'><data key='l'>30ns</data></node><edge source='a' target='b'/>"
             "</graph></graphml>",
             as_it_comes, &net);
    const weft_link_settings *hosts = net.timing + net.n_cables;
    assert_int_equal(hosts[0].latency.unit, WEFT_CYCLES);
    assert_true(hosts[0].latency.value == 3);
    assert_int_equal(hosts[1].latency.unit, WEFT_PICOSECONDS);
    assert_true(hosts[1].latency.value == 30000);
    assert_int_equal(net.cables[0].latency, 0);
    weft_weftnet_done(&net);
}

/* A default is for those that its key is for; an empty one says nothing. */
static void graphml_defaults_are_taken(void **state)
{
    (void)state;
    weft_weftnet net = {0};
    imported(weft_graphml_read,
             "<graphml><key id='h' for='node' attr.name='hosts'><default>4</default></key>"
             "<key id='l' for='edge' attr.name='latency'><default> 7.0 </default></key>"
             "<key id='c' for='node' attr.name='class'><default>global</default></key>"
             "<key id='r' for='all' attr.name='rate'><default/></key>"
             "<key id='z' attr.name='colour'><default>9</default></key>"
             "<graph edgedefault='undirected'><node id='a'/>"
             "<node id='b'><data key='h'>2</data></node><edge source='a' target='b'/>"
             "<edge source='a' target='b'><data key='l'>5</data></edge></graph></graphml>",
             as_it_comes, &net);
    assert_int_equal(net.homes, 2);
    assert_int_equal(net.hosts[0], 4);
    assert_int_equal(net.hosts[1], 2);
    assert_int_equal(net.n_cables, 2);
    assert_int_equal(net.cables[0].latency + net.cables[1].latency, 12);
    weft_weftnet_done(&net);
    refused(weft_graphml_read,
            "<graphml><key id='h' attr.name='hosts'><default>x</default></key>\n<node id='a'/>"
            "</graphml>",
            "f:2: hosts must be a whole number 0 … 65536, found 'x'");
}

static void texts_without_sense_are_refused(void **state)
{
    (void)state;
    refused(weft_edges_read, "a b\n\nhost",
            "f:3: the name of a router is a text of 1 … 255 bytes, found ''");
    refused(weft_edges_read, "router a b", "f:1: a router is `router NAME`, found 'b' after it");
    refused(weft_edges_read, "host a 65537",
            "f:1: hosts are `host NAME` or `host NAME NUMBER`, and latency= or rate= of their "
            "links, found '65537'");
    refused(weft_edges_read, "host a 65536\nhost a",
            "f:2: router a would have more than 65536 hosts");
    refused(weft_edges_read, "host a rate=100Gb/s\nhost a 2 rate=50Gb/s",
            "f:2: the hosts of a router have the same latency and rate; an earlier line of a has "
            "others");
    refused(weft_edges_read, "host a latency=3\nhost a",
            "f:2: the hosts of a router have the same latency and rate; an earlier line of a has "
            "others");
    refused(weft_anynet_read, "router 1 router 1", "f:1: router 1 is joined to itself");
    refused(weft_anynet_read, "router 1 node 0 0",
            "f:1: the latency of a link is a whole number of cycles 1 … 1000000000, found '0'");
    refused(weft_anynet_read, "router 99999999",
            "f:1: after `router` comes its number, 0 … 67108863, found '99999999'");
    refused(weft_graphml_read, "", "f:1: a GraphML file begins with the element graphml");
    refused(weft_graphml_read, "<graphml>\n<graph>", "f:2: the file ends inside an element");
    refused(weft_graphml_read, "<graphml><graph/>\n<graph/></graphml>",
            "f:2: there is a second graph; a fabric is one, not nested");
    refused(weft_graphml_read, "<graphml><node id=a/></graphml>",
            "f:1: the value of an attribute must be in quotes");
    refused(weft_graphml_read, "<graphml><node id='a'/><node id='a'/></graphml>",
            "f:1: node a is here twice, or inside another");
    refused(weft_graphml_read, "<graphml><node/></graphml>", "f:1: the attribute id is missing");
    refused(weft_graphml_read, "<graphml>\n<node id='&#x4Z;'/></graphml>",
            "f:2: & begins &lt; &gt; &amp; &quot; &apos; or &#number;, nothing else");
    refused(weft_graphml_read, "<graphml><hyperedge/></graphml>",
            "f:1: a hyperedge is no cable; a cable has two ends");
    refused(weft_graphml_read, "<graphml><![CDATA[x]]></graphml>",
            "f:1: document types and CDATA are not read: leave them out");
}

/* A bomb of 64 cables too many, one of depth, and a name that is too long. Ports of one number have
 * links of one class, so two routers that are each within the limit may be beyond it together. */
static void limits_hold(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    for (int i = 0; i < 1025; i++)
        weft_text_add(&text, "hub leaf%d\n", i);
    refused(weft_edges_read, text.at,
            "f:1025: router hub has more than 1024 cables, the most it may");
    text.length = 0;
    for (int i = 0; i < 600; i++)
        weft_text_add(&text, "a leaf%d\nb far%d class=global\n", i, i);
    weft_text_add(&text, "a b");
    refused(weft_edges_read, text.at,
            "f needs 1201 ports for up to 601 local, 0 regional and 600 global links of a router, "
            "a router has 1024: use fewer classes");
    text.length = 0;
    weft_text_add(&text, "<graphml>");
    for (int i = 0; i < 257; i++)
        weft_text_add(&text, "\n<key id='k%d' attr.name='hosts'/>", i);
    weft_text_add(&text, "</graphml>");
    refused(weft_graphml_read, text.at,
            "f:258: there are more than 256 keys for hosts, class, latency, rate, ports, "
            "host_latency and host_rate");
    text.length = 0;
    for (int i = 0; i < 33; i++)
        weft_text_add(&text, "<graphml>");
    refused(weft_graphml_read, text.at, "f:1: elements are nested deeper than 32");
    text.length = 0;
    weft_text_add(&text, "<graphml><node id='");
    for (int i = 0; i < 600; i++)
        weft_text_add(&text, "&amp;");
    weft_text_add(&text, "'/></graphml>");
    refused(weft_graphml_read, text.at, "f:1: a text is longer than 512 bytes");
    weft_text_done(&text);
}

static void pack(const weft_weftnet *net, weft_pack *out)
{
    *out = (weft_pack){0};
    weft_weftnet_pack(net, out);
}

/* A topology that is exported and imported as it comes has the same routers, cables and ports. */
static void check_round_trip(const weft_topology *topology, reader *read, writer *write)
{
    weft_text text;
    weft_weftnet net = {0};
    weft_error err;
    weft_text_init(&text);
    assert_int_equal(write(topology, &text, &err), WEFT_OK);
    imported(read, text.at, as_it_comes, &net);
    assert_int_equal(net.routers, topology->routers);
    assert_int_equal(net.homes, topology->edge_routers);
    assert_int_equal(net.hosts[0], topology->concentration);
    assert_int_equal(2 * (uint64_t)net.n_cables, topology->links);
    for (uint32_t c = 0; c < net.n_cables; c++)
        for (int e = 0; e < 2; e++) {
            weft_end here = net.cables[c].end[e], there = net.cables[c].end[1 - e];
            weft_end peer = topology->kind->peer(topology, here.router, here.port);
            assert_int_equal(peer.router, there.router);
            assert_int_equal(peer.port, there.port);
            assert_int_equal(net.cables[c].class, topology->port_class[here.port]);
        }
    weft_weftnet_done(&net);
    weft_text_done(&text);
}

static void exports_are_read_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        weft_text text;
        weft_error err;
        weft_text_init(&text);
        if (topology->ports > WEFT_WEFTNET_PORTS_MAX || topology->egress_offset > 0) {
            if (topology->egress_offset > 0)
                assert_int_equal(weft_edges_write(topology, &text, &err), WEFT_BAD_INPUT);
        } else {
            check_round_trip(topology, weft_edges_read, weft_edges_write);
            check_round_trip(topology, weft_graphml_read, weft_graphml_write);
        }
        text.length = 0;
        assert_int_equal(weft_dot_write(topology, &text, &err), WEFT_OK);
        weft_text_done(&text);
        network_close(&net);
    }
}

/* A fabric that came from a file goes back to the same bytes, names and latencies included. */
static void a_fabric_survives_its_export(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology =
        network_open(&net, "file", "path=" WEFT_TEST_DATA "/fabrics/small.weftnet");
    reader *const readers[] = {weft_edges_read, weft_graphml_read};
    writer *const writers[] = {weft_edges_write, weft_graphml_write};
    weft_pack before, after;
    pack(weft_weftnet_of(topology), &before);
    for (int f = 0; f < 2; f++) {
        weft_text text;
        weft_weftnet again;
        weft_error err;
        weft_text_init(&text);
        assert_int_equal(writers[f](topology, &text, &err), WEFT_OK);
        imported(readers[f], text.at, as_it_comes, &again);
        pack(&again, &after);
        assert_int_equal(after.count, before.count);
        assert_memory_equal(after.data, before.data, before.count);
        weft_pack_done(&after);
        weft_weftnet_done(&again);
        weft_text_done(&text);
    }
    weft_pack_done(&before);
    network_close(&net);
}

/* Cables between ranges of numbers, if the routers are cut into so many. */
static uint32_t crossing(const weft_weftnet *net, uint32_t parts)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < net->n_cables; c++) {
        uint64_t a = net->cables[c].end[0].router, b = net->cables[c].end[1].router;
        count += a * parts / net->routers != b * parts / net->routers;
    }
    return count;
}

/* A 16 × 16 torus whose routers come in no order: ranges are nearly as good as boxes, which 64,
 * 128 and 256 cables leave. */
static void ranges_of_the_order_are_good_parts(void **state)
{
    (void)state;
    weft_text text;
    weft_weftnet net, again;
    weft_pack one, two;
    weft_text_init(&text);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t r = i * 101 % 256;
        weft_text_add(&text, "r%u r%u\nr%u r%u\n", r, r / 16 * 16 + (r + 1) % 16, r,
                      (r + 16) % 256);
    }
    imported(weft_edges_read, text.at, (weft_import_graph_options){0}, &net);
    assert_true(crossing(&net, 2) <= 70);
    assert_true(crossing(&net, 4) <= 140);
    assert_true(crossing(&net, 16) <= 280);
    imported(weft_edges_read, text.at, (weft_import_graph_options){0}, &again);
    pack(&net, &one);
    pack(&again, &two);
    assert_int_equal(one.count, two.count);
    assert_memory_equal(one.data, two.data, one.count);
    weft_pack_done(&one);
    weft_pack_done(&two);
    weft_weftnet_done(&net);
    weft_weftnet_done(&again);
    weft_text_done(&text);
}

static void bisections_are_found(void **state)
{
    (void)state;
    weft_graph graph;
    weft_graph_cut cut;
    weft_error err;
    weft_graph_edge edges[128];
    uint32_t load[64], count = 0;
    for (uint32_t r = 0; r < 64; r++) { /* an 8 × 8 mesh, one side of a cable twice */
        load[r] = 1;
        if (r % 8 < 7)
            edges[count++] = (weft_graph_edge){r, r + 1, 1};
        if (r < 56)
            edges[count++] = (weft_graph_edge){r + 8, r, 1};
    }
    weft_graph_init(&graph, 64, edges, count);
    assert_int_equal(graph.start[64], 2 * 112);
    assert_int_equal(weft_graph_bisect(&graph, load, &cut, NULL, &err), WEFT_OK);
    assert_int_equal(cut.weight, 8);
    assert_int_equal(cut.load[0], 32);
    weft_graph_done(&graph);
}

static volatile sig_atomic_t stops;

static void count_stop(int signal)
{
    (void)signal;
    stops++;
}

/* METIS would take the signal as an error of its own. */
static void a_stop_is_kept_while_a_graph_is_cut(void **state)
{
    enum { SIDE = 256 };
    weft_graph graph;
    int32_t weight, again, *part = malloc(sizeof *part * SIDE * SIDE);
    weft_error err;
    weft_graph_edge *edges = malloc(sizeof *edges * 2 * SIDE * SIDE);
    size_t count = 0;
    for (uint32_t r = 0; r < SIDE * SIDE; r++) {
        if (r % SIDE < SIDE - 1)
            edges[count++] = (weft_graph_edge){r, r + 1, 1};
        if (r < SIDE * (SIDE - 1))
            edges[count++] = (weft_graph_edge){r + SIDE, r, 1};
    }
    weft_graph_init(&graph, SIDE * SIDE, edges, count);
    assert_int_equal(weft_graph_halve(&graph, NULL, 1, &weight, part, &err), WEFT_OK);
    struct sigaction action = {.sa_handler = count_stop}, before;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
    struct itimerspec soon = {.it_value.tv_nsec = 5000000};
    timer_t timer;
    sigaction(SIGTERM, &action, &before);
    assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    assert_int_equal(timer_settime(timer, 0, &soon, NULL), 0);
    assert_int_equal(weft_graph_halve(&graph, NULL, 1, &again, part, &err), WEFT_OK);
    assert_int_equal(stops, 1);
    assert_int_equal(again, weight);
    /* The next one comes through as well. */
    raise(SIGTERM);
    raise(SIGTERM);
    assert_int_equal(stops, 3);
    timer_delete(timer);
    sigaction(SIGTERM, &before, NULL);
    weft_graph_done(&graph);
    free(edges);
    free(part);
    (void)state;
}

static void *halve_often(void *user)
{
    const weft_graph *graph = user;
    int32_t weight, part[64];
    for (int i = 0; i < 200; i++)
        if (weft_graph_halve(graph, NULL, 1, &weight, part, NULL) != WEFT_OK)
            return user;
    return NULL;
}

/* One would give back what the other has let METIS put in. */
static void threads_leave_the_handlers_of_the_program(void **state)
{
    (void)state;
    enum { THREADS = 4, RING = 64 };
    weft_graph graph;
    weft_graph_edge edges[RING];
    for (uint32_t r = 0; r < RING; r++)
        edges[r] = (weft_graph_edge){r, (r + 1) % RING, 1};
    weft_graph_init(&graph, RING, edges, RING);
    struct sigaction action = {.sa_handler = count_stop}, before, after;
    sigaction(SIGTERM, &action, &before);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, halve_often, &graph), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    sigaction(SIGTERM, &before, &after);
    assert_true(after.sa_handler == count_stop);
    sigaction(SIGABRT, NULL, &after);
    assert_true(after.sa_handler == SIG_DFL);
    weft_graph_done(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_lists_are_read),
        cmocka_unit_test(hosts_are_given_where_none_are),
        cmocka_unit_test(anynet_files_are_read),
        cmocka_unit_test(graphml_files_are_read),
        cmocka_unit_test(graphml_latencies_of_hosts_are_read),
        cmocka_unit_test(graphml_defaults_are_taken),
        cmocka_unit_test(texts_without_sense_are_refused),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(exports_are_read_again),
        cmocka_unit_test(a_fabric_survives_its_export),
        cmocka_unit_test(ranges_of_the_order_are_good_parts),
        cmocka_unit_test(bisections_are_found),
        cmocka_unit_test(a_stop_is_kept_while_a_graph_is_cut),
        cmocka_unit_test(threads_leave_the_handlers_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
