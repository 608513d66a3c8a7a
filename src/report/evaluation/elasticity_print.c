/* SPDX-License-Identifier: Apache-2.0 */
#include "report/evaluation/elasticity.h"

#include "base/digits.h"
#include "base/json.h"
#include "report/cells.h"
#include "report/plain.h"
#include "result/quoted_cell.h"

#include <math.h>
#include <string.h>

static const char *range_text(weft_arena *arena, const char *from, const char *to)
{
    return weft_arena_format(arena, "%s … %s", from, to);
}

/* Half-widths of differences are no guide to the digits of the sides: four. */
static const char *side_text(weft_arena *arena, double value)
{
    return weft_plain_number(arena, value, (double)NAN);
}

/* "14 … 18 flits": the unit once. */
static const char *values_text(weft_arena *arena, const weft_elasticity *row)
{
    const char *from = row->setting->text[row->from], *to = row->setting->text[row->to];
    size_t number = strspn(from, "+-.0123456789");
    bool same = strcmp(from + number, to + strspn(to, "+-.0123456789")) == 0;
    return same ? weft_arena_format(arena, "%.*s … %s", (int)number, from, to)
                : range_text(arena, from, to);
}

static const char *elasticity_text(weft_arena *arena, const weft_elasticity *row)
{
    if (!(row->half_width > 0))
        return side_text(arena, row->value);
    return weft_arena_format(arena, "%s ± %s",
                             weft_plain_number(arena, row->value, row->half_width),
                             weft_plain_half(arena, row->half_width));
}

static const char *note_of(const weft_elasticity *row)
{
    if (row->setting->why)
        return "cannot vary";
    if (*row->note)
        return row->note;
    return isfinite(row->value) && !weft_elasticity_matters(row) ? "no effect seen" : "";
}

static void set_row(weft_text_table *grid, const weft_elasticity *row)
{
    weft_arena *arena = grid->arena;
    const weft_varied_setting *s = row->setting;
    size_t r = weft_text_table_add_row(grid);
    bool known = isfinite(row->value);
    weft_text_table_set(grid, r, 0, s->path);
    weft_text_table_set(grid, r, 1, known ? values_text(arena, row) : s->text[WEFT_SIDE_BASE]);
    if (known) {
        weft_text_table_set(grid, r, 2,
                            range_text(arena, side_text(arena, row->at[row->from]),
                                       side_text(arena, row->at[row->to])));
        weft_text_table_set(grid, r, 3, elasticity_text(arena, row));
    }
    weft_text_table_set(grid, r, 4, note_of(row));
}

/* The median of how much narrower common random numbers made the intervals; 0: not known. */
static double narrowing(const weft_elasticities *found, weft_arena *arena)
{
    double *ratios = WEFT_TAKE(arena, double, found->n_rows + 1);
    size_t count = 0;
    for (size_t i = 0; i < found->n_rows; i++) {
        const weft_elasticity *row = &found->rows[i];
        if (!(row->half_width > 0) || !isfinite(row->independent))
            continue;
        size_t k = count++;
        double ratio = row->independent / row->half_width;
        for (; k > 0 && ratios[k - 1] > ratio; k--)
            ratios[k] = ratios[k - 1];
        ratios[k] = ratio;
    }
    return count > 0 ? ratios[count / 2] : 0;
}

void weft_elasticity_print(const weft_elasticities *found, weft_arena *arena, FILE *out,
                           size_t width)
{
    static const weft_text_table_column columns[] = {
        {.group = "", .name = "setting", .unit = "", .left = true, .least = 20},
        {.group = "", .name = "from … to", .unit = "", .left = true},
        {.group = "", .name = "", .unit = "", .importance = 40},
        {.group = "", .name = "elasticity", .unit = ""},
        {.group = "", .name = "", .unit = "", .left = true, .importance = 95, .least = 8}};
    weft_text_table grid;
    weft_text_table_init(&grid, arena);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        weft_text_table_column column = columns[c];
        if (c == 2) {
            column.name = found->metric;
            column.unit = weft_cells_unit(arena, found->unit);
        }
        (void)weft_text_table_add_column(&grid, &column);
    }
    for (size_t i = 0; i < found->n_rows; i++)
        set_row(&grid, &found->rows[i]);
    weft_cells_align(&grid, 3);
    weft_text_table_fit(&grid, width);
    bool interval = found->half_width > 0 && isfinite(found->half_width);
    (void)fprintf(out, "%s: %s%s%s%s%s as the scenario is; %zu seeds\n", found->title,
                  weft_plain_number(arena, found->base, found->half_width), interval ? " ± " : "",
                  interval ? weft_plain_half(arena, found->half_width) : "",
                  *found->unit && strcmp(found->unit, "fraction") != 0 ? " " : "",
                  strcmp(found->unit, "fraction") != 0 ? found->unit : "", found->seeds);
    if (*found->first)
        (void)fprintf(out, "with the first values of what varies: %s\n",
                      weft_plain_text(arena, found->first, strlen(found->first), 400));
    (void)fputs("\n", out);
    weft_text_table_print(&grid, out, false);
    (void)fputs(
        "\nElasticity: relative change of the quantity per relative change of the setting,\n"
        "with its 95 % interval (Student's t over differences of runs of one seed).\n",
        out);
    for (size_t i = 0; i < found->n_rows; i++) {
        const weft_varied_setting *s = found->rows[i].setting;
        if (s->why)
            (void)fprintf(out, "%s cannot vary: %s\n", s->path, s->why);
    }
    double narrower = narrowing(found, arena);
    if (narrower > 0)
        (void)fprintf(out,
                      "Common random numbers: intervals %.1f times as narrow as of independent "
                      "runs.\n",
                      narrower);
    weft_text_table_done(&grid);
}

static void print_number(FILE *out, double value)
{
    char text[WEFT_DIGITS_TEXT];
    (void)fprintf(out, ",%s", isfinite(value) ? weft_digits_short(text, value) : "");
}

void weft_elasticity_csv(const weft_elasticities *found, FILE *out)
{
    (void)fputs("setting,from,to,metric,unit,at from,at to,elasticity,lo,hi,half-width of "
                "independent runs,seeds,note\n",
                out);
    for (size_t i = 0; i < found->n_rows; i++) {
        const weft_elasticity *row = &found->rows[i];
        const char *from = row->setting->text[row->from], *to = row->setting->text[row->to];
        const char *texts[] = {row->setting->path, from, to, found->metric, found->unit};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            (void)fputs(k ? "," : "", out);
            weft_quoted_cell_print(out, texts[k] ? texts[k] : "");
        }
        print_number(out, row->at[row->from]);
        print_number(out, row->at[row->to]);
        print_number(out, row->value);
        print_number(out, row->value - row->half_width);
        print_number(out, row->value + row->half_width);
        print_number(out, row->independent);
        (void)fprintf(out, ",%zu,", row->runs);
        weft_quoted_cell_print(out, row->note);
        (void)fputs("\n", out);
    }
}

void weft_elasticity_json(const weft_elasticities *found, FILE *out)
{
    weft_json json;
    weft_json_init(&json);
    weft_json_object(&json, NULL);
    weft_json_text(&json, "metric", found->metric);
    weft_json_text(&json, "unit", found->unit);
    weft_json_real(&json, "value", found->base);
    weft_json_real(&json, "lo", found->base - found->half_width);
    weft_json_real(&json, "hi", found->base + found->half_width);
    weft_json_whole(&json, "seeds", (int64_t)found->seeds);
    weft_json_list(&json, "settings");
    for (size_t i = 0; i < found->n_rows; i++) {
        const weft_elasticity *row = &found->rows[i];
        weft_json_object(&json, NULL);
        weft_json_text(&json, "setting", row->setting->path);
        weft_json_text(&json, "from", row->setting->text[row->from]);
        weft_json_text(&json, "to", row->setting->text[row->to]);
        weft_json_real(&json, "at from", row->at[row->from]);
        weft_json_real(&json, "at to", row->at[row->to]);
        weft_json_real(&json, "elasticity", row->value);
        weft_json_real(&json, "lo", row->value - row->half_width);
        weft_json_real(&json, "hi", row->value + row->half_width);
        weft_json_real(&json, "half-width of independent runs", row->independent);
        weft_json_flag(&json, "matters", weft_elasticity_matters(row));
        weft_json_text(&json, "note", row->note);
        weft_json_end(&json);
    }
    weft_json_end(&json);
    weft_json_end(&json);
    (void)fprintf(out, "%s\n", json.text.at);
    weft_json_done(&json);
}
