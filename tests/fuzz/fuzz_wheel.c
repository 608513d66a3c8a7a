/* SPDX-License-Identifier: Apache-2.0 */
/* Emissions, timers and runs of any lengths: the kernel does what the naive model does. The first
 * bytes lay out the blocks; then every four bytes are one step. */
#include "../unit/test_kernel_naive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENTS_MAX 3000 /* the naive model looks at all of them for each one */

/* A number of up to 31 bits: five bits say how many, eleven its highest ones. */
static weft_time number(const uint8_t *bytes)
{
    uint32_t digits = bytes[0] >> 3, high = (uint32_t)(bytes[0] & 7) << 8 | bytes[1];
    return digits > 11 ? (weft_time)high << (digits - 11) >> 1 : high & ((1u << digits) - 1);
}

/* Windows cost time even if nothing happens. */
static weft_time longest(const naive_world *world)
{
    return (weft_time)1 << (world->blocks > 1 ? 13 : world->timers ? 24 : 30);
}

static void step(naive_world *world, const uint8_t *bytes)
{
    weft_time span = number(bytes + 1);
    uint32_t entity = bytes[3] % world->entities;
    switch (bytes[0] & 7) {
    case 0:
        if (!world_run(world, span & (longest(world) - 1)))
            abort();
        break;
    case 1:
        if (world->timers)
            world_set(world, entity, world->now + 1 + (span & 0xffffff));
        break;
    case 2:
        if (world->timers)
            world_set(world, entity, 0);
        break;
    default:
        world_put(world, entity, span, bytes[3], bytes[0] >> 5);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    uint32_t blocks = 1 + data[0] % WORLD_BLOCKS, sizes[WORLD_BLOCKS];
    for (uint32_t b = 0; b < blocks; b++)
        sizes[b] = 1 + ((data[1] >> b & 1) ? data[2] % 23 : data[2] % 3);
    naive_world world;
    world_open(&world, blocks, sizes, 1 + (data[3] & 63) * (data[3] >> 6), 1 + data[0] / 8 % 24,
               (data[1] & 1) != 0);
    size_t done = 0;
    for (size_t i = 4; i + 4 <= size && i < 800 && done < EVENTS_MAX; i += 4) {
        step(&world, data + i);
        done += world.seen.n_items + 1;
    }
    if (!world_run(&world, 5000))
        abort();
    world_close(&world);
    return 0;
}
