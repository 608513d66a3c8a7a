/* SPDX-License-Identifier: Apache-2.0 */
#include "program/goal/words.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* More of the text; what begins at *keep stays. False: there is no more. */
static bool more(weft_goal_words *words, const char **keep)
{
    weft_window *window = words->window;
    if (!window)
        return false;
    size_t used = (size_t)(*keep - window->at), at = (size_t)(words->at - *keep);
    bool came = weft_window_move(window, used);
    *keep = window->at;
    words->at = window->at + at;
    words->end = window->at + window->count;
    return came;
}

/* True if there is another byte. */
static inline bool go_on(weft_goal_words *words)
{
    return words->at < words->end || more(words, &words->at);
}

static bool begins(weft_goal_words *words, const char *two)
{
    if (words->end - words->at < 2)
        (void)more(words, &words->at);
    return words->end - words->at >= 2 && memcmp(words->at, two, 2) == 0;
}

/* Past a comment of several lines; its ends of lines are none of the text. */
static void skip_comment(weft_goal_words *words)
{
    words->at += 2;
    while (go_on(words) && !(*words->at == '*' && begins(words, "*/")))
        if (*words->at++ == '\n')
            words->line++;
    words->at = words->at < words->end ? words->at + 2 : words->end;
}

static void skip_blanks(weft_goal_words *words)
{
    while (go_on(words)) {
        if (*words->at == ' ' || *words->at == '\t' || *words->at == '\r')
            words->at++;
        else if (*words->at == '/' && begins(words, "//"))
            while (go_on(words) && *words->at != '\n')
                words->at++;
        else if (*words->at == '/' && begins(words, "/*"))
            skip_comment(words);
        else
            return;
    }
}

static bool is_part(char c)
{
    return is_letter(c) || is_digit(c) || c == '_';
}

/* Past the rest of a word that began at *start. */
static void take(weft_goal_words *words, const char **start, bool (*belongs)(char c))
{
    while ((words->at < words->end || more(words, start)) && belongs(*words->at))
        words->at++;
}

weft_goal_word weft_goal_words_next(weft_goal_words *words)
{
    skip_blanks(words);
    weft_goal_word word = {.kind = WEFT_GOAL_END, .at = words->at};
    if (words->at == words->end)
        return word;
    char c = *words->at++;
    if (c == '-' && words->at == words->end)
        (void)more(words, &word.at);
    if (c == '\n') {
        words->line++;
        word.kind = WEFT_GOAL_LINE;
    } else if (is_digit(c) || (c == '-' && words->at < words->end && is_digit(*words->at))) {
        word.kind = WEFT_GOAL_NUMBER;
        take(words, &word.at, is_digit);
    } else if (is_letter(c)) {
        word.kind = WEFT_GOAL_WORD;
        take(words, &word.at, is_part);
    } else {
        word.kind = WEFT_GOAL_SIGN;
    }
    word.length = (size_t)(words->at - word.at);
    return word;
}

weft_goal_word weft_goal_words_skip(weft_goal_words *words)
{
    weft_goal_word word;
    do
        word = weft_goal_words_next(words);
    while (word.kind == WEFT_GOAL_LINE);
    return word;
}

bool weft_goal_word_is(weft_goal_word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

bool weft_goal_word_number(weft_goal_word word, uint64_t most, uint64_t *number)
{
    *number = 0;
    if (word.kind != WEFT_GOAL_NUMBER || word.at[0] == '-')
        return false;
    for (size_t i = 0; i < word.length; i++) {
        uint64_t digit = (uint64_t)(word.at[i] - '0');
        if (*number > (most - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return true;
}

weft_status weft_goal_words_fail(const weft_goal_words *words, const char *wanted,
                                 weft_goal_word found, weft_error *err)
{
    unsigned long line = words->line - (found.kind == WEFT_GOAL_LINE);
    int shown = (int)(found.length < 80 ? found.length : 80);
    if (found.kind == WEFT_GOAL_END || found.kind == WEFT_GOAL_LINE)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: wanted %s, found the end of the %s",
                         words->file, line, wanted, found.kind == WEFT_GOAL_END ? "file" : "line");
    if (found.kind == WEFT_GOAL_SIGN && (found.at[0] < ' ' || found.at[0] > '~'))
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: wanted %s, found the byte 0x%02x",
                         words->file, line, wanted, (unsigned)(unsigned char)found.at[0]);
    return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: wanted %s, found '%.*s'", words->file, line,
                     wanted, shown, found.at);
}
