/* SPDX-License-Identifier: Apache-2.0 */
/* weft check of several fabrics, or of one that loses some of its parts: their forwarding tables
 * side by side. */
#ifndef WEFT_CLI_JUDGE_H
#define WEFT_CLI_JUDGE_H

#include "cli/command.h"

/* Does the command ask for that? */
bool weft_command_judges(const weft_command *command);
WEFT_MUST_USE weft_status weft_command_judge(const weft_command *command,
                                             const weft_catalog *catalog, weft_error *err);

#endif
