/* SPDX-License-Identifier: Apache-2.0 */
/* The vary section: axes of a grid, and the settings of each of its points.
 *
 * Axes stand in the order of the section; the last one runs fastest. Values of ranges are made
 * when asked for, in exact decimals, so a grid costs no memory per point. */
#ifndef WEFT_CONFIG_VARY_H
#define WEFT_CONFIG_VARY_H

#include "config/tree.h"

#define WEFT_POINTS_MAX 1000000
#define WEFT_AXES_MAX   64 /* also keys of one entry of together */

typedef struct weft_setting { /* of a point: a path and its value */
    const weft_node *path;
    const weft_node *value;
} weft_setting;

typedef struct weft_sweep weft_sweep;

/* Reads a vary section; NULL: a grid of one point that sets nothing. */
WEFT_MUST_USE weft_status weft_sweep_read(const weft_node *vary, weft_arena *arena,
                                          const weft_sweep **grid, weft_error *err);
size_t weft_sweep_points(const weft_sweep *grid);
/* The settings of point i, sorted by path; returns how many (at most WEFT_SETTINGS_MAX). */
#define WEFT_SETTINGS_MAX (2 * WEFT_AXES_MAX)
size_t weft_sweep_settings(const weft_sweep *grid, size_t i, weft_arena *arena,
                           weft_setting settings[static WEFT_SETTINGS_MAX]);
/* "routing.selection=diagonal traffic.all.rho=0.3" */
const char *weft_sweep_key(const weft_sweep *grid, size_t i, weft_arena *arena);
/* The seed of a point: 64-bit FNV-1a over the eight bytes of seed (lowest first) and the bytes of
 * key, then the finaliser of MurmurHash3 (fmix64). Fixed for ever. */
uint64_t weft_sweep_seed(int64_t seed, const char *key);

#endif
