/* SPDX-License-Identifier: Apache-2.0 */
/* Where the studies of `weft reproduce` are. */
#ifndef WEFT_CLI_STUDIES_H
#define WEFT_CLI_STUDIES_H

#include "interweft/status.h"

#include <limits.h>
#include <stdbool.h>

/* ./studies; or those that were installed with the program; or, if it stands in the tree it was
 * built in, those of the sources. */
WEFT_MUST_USE weft_status weft_studies_find(char folder[PATH_MAX], weft_error *err);

bool weft_studies_is_folder(const char *path);

#endif
