/* SPDX-License-Identifier: Apache-2.0 */
/* Text and numbers for people: nothing that a terminal or gnuplot could interpret as a command, no
 * more digits than the interval supports, short names for long paths. Results live in the arena. */
#ifndef WEFT_REPORT_PLAIN_H
#define WEFT_REPORT_PLAIN_H

#include "base/arena.h"
#include "interweft/result.h"

/* The text without control characters (a space each) and without bytes that are not UTF-8 ('?'); at
 * most max columns of a terminal, cut with an ellipsis. */
const char *weft_plain_text(weft_arena *arena, const char *text, size_t length, size_t max);
/* The same of a setting's value; a kind without settings, {kind: ugal}, is its name. */
const char *weft_plain_value(weft_arena *arena, const char *text, size_t length, size_t max);
/* The same of a dotted path, which is cut before its last component: "a-long-….rho". */
const char *weft_plain_name(weft_arena *arena, const char *name, size_t max);
/* Columns on a terminal. */
size_t weft_plain_width(const char *text);

/* 126.34 known to ± 0.86 is "126.3": digits up to the first of the half-width (the second if
 * that is a 1). NaN or 0 as half-width: four digits. "–" for NaN. */
const char *weft_plain_number(weft_arena *arena, double value, double half_width);
/* The half-width itself, to the same digits. */
const char *weft_plain_half(weft_arena *arena, double half_width);
/* Half of hi − lo; NaN without an interval. */
double weft_half_width(const weft_metric *metric);

/* The last components of a dotted path that no other of the paths ends with; "routing.kind" keeps
 * two. */
const char *weft_plain_path(const char *const *paths, size_t count, size_t i);

#endif
