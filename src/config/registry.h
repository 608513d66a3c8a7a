/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: families and their kinds, as config sees them. It holds borrowed records and knows
 * nothing of what the kinds do. Built by study (which knows every folder), extended by plug-ins. */
#ifndef WEFT_CONFIG_REGISTRY_H
#define WEFT_CONFIG_REGISTRY_H

#include "interweft/component.h"
#include "interweft/status.h"

typedef struct weft_family {
    const char *name; /* "topology" */
    const char *brief;
    const char *shorthand;        /* kind whose first parameter a bare value sets: length: 64 flits
                                     means {kind: fixed, size: 64 flits}; NULL: none */
    const char *const *planned;   /* names that are known but not built yet; NULL-terminated */
    const weft_component **kinds; /* in the order of list.def, then plug-ins */
    size_t n_kinds, capacity;
} weft_family;

typedef struct weft_registry {
    weft_family *families;
    size_t n_families, capacity;
} weft_registry;

void weft_registry_init(weft_registry *registry);
void weft_registry_done(weft_registry *registry);
/* Adds a family; returns it (valid until the next family is added). */
weft_family *weft_registry_family(weft_registry *registry, const char *name, const char *brief,
                                  const char *shorthand, const char *const *planned);
/* Refuses another ABI, a record without a name, a taken name, an unknown family. */
WEFT_MUST_USE weft_status weft_registry_add(weft_registry *registry, const char *family,
                                            const weft_component *kind, weft_error *err);
const weft_family *weft_registry_find(const weft_registry *registry, const char *family);
const weft_component *weft_family_kind(const weft_family *family, const char *name);

#endif
