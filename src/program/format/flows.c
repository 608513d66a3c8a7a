/* SPDX-License-Identifier: Apache-2.0 */
/* Flow lists of HPCC's ns-3: the number of flows, then lines `source destination priority port
 * bytes start`, the start in seconds. Priorities and ports are read and not used. */
#include "program/format/common/transfers.h"

#include <stdlib.h>

static weft_format_lines lines_of(const weft_format_input *input)
{
    return (weft_format_lines){
        .file = input->file, .at = input->bytes.at, .end = input->bytes.at + input->bytes.count};
}

/* A number alone, then six words, which are numbers. */
static bool is_flows(const weft_format_input *input)
{
    weft_format_lines lines = lines_of(input);
    uint64_t number;
    if (!weft_format_lines_next(&lines) || weft_format_lines_left(&lines) != 1 ||
        !weft_format_word_whole(weft_format_lines_word(&lines), UINT32_MAX, &number))
        return false;
    return !weft_format_lines_next(&lines) ||
           (weft_format_lines_left(&lines) == 6 &&
            weft_format_word_whole(weft_format_lines_word(&lines), UINT32_MAX, &number));
}

static weft_status read_whole(weft_format_lines *lines, const char *wanted, uint64_t most,
                              uint64_t *number, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(lines);
    return weft_format_word_whole(word, most, number)
               ? WEFT_OK
               : weft_format_lines_fail(lines, wanted, word, err);
}

static weft_status read_flow(const weft_format_input *input, weft_format_lines *lines,
                             weft_transfer *flow, weft_error *err)
{
    uint64_t unused;
    WEFT_TRY(weft_transfers_host(lines, weft_format_lines_word(lines), WEFT_TRANSFERS_HOSTS_MAX - 1,
                                 &flow->source, err));
    WEFT_TRY(weft_transfers_host(lines, weft_format_lines_word(lines), WEFT_TRANSFERS_HOSTS_MAX - 1,
                                 &flow->destination, err));
    WEFT_TRY(read_whole(lines, "a priority group", UINT32_MAX, &unused, err));
    WEFT_TRY(read_whole(lines, "a port", UINT32_MAX, &unused, err));
    WEFT_TRY(read_whole(lines, "bytes, at most 2^48", WEFT_PROGRAM_SIZE_MAX, &flow->bytes, err));
    weft_format_word start = weft_format_lines_word(lines), more = weft_format_lines_word(lines);
    if (!weft_format_word_number(start, input->options->ticks_per_second, 1, true,
                                 WEFT_PROGRAM_SIZE_MAX, &flow->start))
        return weft_format_lines_fail(lines, "a start in seconds, at most 2^48 ticks", start, err);
    return more.length == 0 ? WEFT_OK
                            : weft_format_lines_fail(lines, "the end of the line", more, err);
}

static weft_status read_list(const weft_format_input *input, weft_transfers *list,
                             weft_loose *loose, weft_program *program, weft_error *err)
{
    weft_format_lines lines = lines_of(input);
    uint64_t count;
    uint32_t n_hosts = 1;
    (void)weft_format_lines_next(&lines);
    WEFT_TRY(read_whole(&lines, "the number of flows", UINT32_MAX, &count, err));
    while (weft_format_lines_next(&lines)) {
        weft_transfer flow = {.bytes = 0};
        WEFT_TRY(read_flow(input, &lines, &flow, err));
        n_hosts = flow.source >= n_hosts ? flow.source + 1 : n_hosts;
        n_hosts = flow.destination >= n_hosts ? flow.destination + 1 : n_hosts;
        weft_transfers_add(list, flow);
        weft_format_counted(input->summary, "flows");
    }
    if (list->count != count)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: line 1 promises %llu flows, found %zu",
                         input->file, lines.number, (unsigned long long)count, list->count);
    WEFT_TRY(weft_transfers_expand(list, n_hosts, loose, err));
    return weft_loose_finish(loose, n_hosts, program, err);
}

static weft_status read_flows(const weft_format_input *input, weft_program *program,
                              weft_error *err)
{
    weft_transfers list = {0};
    weft_loose loose;
    weft_loose_init(&loose, input->file, input->options->operations_max);
    weft_status status = read_list(input, &list, &loose, program, err);
    weft_transfers_done(&list);
    weft_loose_done(&loose);
    return status;
}

const weft_format_kind weft_format_flows = {
    .name = "flows",
    .brief = "flows of HPCC's ns-3: their number, then 0 1 3 100 4096 2.0",
    .is = is_flows,
    .read = read_flows,
};
