/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Schema (draft 2020-12) of scenario files, for editors; made from the parameter tables. */
#ifndef WEFT_CONFIG_DESCRIBE_SCHEMA_H
#define WEFT_CONFIG_DESCRIBE_SCHEMA_H

#include "config/registry.h"

/* malloc'ed; the caller frees it. */
char *weft_schema_text(const weft_registry *registry);
/* The same of the files of weft plan. */
char *weft_schema_plan(const weft_registry *registry);
/* The same of the files of weft study. */
char *weft_schema_study(void);

#endif
