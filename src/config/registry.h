/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: families and their kinds, as config sees them. It knows nothing of what the kinds
 * do. Built by study (which knows every folder) from records that are borrowed, extended by
 * plug-ins, whose records are copied. */
#ifndef WEFT_CONFIG_REGISTRY_H
#define WEFT_CONFIG_REGISTRY_H

#include "interweft/component.h"
#include "interweft/status.h"

/* A member of a record that must not be NULL, unless another one is there instead. */
typedef struct weft_required {
    const char *name; /* NULL: the end of a list */
    size_t offset;
    size_t instead; /* offset of the other one; 0: none */
} weft_required;

typedef struct weft_family {
    const char *name; /* "topology" */
    const char *brief;
    const char *shorthand;        /* kind whose first parameter a bare value sets: length: 64 flits
                                     means {kind: fixed, size: 64 flits}; NULL: none */
    const char *const *planned;   /* names that are known but not built yet; NULL-terminated */
    const weft_component **kinds; /* in the order of list.def, then plug-ins */
    size_t n_kinds, capacity;
    size_t n_builtin;   /* of them; the others are copies of plug-ins' records */
    size_t record_size; /* bytes of a record of this family today */
    /* Of plug-ins' records; NULL: plug-ins cannot add to this family. */
    const weft_required *required;
} weft_family;

typedef struct weft_registry {
    weft_family *families;
    size_t n_families, capacity;
} weft_registry;

void weft_registry_init(weft_registry *registry);
void weft_registry_done(weft_registry *registry);
/* Adds a family, whose kinds follow; returns it (valid until the next family is added). */
weft_family *weft_registry_family(weft_registry *registry, const weft_family *family);
/* Adds a built-in kind. */
WEFT_MUST_USE weft_status weft_registry_add(weft_registry *registry, const char *family,
                                            const weft_component *kind, weft_error *err);
/* Adds a copy of a plug-in's kind, with zeros where its header was shorter than today's. Refuses
 * another interface, a newer record, one without a name or a required member, a taken name, an
 * unknown family, parameters that are not within the settings. */
WEFT_MUST_USE weft_status weft_registry_add_foreign(weft_registry *registry, const char *family,
                                                    const weft_component *kind, weft_error *err);
/* Removes the plug-in's kind that was added last to a family. */
void weft_registry_remove_foreign(weft_registry *registry, const char *family);
const weft_family *weft_registry_find(const weft_registry *registry, const char *family);
const weft_component *weft_family_kind(const weft_family *family, const char *name);

#endif
