/* SPDX-License-Identifier: Apache-2.0 */
/* GOAL as text:
 *     num_ranks 2
 *     rank 0 {
 *     l1: send 100b to 1 tag 1 cpu 0 nic 0
 *     l2: calc 50
 *     l2 requires l1        (after its end; irequires: after its start)
 *     }
 * A line ends an operation; // and slash-star comments. */
#include "program/goal/read.h"

#include "program/goal/words.h"
#include "program/goal/labels.h"

typedef struct reader {
    weft_goal_words words;
    weft_program_build build;
    weft_labels labels;
    weft_text label; /* of the line in hand */
} reader;

static weft_status fail(const reader *r, const char *wanted, weft_goal_word found, weft_error *err)
{
    return weft_goal_words_fail(&r->words, wanted, found, err);
}

static weft_status read_number(reader *r, const char *wanted, uint64_t most, uint64_t *number,
                               weft_error *err)
{
    weft_goal_word word = weft_goal_words_next(&r->words);
    return weft_goal_word_number(word, most, number) ? WEFT_OK : fail(r, wanted, word, err);
}

static weft_status read_exactly(reader *r, const char *text, const char *wanted, weft_error *err)
{
    weft_goal_word word = weft_goal_words_next(&r->words);
    return weft_goal_word_is(word, text) ? WEFT_OK : fail(r, wanted, word, err);
}

/* A number, or −1 for any; no number is the value of any. */
static weft_status read_or_any(reader *r, const char *wanted, uint32_t *value, weft_error *err)
{
    weft_goal_word word = weft_goal_words_next(&r->words);
    uint64_t number = WEFT_PROGRAM_ANY;
    if (!weft_goal_word_is(word, "-1") &&
        !weft_goal_word_number(word, WEFT_PROGRAM_ANY - 1, &number))
        return fail(r, wanted, word, err);
    *value = (uint32_t)number;
    return WEFT_OK;
}

static weft_status read_small(reader *r, const char *wanted, uint8_t *value, weft_error *err)
{
    uint64_t number;
    WEFT_TRY(read_number(r, wanted, 255, &number, err));
    *value = (uint8_t)number;
    return WEFT_OK;
}

/* What may follow an operation, in the order tag, cpu, nic; *last: the word after it. */
static weft_status read_extras(reader *r, weft_operation *operation, weft_goal_word *last,
                               weft_error *err)
{
    bool message = operation->kind != WEFT_OPERATION_CALC;
    *last = weft_goal_words_next(&r->words);
    if (message && weft_goal_word_is(*last, "tag")) {
        WEFT_TRY(read_or_any(r, "a tag, 0 to 4294967294 or -1", &operation->tag, err));
        *last = weft_goal_words_next(&r->words);
    }
    if (weft_goal_word_is(*last, "cpu")) {
        WEFT_TRY(read_small(r, "a CPU, 0 to 255", &operation->cpu, err));
        *last = weft_goal_words_next(&r->words);
    }
    if (message && weft_goal_word_is(*last, "nic")) {
        WEFT_TRY(read_small(r, "a NIC, 0 to 255", &operation->nic, err));
        *last = weft_goal_words_next(&r->words);
    }
    return WEFT_OK;
}

static weft_status read_message(reader *r, weft_operation *operation, weft_error *err)
{
    bool send = operation->kind == WEFT_OPERATION_SEND;
    WEFT_TRY(read_exactly(r, "b", "b after the number of bytes", err));
    WEFT_TRY(read_exactly(r, send ? "to" : "from",
                          send ? "`to` and a rank" : "`from` and a rank, or -1 for any", err));
    return read_or_any(r, send ? "the rank that receives" : "the rank that sends, or -1 for any",
                       &operation->peer, err);
}

/* An operation whose first word is known. */
static weft_status read_operation(reader *r, weft_goal_word first, uint32_t *number,
                                  weft_goal_word *last, weft_error *err)
{
    weft_operation operation = {.kind = WEFT_OPERATION_CALC};
    uint64_t size;
    if (weft_goal_word_is(first, "send"))
        operation.kind = WEFT_OPERATION_SEND;
    else if (weft_goal_word_is(first, "recv"))
        operation.kind = WEFT_OPERATION_RECV;
    else if (!weft_goal_word_is(first, "calc"))
        return fail(r, "calc, send or recv", first, err);
    bool calc = operation.kind == WEFT_OPERATION_CALC;
    unsigned long line = r->words.line;
    WEFT_TRY(read_number(r, calc ? "ticks, at most 2^48" : "bytes, at most 2^48",
                         WEFT_PROGRAM_SIZE_MAX, &size, err));
    if (!calc)
        WEFT_TRY(read_message(r, &operation, err));
    WEFT_TRY(read_extras(r, &operation, last, err));
    weft_error why;
    if (weft_program_build_add(&r->build, operation, size, number, &why) != WEFT_OK)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: %s", r->words.file, line, why.text);
    return WEFT_OK;
}

static weft_status read_label(reader *r, weft_goal_word word, uint32_t *number, weft_error *err)
{
    if (word.kind == WEFT_GOAL_WORD && weft_labels_find(&r->labels, word.at, word.length, number))
        return WEFT_OK;
    return fail(r, "the label of an operation above", word, err);
}

/* "a requires b", of which the first two words are known. */
static weft_status read_dependency(reader *r, weft_goal_word first, weft_goal_word second,
                                   weft_goal_word *last, weft_error *err)
{
    weft_program_edge edge = {.start = weft_goal_word_is(second, "irequires")};
    if (!edge.start && !weft_goal_word_is(second, "requires"))
        return fail(r, "a colon, requires or irequires after a label", second, err);
    WEFT_TRY(read_label(r, first, &edge.later, err));
    WEFT_TRY(read_label(r, weft_goal_words_next(&r->words), &edge.earlier, err));
    *last = weft_goal_words_next(&r->words);
    return weft_program_build_depend(&r->build, edge, err);
}

static bool is_operation(weft_goal_word word)
{
    return weft_goal_word_is(word, "calc") || weft_goal_word_is(word, "send") ||
           weft_goal_word_is(word, "recv");
}

/* A line of a rank, whose first word is known; *last: the word that ends it. */
static weft_status read_line(reader *r, weft_goal_word first, weft_goal_word *last, weft_error *err)
{
    uint32_t number = 0;
    if (first.kind != WEFT_GOAL_WORD)
        return fail(r, "an operation, a label or }", first, err);
    if (is_operation(first))
        return read_operation(r, first, &number, last, err);
    r->label.length = 0;
    weft_text_append(&r->label, first.at, first.length);
    first.at = r->label.at; /* it outlives the words that follow */
    weft_goal_word second = weft_goal_words_next(&r->words);
    if (!weft_goal_word_is(second, ":"))
        return read_dependency(r, first, second, last, err);
    WEFT_TRY(read_operation(r, weft_goal_words_next(&r->words), &number, last, err));
    weft_labels_add(&r->labels, first.at, first.length, number);
    return WEFT_OK;
}

static weft_status read_rank(reader *r, uint32_t rank, weft_error *err)
{
    weft_goal_word word = weft_goal_words_skip(&r->words);
    uint64_t number;
    if (!weft_goal_word_is(word, "rank"))
        return fail(r, "the word rank", word, err);
    word = weft_goal_words_next(&r->words);
    if (!weft_goal_word_number(word, WEFT_PROGRAM_RANKS_MAX, &number) || number != rank) {
        char wanted[64];
        (void)snprintf(wanted, sizeof wanted, "rank %u: ranks come in order", rank);
        return fail(r, wanted, word, err);
    }
    word = weft_goal_words_skip(&r->words);
    if (!weft_goal_word_is(word, "{"))
        return fail(r, "{", word, err);
    weft_labels_begin(&r->labels, rank);
    for (word = weft_goal_words_skip(&r->words); !weft_goal_word_is(word, "}");) {
        weft_goal_word last = {0};
        WEFT_TRY(read_line(r, word, &last, err));
        if (last.kind != WEFT_GOAL_LINE && !weft_goal_word_is(last, "}"))
            return fail(r, "the end of the line", last, err);
        word = last.kind == WEFT_GOAL_LINE ? weft_goal_words_skip(&r->words) : last;
    }
    return weft_program_build_rank(&r->build, err);
}

static weft_status read_ranks(reader *r, uint32_t n_ranks, weft_program *program, weft_error *err)
{
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        WEFT_TRY(read_rank(r, rank, err));
    weft_goal_word word = weft_goal_words_skip(&r->words);
    if (word.kind != WEFT_GOAL_END)
        return fail(r, "the end of the file after the last rank", word, err);
    return weft_program_build_finish(&r->build, program, err);
}

/* Only an operation has one of these words. */
static unsigned long count_to(weft_goal_words *words, uint32_t operation)
{
    weft_goal_word word;
    while ((word = weft_goal_words_next(words)).kind != WEFT_GOAL_END)
        if (is_operation(word) && operation-- == 0)
            return words->line;
    return 0;
}

/* Reads on from the begin of the text, or the file once more. */
static unsigned long line_of(const void *from, uint32_t operation)
{
    const weft_goal_source *source = from;
    weft_window window;
    weft_error err;
    if (!source->window) {
        weft_goal_words words = {
            .at = source->data, .end = source->data + source->length, .line = 1};
        return count_to(&words, operation);
    }
    if (weft_window_open(source->file, UINT64_MAX, "", &window, &err) != WEFT_OK)
        return 0;
    weft_goal_words words = {
        .at = window.at, .end = window.at + window.count, .line = 1, .window = &window};
    unsigned long line = count_to(&words, operation);
    weft_window_close(&window);
    return line;
}

weft_status weft_goal_read_text(const weft_goal_source *source, weft_program *program,
                                weft_error *err)
{
    const char *file = source->file;
    uint64_t length = source->window ? source->window->size : source->length;
    reader r = {.words = {.file = file, .line = 1, .window = source->window}};
    r.words.at = source->window ? source->window->at : source->data;
    r.words.end = r.words.at + (source->window ? source->window->count : source->length);
    weft_goal_word word = weft_goal_words_skip(&r.words);
    uint64_t ranks;
    if (!weft_goal_word_is(word, "num_ranks"))
        return fail(&r, "num_ranks", word, err);
    word = weft_goal_words_next(&r.words);
    /* A rank takes at least nine bytes. */
    uint64_t most = length / 9 < WEFT_PROGRAM_RANKS_MAX ? length / 9 : WEFT_PROGRAM_RANKS_MAX;
    if (!weft_goal_word_number(word, WEFT_PROGRAM_RANKS_MAX, &ranks) || ranks == 0)
        return fail(&r, "the number of ranks, 1 to 268435456", word, err);
    if (ranks > most)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.2000s:%lu: %llu ranks cannot be in a file of %llu bytes", file,
                         r.words.line, (unsigned long long)ranks, (unsigned long long)length);
    weft_program_build_init(&r.build, file, (uint32_t)ranks);
    weft_text_init(&r.label);
    r.build.line_of = line_of;
    r.build.reader = source;
    r.build.divide.by = source->division;
    weft_status status = read_ranks(&r, (uint32_t)ranks, program, err);
    weft_program_build_done(&r.build);
    weft_labels_done(&r.labels);
    weft_text_done(&r.label);
    return status;
}
