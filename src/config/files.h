/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that a scenario names held when it was read: one line for each, "# file
 * flows.csv crc32c 89abcdef", behind the text of the scenario. So results and checkpoints know
 * when a file has changed. Of a file of over 4 GiB the line tells the length and the content of
 * both ends, "# file long.goal bytes 5000000000 ends crc32c 89abcdef". */
#ifndef WEFT_CONFIG_FILES_H
#define WEFT_CONFIG_FILES_H

#include "base/text.h"
#include "interweft/component.h"

#define WEFT_FILES_LINE "# file " /* what such a line begins with */

/* Adds the line of a file; one that cannot be read has none, whoever opens it will say why. */
void weft_files_add(weft_text *text, const weft_file *file);

#endif
