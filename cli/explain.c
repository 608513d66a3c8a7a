/* SPDX-License-Identifier: Apache-2.0 */
/* weft explain: what decided when jobs ended, as text and as a picture of ranks over time. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "interweft/compare.h"
#include "report/explain/explain.h"
#include "report/save.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct explain_flags {
    int64_t steps;
} explain_flags;

static const weft_flag own[] = {
    {"--steps", "N", "steps of a critical path that are listed, from its end back", WEFT_FLAG_WHOLE,
     .offset = offsetof(explain_flags, steps), .fallback = "8", .min = 0, .max = 1e9},
    {.name = NULL},
};

static weft_status put(const weft_command *command, weft_result *result, weft_error *err)
{
    const explain_flags *flags = command->own;
    if (!command->svg && !command->png)
        return weft_explain_print(result, (size_t)flags->steps, stdout, err);
    WEFT_TRY(weft_save_check(command->svg, err));
    WEFT_TRY(weft_save_check(command->png, err));
    WEFT_TRY(weft_explain_draw(result, command->svg, command->png, err));
    if (weft_result_points(result) > 1)
        fprintf(stderr, "%zu points: the first one is drawn; RESULTS@key=value chooses another\n",
                weft_result_points(result));
    if (command->svg)
        fprintf(stderr, "wrote %s\n", command->svg);
    if (command->png)
        fprintf(stderr, "wrote %s\n", command->png);
    return WEFT_OK;
}

static weft_status explain(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    (void)catalog;
    const char *name = command->names[0];
    const char *at = access(name, F_OK) == 0 ? NULL : strchr(name, '@');
    char *path = strndup(name, at ? (size_t)(at - name) : strlen(name));
    weft_result *result = NULL;
    weft_status status = path ? weft_result_open(path, &result, err)
                              : weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    if (status == WEFT_OK && at)
        status = weft_compare_select(result, at + 1, err);
    if (status == WEFT_OK)
        status = put(command, result, err);
    if (result)
        weft_result_close(result);
    free(path);
    return status;
}

const weft_verb weft_verb_explain = {
    .name = "explain",
    .arguments = "RESULTS[@key=value]",
    .brief = "what decided when jobs ended: their critical paths, and a picture of their ranks",
    .examples = "weft explain mix.weft                             # shares and messages of each "
                "path\n"
                "weft explain mix.weft@seed=2 --steps 40           # one point, more steps\n"
                "weft explain mix.weft --png ranks.png             # ranks over time\n",
    .flags = "--svg --png -o",
    .by_ending = true,
    .least = 1,
    .most = 1,
    .own = own,
    .own_size = sizeof(explain_flags),
    .run = explain,
};
