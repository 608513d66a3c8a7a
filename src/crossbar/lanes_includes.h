/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that lanes_kernel_impl.h needs; to be included before a processor is chosen. */
#ifndef WEFT_CROSSBAR_LANES_INCLUDES_H
#define WEFT_CROSSBAR_LANES_INCLUDES_H

#include "crossbar/lanes.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#endif
