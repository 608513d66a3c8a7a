/* SPDX-License-Identifier: Apache-2.0 */
/* Text from results is spelt out so that TeX sees no command in it: its ten special characters
 * get their commands, a few signs of ours theirs, Latin letters stay, and what pdflatex has no
 * letter for becomes a question mark. */
#include "report/figure/tex.h"

#include "report/figure/legend.h"
#include "report/save.h"
#include "base/digits.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name, *turn;
} filled[WEFT_PLOT_SHAPES] = {{"*", ""},        {"square*", ""},   {"triangle*", ""},
                              {"diamond*", ""}, {"pentagon*", ""}, {"triangle*", "rotate=180, "}};
/* What a character of UTF-8 is in TeX. */
static const char *const spelt[][2] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "''"},
    {"ρ", "$\\rho$"},
    {"µ", "$\\mu$"},
    {"μ", "$\\mu$"},
    {"λ", "$\\lambda$"},
    {"×", "$\\times$"},
    {"±", "$\\pm$"},
    {"·", "$\\cdot$"},
    {"→", "$\\to$"},
    {"≤", "$\\le$"},
    {"≥", "$\\ge$"},
    {"–", "--"},
    {"—", "---"},
    {"…", "\\dots{}"},
    {"’", "'"},
    {"‘", "`"},
    {"“", "``"},
    {"”", "''"},
    {"°", "$^\\circ$"},
    {"²", "$^2$"},
    {"³", "$^3$"},
};

static size_t bytes_of(const char *at)
{
    unsigned char c = (unsigned char)*at;
    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* Letters of Latin-1, U+00C0 to U+00FF. */
static bool is_latin(const char *at)
{
    return (unsigned char)at[0] == 0xc3 && (unsigned char)at[1] != 0x97 &&
           (unsigned char)at[1] != 0xb7;
}

static void add_text(weft_text *out, const char *text)
{
    for (size_t length; *text; text += length) {
        length = bytes_of(text);
        size_t i = 0, count = sizeof spelt / sizeof *spelt;
        while (i < count &&
               (strlen(spelt[i][0]) != length || memcmp(spelt[i][0], text, length) != 0))
            i++;
        if (i < count)
            weft_text_append(out, spelt[i][1], strlen(spelt[i][1]));
        else if (length == 1 || is_latin(text))
            weft_text_append(out, text, length);
        else
            weft_text_append(out, "?", 1);
    }
}

static void add_number(weft_text *out, const char *before, double value)
{
    char text[WEFT_DIGITS_TEXT];
    weft_text_add(out, "%s%s", before, weft_digits_short(text, value));
}

static void add_colours(weft_text *out)
{
    for (size_t i = 0; i < WEFT_PLOT_COLOURS; i++)
        weft_text_add(out, "\\definecolor{weft%zu}{HTML}{%s}\n", i, weft_plot_colours[i] + 1);
}

static void add_tics(weft_text *out, const weft_plot_axes *a)
{
    const char *separator =
        "  ymode=log, log ticks with fixed point, minor tick style={draw=none},\n  ytick={";
    for (double tic = a->y_min; tic <= a->y_max;
         tic = weft_plot_next_tic(a->y_min, a->y_max, tic)) {
        add_number(out, separator, tic);
        separator = ",";
    }
    weft_text_add(out, "},\n");
}

static void add_places(weft_text *out, const weft_plot *plot)
{
    weft_text_add(out, "  xtick={");
    for (size_t i = 0; i < plot->n_places; i++)
        weft_text_add(out, "%s%zu", i ? "," : "", i);
    weft_text_add(out, "}, xticklabels={");
    for (size_t i = 0; i < plot->n_places; i++) {
        weft_text_add(out, "%s{", i ? "," : "");
        add_text(out, plot->places[i]);
        weft_text_add(out, "}");
    }
    weft_text_add(out, "}, x tick label style={rotate=30, anchor=north east},\n");
}

/* The legend stands where the picture has it, in as many columns. */
static void add_size(weft_text *out, const weft_plot *plot)
{
    weft_legend l;
    weft_legend_init(&l, plot);
    weft_text_add(out,
                  "  width=%.2fcm, height=%.2fcm, scale only axis, axis lines=left, grid=major,\n"
                  "  grid style={black!12}, legend cell align=left, legend columns=%zu,\n"
                  "  legend style={draw=none, font=\\small, column sep=1ex, %s},\n",
                  (l.right - l.left) * 2.54 / 96, (l.bottom - l.top) * 2.54 / 96,
                  l.columns ? l.columns : 1,
                  l.place == WEFT_LEGEND_RIGHT ? "at={(1.03,0.5)}, anchor=west"
                                               : "at={(0.5,-0.2)}, anchor=north");
    weft_legend_done(&l);
}

static void add_head(weft_text *out, const weft_plot *plot, const weft_plot_axes *a)
{
    weft_text_add(out, "%% Compile with pdflatex.\n"
                       "\\documentclass{standalone}\n"
                       "\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
                       "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n");
    add_colours(out);
    weft_text_add(out, "\\begin{document}\n\\begin{tikzpicture}\n\\begin{axis}[\n");
    add_size(out, plot);
    weft_text_add(out, "  title={");
    add_text(out, plot->title);
    weft_text_add(out, "},\n  xlabel={");
    add_text(out, plot->x_label);
    weft_text_add(out, "},\n  ylabel={");
    add_text(out, plot->y_label);
    weft_text_add(out, "},\n");
    if (plot->n_places > 0)
        add_places(out, plot);
    if (a->logarithmic)
        add_tics(out, a);
    weft_text_add(out, a->log_x ? "  xmode=log, log ticks with fixed point,\n" : "");
    add_number(out, "  xmin=", a->x_min);
    add_number(out, ", xmax=", a->x_max);
    add_number(out, ", ymin=", a->y_min);
    add_number(out, ", ymax=", a->y_max);
    weft_text_add(out, "]\n");
}

static void add_table(weft_text *out, const weft_plot *plot, const weft_curve *curve)
{
    for (size_t i = 0; i < curve->n_dots; i++) {
        const weft_dot *d = &curve->dots[i];
        if (d->saturated && !plot->saturated_in_place)
            continue;
        add_number(out, "", d->x);
        add_number(out, " ", d->y);
        add_number(out, " ", d->lo);
        add_number(out, " ", d->hi);
        weft_text_add(out, "\n");
    }
}

static void add_measured(weft_text *out, const weft_plot *plot, const weft_curve *curve)
{
    size_t c = curve->colour, shape = weft_plot_shape(curve);
    weft_text_add(
        out,
        "\\addplot+[weft%zu, mark=%s, mark options={%sfill=weft%zu, solid}, mark size=1.6pt, "
        "%s, error bars/.cd, y dir=both, y explicit]\n"
        "  table[x=x, y=y, y error plus expr=\\thisrow{hi}-\\thisrow{y}, "
        "y error minus expr=\\thisrow{y}-\\thisrow{lo}] {\nx y lo hi\n",
        c % WEFT_PLOT_COLOURS, filled[shape].name, filled[shape].turn, c % WEFT_PLOT_COLOURS,
        (plot->n_places > 0 && !plot->ordered) || curve->scattered ? "only marks" : "solid");
    add_table(out, plot, curve);
    weft_text_add(out, "};\n");
}

static void add_theory(weft_text *out, const weft_plot_axes *a, const weft_curve *curve)
{
    static const char *const dashes[] = {[WEFT_CURVE_MODEL] = "dashed",
                                         [WEFT_CURVE_BOUND] = "densely dotted",
                                         [WEFT_CURVE_CEILING] = "dashdotted",
                                         [WEFT_CURVE_WALL] = "dashdotted"};
    bool wall = curve->kind == WEFT_CURVE_WALL;
    char colour[24];
    (void)snprintf(colour, sizeof colour, "weft%zu", curve->colour % WEFT_PLOT_COLOURS);
    weft_text_add(out, "\\addplot[%s, no marks, %s]\n  table[x=x, y=y] {\nx y\n",
                  curve->shared ? "black!60" : colour, dashes[curve->kind]);
    for (size_t i = 0; i < (wall ? 2 : curve->n_dots); i++) {
        add_number(out, "", curve->dots[wall ? 0 : i].x);
        add_number(out, " ", wall ? (i ? a->y_max : a->y_min) : curve->dots[i].y);
        weft_text_add(out, "\n");
    }
    weft_text_add(out, "};\n");
}

/* Marks over the curve: open ones for what is saturated (in a row of their own at the top, if they
 * have no value), crosses in a circle for what is not converged. True if there are any. */
static bool add_marks(weft_text *out, const weft_plot *plot, const weft_plot_axes *a,
                      const weft_curve *curve, bool saturated, size_t row)
{
    size_t c = curve->colour, shape = weft_plot_shape(curve);
    bool any = false;
    for (size_t i = 0; i < curve->n_dots; i++) {
        const weft_dot *d = &curve->dots[i];
        if (saturated ? !d->saturated : !d->unconverged || d->saturated)
            continue;
        if (!any)
            weft_text_add(out,
                          "\\addplot[weft%zu, only marks, mark=%s, mark options={%sfill=white}, "
                          "forget plot] coordinates {",
                          c % WEFT_PLOT_COLOURS, saturated ? filled[shape].name : "otimes*",
                          saturated ? filled[shape].turn : "");
        any = true;
        bool band = saturated && !plot->saturated_in_place;
        add_number(out, "(", d->x);
        add_number(out, ",", band ? weft_plot_height(a, row) : d->y);
        weft_text_add(out, ") ");
    }
    weft_text_add(out, "%s", any ? "};\n" : "");
    return any;
}

static void add_curve(weft_text *out, const weft_plot *plot, const weft_plot_axes *a,
                      const weft_curve *curve)
{
    if (curve->kind == WEFT_CURVE_MEASURED)
        add_measured(out, plot, curve);
    else
        add_theory(out, a, curve);
}

/* The entries of legend.c in their order; lines of theory that share one have none of their own. */
static void add_entries(weft_text *out, const weft_plot *plot, const weft_plot_axes *a)
{
    weft_legend l;
    weft_legend_init(&l, plot);
    for (size_t i = 0; i < l.n_entries; i++) {
        const weft_legend_entry *e = &l.entries[i];
        if (e->sample == WEFT_SAMPLE_CURVE)
            add_curve(out, plot, a, e->curve);
        else
            weft_text_add(
                out, "\\addlegendimage{only marks, mark=%s, black!60, mark options={fill=white}}\n",
                e->sample == WEFT_SAMPLE_SATURATED ? "*" : "otimes*");
        weft_text_add(out, "\\addlegendentry{");
        add_text(out, e->text);
        weft_text_add(out, "}\n");
    }
    for (size_t c = 0; c < plot->n_curves; c++) {
        size_t i = 0;
        while (i < l.n_entries && l.entries[i].curve != &plot->curves[c])
            i++;
        if (i == l.n_entries)
            add_curve(out, plot, a, &plot->curves[c]);
    }
    weft_legend_done(&l);
}

void weft_tex_write(const weft_plot *plot, weft_text *out)
{
    assert(plot->n_curves > 0);
    weft_plot_axes a = weft_plot_choose_axes(plot);
    size_t row = 0;
    add_head(out, plot, &a);
    add_entries(out, plot, &a);
    for (size_t c = 0; c < plot->n_curves; c++) {
        row += add_marks(out, plot, &a, &plot->curves[c], true, row);
        (void)add_marks(out, plot, &a, &plot->curves[c], false, row);
    }
    weft_text_add(out, "\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n");
}

weft_status weft_tex_save(const weft_plot *plot, const char *path, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    weft_text text = {0};
    weft_tex_write(plot, &text);
    weft_status status = weft_save_write(&file, text.at, text.length, err);
    weft_text_done(&text);
    return weft_save_end(&file, status, err);
}
