/* SPDX-License-Identifier: Apache-2.0 */
/* 64 switches in plain words: on any processor. */
#include "crossbar/lanes_includes.h"

#define LANES_WORDS 1
#define LANES_RUN   weft_xbar_lanes_run_64
#include "crossbar/lanes_kernel_impl.h"
