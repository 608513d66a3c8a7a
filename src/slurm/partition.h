/* SPDX-License-Identifier: Apache-2.0 */
/* What a partition of Slurm allows. */
#ifndef WEFT_SLURM_PARTITION_H
#define WEFT_SLURM_PARTITION_H

#include <stdbool.h>

/* The longest time limit of a partition (NULL: the default one), in seconds; false: there is none,
 * or it is not known. */
bool weft_slurm_limit(const char *partition, double *seconds);
/* A time as Slurm writes it, "30", "5:00", "1:00:00" or "2-12:00:00", in seconds; false: it is
 * none, or infinite. */
bool weft_slurm_time(const char *text, double *seconds);

#endif
