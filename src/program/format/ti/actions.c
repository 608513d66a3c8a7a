/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of a time-independent trace between two ranks, or of one alone. */
#include "program/format/ti/ti.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a type by its number; 0: there is none. */
static const uint8_t type_bytes[] = {8, 4,  1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8,
                                     8, 16, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8};

weft_status weft_ti_rank_number(weft_ti *ti, const char *wanted, uint32_t *rank, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&ti->lines);
    uint64_t number;
    if (!weft_format_word_whole(word, WEFT_PROGRAM_RANKS_MAX, &number))
        return weft_format_lines_fail(&ti->lines, wanted, word, err);
    if (number >= ti->n_ranks)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: ranks are 0 to %u, found %llu",
                         ti->lines.file, ti->lines.number, ti->n_ranks - 1,
                         (unsigned long long)number);
    *rank = (uint32_t)number;
    return WEFT_OK;
}

weft_status weft_ti_size(weft_ti *ti, uint64_t *elements, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&ti->lines);
    *elements = 0;
    if (weft_format_word_is(word, "-1") ||
        weft_format_word_number(word, 1, 1, false, WEFT_PROGRAM_SIZE_MAX, elements))
        return WEFT_OK;
    return weft_format_lines_fail(&ti->lines, "a size, at most 2^48", word, err);
}

weft_status weft_ti_type(weft_ti *ti, uint32_t *bytes, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&ti->lines);
    uint64_t type;
    *bytes = ti->rank->element;
    if (word.length == 0)
        return WEFT_OK;
    if (!weft_format_word_whole(word, sizeof type_bytes - 1, &type) || type_bytes[type] == 0)
        return weft_format_lines_fail(&ti->lines, "a type, 0 to 14 or 17 to 24", word, err);
    *bytes = type_bytes[type];
    return WEFT_OK;
}

weft_status weft_ti_flops(weft_ti *ti, uint64_t *ticks, weft_error *err)
{
    const weft_format_options *options = ti->trace->options;
    weft_format_word word = weft_format_lines_word(&ti->lines);
    if (weft_format_word_number(word, options->ticks_per_second, options->flops_per_second, true,
                                WEFT_PROGRAM_SIZE_MAX, ticks))
        return WEFT_OK;
    return weft_format_lines_fail(&ti->lines, "flops that take at most 2^48 ticks", word, err);
}

weft_status weft_ti_bytes(const weft_ti *ti, uint64_t elements, uint64_t bytes, uint64_t *size,
                          weft_error *err)
{
    if (bytes > 0 && elements > WEFT_PROGRAM_SIZE_MAX / bytes)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s:%lu: a message has at most 2^48 bytes, found %llu elements of "
                         "%llu bytes",
                         ti->lines.file, ti->lines.number, (unsigned long long)elements,
                         (unsigned long long)bytes);
    *size = elements * bytes;
    return WEFT_OK;
}

weft_status weft_ti_compute(weft_ti *ti, uint64_t ticks, weft_error *err)
{
    weft_loose_operation calc = {.kind = WEFT_OPERATION_CALC, .size = ticks};
    if (weft_course_then(&ti->rank->course, &ti->loose, calc, err) != WEFT_OK)
        return weft_format_lines_place(&ti->lines, err);
    return WEFT_OK;
}

/* ---- messages ---- */

static weft_status read_tag(weft_ti *ti, bool receive, uint32_t *tag, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&ti->lines);
    uint64_t number = WEFT_PROGRAM_ANY;
    bool any =
        receive && (weft_format_word_is(word, WEFT_TI_ANY_TAG) || weft_format_word_is(word, "-1"));
    if (!any && !weft_format_word_whole(word, WEFT_TI_TAG_MAX, &number))
        return weft_format_lines_fail(&ti->lines, "a tag, 0 to 2147483647", word, err);
    ti->any_tag |= any;
    *tag = (uint32_t)number;
    return WEFT_OK;
}

static weft_status read_source(weft_ti *ti, uint32_t *rank, weft_error *err)
{
    weft_format_lines after = ti->lines;
    weft_format_word word = weft_format_lines_word(&after);
    if (!weft_format_word_is(word, WEFT_TI_ANY_SOURCE) && !weft_format_word_is(word, "-1"))
        return weft_ti_rank_number(ti, "the rank that sends", rank, err);
    ti->lines = after;
    *rank = WEFT_PROGRAM_ANY;
    return WEFT_OK;
}

/* peer tag size [type] */
static weft_status read_message(weft_ti *ti, weft_loose_operation *message, weft_error *err)
{
    bool receive = message->kind == WEFT_OPERATION_RECV;
    uint64_t elements;
    uint32_t bytes;
    if (receive)
        WEFT_TRY(read_source(ti, &message->peer, err));
    else
        WEFT_TRY(weft_ti_rank_number(ti, "the rank that receives", &message->peer, err));
    WEFT_TRY(read_tag(ti, receive, &message->tag, err));
    WEFT_TRY(weft_ti_size(ti, &elements, err));
    WEFT_TRY(weft_ti_type(ti, &bytes, err));
    return weft_ti_bytes(ti, elements, bytes, &message->size, err);
}

static weft_status blocking(weft_ti *ti, weft_operation_kind kind, weft_error *err)
{
    weft_loose_operation message = {.kind = (uint8_t)kind};
    WEFT_TRY(read_message(ti, &message, err));
    if (weft_course_then(&ti->rank->course, &ti->loose, message, err) != WEFT_OK)
        return weft_format_lines_place(&ti->lines, err);
    return WEFT_OK;
}

static weft_status do_send(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    (void)action;
    return blocking(ti, WEFT_OPERATION_SEND, err);
}

static weft_status do_recv(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    (void)action;
    return blocking(ti, WEFT_OPERATION_RECV, err);
}

static weft_status request(weft_ti *ti, weft_operation_kind kind, weft_error *err)
{
    weft_loose_operation message = {.kind = (uint8_t)kind};
    weft_ti_rank *rank = ti->rank;
    bool sends = kind == WEFT_OPERATION_SEND;
    WEFT_TRY(read_message(ti, &message, err));
    uint32_t me = rank->course.rank;
    weft_ti_request open = {.source = sends ? me : message.peer,
                            .destination = sends ? message.peer : me,
                            .tag = message.tag};
    if (weft_course_beside(&rank->course, &ti->loose, message, &open.operation, err) != WEFT_OK)
        return weft_format_lines_place(&ti->lines, err);
    if (rank->n_requests == rank->request_room) {
        rank->request_room = rank->request_room ? 2 * rank->request_room : 4;
        rank->requests = weft_realloc(rank->requests, rank->request_room, sizeof open);
    }
    rank->requests[rank->n_requests++] = open;
    return WEFT_OK;
}

static weft_status do_isend(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    (void)action;
    return request(ti, WEFT_OPERATION_SEND, err);
}

static weft_status do_irecv(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    (void)action;
    return request(ti, WEFT_OPERATION_RECV, err);
}

/* source destination tag: the oldest open request with this key. */
static weft_status do_wait(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    weft_ti_rank *rank = ti->rank;
    uint32_t source = 0, destination = 0, tag = 0, i = 0;
    (void)action;
    WEFT_TRY(read_source(ti, &source, err));
    WEFT_TRY(weft_ti_rank_number(ti, "the rank that receives", &destination, err));
    WEFT_TRY(read_tag(ti, true, &tag, err));
    while (i < rank->n_requests &&
           (rank->requests[i].source != source || rank->requests[i].destination != destination ||
            rank->requests[i].tag != tag))
        i++;
    if (i == rank->n_requests)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s:%lu: rank %u has no open isend or irecv from rank %lld to rank "
                         "%u with tag %lld",
                         ti->lines.file, ti->lines.number, rank->course.rank,
                         source == WEFT_PROGRAM_ANY ? -1LL : (long long)source, destination,
                         tag == WEFT_PROGRAM_ANY ? -1LL : (long long)tag);
    weft_course_wait(&rank->course, rank->requests[i].operation);
    rank->n_requests--;
    memmove(&rank->requests[i], &rank->requests[i + 1],
            sizeof *rank->requests * (rank->n_requests - i));
    return WEFT_OK;
}

static weft_status do_waitall(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    weft_ti_rank *rank = ti->rank;
    (void)action, (void)err;
    for (uint32_t i = 0; i < rank->n_requests; i++)
        weft_course_wait(&rank->course, rank->requests[i].operation);
    rank->n_requests = 0;
    return WEFT_OK;
}

/* count to count from [type type] */
static weft_status do_sendrecv(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    weft_loose_operation send = {.kind = WEFT_OPERATION_SEND},
                         receive = {.kind = WEFT_OPERATION_RECV};
    uint64_t sent, received;
    uint32_t bytes, both[2];
    (void)action;
    WEFT_TRY(weft_ti_size(ti, &sent, err));
    WEFT_TRY(weft_ti_rank_number(ti, "the rank that receives", &send.peer, err));
    WEFT_TRY(weft_ti_size(ti, &received, err));
    WEFT_TRY(weft_ti_rank_number(ti, "the rank that sends", &receive.peer, err));
    WEFT_TRY(weft_ti_type(ti, &bytes, err));
    WEFT_TRY(weft_ti_bytes(ti, sent, bytes, &send.size, err));
    WEFT_TRY(weft_ti_type(ti, &bytes, err));
    WEFT_TRY(weft_ti_bytes(ti, received, bytes, &receive.size, err));
    weft_course *course = &ti->rank->course;
    if (weft_course_beside(course, &ti->loose, send, &both[0], err) != WEFT_OK ||
        weft_course_beside(course, &ti->loose, receive, &both[1], err) != WEFT_OK ||
        weft_course_replace(course, &ti->loose, both, 2, err) != WEFT_OK)
        return weft_format_lines_place(&ti->lines, err);
    return WEFT_OK;
}

/* ---- a rank alone ---- */

static weft_status do_nothing(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    (void)ti, (void)action, (void)err;
    return WEFT_OK;
}

static weft_status do_init(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    (void)action, (void)err;
    ti->rank->element = weft_format_lines_left(&ti->lines) > 0 ? 8 : 1;
    return WEFT_OK;
}

static weft_status do_compute(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    uint64_t ticks;
    (void)action;
    WEFT_TRY(weft_ti_flops(ti, &ticks, err));
    return weft_ti_compute(ti, ticks, err);
}

static weft_status do_sleep(weft_ti *ti, const weft_ti_action *action, weft_error *err)
{
    weft_format_word word = weft_format_lines_word(&ti->lines);
    uint64_t ticks;
    (void)action;
    if (!weft_format_word_number(word, ti->trace->options->ticks_per_second, 1, true,
                                 WEFT_PROGRAM_SIZE_MAX, &ticks))
        return weft_format_lines_fail(&ti->lines, "seconds, at most 2^48 ticks", word, err);
    return weft_ti_compute(ti, ticks, err);
}

const weft_ti_action weft_ti_actions[] = {
    {"init", "[x]", do_init},
    {"finalize", "", do_nothing},
    {"comm_size", "size", do_nothing},
    {"comm_split", "", do_nothing},
    {"comm_dup", "", do_nothing},
    {"location", "file line", do_nothing},
    {"test", "source destination tag", do_nothing},
    {"compute", "flops", do_compute},
    {"sleep", "seconds", do_sleep},
    {"send", "to tag size [type]", do_send},
    {"recv", "from tag size [type]", do_recv},
    {"isend", "to tag size [type]", do_isend},
    {"irecv", "from tag size [type]", do_irecv},
    {"sendRecv", "size to size from [type type]", do_sendrecv},
    {"wait", "source destination tag", do_wait},
    {"waitall", "[count]", do_waitall},
    {.name = NULL},
};
