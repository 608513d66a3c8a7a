/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing follows the tables: a setting that is required is always there, one with a hint as the
 * hint says, any other now and then, with a value of its type and range. Cycles can be used
 * everywhere; seconds and bits only where the scenario has a clock. */
#include "random/scene.h"

#include "config/sections.h"
#include "random/hints.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WEFT_TEST_DATA /* the build says where they are */
#define WEFT_TEST_DATA "tests/data"
#endif

enum { CLASSES_MOST = 3, DEPTH_MOST = 4, TRIES = 6, SPAN = 6 };

typedef struct pen {
    const weft_registry *registry;
    weft_text *out;
    uint64_t state;
    bool seconds;      /* there is a clock */
    bool odd;          /* cycles and flit times have no common measure but a picosecond */
    char topology[64]; /* their kinds */
    char router[64], routing[64];
    const ensemble *with; /* what the scenario is built around; NULL: nothing */
    bool offered;         /* classes have a share of the section offered */
    bool light;           /* almost nothing is offered */
    scene_listener listener;
} pen;

static void note(const pen *by, const char *family, const char *kind)
{
    if (by->listener.note)
        by->listener.note(by->listener.user, family, kind);
}

static uint64_t next(pen *by)
{
    uint64_t z = by->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* From low to high, both included. */
static uint32_t between(pen *by, uint32_t low, uint32_t high)
{
    assert(low <= high);
    uint64_t count = (uint64_t)high - low + 1;
    return low + (uint32_t)(next(by) % count);
}

static bool chance(pen *by, uint32_t percent)
{
    return between(by, 1, 100) <= percent;
}

/* Has the scenario what a text of a hint needs, "?word " or "!word "? *text: behind that. */
static bool fits(const pen *by, const char **text, size_t *length)
{
    bool fine = true;
    while (*length > 0 && (**text == '?' || **text == '!')) {
        char word[80];
        size_t end = strcspn(*text, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)end - 1, *text + 1);
        for (char *c = word; *c; c++)
            *c = *c == '+' ? ' ' : *c;
        fine = fine && (strstr(by->out->at, word) != NULL) == (**text == '?');
        *text += end + 1;
        *length -= end + 1;
    }
    return fine;
}

/* One of the texts of a hint; *length: of it. */
static const char *choose_text(pen *by, const char *hint, size_t *length)
{
    uint32_t texts = 1;
    for (const char *c = hint; *c; c++)
        texts += *c == '|';
    for (uint32_t skip = between(by, 0, texts - 1); skip > 0; skip--)
        hint = strchr(hint, '|') + 1;
    *length = strcspn(hint, "|");
    return hint;
}

/* #a-b; returns what comes behind it. */
static const char *put_range(pen *by, const char *at)
{
    char *end;
    uint32_t low = (uint32_t)strtoul(at + 1, &end, 10);
    uint32_t high = (uint32_t)strtoul(end + 1, &end, 10);
    weft_text_add(by->out, "%u", between(by, low, high));
    return end;
}

static void put_text(pen *by, const char *text, size_t length)
{
    for (const char *at = text; at < text + length;) {
        if (*at == '#') {
            at = put_range(by, at);
        } else if (*at == '$') {
            weft_text_add(by->out, "%s", WEFT_TEST_DATA);
            at += strlen("$DATA");
        } else {
            weft_text_append(by->out, at++, 1);
        }
    }
}

static void put_hint(pen *by, const char *hint)
{
    size_t length;
    const char *text = choose_text(by, hint, &length);
    put_text(by, text, length);
}

/* A whole number of a parameter's range, near its start. */
static uint32_t small(pen *by, const weft_param *param)
{
    double low = param->min > 0 ? param->min : 0;
    double high = param->max > low && param->max < low + SPAN ? param->max : low + SPAN;
    return between(by, (uint32_t)low, (uint32_t)high);
}

static void put_fraction(pen *by, const weft_param *param)
{
    double high = param->max > param->min && param->max < 1 ? param->max : 1;
    double low = param->min > 0 ? param->min : 0;
    weft_text_add(by->out, "%.4g", low + (high - low) * between(by, 0, 100) / 100);
}

static void put_list(pen *by, const weft_param *param)
{
    uint32_t count = between(by, 1, 3);
    for (uint32_t i = 0; i < count; i++)
        weft_text_add(by->out, "%s%u", i ? ", " : "[", small(by, param));
    weft_text_add(by->out, "]");
}

static void put_kind(pen *by, const char *family, const weft_component *kind, int depth);
static const weft_component *choose_kind(pen *by, const char *family);

static void put_value(pen *by, const weft_param *param, int depth)
{
    bool seconds = by->seconds && chance(by, 50);
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
    case WEFT_PARAM_REAL:
        weft_text_add(by->out, "%u", small(by, param));
        return;
    case WEFT_PARAM_FRACTION:
        put_fraction(by, param);
        return;
    case WEFT_PARAM_FLAG:
        weft_text_add(by->out, "%s", chance(by, 50) ? "true" : "false");
        return;
    case WEFT_PARAM_CHOICE: {
        uint32_t count = 0;
        while (param->choices[count])
            count++;
        weft_text_add(by->out, "%s", param->choices[between(by, 0, count - 1)]);
        return;
    }
    case WEFT_PARAM_DURATION: /* picoseconds where they are the tick */
        weft_text_add(by->out,
                      seconds && by->odd ? "%u00 ps"
                      : seconds          ? "%u ns"
                                         : "%u cycles",
                      small(by, param));
        return;
    case WEFT_PARAM_SIZE:
    case WEFT_PARAM_ROOM:
        weft_text_add(by->out, "%u %s", 8 * small(by, param) + 8, chance(by, 30) ? "B" : "flits");
        return;
    case WEFT_PARAM_RATE:
        weft_text_add(by->out, seconds ? "%u Gb/s" : "%u flits/cycle", between(by, 1, 3));
        return;
    case WEFT_PARAM_FREQUENCY:
        weft_text_add(by->out, "%u MHz", 250 * between(by, 1, 8));
        return;
    case WEFT_PARAM_INTS:
    case WEFT_PARAM_REALS:
        put_list(by, param);
        return;
    case WEFT_PARAM_KINDS:
        weft_text_add(by->out, "[");
        put_kind(by, param->family, choose_kind(by, param->family), depth + 1);
        weft_text_add(by->out, "]");
        return;
    case WEFT_PARAM_KIND:
        put_kind(by, param->family, choose_kind(by, param->family), depth + 1);
        return;
    case WEFT_PARAM_HOSTS:
        weft_text_add(by->out, "all");
        return;
    case WEFT_PARAM_TEXT:
    case WEFT_PARAM_FILE:
        weft_text_add(by->out, "none");
        return;
    }
}

/* Does the generator know what to write there? */
static bool can_put(const weft_param *param)
{
    return param->type != WEFT_PARAM_TEXT && param->type != WEFT_PARAM_FILE;
}

/* A kind that a hint names without settings. */
static void note_text(const pen *by, const char *family, const char *text, size_t length)
{
    char *name = weft_text_format("%.*s", (int)length, text);
    note(by, family, name);
    free(name);
}

/* "name: value" of the settings of a table that are there; percent: how often one without a hint
 * is. */
static void put_settings(pen *by, const char *owner, const weft_param *params, uint32_t percent,
                         const char *before, int depth)
{
    for (const weft_param *p = params; p && p->name; p++) {
        const char *hint = hint_for(owner, p->name), *text = NULL;
        size_t length = 0;
        if (hint)
            text = choose_text(by, hint, &length);
        bool fine = !hint || fits(by, &text, &length);
        bool there = hint ? fine && !(length == 1 && *text == '-')
                          : !p->fallback || (can_put(p) && chance(by, percent));
        if (!there || (p->type == WEFT_PARAM_KIND && depth >= DEPTH_MOST && p->fallback))
            continue;
        weft_text_add(by->out, "%s%s: ", before, p->name);
        before = ", ";
        if (text)
            put_text(by, text, length);
        else
            put_value(by, p, depth);
        if (text && p->type == WEFT_PARAM_KIND && *text != '{')
            note_text(by, p->family, text, length);
    }
}

static void put_kind(pen *by, const char *family, const weft_component *kind, int depth)
{
    char owner[128];
    (void)snprintf(owner, sizeof owner, "%s/%s", family, kind->name);
    note(by, family, kind->name);
    weft_text_add(by->out, "{kind: %s", kind->name);
    put_settings(by, owner, kind->params, 25, ", ", depth);
    weft_text_add(by->out, "}");
}

/* Is there a file that nobody told it of? */
static bool lacks_file(const weft_component *kind, const char *owner)
{
    for (const weft_param *p = kind->params; p && p->name; p++)
        if (!p->fallback && !can_put(p) && !hint_for(owner, p->name))
            return true;
    return false;
}

static uint32_t weight_of(const char *family, const weft_component *kind)
{
    char owner[128];
    (void)snprintf(owner, sizeof owner, "%s/%s", family, kind->name);
    return lacks_file(kind, owner) ? 0 : hint_weight(owner);
}

static bool suits(const pen *by, const char *family, const weft_component *kind)
{
    char owner[128];
    (void)snprintf(owner, sizeof owner, "%s/%s", family, kind->name);
    return hint_suits(owner, by->topology, by->router);
}

static const weft_component *draw_kind(pen *by, const weft_family *family)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < family->n_kinds; i++)
        sum += weight_of(family->name, family->kinds[i]);
    uint32_t drawn = between(by, 1, sum);
    for (size_t i = 0; i < family->n_kinds; i++) {
        uint32_t weight = weight_of(family->name, family->kinds[i]);
        if (drawn <= weight)
            return family->kinds[i];
        drawn -= weight;
    }
    return family->kinds[0];
}

/* Mostly one that suits the topology. */
static const weft_component *choose_kind(pen *by, const char *name)
{
    const weft_family *family = weft_registry_find(by->registry, name);
    assert(family);
    const weft_component *kind = draw_kind(by, family);
    for (int i = 0; i < TRIES && !suits(by, name, kind) && !chance(by, 2); i++)
        kind = draw_kind(by, family);
    return kind;
}

/* A section that is a kind: as the ensemble has it, or any. */
static void put_section(pen *by, const char *family, const char *given)
{
    weft_text_add(by->out, "%s: ", family);
    if (given)
        put_hint(by, given);
    else
        put_kind(by, family, choose_kind(by, family), 0);
    weft_text_add(by->out, "\n");
}

/* The kind of a section that was written. */
static void note_kind(const pen *by, const char *section, char name[64])
{
    char *start = weft_text_format("\n%s: {kind: ", section), *at = strstr(by->out->at, start);
    assert(at);
    (void)sscanf(at + strlen(start), "%63[a-z-]", name);
    note(by, section, name); /* an ensemble's too */
    free(start);
}

static void put_table(pen *by, const weft_table *table, uint32_t percent)
{
    char owner[128];
    (void)snprintf(owner, sizeof owner, "%s/%s", table->name, by->router);
    note(by, "section", table->name);
    weft_text_add(by->out, "%s: {", table->name);
    put_settings(by, owner, table->params, percent, "", 0);
    weft_text_add(by->out, "}\n");
}

/* The section links, with a class of its own now and then. */
static void put_links(pen *by)
{
    static const char *const classes[] = {"local", "global", "host"};
    weft_text_add(by->out, "links: {flit: %u B", 1u << between(by, 0, 4));
    if (by->seconds && chance(by, 70))
        weft_text_add(by->out, ", rate: %u Gb/s",
                      by->odd ? 8 * between(by, 1, 8) : 8u << between(by, 0, 3));
    if (chance(by, 40))
        weft_text_add(by->out, ", latency: %u cycles", between(by, 0, 6));
    if (chance(by, 25))
        weft_text_add(by->out, ", %s: {latency: %u %s}",
                      classes[strcmp(by->router, "input-queued") != 0 ? 2 : between(by, 0, 2)],
                      between(by, 0, 9), by->seconds ? "ns" : "cycles");
    weft_text_add(by->out, "}\n");
}

static const char *const host_sets[] = {"all", "all",        "all",      "0-1",  "[0, 1]",
                                        "0-3", "router 0-1", "router 0", "0-3/2"};
enum { HOST_SETS = sizeof host_sets / sizeof *host_sets };

static void put_hosts(pen *by)
{
    if (by->with && by->with->from) {
        weft_text_add(by->out, ", from: %s", by->with->from);
        return;
    }
    if (chance(by, 14))
        weft_text_add(by->out, ", from: %s", host_sets[between(by, 0, HOST_SETS - 1)]);
    if (chance(by, 8))
        weft_text_add(by->out, ", to: %s",
                      chance(by, 60) ? "from" : host_sets[between(by, 0, HOST_SETS - 1)]);
}

static void put_offer(pen *by, uint32_t classes)
{
    if (by->light)
        weft_text_add(by->out, ", load: %.3g", 3e-4 / classes);
    else if (by->offered)
        weft_text_add(by->out, ", share: %.17g", 1.0 / classes);
    else if (by->seconds && chance(by, 15))
        weft_text_add(by->out, ", rate: %u000000", between(by, 1, 30));
    else
        weft_text_add(by->out, ", overload: true, %s: %.3g", chance(by, 25) ? "rho" : "load",
                      (chance(by, 10) ? 1.2 : 0.6) * between(by, 5, 100) / 100 / classes);
}

/* A setting of a class whose hint says when. */
static void put_hinted(pen *by, const char *owner, const char *name)
{
    size_t length;
    const char *text = choose_text(by, hint_for(owner, name), &length);
    if (!fits(by, &text, &length) || (length == 1 && *text == '-'))
        return;
    note(by, owner, name);
    weft_text_add(by->out, ", %s: ", name);
    put_text(by, text, length);
}

/* Quality of service: levels, deadlines, guarantees, and responses to congestion. */
static void put_quality(pen *by)
{
    static const char *const names[] = {"sl", "service", "deadline", "guarantee"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put_hinted(by, "quality", names[i]);
    bool marks = strstr(by->out->at, "marking: ");
    if (by->light || strcmp(by->router, "input-queued") != 0 || !chance(by, marks ? 70 : 1))
        return;
    weft_text_add(by->out, ", response: ");
    put_kind(by, "response", choose_kind(by, "response"), 1);
    put_hinted(by, "quality", "window");
    put_hinted(by, "quality", "min-rate");
}

static void put_class(pen *by, uint32_t number, uint32_t classes)
{
    weft_text_add(by->out, "  c%u: {pattern: ", number);
    put_kind(by, "pattern", choose_kind(by, "pattern"), 1);
    if (!by->light) { /* a burst is not alone */
        weft_text_add(by->out, ", arrival: ");
        put_kind(by, "arrival", choose_kind(by, "arrival"), 1);
    }
    weft_text_add(by->out, ", length: ");
    put_kind(by, "length", choose_kind(by, "length"), 1);
    put_offer(by, classes);
    put_hosts(by);
    if (chance(by, 8))
        weft_text_add(by->out, ", start: %u cycles", between(by, 0, 300));
    if (!by->light && chance(by, 8))
        weft_text_add(by->out, ", stop: %u cycles", between(by, 500, 3000));
    if (classes > 1 && chance(by, 30)) {
        weft_text_add(by->out, ", routing: ");
        put_kind(by, "routing", choose_kind(by, "routing"), 1);
    }
    if (classes > 1 && strcmp(by->router, "input-queued") == 0 && chance(by, 6))
        weft_text_add(by->out, ", vcs: %s", chance(by, 50) ? "[0, 1, 2, 3]" : "[2, 3, 4, 5]");
    put_quality(by);
    weft_text_add(by->out, "}\n");
}

static void put_traffic(pen *by)
{
    uint32_t classes = chance(by, 65) ? 1 : between(by, 2, CLASSES_MOST);
    by->offered = !by->light && chance(by, 8);
    if (by->offered)
        weft_text_add(by->out, "offered: {load: 0.%u}\n", between(by, 1, 6));
    weft_text_add(by->out, "traffic:\n");
    for (uint32_t c = 0; c < classes; c++)
        put_class(by, c, classes);
}

static void put_job(pen *by, uint32_t number)
{
    weft_text_add(by->out, "  j%u: {", number);
    put_settings(by, chance(by, 75) ? "jobs/collective" : "jobs/phases", weft_table_jobs.params, 0,
                 "", 0);
    if (!strstr(strrchr(by->out->at, '\n'), "collective: ")) {
        weft_text_add(by->out, ", phases: {work: {compute: %u cycles}, talk: {",
                      between(by, 0, 200));
        put_settings(by, "phases", weft_table_phases.params, 0, "", 0);
        weft_text_add(by->out, "}}");
    }
    weft_text_add(by->out, "}\n");
}

/* Programs, on hosts of their own now and then. */
static void put_jobs(pen *by)
{
    uint32_t jobs = chance(by, 70) ? 1 : 2;
    note(by, "section", "jobs");
    if (chance(by, 50))
        put_table(by, &weft_table_host, 20);
    weft_text_add(by->out, "jobs:\n");
    for (uint32_t j = 0; j < jobs; j++)
        put_job(by, j);
}

static void put_measure(pen *by)
{
    char owner[128];
    (void)snprintf(owner, sizeof owner, "measure/%s", by->router);
    weft_text_add(by->out, "measure: {limit: {");
    const weft_table *limit = weft_table_measure.tables[0];
    put_settings(by,
                 by->light ? "measure.light"
                 : by->odd ? "measure.short"
                           : "measure.limit",
                 limit->params, 0, "", 0);
    weft_text_add(by->out, "}");
    if (!by->light) /* bins of a series would be many, and empty */
        put_settings(by, owner, weft_table_measure.params, 10, ", ", 0);
    weft_text_add(by->out, "}\n");
}

static void put_network(pen *by)
{
    put_section(by, "topology", by->with ? by->with->topology : NULL);
    note_kind(by, "topology", by->topology);
    put_section(by, "router", by->with ? by->with->router : NULL);
    note_kind(by, "router", by->router);
    put_section(by, "routing", by->with ? by->with->routing : NULL);
    note_kind(by, "routing", by->routing);
}

void scene_draw_network(const weft_registry *registry, uint64_t seed, weft_text *text)
{
    pen by = {.registry = registry, .out = text, .state = seed * 0xd1342543de82ef95u};
    weft_text_add(text, "interweft: 1\nseed: %u\n", between(&by, 0, 1000000));
    put_network(&by);
    weft_text_add(text, "traffic:\n  all: {pattern: ");
    put_kind(&by, "pattern", choose_kind(&by, "pattern"), 1);
    weft_text_add(text, ", length: %u flits, load: 0.3}\n", between(&by, 1, 8));
}

bool scene_is_light(uint64_t seed)
{
    return seed % 10 == 7;
}

static void note_units(const pen *by)
{
    note(by, "unit", by->odd ? "picosecond" : by->seconds ? "second" : "cycle");
}

void scene_draw(const weft_registry *registry, uint64_t seed, scene_listener listener,
                weft_text *text)
{
    pen by = {.registry = registry,
              .out = text,
              .state = seed * 0xd1342543de82ef95u,
              .light = scene_is_light(seed),
              .listener = listener};
    by.seconds = chance(&by, 30);
    by.odd = by.seconds && chance(&by, 15);
    note_units(&by);
    if (chance(&by, 12))
        by.with = &hint_ensembles[between(&by, 0, (uint32_t)hint_ensemble_count - 1)];
    weft_text_add(text, "interweft: 1\nseed: %u\n", between(&by, 0, 1000000));
    if (by.seconds)
        weft_text_add(text, "clock: %u MHz\n",
                      by.odd ? 250 * between(&by, 1, 8) : 250u << between(&by, 0, 3));
    put_network(&by);
    if (chance(&by, 45))
        put_links(&by);
    if (chance(&by, 50))
        put_table(&by, &weft_table_endpoint, 0);
    bool jobs = !by.with && !by.light && hint_suits("section/jobs", by.topology, by.router) &&
                chance(&by, 12);
    if (jobs)
        put_jobs(&by);
    if (!jobs || chance(&by, 30))
        put_traffic(&by);
    if (!by.light && chance(&by, hint_goes_round(by.routing, by.router) ? 25 : 4))
        put_table(&by, &weft_table_faults, 0);
    put_measure(&by);
}
