/* SPDX-License-Identifier: Apache-2.0 */
/* GOAL, text or binary. */
#include "program/goal/goal.h"
#include "program/goal/read.h"
#include "program/goal/words.h"
#include "program/format.h"

static bool is_goal(const weft_format_input *trace)
{
    if (weft_goal_is_binary(trace->bytes.at, trace->bytes.count))
        return true;
    weft_goal_words words = {
        .at = trace->bytes.at, .end = trace->bytes.at + trace->bytes.count, .line = 1};
    return weft_goal_word_is(weft_goal_words_skip(&words), "num_ranks");
}

static weft_status read_goal(const weft_format_input *trace, weft_program *program, weft_error *err)
{
    weft_goal_source source = {.file = trace->file,
                               .window = trace->window,
                               .data = trace->bytes.at,
                               .length = trace->bytes.count,
                               .division = trace->window ? trace->division : NULL};
    return weft_goal_read(&source, program, err);
}

const weft_format_kind weft_format_goal = {
    .name = "goal",
    .brief = "GOAL, text or binary: num_ranks 2, rank 0 { … }",
    .is = is_goal,
    .read = read_goal,
    .streams = true,
};
