/* SPDX-License-Identifier: Apache-2.0 */
/* A plan from its file to its candidates. */
#include "study/plan/plan.h"

#include "base/memory.h"
#include "config/describe/print.h"

#include <stdlib.h>
#include <string.h>

/* A name whose blanks and colons are dashes. */
static const char *file_name(const char *name, weft_arena *arena)
{
    char *copy = weft_arena_copy(arena, name, strlen(name));
    for (char *c = copy; *c; c++)
        if (*c == ' ' || *c == ':' || *c == '/')
            *c = *c == ':' ? 't' : '-';
    return copy;
}

static weft_status refuse_all(const weft_planning *plan, const weft_design_list *list,
                              weft_error *err)
{
    const weft_requirements *wanted = &plan->wanted;
    const weft_node *at = weft_node_get(wanted->tree, "endpoints");
    if (list->nearest.endpoints > 0)
        return weft_node_complain(err, at,
                                  "no fabric that was looked for has %lld to %.0f endpoints on "
                                  "switches of %lld ports; the nearest has %llu: %s",
                                  (long long)wanted->endpoints,
                                  wanted->constraints.largest * (double)wanted->endpoints,
                                  (long long)wanted->with.ports,
                                  (unsigned long long)list->nearest.endpoints, list->nearest.name);
    return weft_node_complain(err, at,
                              "no fabric that was looked for has %lld to %.0f endpoints on "
                              "switches of %lld ports; constraints.largest allows larger ones",
                              (long long)wanted->endpoints,
                              wanted->constraints.largest * (double)wanted->endpoints,
                              (long long)wanted->with.ports);
}

/* Fails if every fabric breaks some constraint; names the one that comes nearest to it. */
static weft_status check_some(const weft_planning *plan, weft_error *err)
{
    const weft_planning_entry *nearest = &plan->entries[0];
    const weft_node *at = weft_node_key(plan->wanted.tree, "constraints");
    if (!nearest->planned.refused)
        return WEFT_OK;
    for (size_t i = 1; i < plan->n_entries; i++)
        if (plan->entries[i].shortfall < nearest->shortfall)
            nearest = &plan->entries[i];
    return weft_node_complain(err, at ? at : plan->wanted.tree,
                              "none of %zu fabrics holds all constraints; the nearest is %s, "
                              "which breaks %s",
                              plan->n_entries, nearest->planned.name, nearest->planned.refused);
}

static weft_status examine_all(weft_planning *plan, const weft_planning_options *options,
                               weft_error *err)
{
    for (size_t i = 0; i < plan->n_entries; i++) {
        if (options->progress)
            options->progress(options->user, i, plan->n_entries, plan->entries[i].fabric.name);
        WEFT_TRY(weft_planning_examine(plan, &plan->entries[i], &plan->arena, err));
    }
    if (options->progress)
        options->progress(options->user, plan->n_entries, plan->n_entries, "");
    weft_planning_rank(plan);
    return check_some(plan, err);
}

static weft_status fill(weft_planning *plan, const weft_planning_options *options, weft_error *err)
{
    weft_design_list list;
    WEFT_TRY(weft_requirements_read(options->file, options->overrides,
                                    weft_catalog_registry(plan->catalog), &plan->arena,
                                    &plan->wanted, err));
    plan->n_assumptions =
        weft_requirements_assumptions(&plan->wanted, &plan->arena, &plan->assumptions);
    weft_design_find(&list, &plan->wanted, &plan->arena);
    if (list.n_fabrics == 0)
        return refuse_all(plan, &list, err);
    plan->entries = WEFT_TAKE(&plan->arena, weft_planning_entry, list.n_fabrics);
    plan->n_entries = list.n_fabrics;
    for (size_t i = 0; i < list.n_fabrics; i++) {
        const weft_design *fabric = &list.fabrics[i];
        plan->entries[i] =
            (weft_planning_entry){.fabric = *fabric,
                                  .planned = {.name = fabric->name,
                                              .file = file_name(fabric->name, &plan->arena),
                                              .family = fabric->family}};
    }
    return examine_all(plan, options, err);
}

weft_status weft_planning_open(const weft_planning_options *options, const weft_catalog *catalog,
                               weft_planning **out, weft_error *err)
{
    weft_planning *plan = weft_alloc(sizeof *plan);
    plan->catalog = catalog;
    weft_arena_init(&plan->arena);
    weft_status status = fill(plan, options, err);
    if (status == WEFT_OK)
        *out = plan;
    else
        weft_planning_close(plan);
    return status;
}

void weft_planning_close(weft_planning *plan)
{
    if (!plan)
        return;
    weft_arena_done(&plan->arena);
    free(plan);
}

const char *weft_planning_title(const weft_planning *plan)
{
    return plan->wanted.title;
}

uint32_t weft_planning_endpoints(const weft_planning *plan)
{
    return (uint32_t)plan->wanted.endpoints;
}

size_t weft_planning_count(const weft_planning *plan)
{
    return plan->n_entries;
}

const weft_planned *weft_planning_fabric(const weft_planning *plan, size_t i)
{
    return &plan->entries[i].planned;
}

size_t weft_planning_lengths(const weft_planning *plan, const double **lengths)
{
    *lengths = plan->wanted.cables.lengths.at;
    return (size_t)plan->wanted.cables.lengths.count;
}

uint32_t weft_planning_faults(const weft_planning *plan, uint32_t *cables, uint32_t *switches)
{
    const weft_outage_settings *faults = &plan->wanted.faults;
    *cables = (uint32_t)faults->cables;
    *switches = (uint32_t)faults->switches;
    return *cables + *switches > 0 ? (uint32_t)faults->draws : 0;
}

size_t weft_planning_assumptions(const weft_planning *plan, const weft_assumption **list)
{
    *list = plan->assumptions;
    return plan->n_assumptions;
}

char *weft_planning_scenario(const weft_planning *plan, size_t i)
{
    const weft_planning_entry *entry = &plan->entries[i];
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "interweft: 1\ntitle: ");
    weft_print_text(&text, entry->fabric.name);
    weft_text_add(&text, "\n");
    weft_planning_add_network(&text, plan, entry, NULL);
    weft_text_add(&text, "traffic: {all: {pattern: uniform, length: 4 KiB, load: 0.5}}\n");
    return weft_text_take(&text);
}
