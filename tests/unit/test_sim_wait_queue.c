/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that wait: the first that can use an output is the one a plain list gives, whatever
 * has come and gone. */
#include "sim/router/common/wait_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "interweft/random.h"

enum { OUTPUTS = 5, MOST = 3000 };

typedef struct plain { /* in order, none has gone */
    uint32_t count;
    uint32_t name[MOST];
    uint64_t outputs[MOST];
} plain;

static uint32_t find(const plain *list, uint32_t output)
{
    uint32_t i = 0;
    while (i < list->count && !(list->outputs[i] >> output & 1))
        i++;
    return i;
}

static void take(plain *list, uint32_t i)
{
    list->count--;
    memmove(&list->name[i], &list->name[i + 1], sizeof *list->name * (list->count - i));
    memmove(&list->outputs[i], &list->outputs[i + 1], sizeof *list->outputs * (list->count - i));
}

static void append(weft_wait_queue *line, uint32_t *from, plain *list, uint32_t name,
                   uint64_t outputs)
{
    weft_event packet = {.key = name ^ 0x55, .data = {name, 1, 2, 3, name + 7}};
    if (line->end == line->room && weft_wait_queue_grow(line))
        memset(from, 0, sizeof *from * OUTPUTS);
    weft_wait_queue_append(line, &packet, outputs);
    list->name[list->count] = name;
    list->outputs[list->count++] = outputs;
}

/* The first that waits for an output, on both sides. */
static void serve(weft_wait_queue *line, uint32_t *from, plain *list, uint32_t output)
{
    uint32_t i = find(list, output), place = weft_wait_queue_find(line, output, &from[output]);
    if (i == list->count) {
        assert_int_equal(place, line->end);
        assert_false(line->any >> output & 1);
        return;
    }
    weft_event packet;
    assert_true(place < line->end && (line->any >> output & 1));
    weft_wait_queue_take(line, place, &packet);
    assert_int_equal(packet.data[0], list->name[i]);
    assert_int_equal(packet.key, list->name[i] ^ 0x55);
    assert_int_equal(packet.data[4], list->name[i] + 7);
    take(list, i);
}

/* Short lines most of the time, then one that grows long and is emptied. */
static void first_is_that_of_a_plain_list(void **state)
{
    (void)state;
    static plain list;
    weft_wait_queue line = {0};
    uint32_t from[OUTPUTS] = {0}, name = 0;
    weft_random random = weft_random_stream(7, 0, 0, WEFT_FOR_ESTIMATE);
    for (int step = 0; step < 40000; step++) {
        uint32_t come = step < 20000 ? 4 : step < 25000 ? 7 : 2;
        if (weft_random_below(&random, 8) < come && list.count < MOST)
            append(&line, from, &list, name++, 1 + weft_random_below(&random, (1 << OUTPUTS) - 1));
        else
            serve(&line, from, &list, weft_random_below(&random, OUTPUTS));
        assert_int_equal(line.waiting, list.count);
        for (uint32_t o = 0; o < OUTPUTS; o++) /* nobody is overlooked */
            assert_true(find(&list, o) == list.count || (line.any >> o & 1));
    }
    weft_wait_queue_done(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_is_that_of_a_plain_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
