/* SPDX-License-Identifier: Apache-2.0 */
/* `measured: FILE.csv` with `metrics: {COLUMN: unit}` and `command:`: a figure of what a program of
 * bench/ has measured, such as times and memory, which hang on the machine. Every line is a run;
 * columns that are not metrics are settings, and lines with the same settings are runs 1, 2, … */
#include "reproduce/expected_table.h"
#include "reproduce/maker.h"
#include "study/context.h"

#include <math.h>
#include <string.h>

typedef struct input {
    const char *file, *command;
    const weft_csv *table;
    const char **units; /* of each column; NULL: a setting */
} input;

static weft_status read_text(const weft_figure_source *source, const char *key, const char **text,
                             weft_error *err)
{
    const weft_param param = {.name = key, .brief = "a text", .type = WEFT_PARAM_TEXT};
    const weft_node *node = weft_node_get(source->map, key);
    if (!node)
        return weft_node_complain(err, source->map, "%s lacks the setting '%s'", source->path, key);
    return weft_bind_value(source->binder,
                           weft_arena_format(source->arena, "%s.%s", source->path, key), &param,
                           node, text);
}

static weft_status read_units(const weft_figure_source *source, input *in, weft_error *err)
{
    const weft_node *map = weft_node_get(source->map, "metrics");
    if (!map || map->type != WEFT_NODE_MAP)
        return weft_node_complain(err, map ? map : source->map,
                                  "%s.metrics must be a map from columns of %s to units",
                                  source->path, in->file);
    in->units = WEFT_TAKE(source->arena, const char *, in->table->columns);
    for (size_t i = 0; i < map->n_values; i++) {
        size_t column = weft_csv_column(in->table, map->keys[i]->text);
        if (column == in->table->columns)
            return weft_node_complain(err, map->keys[i], "%s has no column '%.60s'", in->file,
                                      map->keys[i]->text);
        in->units[column] = map->values[i]->text ? map->values[i]->text : "";
    }
    return WEFT_OK;
}

static weft_status read_measured(const weft_figure_source *source, const void **filled,
                                 weft_error *err)
{
    input *in = WEFT_TAKE(source->arena, input, 1);
    WEFT_TRY(read_text(source, "measured", &in->file, err));
    WEFT_TRY(read_text(source, "command", &in->command, err));
    if (strchr(in->file, '/'))
        return weft_node_complain(err, weft_node_get(source->map, "measured"),
                                  "%s.measured is a file of the study's own folder", source->path);
    const char *path = weft_arena_format(source->arena, "%s/%s", source->book->folder, in->file);
    WEFT_TRY(weft_csv_read(path, source->arena, &in->table, err));
    WEFT_TRY(read_units(source, in, err));
    *filled = in;
    return WEFT_OK;
}

/* "cores=2 threads network=fat tree", and with `line` the same as lines of YAML. */
static const char *settings_of(const input *in, size_t row, bool line, weft_arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < in->table->columns; i++)
        if (!in->units[i])
            text = weft_arena_format(arena, line ? "%s%s%s: %s\n" : "%s%s%s=%s", text,
                                     *text && !line ? " " : "", in->table->header[i],
                                     weft_csv_cell(in->table, row, i));
    return text;
}

static weft_status read_metrics(const input *in, size_t row, weft_arena *arena, weft_point *point,
                                weft_error *err)
{
    weft_metric *metrics = WEFT_TAKE(arena, weft_metric, in->table->columns);
    for (size_t i = 0; i < in->table->columns; i++) {
        if (!in->units[i])
            continue;
        metrics[point->n_metrics] = (weft_metric){.name = in->table->header[i],
                                                  .of = "",
                                                  .by = "",
                                                  .lo = (double)NAN,
                                                  .hi = (double)NAN,
                                                  .n = 1,
                                                  .unit = in->units[i],
                                                  .method = in->command};
        WEFT_TRY(weft_csv_number(in->table, row, i, &metrics[point->n_metrics++].value, err));
    }
    point->metrics = metrics;
    return WEFT_OK;
}

static weft_status commit(const input *in, size_t row, weft_arena *arena, weft_result *result,
                          weft_error *err)
{
    const char *settings = settings_of(in, row, false, arena);
    int round = 1;
    for (size_t i = 0; i < row; i++)
        round += strcmp(settings_of(in, i, false, arena), settings) == 0;
    weft_point point = {.key = weft_arena_format(arena, "%s seed=%d", settings, round),
                        .settings = settings_of(in, row, true, arena),
                        .verdict = "measured"};
    WEFT_TRY(read_metrics(in, row, arena, &point, err));
    return weft_result_commit(result, &point, err);
}

static weft_status copy(const weft_figure_job *job, weft_error *err)
{
    const input *in = job->figure->input;
    weft_arena arena;
    weft_result *result;
    weft_arena_init(&arena);
    const char *text =
        weft_arena_format(&arena, "measured: %s\ncommand: %s\n", in->file, in->command);
    weft_status status =
        weft_result_create(job->how->results, job->figure->shown.title, text, true, &result, err);
    for (size_t row = 0; row < in->table->rows && status == WEFT_OK; row++)
        status = commit(in, row, &arena, result, err);
    weft_result_close(result);
    weft_arena_done(&arena);
    return status;
}

static weft_status run(const weft_figure_job *job, weft_error *err)
{
    weft_comm *comm = job->how->context ? job->how->context->comm : NULL;
    weft_status status = weft_comm_rank(comm) == 0 ? copy(job, err) : WEFT_OK;
    return weft_comm_agree(comm, status, err);
}

static const char *const also[] = {"metrics", "command", NULL};
const weft_figure_maker weft_figure_maker_measured = {
    .key = "measured",
    .brief = "a table of what a program of bench/ measured",
    .also = also,
    .seeds = true,
    .read = read_measured,
    .run = run,
};
