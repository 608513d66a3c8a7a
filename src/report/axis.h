/* SPDX-License-Identifier: Apache-2.0 */
/* Which axis the points of some results stand on, and which curve each belongs to: decided once, so
 * that every picture of the same results shows the same curves.
 *
 * The axis is the varied load, rho or rate; else the first setting that varies in numbers; else the
 * offered load. What else varies names the curves, after the results' title (or their file's name,
 * where titles do not tell them apart) if there are several. */
#ifndef WEFT_REPORT_AXIS_H
#define WEFT_REPORT_AXIS_H

#include "report/vary.h"

typedef struct weft_axis weft_axis;

/* names of the files; NULL: titles alone. */
weft_axis *weft_axis_create(weft_result *const *results, const char *const *names, size_t count);
void weft_axis_destroy(weft_axis *axis);

/* Takes the setting or quantity (load, rho, rate, accepted) of this name as the axis; a load named
 * by its whole path is that of its class, not of all traffic. NULL: the
 * axis stays, but where nothing varies in numbers it is the first setting that varies at all, its
 * values beside each other. */
WEFT_MUST_USE weft_status weft_axis_choose(weft_axis *axis, const char *name, weft_error *err);
/* What varies, and the number of the setting along the axis (n_settings: none). */
const weft_vary *weft_axis_vary(const weft_axis *axis);
size_t weft_axis_setting(const weft_axis *axis);
/* Is the axis a load, not the value of a setting? */
bool weft_axis_is_load(const weft_axis *axis);

/* Where the point stands; false if it has no place. */
bool weft_axis_place(const weft_axis *axis, const weft_point *point, double *x);
/* Plain text, "" if there is but one curve; of results number r. Lives as long as the axis. */
const char *weft_axis_curve(weft_axis *axis, size_t r, const weft_point *point);
/* What is written under it; rate_unit for an axis of rates (NULL: not known). */
const char *weft_axis_label(weft_axis *axis, const char *rate_unit);

#endif
