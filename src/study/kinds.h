/* SPDX-License-Identifier: Apache-2.0 */
/* Every family, every built-in kind, and the planned names. */
#ifndef WEFT_STUDY_KINDS_H
#define WEFT_STUDY_KINDS_H

#include "config/registry.h"

void weft_kinds_register(weft_registry *registry);

#endif
