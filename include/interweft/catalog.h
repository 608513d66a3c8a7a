/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue: every family, kind and setting, read from the parameter tables. Text results are
 * malloc'ed and the caller frees them. */
#ifndef INTERWEFT_CATALOG_H
#define INTERWEFT_CATALOG_H

#include "interweft/component.h"
#include "interweft/status.h"

WEFT_DECLARATIONS

typedef struct weft_catalog weft_catalog;

/* A catalogue of the built-in kinds. */
WEFT_API weft_catalog *weft_catalog_create(void);
WEFT_API void weft_catalog_destroy(weft_catalog *catalog);
/* Adds the kinds of a plug-in, all or none; a record of another ABI, a name already taken, or a
 * parameter that lies outside of the settings is refused. */
WEFT_API WEFT_MUST_USE weft_status weft_catalog_plug(weft_catalog *catalog,
                                                     const weft_plugin *plugin, weft_error *err);
/* Loads a shared object that the user has named, and adds its kinds. */
WEFT_API WEFT_MUST_USE weft_status weft_catalog_load(weft_catalog *catalog, const char *file,
                                                     weft_error *err);

/* Lists families and kinds, or the kinds of one family (NULL: all). */
WEFT_API WEFT_MUST_USE weft_status weft_catalog_list(const weft_catalog *catalog,
                                                     const char *family, char **text,
                                                     weft_error *err);
/* Describes one kind, family/kind, or section of the scenario file. */
WEFT_API WEFT_MUST_USE weft_status weft_catalog_describe(const weft_catalog *catalog,
                                                         const char *name, char **text,
                                                         weft_error *err);
/* A line "path=" or "path=value" for every setting of a scenario, for completion in a shell. */
WEFT_API char *weft_catalog_words(const weft_catalog *catalog);
/* JSON Schema of scenario files. */
WEFT_API char *weft_catalog_schema(const weft_catalog *catalog);
/* The same of the files of weft plan. */
WEFT_API char *weft_catalog_plan_schema(const weft_catalog *catalog);
/* The same of the files of weft study. */
WEFT_API char *weft_catalog_study_schema(const weft_catalog *catalog);
/* A reference page in Markdown: of a family, of scenario files ("scenario" or NULL), of plans
 * ("plan") or of studies ("study"). NULL: there is no such family. */
WEFT_API char *weft_catalog_page(const weft_catalog *catalog, const char *family);

WEFT_DECLARATIONS_END

#endif
