/* SPDX-License-Identifier: Apache-2.0 */
/* The axis of the points of some results, and the curve of each point: decided once, so that every
 * plot of the same results shows the same curves.
 *
 * The axis is the varied load, rho or rate; else the first varied numeric setting; else the offered
 * load. The other varied settings name the curves, after the title of the results (or their file
 * name, if titles do not distinguish them) if there are several. */
#ifndef WEFT_REPORT_AXIS_H
#define WEFT_REPORT_AXIS_H

#include "report/vary.h"

typedef struct weft_axis weft_axis;

/* "load", "rho" or "rate", if a setting is an offered one; else NULL: links have rates, too. */
const char *weft_axis_offered(const char *path);

/* names of the files; NULL: titles alone. */
weft_axis *weft_axis_create(weft_result *const *results, const char *const *names, size_t count);
void weft_axis_destroy(weft_axis *axis);

/* Makes the setting or quantity (load, rho, rate, accepted) of this name the axis; a load named by
 * its whole path is that of its class, not of all traffic. NULL: the axis stays, but if no numeric
 * setting varies, it is the first varied setting, with its values beside each other. */
WEFT_MUST_USE weft_status weft_axis_choose(weft_axis *axis, const char *name, weft_error *err);
/* The varied settings, and the number of the setting on the axis (n_settings: none). */
const weft_vary *weft_axis_vary(const weft_axis *axis);
size_t weft_axis_setting(const weft_axis *axis);
/* True if the axis is a load, not the value of a setting. */
bool weft_axis_is_load(const weft_axis *axis);
/* True if it is the offered rate, in a unit that the points name. */
bool weft_axis_is_rate(const weft_axis *axis);

/* The place of a point on the axis; false if it has none. */
bool weft_axis_place(const weft_axis *axis, const weft_point *point, double *x);
/* The name of the curve of a point of results number r, in plain text of any length, by which
 * curves are told apart; "" if there is only one. Lives as long as the axis. */
const char *weft_axis_curve(weft_axis *axis, size_t r, const weft_point *point);
/* The label of the axis; rate_unit: for an axis of rates (NULL: unknown). */
const char *weft_axis_label(weft_axis *axis, const char *rate_unit);

#endif
