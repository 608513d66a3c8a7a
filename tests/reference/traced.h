/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled routers that a test has run with a trace. */
#ifndef WEFT_TESTS_REFERENCE_TRACED_H
#define WEFT_TESTS_REFERENCE_TRACED_H

#include <stdint.h>

/* The name of a compiled router, and for how many sites it was chosen; NULL: there is no such. */
const char *traced_name(uint32_t instance, uint64_t *times);

#endif
