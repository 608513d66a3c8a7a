/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue's inside, for the study. */
#ifndef WEFT_STUDY_CATALOG_H
#define WEFT_STUDY_CATALOG_H

#include "config/registry.h"
#include "interweft/catalog.h"

const weft_registry *weft_catalog_registry(const weft_catalog *catalog);

#endif
