/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to set, for people: lists, descriptions and reference pages, all made from the
 * parameter tables. Texts are malloc'ed; the caller frees them. */
#ifndef WEFT_CONFIG_DESCRIBE_DESCRIBE_H
#define WEFT_CONFIG_DESCRIBE_DESCRIBE_H

#include "base/arena.h"
#include "config/registry.h"

/* Families and their kinds, or one family (NULL: all). */
WEFT_MUST_USE weft_status weft_describe_list(const weft_registry *registry, const char *family,
                                             char **text, weft_error *err);
/* A kind ("torus"), family/kind ("topology/torus") or section ("links") with its settings; a name
 * that means several things describes each. */
WEFT_MUST_USE weft_status weft_describe_one(const weft_registry *registry, const char *name,
                                            char **text, weft_error *err);
/* A reference page in Markdown: of a family, or of scenario files ("scenario" or NULL). NULL: there
 * is no such family. */
char *weft_describe_page(const weft_registry *registry, const char *family);

/* A line "path=" or "path=value" for every setting of a scenario whose traffic class is "all". */
char *weft_describe_words(const weft_registry *registry);

/* "2 … 65535", "at least 1", "" */
const char *weft_param_range(const weft_param *param, weft_arena *arena);

#endif
