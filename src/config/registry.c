/* SPDX-License-Identifier: Apache-2.0 */
/* A growing array of families, each a growing array of records. */
#include "config/registry.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 60 /* characters of the name of a plug-in's kind or setting */

void weft_registry_init(weft_registry *registry)
{
    *registry = (weft_registry){0};
}

void weft_registry_done(weft_registry *registry)
{
    for (size_t i = 0; i < registry->n_families; i++) {
        weft_family *family = &registry->families[i];
        for (size_t k = family->n_builtin; k < family->n_kinds; k++)
            free((void *)family->kinds[k]);
        free(family->kinds);
    }
    free(registry->families);
    *registry = (weft_registry){0};
}

weft_family *weft_registry_family(weft_registry *registry, const weft_family *family)
{
    assert(!weft_registry_find(registry, family->name) && family->n_kinds == 0);
    if (registry->n_families == registry->capacity) {
        registry->capacity = registry->capacity ? registry->capacity * 2 : 8;
        registry->families =
            weft_realloc(registry->families, registry->capacity, sizeof *registry->families);
    }
    registry->families[registry->n_families] = *family;
    return &registry->families[registry->n_families++];
}

const weft_family *weft_registry_find(const weft_registry *registry, const char *family)
{
    for (size_t i = 0; i < registry->n_families; i++)
        if (strcmp(registry->families[i].name, family) == 0)
            return &registry->families[i];
    return NULL;
}

const weft_component *weft_family_kind(const weft_family *family, const char *name)
{
    for (size_t i = 0; i < family->n_kinds; i++)
        if (strcmp(family->kinds[i]->name, name) == 0)
            return family->kinds[i];
    return NULL;
}

/* The family a kind may join; says why not. */
static weft_status find_home(weft_registry *registry, const char *name, const weft_component *kind,
                             weft_family **home, weft_error *err)
{
    *home = NULL;
    for (size_t i = 0; i < registry->n_families && !*home; i++)
        if (strcmp(registry->families[i].name, name) == 0)
            *home = &registry->families[i];
    if (!*home)
        return weft_fail(err, WEFT_BAD_INPUT, "there is no family '%.60s' of components", name);
    if (kind->abi == WEFT_ABI && kind->size < sizeof *kind)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the record of a %s has size %u: set .size = sizeof of the record", name,
                         kind->size);
    if (kind->abi != WEFT_ABI)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a %s was built for interface %u of Interweft; this is interface %u: "
                         "compile it against today's headers",
                         name, kind->abi, WEFT_ABI);
    if (kind->size > (*home)->record_size)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a %s was built for a newer Interweft: its record has %u bytes, here it "
                         "has %zu",
                         name, kind->size, (*home)->record_size);
    if (!kind->name || !*kind->name)
        return weft_fail(err, WEFT_BAD_INPUT, "a %s has no name", name);
    if (weft_family_kind(*home, kind->name))
        return weft_fail(err, WEFT_BAD_INPUT, "there already is a %s '%.60s'", name, kind->name);
    return WEFT_OK;
}

static void append(weft_family *home, const weft_component *kind)
{
    if (home->n_kinds == home->capacity) {
        home->capacity = home->capacity ? home->capacity * 2 : 8;
        home->kinds = weft_realloc(home->kinds, home->capacity, sizeof *home->kinds);
    }
    home->kinds[home->n_kinds++] = kind;
}

weft_status weft_registry_add(weft_registry *registry, const char *family,
                              const weft_component *kind, weft_error *err)
{
    weft_family *home;
    WEFT_TRY(find_home(registry, family, kind, &home, err));
    assert(home && home->n_builtin == home->n_kinds); /* before all plug-ins */
    append(home, kind);
    home->n_builtin = home->n_kinds;
    return WEFT_OK;
}

static weft_status check_required(const weft_family *home, const weft_component *kind,
                                  weft_error *err)
{
    for (const weft_required *r = home->required; r->name; r++) {
        void (*member)(void) = NULL, (*instead)(void) = NULL;
        memcpy(&member, (const char *)kind + r->offset, sizeof member);
        if (r->instead)
            memcpy(&instead, (const char *)kind + r->instead, sizeof instead);
        if (!member && !instead)
            return weft_fail(err, WEFT_BAD_INPUT, "%s '%.60s' has no `%s`, which every %s needs",
                             home->name, kind->name, r->name, home->name);
    }
    return WEFT_OK;
}

/* ---- the parameters of plug-ins ---- */

typedef struct field { /* in the settings */
    size_t size, align;
} field;

#define FIELD(type)                   \
    {                                 \
        sizeof(type), _Alignof(type), \
    }

static const field fields[] = {
    [WEFT_PARAM_INT] = FIELD(int64_t),
    [WEFT_PARAM_REAL] = FIELD(double),
    [WEFT_PARAM_FRACTION] = FIELD(double),
    [WEFT_PARAM_FLAG] = FIELD(bool),
    [WEFT_PARAM_TEXT] = FIELD(const char *),
    [WEFT_PARAM_CHOICE] = FIELD(int),
    [WEFT_PARAM_DURATION] = FIELD(weft_duration),
    [WEFT_PARAM_SIZE] = FIELD(weft_size),
    [WEFT_PARAM_RATE] = FIELD(weft_rate),
    [WEFT_PARAM_FREQUENCY] = FIELD(double),
    [WEFT_PARAM_INTS] = FIELD(weft_ints),
    [WEFT_PARAM_KIND] = FIELD(weft_kind_ref),
    [WEFT_PARAM_ROOM] = FIELD(weft_size),
    [WEFT_PARAM_FACTOR] = FIELD(int64_t),
    [WEFT_PARAM_FILE] = FIELD(weft_file),
    [WEFT_PARAM_KINDS] = FIELD(weft_kinds),
    [WEFT_PARAM_REALS] = FIELD(weft_reals),
    [WEFT_PARAM_HOSTS] = FIELD(weft_hosts),
};

/* A word of scenario files. */
static bool is_word(const char *name)
{
    size_t length =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    return length > 0 && length <= WORD_MAX && !name[length];
}

/* What is wrong with a parameter; NULL: nothing. */
static const char *flaw_of(const weft_registry *registry, const weft_component *kind,
                           const weft_param *p)
{
    if (!is_word(p->name) || strcmp(p->name, "kind") == 0)
        return "is no name for a setting";
    if (!p->brief)
        return "has no .brief";
    if ((unsigned)p->type >= sizeof fields / sizeof *fields)
        return "has no known .type";
    const field *f = &fields[p->type];
    if (kind->settings_size < f->size || p->offset > kind->settings_size - f->size)
        return "lies outside of the settings: set .settings_size = sizeof of their struct";
    if (p->offset % f->align != 0)
        return "has an .offset that its type cannot have";
    if (p->type == WEFT_PARAM_CHOICE && !p->choices)
        return "has no .choices";
    bool of_kinds = p->type == WEFT_PARAM_KIND || p->type == WEFT_PARAM_KINDS;
    if (of_kinds && !(p->family && weft_registry_find(registry, p->family)))
        return "has no .family that there is";
    return NULL;
}

static weft_status check_texts(const weft_registry *registry, const char *family,
                               const weft_component *kind, weft_error *err)
{
    if (!is_word(kind->name))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a %s is named by letters, digits, - and _, at most %d, found '%.80s'",
                         family, WORD_MAX, kind->name);
    if (!kind->brief)
        return weft_fail(err, WEFT_BAD_INPUT, "%s '%s' has no .brief", family, kind->name);
    for (const weft_param *p = kind->params; p && p->name; p++) {
        const char *flaw = flaw_of(registry, kind, p);
        if (flaw)
            return weft_fail(err, WEFT_BAD_INPUT, "%s '%s': the parameter '%.80s' %s", family,
                             kind->name, p->name, flaw);
    }
    return WEFT_OK;
}

weft_status weft_registry_add_foreign(weft_registry *registry, const char *family,
                                      const weft_component *kind, weft_error *err)
{
    weft_family *home;
    if (!kind)
        return weft_fail(err, WEFT_BAD_INPUT, "a %.60s has no record", family);
    WEFT_TRY(find_home(registry, family, kind, &home, err));
    assert(home);
    if (!home->required)
        return weft_fail(err, WEFT_BAD_INPUT, "plug-ins cannot add to the family %s", family);
    WEFT_TRY(check_texts(registry, family, kind, err));
    weft_component *copy = weft_alloc(home->record_size);
    memset(copy, 0, home->record_size);
    memcpy(copy, kind, kind->size);
    copy->size = (uint32_t)home->record_size;
    copy->foreign = true;
    weft_status status = check_required(home, copy, err);
    if (status == WEFT_OK)
        append(home, copy);
    else
        free(copy);
    return status;
}

void weft_registry_remove_foreign(weft_registry *registry, const char *family)
{
    weft_family *home = (weft_family *)weft_registry_find(registry, family);
    assert(home && home->n_kinds > home->n_builtin);
    free((void *)home->kinds[--home->n_kinds]);
}
