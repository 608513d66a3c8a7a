/* SPDX-License-Identifier: Apache-2.0 */
/* The tables as a JSON Schema. Families are definitions ($defs) that refer to each other;
 * quantities are strings with a pattern. Kinds that are planned are allowed and described as not
 * built yet, so that an editor knows the word and the person knows the state. */
#include "config/describe/schema.h"

#include "base/json.h"
#include "config/evaluation/evaluation.h"
#include "config/number.h"
#include "config/planning/requirements.h"
#include "config/sections.h"
#include "config/units.h"

#include <assert.h>
#include <string.h>

static void add_field(weft_text *text, const char *name, const char *value)
{
    weft_json_string(text, name);
    weft_text_append(text, ":", 1);
    weft_json_string(text, value);
}

static void add_strings(weft_text *text, const char *const *strings)
{
    for (const char *const *s = strings; s && *s; s++) {
        weft_text_append(text, ",", s == strings ? 0 : 1);
        weft_json_string(text, *s);
    }
}

/* ,"minimum":…,"maximum":… */
static void add_bounds(weft_text *text, const weft_param *param)
{
    char low[WEFT_NUMBER_CHARS], high[WEFT_NUMBER_CHARS];
    if (param->min != 0 || param->max != 0)
        weft_text_add(text, ",\"minimum\":%s,\"maximum\":%s", weft_number_write(param->min, low),
                      weft_number_write(param->max, high));
}

static void add_quantity(weft_text *text, const weft_param *param)
{
    weft_text_add(text,
                  "{\"type\":\"string\",\"pattern\":\"^[+]?([0-9]+([.][0-9]*)?|[.][0-9]+)"
                  "([eE][+-]?[0-9]+)? *(%s)$\"}",
                  weft_quantity_pattern(param->type));
    if (param->type == WEFT_PARAM_FRACTION) {
        weft_text_add(text, ",{\"type\":\"number\"");
        add_bounds(text, param);
        weft_text_append(text, "}", 1);
    } else if (param->type == WEFT_PARAM_DURATION || param->type == WEFT_PARAM_SIZE ||
               param->type == WEFT_PARAM_ROOM) {
        weft_text_add(text, ",{\"const\":0}");
    }
}

/* The alternatives a parameter takes, comma-separated. */
static void add_alternatives(weft_text *text, const weft_param *param)
{
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
    case WEFT_PARAM_REAL:
        weft_text_add(text, "{\"type\":\"%s\"",
                      param->type == WEFT_PARAM_REAL ? "number" : "integer");
        add_bounds(text, param);
        weft_text_append(text, "}", 1);
        break;
    case WEFT_PARAM_FLAG:
        weft_text_add(text, "{\"type\":\"boolean\"}");
        break;
    case WEFT_PARAM_TEXT:
        weft_text_add(text, "{\"type\":[\"string\",\"number\",\"boolean\"]}");
        break;
    case WEFT_PARAM_FILE:
        weft_text_add(text, "{\"type\":\"string\"}");
        break;
    case WEFT_PARAM_CHOICE:
        weft_text_add(text, "{\"enum\":[");
        add_strings(text, param->choices);
        weft_text_add(text, "]}");
        break;
    case WEFT_PARAM_INTS:
    case WEFT_PARAM_REALS:
        weft_text_add(text,
                      "{\"type\":\"array\",\"minItems\":1,\"maxItems\":%d,"
                      "\"items\":{\"type\":\"%s\"",
                      WEFT_INTS_MAX, param->type == WEFT_PARAM_REALS ? "number" : "integer");
        add_bounds(text, param);
        weft_text_add(text, "}}");
        break;
    case WEFT_PARAM_HOSTS:
        weft_text_add(text,
                      "{\"type\":[\"string\",\"integer\"]},"
                      "{\"type\":\"array\",\"minItems\":1,\"maxItems\":%d,"
                      "\"items\":{\"type\":[\"string\",\"integer\"]}}",
                      WEFT_INTS_MAX);
        break;
    case WEFT_PARAM_KIND:
        weft_text_add(text, "{\"$ref\":\"#/$defs/%s\"}", param->family);
        break;
    case WEFT_PARAM_KINDS:
        weft_text_add(text,
                      "{\"type\":\"array\",\"minItems\":1,\"maxItems\":%d,"
                      "\"items\":{\"$ref\":\"#/$defs/%s\"}}",
                      WEFT_KINDS_MAX, param->family);
        break;
    default:
        add_quantity(text, param);
        break;
    }
}

static void add_param(weft_text *text, const weft_param *param)
{
    bool optional = param->fallback && strcmp(param->fallback, "none") == 0;
    weft_text_append(text, "{", 1);
    add_field(text, "description", param->brief);
    weft_text_add(text, ",\"anyOf\":[");
    add_alternatives(text, param);
    weft_text_add(text, "%s]}", optional ? ",{\"const\":\"none\"}" : "");
}

/* "name":{…},… of every parameter; returns how many. */
static size_t add_params(weft_text *text, const weft_param *params, size_t before)
{
    size_t count = before;
    for (const weft_param *p = params; p && p->name; p++) {
        weft_text_add(text, "%s", count++ ? ",\n" : "\n");
        weft_json_string(text, p->name);
        weft_text_append(text, ":", 1);
        add_param(text, p);
    }
    return count;
}

static void add_required(weft_text *text, const weft_param *params, const char *also)
{
    weft_text_add(text, ",\"required\":[");
    size_t count = 0;
    if (also) {
        weft_json_string(text, also);
        count++;
    }
    for (const weft_param *p = params; p && p->name; p++) {
        if (p->fallback)
            continue;
        weft_text_append(text, ",", count++ ? 1 : 0);
        weft_json_string(text, p->name);
    }
    weft_text_append(text, "]", 1);
}

/* The default kind of a family, which a map may leave out; NULL: none. */
static const char *default_kind(const weft_registry *registry, const char *family)
{
    const weft_param *tables[] = {weft_table_scenario.params, weft_table_traffic.params};
    for (size_t i = 0; i < 2; i++)
        for (const weft_param *p = tables[i]; p->name; p++)
            if (p->type == WEFT_PARAM_KIND && strcmp(p->family, family) == 0)
                return p->fallback;
    for (size_t i = 0; i < registry->n_families; i++)
        for (size_t k = 0; k < registry->families[i].n_kinds; k++)
            for (const weft_param *p = registry->families[i].kinds[k]->params; p && p->name; p++)
                if (p->type == WEFT_PARAM_KIND && strcmp(p->family, family) == 0)
                    return p->fallback;
    return NULL;
}

static void add_where(weft_text *text)
{
    weft_text_add(text, ",\n\"where\":{\"type\":\"object\",\"additionalProperties\":"
                        "{\"type\":\"object\"},");
    add_field(text, "description", weft_sections_apart_brief("where"));
    weft_text_append(text, "}", 1);
}

static void add_kind(weft_text *text, const weft_family *family, const weft_component *kind,
                     const char *unnamed)
{
    weft_text_add(text, ",\n{\"type\":\"object\",");
    add_field(text, "description", kind->brief);
    weft_text_add(text, ",\"properties\":{\"kind\":{\"const\":");
    weft_json_string(text, kind->name);
    weft_text_append(text, "}", 1);
    (void)add_params(text, kind->params, 1);
    if (strcmp(family->name, "router") == 0)
        add_where(text);
    weft_text_append(text, "}", 1);
    bool may_be_unnamed = unnamed && strcmp(unnamed, kind->name) == 0;
    if (kind->params && kind->params->name && strcmp(kind->params->name, kind->name) == 0)
        may_be_unnamed = true; /* known by that key, in a list of kinds */
    add_required(text, kind->params, may_be_unnamed ? NULL : "kind");
    weft_text_add(text, ",\"additionalProperties\":false}");
}

static void add_kind_names(weft_text *text, const weft_family *family)
{
    weft_text_add(text, "{\"enum\":[");
    for (size_t i = 0; i < family->n_kinds; i++) {
        weft_text_append(text, ",", i ? 1 : 0);
        weft_json_string(text, family->kinds[i]->name);
    }
    weft_text_add(text, "]}");
    if (!family->planned || !*family->planned)
        return;
    weft_text_add(text, ",\n{\"description\":\"not built yet\",\"enum\":[");
    add_strings(text, family->planned);
    weft_text_add(text, "]},\n{\"description\":\"not built yet\",\"type\":\"object\","
                        "\"properties\":{\"kind\":{\"enum\":[");
    add_strings(text, family->planned);
    weft_text_add(text, "]}},\"required\":[\"kind\"]}");
}

static void add_family(weft_text *text, const weft_registry *registry, const weft_family *family)
{
    weft_json_string(text, family->name);
    weft_text_append(text, ":{", 2);
    add_field(text, "description", family->brief);
    weft_text_add(text, ",\"oneOf\":[\n");
    add_kind_names(text, family);
    const char *unnamed = default_kind(registry, family->name);
    for (size_t i = 0; i < family->n_kinds; i++)
        add_kind(text, family, family->kinds[i], unnamed);
    const weft_component *plain =
        family->shorthand ? weft_family_kind(family, family->shorthand) : NULL;
    if (plain && plain->params) {
        weft_text_append(text, ",\n", 2);
        add_param(text, plain->params);
    }
    weft_text_add(text, "]}");
}

static void add_planned(weft_text *text, const char *const *names)
{
    for (const char *const *name = names; name && *name; name++) {
        weft_text_append(text, ",\n", 2);
        weft_json_string(text, *name);
        weft_text_add(text, ":{\"description\":\"not built yet\"}");
    }
}

/* Keys of a study file that are no parameters: settings by path, or words. */
static void add_study_apart(weft_text *text, const char *const *keys)
{
    static const char *const words[] = {"of", "curves", "columns", NULL};
    for (; keys && *keys; keys++) {
        bool is_words = false;
        for (const char *const *w = words; *w; w++)
            is_words = is_words || strcmp(*w, *keys) == 0;
        weft_text_append(text, ",\n", 2);
        weft_json_string(text, *keys);
        weft_text_add(text, ":{");
        add_field(text, "description", weft_sections_apart_brief(*keys));
        if (is_words)
            weft_text_add(text, ",\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\","
                                "\"minItems\":1,\"items\":{\"type\":\"string\"}}]}");
        else
            weft_text_add(text, ",\"type\":%s}",
                          strcmp(*keys, "scenario") == 0 ? "[\"string\",\"object\"]"
                                                         : "\"object\"");
    }
}

/* Names of what is down, in place of the section's settings. */
static const char faults[] =
    ",{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}";

/* {"type":"object","properties":{…}} of a table and what is nested in it. */
static void add_table(weft_text *text, const weft_table *table)
{
    weft_text_add(text, "{\"type\":\"object\",\"properties\":{");
    size_t count = add_params(text, table->params, 0);
    for (const weft_table *const *t = table->tables; t && *t; t++) {
        weft_text_add(text, "%s", count++ ? ",\n" : "\n");
        weft_json_string(text, (*t)->name);
        weft_text_add(text, ":{");
        add_field(text, "description", (*t)->brief);
        weft_text_add(text, ",\"anyOf\":[");
        if ((*t)->named)
            weft_text_add(text, "{\"type\":\"object\",\"minProperties\":1,"
                                "\"additionalProperties\":");
        add_table(text, *t);
        weft_text_add(text, "%s%s]}", (*t)->named ? "}" : "",
                      *t == &weft_table_faults ? faults : "");
    }
    for (const char *const *key = table->apart; key && *key; key++)
        if (strcmp(*key, "where") == 0)
            add_where(text);
    add_planned(text, table->planned);
    if (weft_evaluation_has_table(table))
        add_study_apart(text, table->apart);
    bool file = table == &weft_table_scenario || table == &weft_table_requirements ||
                table == &weft_table_evaluation;
    if (file) {
        weft_text_add(text, ",\n\"include\":{");
        add_field(text, "description", weft_sections_apart_brief("include"));
        weft_text_add(text, ",\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":"
                            "{\"type\":\"string\"}}]}");
    }
    if (table == &weft_table_scenario)
        weft_text_add(text, ",\n\"vary\":{\"$ref\":\"#/$defs/vary\"}");
    weft_text_append(text, "}", 1);
    if (!file) /* a file may get any of its sections from one that it includes */
        add_required(text, table->params, NULL);
    weft_text_add(text, ",\"additionalProperties\":false}");
}

static void add_vary(weft_text *text)
{
    weft_text_add(text, "\"vary\":{");
    add_field(text, "description", weft_sections_apart_brief("vary"));
    weft_text_add(text, ",\"type\":\"object\",\"properties\":{\"together\":{\"type\":\"array\","
                        "\"minItems\":1,\"items\":{\"type\":\"object\",\"minProperties\":1}}},\n"
                        "\"additionalProperties\":{\"oneOf\":[{\"type\":\"array\",\"minItems\":1},"
                        "{\"type\":\"object\",\"properties\":{");
    static const char *const parts[] = {"from", "to", "step"};
    for (size_t i = 0; i < 3; i++)
        weft_text_add(text, "%s\"%s\":{\"type\":[\"number\",\"string\"]}", i ? "," : "", parts[i]);
    weft_text_add(text, "},\"required\":[\"from\",\"to\",\"step\"],"
                        "\"additionalProperties\":false}]}}");
}

char *weft_schema_plan(const weft_registry *registry)
{
    const weft_family *fabrics = weft_registry_find(registry, "fabric");
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
                         "\"title\":\"Interweft plan\",\n\"$defs\":{\n");
    if (fabrics)
        add_family(&text, registry, fabrics);
    weft_text_add(&text, "},\n\"allOf\":[");
    add_table(&text, &weft_table_requirements);
    weft_text_add(&text, "]}\n");
    return weft_text_take(&text);
}

char *weft_schema_study(void)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
                         "\"title\":\"Interweft study\",\n\"allOf\":[");
    add_table(&text, &weft_table_evaluation);
    weft_text_add(&text, "]}\n");
    return weft_text_take(&text);
}

char *weft_schema_text(const weft_registry *registry)
{
    assert(registry);
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
                         "\"title\":\"Interweft scenario\",\n\"$defs\":{\n");
    for (size_t i = 0; i < registry->n_families; i++) {
        add_family(&text, registry, &registry->families[i]);
        weft_text_append(&text, ",\n", 2);
    }
    add_vary(&text);
    weft_text_add(&text, "},\n\"allOf\":[");
    add_table(&text, &weft_table_scenario);
    weft_text_add(&text, "]}\n");
    return weft_text_take(&text);
}
