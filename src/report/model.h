/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a model as a table, as CSV and as a plot, with the simulation if it was run. */
#ifndef WEFT_REPORT_MODEL_H
#define WEFT_REPORT_MODEL_H

#include "interweft/model.h"

#include <stdio.h>

typedef struct weft_report_model {
    const char *name, *title;
    const weft_output *outputs;
    size_t n_points;
    const weft_point *const *points;
    size_t n_agreements; /* 0: no simulation */
    const weft_agreement *agreements;
    size_t n_between; /* intermediate points of the curves, for plots; 0: none */
    const weft_point *const *between;
} weft_report_model;

/* Prints one point as lines, several as rows; distributions below; then the notes. Columns that do
 * not fit into width characters are left out, with a remark. */
void weft_report_model_table(const weft_report_model *view, FILE *out, size_t width);
/* Columns: varied settings, the row of a distribution, every output; then simulated values and
 * their intervals. */
void weft_report_model_csv(const weft_report_model *view, FILE *out);
/* Writes everything as one JSON object. */
void weft_report_model_json(const weft_report_model *view, FILE *out);
/* The setting on the x axis of a plot: the numeric one with most values. */
WEFT_MUST_USE weft_status weft_report_model_axis(const weft_report_model *view, char axis[64],
                                                 weft_error *err);
/* Plots one output (NULL: the first) over that setting; SVG, PNG or PDF by the file's name. */
WEFT_MUST_USE weft_status weft_report_model_plot(const weft_report_model *view, const char *output,
                                                 const char *path, weft_error *err);

/* model_keys.c: the settings that vary. */
#define WEFT_MODEL_KEYS 16
typedef struct weft_report_model_keys {
    size_t n_names;
    char names[WEFT_MODEL_KEYS][64];
} weft_report_model_keys;

void weft_report_model_keys_find(const weft_report_model *view, weft_report_model_keys *keys);
/* The value of a key at a point, "" if it has none; at most size − 1 bytes, harmless in a
 * terminal. */
void weft_report_model_keys_value(const weft_point *point, const char *name, char *value,
                                  size_t size);
/* The agreement on an output at a point; NULL: none. */
const weft_agreement *weft_report_model_agreement(const weft_report_model *view, size_t point,
                                                  const weft_output *output);
/* True if any point has a value of this output. */
bool weft_report_model_has(const weft_report_model *view, const weft_output *output);

#endif
