/* SPDX-License-Identifier: Apache-2.0 */
/* Settings structs → YAML, through the same tables that filled them. */
#include "config/settings.h"

#include "config/describe/print.h"
#include "config/number.h"
#include "config/units.h"

#include <assert.h>
#include <string.h>

static void show_kind(weft_text *text, const weft_kind_ref *ref);

static bool is_none(const weft_param *param, const void *field)
{
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
        return *(const int64_t *)field == WEFT_NONE_INT;
    case WEFT_PARAM_REAL:
    case WEFT_PARAM_FRACTION:
    case WEFT_PARAM_FREQUENCY:
        return *(const double *)field == WEFT_NONE_REAL;
    case WEFT_PARAM_TEXT:
        return *(const char *const *)field == NULL;
    case WEFT_PARAM_FILE:
        return ((const weft_file *)field)->text == NULL;
    case WEFT_PARAM_CHOICE:
        return *(const int *)field < 0;
    case WEFT_PARAM_DURATION:
        return ((const weft_duration *)field)->unit == WEFT_NO_TIME;
    case WEFT_PARAM_SIZE:
    case WEFT_PARAM_ROOM:
        return ((const weft_size *)field)->unit == WEFT_NO_SIZE;
    case WEFT_PARAM_RATE:
        return ((const weft_rate *)field)->unit == WEFT_NO_RATE;
    case WEFT_PARAM_INTS:
        return ((const weft_ints *)field)->count == 0;
    case WEFT_PARAM_REALS:
        return ((const weft_reals *)field)->count == 0;
    case WEFT_PARAM_HOSTS:
        return ((const weft_hosts *)field)->count == 0;
    case WEFT_PARAM_KIND:
        return ((const weft_kind_ref *)field)->kind == NULL;
    case WEFT_PARAM_KINDS:
        return ((const weft_kinds *)field)->count == 0;
    case WEFT_PARAM_FLAG:
        break;
    }
    return false;
}

static void show_ints(weft_text *text, const weft_ints *ints)
{
    for (int32_t i = 0; i < ints->count; i++)
        weft_text_add(text, "%s%d", i ? ", " : "[", (int)ints->at[i]);
    weft_text_append(text, "]", 1);
}

static void show_reals(weft_text *text, const weft_reals *reals)
{
    char number[WEFT_NUMBER_CHARS];
    for (int32_t i = 0; i < reals->count; i++)
        weft_text_add(text, "%s%s", i ? ", " : "[", weft_number_write(reals->at[i], number));
    weft_text_append(text, "]", 1);
}

static void show_hosts(weft_text *text, const weft_hosts *hosts)
{
    for (int32_t i = 0; i < hosts->count; i++) {
        if (hosts->count > 1)
            weft_text_add(text, "%s", i ? ", " : "[");
        weft_print_text(text, hosts->at[i].text);
    }
    if (hosts->count > 1)
        weft_text_append(text, "]", 1);
}

static void show_quantity(weft_text *text, weft_param_type type, const void *field)
{
    weft_quantity quantity = {.base = 0};
    char out[WEFT_QUANTITY_CHARS];
    if (type == WEFT_PARAM_DURATION) {
        const weft_duration *duration = field;
        quantity = (weft_quantity){duration->value, (int)duration->unit};
    } else if (type == WEFT_PARAM_SIZE || type == WEFT_PARAM_ROOM) {
        const weft_size *size = field;
        quantity = (weft_quantity){size->value, (int)size->unit};
    } else if (type == WEFT_PARAM_RATE) {
        const weft_rate *rate = field;
        quantity = (weft_quantity){rate->value, (int)rate->unit};
    } else {
        quantity.value = *(const double *)field;
    }
    weft_text_add(text, "%s", weft_quantity_write(type, quantity, out));
}

static void show_kinds(weft_text *text, const weft_kinds *kinds)
{
    for (int32_t i = 0; i < kinds->count; i++) {
        weft_text_add(text, "%s", i ? ", " : "[");
        show_kind(text, &kinds->at[i]);
    }
    weft_text_append(text, "]", 1);
}

static void show_value(weft_text *text, const weft_param *param, const void *field)
{
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
        weft_text_add(text, "%lld", (long long)*(const int64_t *)field);
        break;
    case WEFT_PARAM_FLAG:
        weft_text_add(text, "%s", *(const bool *)field ? "true" : "false");
        break;
    case WEFT_PARAM_TEXT:
        weft_print_text(text, *(const char *const *)field);
        break;
    case WEFT_PARAM_FILE:
        weft_print_text(text, ((const weft_file *)field)->text);
        break;
    case WEFT_PARAM_CHOICE:
        weft_print_text(text, param->choices[*(const int *)field]);
        break;
    case WEFT_PARAM_INTS:
        show_ints(text, field);
        break;
    case WEFT_PARAM_REALS:
        show_reals(text, field);
        break;
    case WEFT_PARAM_HOSTS:
        show_hosts(text, field);
        break;
    case WEFT_PARAM_KIND:
        show_kind(text, field);
        break;
    case WEFT_PARAM_KINDS:
        show_kinds(text, field);
        break;
    case WEFT_PARAM_REAL: {
        char number[WEFT_NUMBER_CHARS];
        weft_text_add(text, "%s", weft_number_write(*(const double *)field, number));
        break;
    }
    default:
        show_quantity(text, param->type, field);
        break;
    }
}

/* "name: value, name: value" of what is set, from the parameter `settled` on only what is not at
 * its default; returns how many were written. */
static size_t show_params(weft_text *text, const weft_param *params, const char *settings,
                          size_t settled, size_t before)
{
    size_t count = before;
    for (const weft_param *p = params; p && p->name; p++) {
        if (is_none(p, settings + p->offset))
            continue;
        size_t start = text->length;
        weft_text_add(text, "%s%s: ", count ? ", " : "", p->name);
        size_t value = text->length;
        show_value(text, p, settings + p->offset);
        if ((size_t)(p - params) >= settled && p->fallback &&
            strcmp(text->at + value, p->fallback) == 0) {
            text->length = start;
            text->at[start] = '\0';
            continue;
        }
        count++;
    }
    return count - before;
}

static void show_kind(weft_text *text, const weft_kind_ref *ref)
{
    assert(ref->kind);
    weft_text_add(text, "{kind: %s", ref->kind->name);
    (void)show_params(text, ref->kind->params, ref->settings, SIZE_MAX, 1);
    weft_text_append(text, "}", 1);
}

static size_t show_table(weft_text *text, const weft_table *table, const char *settings)
{
    weft_text_append(text, "{", 1);
    size_t settled = table->settled ? table->settled : SIZE_MAX;
    size_t count = show_params(text, table->params, settings, settled, 0);
    for (const weft_table *const *t = table->tables; t && *t; t++) {
        size_t before = text->length;
        if ((*t)->named) /* whoever knows how many there are shows them */
            continue;
        weft_text_add(text, "%s%s: ", count ? ", " : "", (*t)->name);
        size_t inside = show_table(text, *t, settings + (*t)->offset);
        if (inside == 0) {
            text->length = before;
            text->at[before] = '\0';
            continue;
        }
        count += inside + 1;
    }
    weft_text_append(text, "}", 1);
    return count;
}

/* Behind the other settings of links. */
static void show_where(weft_text *text, const weft_bound_links *links)
{
    if (links->n_where == 0)
        return;
    text->length--; /* the closing brace */
    for (size_t i = 0; i < links->n_where; i++) {
        weft_text_add(text, "%s", i ? ", " : ", where: {");
        weft_print_text(text, links->where[i].glob);
        weft_text_append(text, ": ", 2);
        (void)show_table(text, &weft_table_links_where, (const char *)&links->where[i].set);
    }
    weft_text_append(text, "}}", 2);
}

static void show_section(weft_text *text, const weft_table *table, const weft_bound_scenario *bound)
{
    size_t before = text->length;
    weft_text_add(text, "%s: ", table->name);
    if (show_table(text, table, (const char *)bound + table->offset) == 0) {
        text->length = before; /* offered, when there is none */
        text->at[before] = '\0';
        return;
    }
    if (table == &weft_table_links)
        show_where(text, &bound->links);
    weft_text_append(text, "\n", 1);
}

/* Behind the other settings of a job. */
static void show_phases(weft_text *text, const weft_job_settings *job)
{
    if (job->n_phases == 0)
        return;
    text->length--; /* the closing brace */
    for (size_t i = 0; i < job->n_phases; i++) {
        weft_text_add(text, "%s%s: ", i ? ", " : ", phases: {", job->phases[i].name);
        (void)show_table(text, &weft_table_phases, (const char *)&job->phases[i]);
    }
    weft_text_append(text, "}}", 2);
}

/* The settings of what a section names: the i-th is at `first` + i × size and begins with its
 * name. */
static void show_named(weft_text *text, const weft_table *table, const void *first, size_t size,
                       size_t count)
{
    if (count == 0)
        return;
    weft_text_add(text, "%s:\n", table->name);
    for (size_t i = 0; i < count; i++) {
        const char *settings = (const char *)first + i * size;
        weft_text_add(text, "  %s: ", *(const char *const *)(const void *)settings);
        (void)show_table(text, table, settings);
        if (table == &weft_table_jobs)
            show_phases(text, (const weft_job_settings *)(const void *)settings);
        weft_text_append(text, "\n", 1);
    }
}

void weft_show_scenario(weft_text *text, const weft_bound_scenario *bound,
                        const weft_named_sections *named)
{
    for (const weft_param *p = weft_table_scenario.params; p->name; p++) {
        const char *field = (const char *)bound + p->offset;
        if (is_none(p, field))
            continue;
        weft_text_add(text, "%s: ", p->name);
        show_value(text, p, field);
        weft_text_append(text, "\n", 1);
    }
    for (const weft_table *const *t = weft_table_scenario.tables; *t; t++) {
        if (*t == &weft_table_traffic)
            show_named(text, *t, named->classes, sizeof *named->classes, named->n_classes);
        else if (*t == &weft_table_jobs)
            show_named(text, *t, named->jobs, sizeof *named->jobs, named->n_jobs);
        else if (*t != &weft_table_host || named->n_jobs > 0)
            show_section(text, *t, bound);
    }
}
