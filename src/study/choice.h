/* SPDX-License-Identifier: Apache-2.0 */
/* The scenario behind a choice of a topology. */
#ifndef WEFT_STUDY_CHOICE_H
#define WEFT_STUDY_CHOICE_H

#include "config/scenario.h"
#include "interweft/interop.h"

/* A .weftnet file, or settings alone, become a scenario of a few lines. */
WEFT_MUST_USE weft_status weft_choice_plan(const weft_catalog *catalog,
                                           const weft_topology_choice *choice, weft_arena *arena,
                                           weft_plan **plan, weft_error *err);
/* True if a file is a fabric without a scenario. */
bool weft_choice_is_fabric(const char *file);

#endif
