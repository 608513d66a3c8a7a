/* SPDX-License-Identifier: Apache-2.0 */
/* 256 switches in vector registers: for processors with AVX2, of others never called. */
#include "crossbar/lanes_includes.h"

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define LANES_WORDS 4
#define LANES_RUN   weft_xbar_lanes_run_256
#include "crossbar/lanes_kernel_impl.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
