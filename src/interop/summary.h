/* SPDX-License-Identifier: Apache-2.0 */
/* A topology in numbers and as a drawing. */
#ifndef WEFT_INTEROP_SUMMARY_H
#define WEFT_INTEROP_SUMMARY_H

#include "base/text.h"
#include "interweft/interop.h"
#include "interweft/topology.h"

/* Routers, degrees, cables, distances and bisection, a line each; with faults those of what is
 * left. */
WEFT_MUST_USE weft_status weft_summary_numbers(const weft_topology *topology, weft_text *text,
                                               weft_error *err);
/* The greatest distance between edge routers, without faults; *exact: else it is at least that. */
uint32_t weft_summary_diameter(const weft_topology *topology, bool *exact);
/* The half, 0 or 1, of every router in the bisection of weft_summary_numbers, if METIS finds it in
 * short time; NULL: the network has coordinates or a closed form, or is too large. The caller frees
 * it. */
uint32_t *weft_summary_halves(const weft_topology *topology);
/* Places of routers: by coordinates, in groups, in levels, or on a circle. */
WEFT_MUST_USE weft_status weft_summary_draw(const weft_topology *topology, weft_drawing *drawing,
                                            weft_error *err);

#endif
