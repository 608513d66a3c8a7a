/* SPDX-License-Identifier: Apache-2.0 */
/* One value against one parameter: text → typed field, with its range. Every complaint says what
 * was found and what would be right. */
#include "config/bind/bind.h"

#include "config/number.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "config/units.h"

#include <assert.h>
#include <string.h>

#define TEXT_MAX     4096 /* bytes */
#define WORD_MAX     4096 /* bytes */
#define DURATION_MAX 9e18 /* picoseconds or cycles: what 64 bits hold */
#define SIZE_MAX_B   0x1p40
#define ENDLESS      1e15 /* a bound beyond this is not worth telling */
#define FACTOR_MAX   64   /* of what a table leaves open */
#define PACE_MIN     1e-3 /* flits per cycle: rates have their bounds in b/s */
#define PACE_MAX     1e3

typedef struct task { /* what every helper needs */
    weft_binder *b;
    const char *path;
    const weft_param *param;
    const weft_node *node;
} task;

static const char *choices_text(const weft_param *param, weft_arena *arena)
{
    const char *text = "";
    for (const char *const *c = param->choices; c && *c; c++)
        text = weft_arena_format(arena, "%s%s%s", text, *text ? ", " : "", *c);
    return text;
}

const char *weft_bind_expects(const weft_param *param, weft_arena *arena)
{
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
        return "a whole number";
    case WEFT_PARAM_REAL:
        return "a number";
    case WEFT_PARAM_FRACTION:
        return "a fraction such as 0.3 or 30%";
    case WEFT_PARAM_FLAG:
        return "true or false";
    case WEFT_PARAM_TEXT:
        return "text";
    case WEFT_PARAM_FILE:
        return "the name of a file";
    case WEFT_PARAM_CHOICE:
        return weft_arena_format(arena, "one of %s", choices_text(param, arena));
    case WEFT_PARAM_DURATION:
        return "a duration such as 2 cycles or 5 ns";
    case WEFT_PARAM_SIZE:
        return "a size such as 64 B or 64 flits";
    case WEFT_PARAM_ROOM:
        return "a size such as 4 KiB, 64 flits or 4 packets";
    case WEFT_PARAM_RATE:
        return "a rate such as 400 Gb/s, 4xHDR or 0.5 flits/cycle";
    case WEFT_PARAM_FREQUENCY:
        return "a frequency such as 1 GHz";
    case WEFT_PARAM_INTS:
        return "a list of whole numbers such as [16, 16]";
    case WEFT_PARAM_REALS:
        return "a list of numbers such as [8, 16.5]";
    case WEFT_PARAM_HOSTS:
        return WEFT_HOSTS_EXPECTED;
    case WEFT_PARAM_KIND:
        return weft_arena_format(arena, "a kind of %s", param->family);
    case WEFT_PARAM_KINDS:
        return weft_arena_format(arena, "a list of kinds of %s", param->family);
    }
    return "a value";
}

static weft_status wrong(const task *t, const char *more)
{
    return weft_node_complain(t->b->err, t->node, "%s must be %s, found %s%s", t->path,
                              weft_bind_expects(t->param, t->b->arena),
                              weft_node_found(t->node, t->b->arena), more);
}

static const char *bound_text(const task *t, double bound, int base)
{
    char out[WEFT_QUANTITY_CHARS];
    weft_param_type type = t->param->type;
    bool unit = type == WEFT_PARAM_DURATION || type == WEFT_PARAM_SIZE || type == WEFT_PARAM_ROOM ||
                type == WEFT_PARAM_RATE || type == WEFT_PARAM_FREQUENCY;
    if (unit)
        (void)weft_quantity_write(type, (weft_quantity){bound, base}, out);
    else
        (void)weft_number_write(bound, out);
    return weft_arena_copy(t->b->arena, out, strlen(out));
}

/* 20 where 0.2 is meant. */
static const char *percent_hint(const task *t, double value, double min, double max,
                                const char *found)
{
    bool likely = t->param->type == WEFT_PARAM_FRACTION && value > max && value / 100 >= min &&
                  value / 100 <= max && !strchr(found, '%');
    return likely ? weft_arena_format(t->b->arena, "; did you mean %s%%?", found) : "";
}

/* value within the parameter's own range, or [min, max] if it has none. */
static weft_status check_range(const task *t, double value, int base, double min, double max,
                               const char *found)
{
    bool pace = t->param->type == WEFT_PARAM_RATE && base == (int)WEFT_FLITS_PER_CYCLE;
    if (!pace && (t->param->min != 0 || t->param->max != 0)) {
        min = t->param->min;
        max = t->param->max;
    }
    if (value >= min && value <= max)
        return WEFT_OK;
    const char *low = bound_text(t, min < -1e300 ? 0 : min, base);
    const char *high = bound_text(t, max > 1e300 ? 0 : max, base);
    if (value < min && max >= ENDLESS)
        return weft_node_complain(t->b->err, t->node, "%s must be at least %s, found %s", t->path,
                                  low, found);
    if (value > max && (min <= -ENDLESS || max >= ENDLESS))
        return weft_node_complain(t->b->err, t->node, "%s must be at most %s, found %s", t->path,
                                  high, found);
    return weft_node_complain(t->b->err, t->node, "%s must be %s … %s, found %s%s", t->path, low,
                              high, found, percent_hint(t, value, min, max, found));
}

static weft_status bind_int(const task *t, int64_t *field)
{
    double real;
    size_t taken = weft_number_read(t->node->text, 0, &real);
    if (taken == 0 || t->node->text[taken] != '\0')
        return wrong(t, "");
    if (!weft_integer_read(t->node->text, field))
        return wrong(t, real > 9e18 || real < -9e18 ? ", which is beyond 64 bits" : "");
    bool factor = t->param->type == WEFT_PARAM_FACTOR;
    return check_range(t, (double)*field, 0, factor ? 1 : -1.7e308, factor ? FACTOR_MAX : 1.7e308,
                       t->node->text);
}

static weft_status bind_real(const task *t, double *field)
{
    size_t taken = weft_number_read(t->node->text, 0, field);
    if (taken == 0 || t->node->text[taken] != '\0')
        return wrong(t, "");
    if (*field - *field != 0)
        return wrong(t, ", which is too large a number");
    return check_range(t, *field, 0, -1.7e308, 1.7e308, t->node->text);
}

/* 4xHRD: the nearest speed. */
static const char *speed_hint(const task *t, const char *unit)
{
    weft_suggest suggest = {.word = unit, .best = weft_quantity_meant(WEFT_PARAM_RATE, unit)};
    if (!suggest.best)
        weft_quantity_offer_units(WEFT_PARAM_RATE, &suggest);
    size_t width = (size_t)(unit - t->node->text);
    return suggest.best && suggest.best[0] == 'x'
               ? weft_arena_format(t->b->arena, "; did you mean %.*s%s?", (int)width, t->node->text,
                                   suggest.best)
               : "";
}

static weft_status refuse_unit(const task *t, const char *unit)
{
    const char *meant = weft_quantity_meant(t->param->type, unit);
    return wrong(t, weft_arena_format(t->b->arena, ", whose unit '%.20s' is not one of %s%s%s%s",
                                      unit, weft_quantity_units(t->param->type),
                                      meant ? "; did you mean '" : "", meant ? meant : "",
                                      meant ? "'?" : ""));
}

static weft_status read_quantity(const task *t, weft_quantity *quantity)
{
    const char *text = t->node->text;
    switch (weft_quantity_read(t->param->type, text, quantity)) {
    case WEFT_QUANTITY_NO_NUMBER:
        return wrong(t, "");
    case WEFT_QUANTITY_NO_UNIT:
        return wrong(t, weft_arena_format(t->b->arena, " without a unit (%s)",
                                          weft_quantity_units(t->param->type)));
    case WEFT_QUANTITY_BAD_WIDTH:
        return wrong(t, ", whose width is not one of 1x, 2x, 4x, 8x, 12x");
    case WEFT_QUANTITY_BAD_UNIT:
        if (weft_quantity_unit(text)[0] == 'x')
            return wrong(t, speed_hint(t, weft_quantity_unit(text)));
        return refuse_unit(t, weft_quantity_unit(text));
    case WEFT_QUANTITY_OK:
        break;
    }
    if (quantity->value - quantity->value != 0)
        return wrong(t, ", which is too large a number");
    return WEFT_OK;
}

void weft_bind_mention(weft_mention *mention, const weft_node *node, const char *path)
{
    bool placed = mention->node && !mention->node->source->unplaced;
    if (!placed) /* a file says more than a default */
        *mention = (weft_mention){node, path};
}

static void mention_time(const task *t, weft_quantity quantity)
{
    if (quantity.value == 0 || t->param == t->b->wall)
        return;
    bool cycles = t->param->type == WEFT_PARAM_DURATION
                      ? quantity.base == (int)WEFT_CYCLES
                      : quantity.base == (int)WEFT_FLITS_PER_CYCLE;
    weft_bind_mention(cycles ? &t->b->cycles : &t->b->seconds, t->node, t->path);
}

static weft_status bind_quantity(const task *t, weft_quantity *quantity)
{
    WEFT_TRY(read_quantity(t, quantity));
    weft_param_type type = t->param->type;
    bool pace = type == WEFT_PARAM_RATE && quantity->base == (int)WEFT_FLITS_PER_CYCLE;
    double min = type == WEFT_PARAM_FRACTION ? -1e300 : pace ? PACE_MIN : 0;
    double max = type == WEFT_PARAM_DURATION                          ? DURATION_MAX
                 : type == WEFT_PARAM_SIZE || type == WEFT_PARAM_ROOM ? SIZE_MAX_B
                 : pace                                               ? PACE_MAX
                                                                      : 1e300;
    WEFT_TRY(check_range(t, quantity->value, quantity->base, min, max, t->node->text));
    if (t->param == t->b->wall && quantity->base != (int)WEFT_PICOSECONDS && quantity->value != 0)
        return weft_node_complain(t->b->err, t->node, "%s is real time, such as 10 min, found '%s'",
                                  t->path, t->node->text);
    if (type == WEFT_PARAM_DURATION || type == WEFT_PARAM_RATE)
        mention_time(t, *quantity);
    return WEFT_OK;
}

static weft_status bind_choice(const task *t, int *field)
{
    weft_suggest suggest = {.word = t->node->text};
    for (int i = 0; t->param->choices[i]; i++) {
        if (strcmp(t->param->choices[i], t->node->text) == 0) {
            *field = i;
            return WEFT_OK;
        }
        weft_suggest_offer(&suggest, t->param->choices[i]);
    }
    return wrong(t, weft_suggest_text(&suggest));
}

static weft_status bind_flag(const task *t, bool *field)
{
    *field = strcmp(t->node->text, "true") == 0;
    return *field || strcmp(t->node->text, "false") == 0 ? WEFT_OK : wrong(t, "");
}

static weft_status bind_text(const task *t, const char **field)
{
    if (strlen(t->node->text) > TEXT_MAX)
        return weft_node_complain(t->b->err, t->node, "%s is longer than %d bytes", t->path,
                                  TEXT_MAX);
    char *text = weft_arena_copy(t->b->arena, t->node->text, strlen(t->node->text));
    weft_make_harmless(text);
    *field = text;
    return WEFT_OK;
}

static weft_status bind_file(const task *t, weft_file *field)
{
    WEFT_TRY(bind_text(t, &field->text));
    if (field->text[0] == '\0')
        return wrong(t, "");
    field->path = weft_source_beside(t->node->source, field->text, t->b->arena);
    weft_bind_note_file(t->b, *field);
    return WEFT_OK;
}

static weft_status bind_ints(const task *t, weft_ints *field)
{
    if (t->node->type != WEFT_NODE_LIST)
        return wrong(t, "");
    if (t->node->n_values == 0 || t->node->n_values > WEFT_INTS_MAX)
        return weft_node_complain(t->b->err, t->node, "%s must have 1 … %d entries, found %u",
                                  t->path, WEFT_INTS_MAX, t->node->n_values);
    *field = (weft_ints){.count = (int32_t)t->node->n_values};
    for (uint32_t i = 0; i < t->node->n_values; i++) {
        task one = *t;
        int64_t value;
        one.node = t->node->values[i];
        if (one.node->type != WEFT_NODE_SCALAR)
            return wrong(&one, " in it");
        double real;
        size_t taken = weft_number_read(one.node->text, 0, &real);
        if (taken == 0 || one.node->text[taken] != '\0' ||
            !weft_integer_read(one.node->text, &value))
            return wrong(&one, " in it");
        WEFT_TRY(check_range(&one, (double)value, 0, INT32_MIN, INT32_MAX, one.node->text));
        field->at[i] = (int32_t)value;
    }
    return WEFT_OK;
}

static weft_status bind_reals(const task *t, weft_reals *field)
{
    if (t->node->type != WEFT_NODE_LIST)
        return wrong(t, "");
    if (t->node->n_values == 0 || t->node->n_values > WEFT_INTS_MAX)
        return weft_node_complain(t->b->err, t->node, "%s must have 1 … %d entries, found %u",
                                  t->path, WEFT_INTS_MAX, t->node->n_values);
    *field = (weft_reals){.count = (int32_t)t->node->n_values};
    for (uint32_t i = 0; i < t->node->n_values; i++) {
        task one = *t;
        one.node = t->node->values[i];
        if (one.node->type != WEFT_NODE_SCALAR)
            return wrong(&one, " in it");
        WEFT_TRY(bind_real(&one, &field->at[i]));
    }
    return WEFT_OK;
}

static weft_status bind_kinds(const task *t, weft_kinds *field)
{
    if (t->node->type != WEFT_NODE_LIST)
        return wrong(t, "");
    if (t->node->n_values == 0 || t->node->n_values > WEFT_KINDS_MAX)
        return weft_node_complain(t->b->err, t->node, "%s must have 1 … %d entries, found %u",
                                  t->path, WEFT_KINDS_MAX, t->node->n_values);
    *field = (weft_kinds){.count = (int32_t)t->node->n_values};
    for (uint32_t i = 0; i < t->node->n_values; i++)
        WEFT_TRY(weft_bind_kind(t->b, weft_arena_format(t->b->arena, "%s.%u", t->path, i), t->param,
                                t->node->values[i], &field->at[i]));
    return WEFT_OK;
}

static weft_status bind_scalar(const task *t, void *field)
{
    weft_quantity quantity = {0};
    switch (t->param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
        return bind_int(t, field);
    case WEFT_PARAM_REAL:
        return bind_real(t, field);
    case WEFT_PARAM_FLAG:
        return bind_flag(t, field);
    case WEFT_PARAM_TEXT:
        return bind_text(t, field);
    case WEFT_PARAM_FILE:
        return bind_file(t, field);
    case WEFT_PARAM_CHOICE:
        return bind_choice(t, field);
    case WEFT_PARAM_DURATION:
        WEFT_TRY(bind_quantity(t, &quantity));
        *(weft_duration *)field = (weft_duration){quantity.value, (weft_time_unit)quantity.base};
        return WEFT_OK;
    case WEFT_PARAM_SIZE:
    case WEFT_PARAM_ROOM:
        WEFT_TRY(bind_quantity(t, &quantity));
        *(weft_size *)field = (weft_size){quantity.value, (weft_size_unit)quantity.base};
        return WEFT_OK;
    case WEFT_PARAM_RATE:
        WEFT_TRY(bind_quantity(t, &quantity));
        *(weft_rate *)field = (weft_rate){quantity.value, (weft_rate_unit)quantity.base};
        return WEFT_OK;
    default:
        WEFT_TRY(bind_quantity(t, &quantity));
        *(double *)field = quantity.value;
        return WEFT_OK;
    }
}

static void bind_none(const weft_param *param, void *field)
{
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
        *(int64_t *)field = WEFT_NONE_INT;
        break;
    case WEFT_PARAM_REAL:
    case WEFT_PARAM_FRACTION:
    case WEFT_PARAM_FREQUENCY:
        *(double *)field = WEFT_NONE_REAL;
        break;
    case WEFT_PARAM_FLAG:
        *(bool *)field = false;
        break;
    case WEFT_PARAM_TEXT:
        *(const char **)field = NULL;
        break;
    case WEFT_PARAM_FILE:
        *(weft_file *)field = (weft_file){0};
        break;
    case WEFT_PARAM_CHOICE:
        *(int *)field = -1;
        break;
    case WEFT_PARAM_DURATION:
        *(weft_duration *)field = (weft_duration){0, WEFT_NO_TIME};
        break;
    case WEFT_PARAM_SIZE:
    case WEFT_PARAM_ROOM:
        *(weft_size *)field = (weft_size){0, WEFT_NO_SIZE};
        break;
    case WEFT_PARAM_RATE:
        *(weft_rate *)field = (weft_rate){0, WEFT_NO_RATE};
        break;
    case WEFT_PARAM_INTS:
        *(weft_ints *)field = (weft_ints){0};
        break;
    case WEFT_PARAM_REALS:
        *(weft_reals *)field = (weft_reals){0};
        break;
    case WEFT_PARAM_HOSTS:
        *(weft_hosts *)field = (weft_hosts){0};
        break;
    case WEFT_PARAM_KIND:
        *(weft_kind_ref *)field = (weft_kind_ref){0};
        break;
    case WEFT_PARAM_KINDS:
        *(weft_kinds *)field = (weft_kinds){0};
        break;
    }
}

/* A default as a node. Lists and maps need the parser; the rest is a scalar. */
static weft_status fallback_node(weft_binder *b, const char *path, const weft_param *param,
                                 const weft_node **out)
{
    assert(param->fallback);
    const char *name = weft_arena_format(b->arena, "default of %s", path);
    size_t length = strlen(param->fallback), nodes = 1000;
    const weft_source *source = weft_source_of_text(name, param->fallback, length, true, b->arena);
    if (param->fallback[0] == '[' || param->fallback[0] == '{') {
        WEFT_TRY(weft_tree_parse(source, 0, &nodes, b->arena, out, b->err));
        return WEFT_OK;
    }
    weft_node *node = WEFT_TAKE(b->arena, weft_node, 1);
    *node = (weft_node){.type = WEFT_NODE_SCALAR,
                        .plain = length > 0,
                        .height = 1,
                        .size = 1,
                        .width = (uint32_t)length,
                        .source = source,
                        .text = source->text};
    *out = node;
    return WEFT_OK;
}

/* Endpoints as words: one, or a list. What they mean only a topology knows; here a word that
 * names a file gets its path. */
static weft_status bind_word(weft_binder *b, const char *path, const weft_node *node,
                             weft_file *word)
{
    if (node->type != WEFT_NODE_SCALAR || weft_node_is_null(node) || node->text[0] == '\0')
        return weft_node_complain(b->err, node, "%s must be " WEFT_HOSTS_EXPECTED ", found %s",
                                  path, weft_node_found(node, b->arena));
    if (strlen(node->text) > WORD_MAX)
        return weft_node_complain(b->err, node, "%s is longer than %d bytes", path, WORD_MAX);
    char *text = weft_arena_copy(b->arena, node->text, strlen(node->text));
    weft_make_harmless(text);
    *word = (weft_file){.text = text};
    if (strncmp(text, WEFT_HOSTS_FILE, strlen(WEFT_HOSTS_FILE)) == 0) {
        const char *name = text + strlen(WEFT_HOSTS_FILE);
        word->path = weft_source_beside(node->source, name, b->arena);
        weft_bind_note_file(b, (weft_file){.text = name, .path = word->path});
    }
    return WEFT_OK;
}

static weft_status bind_hosts(weft_binder *binder, const char *path, const weft_node *node,
                              weft_hosts *hosts)
{
    bool list = node->type == WEFT_NODE_LIST;
    uint32_t count = list ? node->n_values : 1;
    if (count == 0 || count > WEFT_INTS_MAX)
        return weft_node_complain(
            binder->err, node,
            "%s must have 1 … %d entries, found %u; a longer list may be a file: 'file NAME'", path,
            WEFT_INTS_MAX, count);
    weft_file *words = WEFT_TAKE(binder->arena, weft_file, count);
    for (uint32_t i = 0; i < count; i++)
        WEFT_TRY(bind_word(binder, path, list ? node->values[i] : node, &words[i]));
    *hosts = (weft_hosts){.count = (int32_t)count, .at = words};
    return WEFT_OK;
}

weft_status weft_bind_value(weft_binder *binder, const char *path, const weft_param *param,
                            const weft_node *node, void *field)
{
    bool optional = param->fallback && strcmp(param->fallback, "none") == 0;
    bool says_none =
        node && node->type == WEFT_NODE_SCALAR && node->plain && strcmp(node->text, "none") == 0;
    if (optional && (!node || says_none)) {
        bind_none(param, field);
        return WEFT_OK;
    }
    if (!node)
        WEFT_TRY(fallback_node(binder, path, param, &node));
    task t = {binder, path, param, node};
    if (param->type == WEFT_PARAM_KIND)
        return weft_bind_kind(binder, path, param, node, field);
    if (param->type == WEFT_PARAM_INTS)
        return bind_ints(&t, field);
    if (param->type == WEFT_PARAM_REALS)
        return bind_reals(&t, field);
    if (param->type == WEFT_PARAM_KINDS)
        return bind_kinds(&t, field);
    if (param->type == WEFT_PARAM_HOSTS)
        return bind_hosts(binder, path, node, field);
    if (node->type != WEFT_NODE_SCALAR || weft_node_is_null(node))
        return wrong(&t, "");
    return bind_scalar(&t, field);
}
