/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies on their own: of a scenario, a .weftnet file, or settings alone. The last two
 * become a scenario of a few lines, so everything is checked in one place. */
#include "config/describe/print.h"
#include "interop/formats.h"
#include "interop/infiniband/export.h"
#include "interop/summary.h"
#include "net/faults.h"
#include "net/topology.h"
#include "study/catalog.h"
#include "study/choice.h"

#include <string.h>

#define TRAFFIC "traffic: {all: {length: 1 flits, load: 0.1}}\n"

typedef struct view {
    weft_arena arena;
    weft_scenario scenario;
    weft_topology topology;
} view;

bool weft_choice_is_fabric(const char *file)
{
    size_t length = strlen(file), more = strlen(".weftnet");
    return length >= more && strcmp(file + length - more, ".weftnet") == 0;
}

weft_status weft_choice_plan(const weft_catalog *catalog, const weft_topology_choice *choice,
                             weft_arena *arena, weft_plan **plan, weft_error *err)
{
    const weft_registry *registry = weft_catalog_registry(catalog);
    if (choice->text)
        return weft_plan_read_text(choice->file ? choice->file : "scenario", choice->text,
                                   strlen(choice->text), choice->overrides, registry, arena, plan,
                                   err);
    if (choice->file && !weft_choice_is_fabric(choice->file))
        return weft_plan_read(choice->file, choice->overrides, registry, arena, plan, err);
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "interweft: 1\n" TRAFFIC);
    if (choice->file) {
        weft_text_add(&text, "topology: {kind: file, path: ");
        weft_print_text(&text, choice->file);
        weft_text_add(&text, "}\nclock: 1 GHz\n"); /* it may have rates, which need one */
    }
    weft_status status = weft_plan_read_text("the command line", text.at, text.length,
                                             choice->overrides, registry, arena, plan, err);
    weft_text_done(&text);
    return status;
}

static weft_status build(view *it, const weft_catalog *catalog, const weft_topology_choice *choice,
                         weft_error *err)
{
    weft_plan *plan;
    WEFT_TRY(weft_choice_plan(catalog, choice, &it->arena, &plan, err));
    WEFT_TRY(weft_plan_point(plan, 0, &it->arena, &it->scenario, err));
    weft_kind_ref ref = it->scenario.topology;
    it->topology.kind = (const weft_topology_kind *)(const void *)ref.kind;
    it->topology.self = weft_arena_take(&it->arena, ref.kind->instance_size);
    weft_status status = weft_topology_build(&it->topology, ref.settings, err);
    WEFT_TRY(weft_scenario_locate(&it->scenario, "topology", status, err));
    status = weft_faults_find(&it->topology, &it->scenario.faults, &it->arena, &it->topology.faults,
                              err);
    if (status != WEFT_OK && it->topology.kind->done)
        it->topology.kind->done(&it->topology);
    return weft_scenario_locate(&it->scenario, "faults", status, err);
}

static weft_status open_view(view *it, const weft_catalog *catalog,
                             const weft_topology_choice *choice, weft_error *err)
{
    *it = (view){0};
    weft_arena_init(&it->arena);
    weft_status status = build(it, catalog, choice, err);
    if (status != WEFT_OK)
        weft_arena_done(&it->arena);
    return status;
}

static void close_view(view *it)
{
    if (it->topology.kind->done)
        it->topology.kind->done(&it->topology);
    weft_arena_done(&it->arena);
}

/* Is the clock that of weft_choice_plan, which says nothing about links? */
static bool has_own_clock(const weft_topology_choice *choice)
{
    if (choice->text || !choice->file || !weft_choice_is_fabric(choice->file))
        return false;
    for (const char *const *set = choice->overrides; set && *set; set++)
        if (strncmp(*set, "clock=", strlen("clock=")) == 0)
            return false;
    return true;
}

/* A text that is written of a topology; `write` NULL: what ibsim reads, which has rates too. */
static weft_status write_text(const weft_catalog *catalog, const weft_topology_choice *choice,
                              weft_status (*write)(const weft_topology *topology, weft_text *text,
                                                   weft_error *err),
                              char **text, weft_error *err)
{
    view it;
    weft_text out;
    WEFT_TRY(open_view(&it, catalog, choice, err));
    weft_text_init(&out);
    if (has_own_clock(choice))
        it.scenario.clock = WEFT_NONE_REAL;
    weft_ib_rates rates = weft_ib_rates_of(&it.scenario);
    weft_status status = write ? write(&it.topology, &out, err)
                               : weft_ib_netdiscover_write(&it.topology, &rates, &out, err);
    close_view(&it);
    if (status == WEFT_OK)
        *text = weft_text_take(&out);
    else
        weft_text_done(&out);
    return status;
}

weft_status weft_topology_show(const weft_catalog *catalog, const weft_topology_choice *choice,
                               char **text, weft_error *err)
{
    return write_text(catalog, choice, weft_summary_numbers, text, err);
}

static bool is_less(const weft_topology_choice *choice)
{
    return (choice->without && *choice->without) || (choice->rates && *choice->rates);
}

/* Less some parts, which only the words of ibnetdiscover name. */
static weft_status export_less(const weft_catalog *catalog, const weft_topology_choice *choice,
                               const char *format, char **text, weft_error *err)
{
    view it;
    weft_text out;
    if (strcmp(format, "ibnetdiscover") != 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--without and --rate are for --format ibnetdiscover, found '%.64s'",
                         format);
    WEFT_TRY(open_view(&it, catalog, choice, err));
    weft_text_init(&out);
    weft_status status =
        weft_ib_netdiscover_write_less(&it.topology, choice->without, choice->rates, &out, err);
    close_view(&it);
    if (status == WEFT_OK)
        *text = weft_text_take(&out);
    else
        weft_text_done(&out);
    return status;
}

weft_status weft_topology_export(const weft_catalog *catalog, const weft_topology_choice *choice,
                                 const char *format, char **text, weft_error *err)
{
    static const struct {
        const char *name;
        weft_status (*write)(const weft_topology *topology, weft_text *text, weft_error *err);
    } formats[] = {{"edges", weft_edges_write},
                   {"graphml", weft_graphml_write},
                   {"dot", weft_dot_write},
                   {"ibnetdiscover", NULL}};
    if (is_less(choice))
        return export_less(catalog, choice, format, text, err);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(format, formats[i].name) == 0)
            return write_text(catalog, choice, formats[i].write, text, err);
    return weft_fail(err, WEFT_BAD_USAGE,
                     "--format is edges, graphml, dot or ibnetdiscover, found '%.64s'", format);
}

weft_status weft_topology_draw(const weft_catalog *catalog, const weft_topology_choice *choice,
                               weft_drawing *drawing, weft_error *err)
{
    view it;
    WEFT_TRY(open_view(&it, catalog, choice, err));
    weft_status status = weft_summary_draw(&it.topology, drawing, err);
    close_view(&it);
    return status;
}
