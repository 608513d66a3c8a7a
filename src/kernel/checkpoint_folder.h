/* SPDX-License-Identifier: Apache-2.0 */
/* Generations in a folder of checkpoints. For checkpoint*.c only. */
#ifndef WEFT_KERNEL_CHECKPOINT_FOLDER_H
#define WEFT_KERNEL_CHECKPOINT_FOLDER_H

#include "interweft/status.h"

#include <stdint.h>

/* Makes `<generation>.new` the generation, on the disk. */
WEFT_MUST_USE weft_status weft_folder_publish(const char *folder, uint64_t generation,
                                              weft_error *err);
/* Removes all but the two newest generations; ignores failures. */
void weft_folder_prune(const char *folder);

#endif
