/* SPDX-License-Identifier: Apache-2.0 */
/* How often every kind of the registry was drawn, and how often it was run: what is drawn but
 * refused, or never drawn, is not tested. */
#ifndef WEFT_RANDOM_HISTOGRAM_H
#define WEFT_RANDOM_HISTOGRAM_H

#include "config/registry.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct histogram histogram;

/* Of all kinds of families whose kinds a scenario may have; other names are added as they come. */
histogram *histogram_create(const weft_registry *registry);
void histogram_destroy(histogram *it);
/* A kind of the scenario at hand; several times counts once. */
void histogram_note(void *it, const char *family, const char *kind);
/* What became of the scenario at hand. */
void histogram_end(histogram *it, bool ran);
/* A line for each. */
void histogram_print(const histogram *it);

#endif
