/* SPDX-License-Identifier: Apache-2.0 */
/* A scenario drawn over the whole registry: every kind of every family with settings from its
 * parameter table, small enough to run in milliseconds. Most of them can be simulated; the others
 * have to be refused with a sentence. */
#ifndef WEFT_RANDOM_SCENE_H
#define WEFT_RANDOM_SCENE_H

#include "base/text.h"
#include "config/registry.h"

#include <stdbool.h>
#include <stdint.h>

/* Who is told of every kind in a scenario, of sections that may be left out, and of units. */
typedef struct scene_listener {
    void (*note)(void *user, const char *family, const char *kind); /* NULL: nobody */
    void *user;
} scene_listener;

/* Is almost nothing offered in scenario number `seed`, so that messages are alone? */
bool scene_is_light(uint64_t seed);

/* Adds the YAML of scenario number `seed` to a text. */
void scene_draw(const weft_registry *registry, uint64_t seed, scene_listener listener,
                weft_text *text);

/* The same with one class of traffic at a moderate load, in cycles, without faults and limits: a
 * network whose saturation can be asked for. */
void scene_draw_network(const weft_registry *registry, uint64_t seed, weft_text *text);

#endif
