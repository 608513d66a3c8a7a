/* SPDX-License-Identifier: Apache-2.0 */
/* What tables cannot say: rules between settings. Exactly one load per class, shares that make a
 * whole, link classes that inherit, cycles and seconds that need a clock. */
#include "config/settings.h"

#include "config/edit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SHARES_TOLERANCE 1e-9

static bool given(const weft_node *map, const char *key)
{
    const weft_node *node = weft_node_get(map, key);
    return node &&
           !(node->type == WEFT_NODE_SCALAR && node->plain && strcmp(node->text, "none") == 0);
}

#define PERCENT 2 /* a load from here on may be a percentage without its sign */

/* A load above 1 must be meant. */
static weft_status check_overload(weft_binder *b, const char *path, const weft_node *map,
                                  double load, double rho, bool overload)
{
    const char *key = load != WEFT_NONE_REAL ? "load" : "rho";
    double value = load != WEFT_NONE_REAL ? load : rho;
    if (overload || value <= 1)
        return WEFT_OK;
    const weft_node *node = weft_node_get(map, key);
    bool percent = value >= PERCENT && !strchr(node->text, '%');
    const char *meant =
        percent ? weft_arena_format(b->arena, "; %s %% is %.12g", node->text, value / 100) : "";
    return weft_node_complain(b->err, node,
                              "%s.%s: %s is %.12g times what links carry%s; a load above 1 needs "
                              "%s.overload: true",
                              path, key, node->text, value, meant, path);
}

/* Exactly one of load, rho, rate (and share, in a class). */
static weft_status one_offer(weft_binder *b, const char *path, const weft_node *map, bool shares)
{
    static const char *const offers[] = {"load", "rho", "rate", "share"};
    const char *all = shares ? "load, rho, rate and share" : "load, rho and rate";
    const char *first = NULL;
    for (size_t i = 0; i < (shares ? 4u : 3u); i++) {
        if (!given(map, offers[i]))
            continue;
        if (first)
            return weft_node_complain(b->err, weft_node_key(map, offers[i]),
                                      "%s has both '%s' and '%s'; give exactly one of %s (or set "
                                      "the other to none)",
                                      path, first, offers[i], all);
        first = offers[i];
    }
    if (!first)
        return weft_node_complain(b->err, map, "%s lacks its load: give one of %s", path, all);
    if (strcmp(first, "rate") == 0)
        weft_bind_mention(&b->seconds, weft_node_get(map, "rate"),
                          weft_arena_format(b->arena, "%s.rate", path));
    return WEFT_OK;
}

static void inherit(weft_link_settings *class, const weft_bound_links *links)
{
    if (class->rate.unit == WEFT_NO_RATE)
        class->rate = links->rate;
    if (class->latency.unit == WEFT_NO_TIME)
        class->latency = links->latency;
}

/* What a class has by itself, before it inherits. */
static void note_given(weft_bound_links *links)
{
    const weft_link_settings *classes[] = {&links->local, &links->global, &links->host,
                                           &links->regional};
    for (int c = 0; c < 4; c++)
        links->given[c] = (weft_links_given){.rate = classes[c]->rate.unit != WEFT_NO_RATE,
                                             .latency = classes[c]->latency.unit != WEFT_NO_TIME};
}

static weft_status settle_links(weft_binder *b, const weft_node *tree, weft_bound_links *links)
{
    note_given(links);
    inherit(&links->local, links);
    inherit(&links->global, links);
    inherit(&links->host, links);
    if (links->regional.rate.unit == WEFT_NO_RATE)
        links->regional.rate = links->global.rate;
    if (links->regional.latency.unit == WEFT_NO_TIME)
        links->regional.latency = links->global.latency;
    if (links->flit.unit != WEFT_BYTES) {
        const weft_node *flit = weft_node_get(weft_node_get(tree, "links"), "flit");
        return weft_node_complain(b->err, flit, "links.flit is a size in bytes, such as 16 B");
    }
    return WEFT_OK;
}

static weft_status bind_class(weft_binder *b, const weft_node *key, const weft_node *map,
                              weft_class_settings *bound)
{
    WEFT_TRY(weft_bind_name(b, key, "a traffic class"));
    const char *path = weft_arena_format(b->arena, "traffic.%s", key->text);
    WEFT_TRY(weft_bind_table(b, path, map, &weft_table_traffic, bound));
    bound->name = key->text;
    WEFT_TRY(one_offer(b, path, map, true));
    return check_overload(b, path, map, bound->load, bound->rho, bound->overload);
}

static weft_status check_shares(weft_binder *b, const weft_node *tree,
                                const weft_class_settings *classes, size_t count)
{
    const weft_node *traffic = weft_node_get(tree, "traffic");
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (classes[i].share == WEFT_NONE_REAL)
            continue;
        if (!weft_node_get(tree, "offered"))
            return weft_node_complain(b->err, weft_node_key(traffic->values[i], "share"),
                                      "traffic.%s.share needs the section 'offered', such as "
                                      "offered: {load: 0.5}",
                                      classes[i].name);
        sum += classes[i].share;
    }
    const weft_node *offered = weft_node_key(tree, "offered");
    if (offered && sum == 0)
        return weft_node_complain(
            b->err, offered,
            "no traffic class has a share of 'offered'; give them 'share', or "
            "leave 'offered' out");
    if (offered && (sum < 1 - SHARES_TOLERANCE || sum > 1 + SHARES_TOLERANCE))
        return weft_node_complain(b->err, weft_node_key(tree, "traffic"),
                                  "the shares of the traffic classes must sum to 1, found %.12g",
                                  sum);
    return WEFT_OK;
}

static weft_status bind_traffic(weft_binder *b, const weft_node *tree,
                                weft_class_settings **classes, size_t *count)
{
    const weft_node *traffic = weft_node_get(tree, "traffic");
    if (!traffic && weft_node_get(tree, "jobs"))
        return WEFT_OK;
    if (!traffic)
        return weft_node_complain(b->err, tree, "the scenario lacks the section 'traffic' (%s)",
                                  weft_table_traffic.brief);
    if (traffic->type != WEFT_NODE_MAP || traffic->n_values == 0)
        return weft_node_complain(
            b->err, traffic, "traffic must be a map from names to classes, found %s",
            traffic->type == WEFT_NODE_MAP ? "none" : weft_node_found(traffic, b->arena));
    *count = traffic->n_values;
    *classes = WEFT_TAKE(b->arena, weft_class_settings, traffic->n_values);
    for (size_t i = 0; i < traffic->n_values; i++)
        WEFT_TRY(bind_class(b, traffic->keys[i], traffic->values[i], &(*classes)[i]));
    return check_shares(b, tree, *classes, *count);
}

/* links.where: rates and latencies of links by name. */
static weft_status bind_links_where(weft_binder *b, const weft_node *tree, weft_bound_links *links)
{
    const weft_node *where = weft_node_get(weft_node_get(tree, "links"), "where");
    if (!where)
        return WEFT_OK;
    if (where->type != WEFT_NODE_MAP)
        return weft_node_complain(b->err, where,
                                  "links.where must be a map from names of links to rate and "
                                  "latency, such as {'leaf1 - spine2': {rate: 25 Gb/s}}, found %s",
                                  weft_node_found(where, b->arena));
    weft_link_where *made = WEFT_TAKE(b->arena, weft_link_where, where->n_values + 1);
    for (size_t i = 0; i < where->n_values; i++) {
        const char *path = weft_arena_format(b->arena, "links.where.%.60s", where->keys[i]->text);
        made[i].glob = where->keys[i]->text;
        WEFT_TRY(weft_bind_table(b, path, where->values[i], &weft_table_links_where, &made[i].set));
    }
    links->where = made;
    links->n_where = where->n_values;
    return WEFT_OK;
}

/* where: {glob: {…}} of another section: checked, then named as not built yet. */
static weft_status check_where(weft_binder *b, const weft_node *section, const char *path,
                               const weft_table *table, size_t size)
{
    const weft_node *where = weft_node_get(section, "where");
    if (!where)
        return WEFT_OK;
    if (table)
        WEFT_TRY(weft_bind_where(b, path, where, table, size));
    weft_bind_find(b, weft_node_key(section, "where"),
                   "%s is not built yet: all have the same settings; links.where is", path);
    return WEFT_OK;
}

static weft_status check_wheres(weft_binder *b, const weft_node *tree,
                                const weft_bound_scenario *bound)
{
    const weft_component *kind = bound->router.kind;
    weft_table router = {.params = kind ? kind->params : NULL};
    WEFT_TRY(check_where(b, weft_node_get(tree, "router"), "router.where", kind ? &router : NULL,
                         kind ? kind->settings_size : 0));
    return check_where(b, weft_node_get(tree, "endpoint"), "endpoint.where", &weft_table_endpoint,
                       sizeof(weft_endpoint_settings));
}

static const char *place_of(weft_binder *b, const weft_mention *mention)
{
    const weft_source *source = mention->node->source;
    if (source->unplaced && strncmp(source->name, "default", 7) == 0)
        return weft_arena_format(b->arena, "%s (by default %s)", mention->path,
                                 mention->node->text);
    return mention->path;
}

static weft_status check_clock(weft_binder *b, const weft_bound_scenario *bound)
{
    if (bound->clock != WEFT_NONE_REAL || !b->seconds.node)
        return WEFT_OK;
    bool counted = bound->links.local.rate.unit != WEFT_BITS_PER_SECOND;
    if (b->cycles.node) {
        bool placed = !b->cycles.node->source->unplaced;
        return weft_node_complain(b->err, placed ? b->cycles.node : b->seconds.node,
                                  "%s is in cycles and %s in seconds; give the section 'clock', "
                                  "such as clock: 1 GHz",
                                  place_of(b, &b->cycles), place_of(b, &b->seconds));
    }
    if (counted)
        return weft_node_complain(b->err, b->seconds.node,
                                  "%s is in seconds, but links without a rate carry one flit per "
                                  "cycle; give links.rate, or the section 'clock', such as "
                                  "clock: 1 GHz",
                                  place_of(b, &b->seconds));
    return WEFT_OK;
}

/* A kind's setting by type and name; NULL: it has no such setting. */
static const void *setting(weft_kind_ref ref, weft_param_type type, const char *name)
{
    for (const weft_param *p = ref.kind ? ref.kind->params : NULL; p && p->name; p++)
        if (p->type == type && strcmp(p->name, name) == 0)
            return (const char *)ref.settings + p->offset;
    return NULL;
}

static const int64_t *whole_setting(weft_kind_ref ref, const char *name)
{
    return setting(ref, WEFT_PARAM_INT, name);
}

uint32_t weft_scenario_vcs(const weft_scenario *scenario)
{
    const int64_t *vcs = whole_setting(scenario->router, "vcs");
    return vcs && *vcs > 0 ? (uint32_t)*vcs : 0;
}

const weft_ints *weft_scenario_sl2vl(const weft_scenario *scenario)
{
    const weft_ints *vls = setting(scenario->router, WEFT_PARAM_INTS, "sl2vl");
    return vls && vls->count > 0 ? vls : NULL;
}

static bool same_links(const weft_link_settings *a, const weft_link_settings *b)
{
    return a->rate.unit == b->rate.unit && a->rate.value == b->rate.value &&
           a->latency.unit == b->latency.unit && a->latency.value == b->latency.value;
}

/* Without virtual channels the text says what the default comes to; regional links only where
 * they are special. */
static weft_bound_scenario as_shown(const weft_bound_scenario *bound)
{
    weft_bound_scenario shown = *bound;
    if (same_links(&shown.links.regional, &shown.links.global))
        shown.links.regional = (weft_link_settings){.rate = {.unit = WEFT_NO_RATE}};
    if (whole_setting(bound->router, "vcs"))
        return shown;
    if (shown.endpoint.injection == WEFT_PORT_DEFAULT)
        shown.endpoint.injection = WEFT_PORT_UNLIMITED;
    if (shown.endpoint.reception == WEFT_PORT_DEFAULT)
        shown.endpoint.reception = WEFT_PORT_ONE;
    return shown;
}

static void fill(weft_scenario *scenario, const weft_bound_scenario *bound,
                 const weft_named_sections *named, weft_arena *arena)
{
    *scenario = (weft_scenario){.title = bound->title,
                                .seed = bound->seed,
                                .clock = bound->clock,
                                .topology = bound->topology,
                                .router = bound->router,
                                .routing = bound->routing,
                                .links = {bound->links.local,
                                          bound->links.global,
                                          bound->links.host,
                                          bound->links.regional,
                                          bound->links.flit,
                                          bound->links.where,
                                          bound->links.n_where,
                                          {bound->links.given[0], bound->links.given[1],
                                           bound->links.given[2], bound->links.given[3]}},
                                .endpoint = bound->endpoint,
                                .faults = bound->faults,
                                .offered_load = bound->offered.load,
                                .offered_rho = bound->offered.rho,
                                .offered_rate = bound->offered.rate,
                                .traffic = named->classes,
                                .n_traffic = named->n_classes,
                                .host = bound->host,
                                .jobs = named->jobs,
                                .n_jobs = named->n_jobs,
                                .measure = bound->measure.measure};
    weft_text text;
    weft_text_init(&text);
    weft_bound_scenario shown = as_shown(bound);
    weft_show_scenario(&text, &shown, named);
    scenario->text = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
}

/* faults: [spine3, 'leaf1 - spine2'], or one of them: as faults: {named: …}. */
static weft_status spell_faults(weft_binder *b, const weft_node **tree)
{
    const weft_node *faults = weft_node_get(*tree, "faults");
    if (!faults || faults->type == WEFT_NODE_MAP)
        return WEFT_OK;
    const weft_node *map = weft_node_empty_map(b->arena, faults);
    const char *names = faults->type == WEFT_NODE_SCALAR ? faults->text : "";
    for (size_t i = 0; faults->type == WEFT_NODE_LIST && i < faults->n_values; i++) {
        const weft_node *one = faults->values[i];
        if (one->type != WEFT_NODE_SCALAR)
            return weft_node_complain(b->err, one,
                                      "faults lists names of routers and cables, such as "
                                      "[spine3, 'leaf1 - spine2'], found %s",
                                      weft_node_found(one, b->arena));
        names = weft_arena_format(b->arena, "%s%s%s", names, i ? ", " : "", one->text);
    }
    if (*names && strcmp(names, "none") != 0)
        map = weft_node_with(b->arena, map, weft_node_scalar(b->arena, faults, "named"),
                             weft_node_scalar(b->arena, faults, names));
    *tree = weft_node_with(b->arena, *tree, weft_node_key(*tree, "faults"), map);
    return WEFT_OK;
}

/* In the order of the settings. */
static void list_files(weft_scenario *scenario, const weft_binder *b)
{
    weft_file *files = WEFT_TAKE(b->arena, weft_file, b->n_files);
    size_t left = b->n_files;
    for (const weft_named_file *f = b->files; f; f = f->next)
        files[--left] = f->file;
    scenario->files = files;
    scenario->n_files = b->n_files;
}

weft_status weft_settings_bind(const weft_registry *registry, const weft_node *tree,
                               weft_arena *arena, weft_scenario *scenario, weft_error *err)
{
    assert(tree && tree->type == WEFT_NODE_MAP);
    weft_binder b = {
        .registry = registry, .arena = arena, .err = err, .wall = weft_sections_wall()};
    weft_bound_scenario bound = {0};
    weft_named_sections named = {0};
    const weft_node *bare = tree, *router = weft_node_get(tree, "router");
    if (weft_node_get(router, "where"))
        bare = weft_node_with(arena, tree, weft_node_key(tree, "router"),
                              weft_node_without(arena, router, "where"));
    WEFT_TRY(spell_faults(&b, &bare));
    WEFT_TRY(weft_bind_table(&b, NULL, bare, &weft_table_scenario, &bound));
    WEFT_TRY(settle_links(&b, tree, &bound.links));
    WEFT_TRY(bind_links_where(&b, tree, &bound.links));
    const weft_node *offered = weft_node_get(tree, "offered");
    if (offered) {
        const weft_bound_offered *set = &bound.offered;
        WEFT_TRY(one_offer(&b, "offered", offered, false));
        WEFT_TRY(check_overload(&b, "offered", offered, set->load, set->rho, set->overload));
    }
    WEFT_TRY(bind_traffic(&b, tree, &named.classes, &named.n_classes));
    WEFT_TRY(weft_settings_jobs(&b, tree, &named));
    WEFT_TRY(check_wheres(&b, tree, &bound));
    WEFT_TRY(check_clock(&b, &bound));
    WEFT_TRY(weft_bind_findings(&b));
    fill(scenario, &bound, &named, arena);
    scenario->in_cycles = b.cycles.node ? place_of(&b, &b.cycles) : NULL;
    list_files(scenario, &b);
    scenario->tree = tree;
    return WEFT_OK;
}
