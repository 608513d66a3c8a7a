/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of payload in packets with headers: as many flits as the packets they are cut into. */
#include "net/wire_length.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

static const weft_length *length_of(stage *it, const char *endpoint, const char *length)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "topology: {kind: mesh, dims: [4]}\nlinks: {flit: 2 B}\nendpoint: {%s}\n"
                   "traffic:\n  all: {length: %s, load: 0.1}\n",
                   endpoint, length);
    return &stage_open(it, text)->traffic_classes[0].traffic.length;
}

/* A message of fixed length: flits on the wire. */
static void check(const char *endpoint, const char *length, uint32_t flits)
{
    stage it;
    const weft_length *found = length_of(&it, endpoint, length);
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    assert_int_equal(found->kind->flits(found, &random), flits);
    assert_int_equal(found->kind->most(found), flits);
    assert_true(found->kind->mean(found) == flits);
    stage_close(&it);
}

static void headers_come_with_every_packet(void **state)
{
    (void)state;
    check("mtu: 256 B", "1024 B", 512);
    check("headers: infiniband, mtu: 256 B", "1 B", 1 + 13);
    check("headers: infiniband, mtu: 256 B", "256 B", 128 + 13);
    check("headers: infiniband, mtu: 256 B", "258 B", 129 + 2 * 13);
    check("headers: infiniband, mtu: 4096 B", "64 KiB", 32768 + 16 * 13);
    check("headers: infiniband-datagram, mtu: 2048 B", "256 B", 145); /* a MAD: 290 bytes */
    check("headers: infiniband-global, mtu: 2048 B", "4 KiB", 2048 + 2 * 33);
    check("headers: infiniband-global-datagram, mtu: 2048 B", "4 KiB", 2048 + 2 * 37);
    check("headers: infiniband", "4 KiB", 2048 + 13);
}

/* The longest packet is one of MTU and headers, so that cutting there gives just these packets. */
static void packets_are_cut_behind_their_payload(void **state)
{
    (void)state;
    stage it;
    (void)length_of(&it, "headers: infiniband, mtu: 1024 B", "10 KiB");
    assert_int_equal(weft_wire_packet(&it.scenario), 512 + 13);
    assert_int_equal(weft_wire_header(&it.scenario), 13);
    stage_close(&it);
}

/* Drawn lengths: the mean is that of many draws, within four standard errors. */
static void means_count_headers(void **state)
{
    enum { DRAWS = 200000 };
    (void)state;
    stage it;
    const weft_length *found = length_of(&it, "headers: infiniband, mtu: 256 B",
                                         "{kind: bimodal, short: 64 B, long: 4096 B, share: 30%}");
    assert_int_equal(found->kind->most(found), 2048 + 16 * 13);
    weft_random random = weft_random_stream(7, 0, 0, WEFT_FOR_ESTIMATE);
    double exact = 0.7 * (32 + 13) + 0.3 * (2048 + 16 * 13), sum = 0;
    for (int i = 0; i < DRAWS; i++)
        sum += found->kind->flits(found, &random);
    double spread = (2048 + 16 * 13 - 32 - 13) * 0.4583; /* √(0.3 · 0.7) */
    double error = 4 * spread / 447.2;                   /* √DRAWS */
    assert_true(sum / DRAWS > exact - error && sum / DRAWS < exact + error);
    /* that of packets has the error of 65,536 draws: of 15 packets more or none */
    double packets = 4 * 15 * 13 * 0.4583 / 256;
    assert_true(found->kind->mean(found) > exact - packets &&
                found->kind->mean(found) < exact + packets);
    stage_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_come_with_every_packet),
        cmocka_unit_test(packets_are_cut_behind_their_payload),
        cmocka_unit_test(means_count_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
