/* SPDX-License-Identifier: Apache-2.0 */
/* "did you mean …?": the nearest of several words, if it is near enough, or the new name of a
 * renamed word. */
#ifndef WEFT_BASE_SUGGEST_H
#define WEFT_BASE_SUGGEST_H

#include "base/text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct weft_suggest {
    const char *word, *best;
    unsigned distance;
    bool renamed;  /* `best` is the new name of `word` */
    bool synonym;  /* `best` is what others call `word` */
    char text[96]; /* "; did you mean 'header'?" or "" */
} weft_suggest;

/* True if a word is the former name of a candidate. */
static inline bool weft_suggest_former(const char *word, const char *candidate)
{
    static const char *const renamed[][2] = {
        {"lanes", "vcs"}, {"lanes", "channels"}, {"lane", "vc"}, {"inner-lanes", "inner-vcs"}};
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i][0], word) == 0 && strcmp(renamed[i][1], candidate) == 0)
            return true;
    return false;
}

/* True if a word is what other programs and papers call a candidate. */
static inline bool weft_suggest_synonym(const char *word, const char *candidate)
{
    static const char *const alike[][2] = {
        {"bandwidth", "rate"},     {"speed", "rate"},  {"delay", "latency"},
        {"a", "routers"},          {"h", "global"},    {"p", "hosts"},
        {"g", "groups"},           {"size", "length"}, {"injection-rate", "load"},
        {"concentration", "hosts"}};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (strcmp(alike[i][0], word) == 0 && strcmp(alike[i][1], candidate) == 0)
            return true;
    return false;
}

static inline void weft_suggest_offer(weft_suggest *suggest, const char *candidate)
{
    unsigned nearest = suggest->best ? suggest->distance : UINT_MAX;
    unsigned distance = weft_text_distance(suggest->word, candidate, nearest);
    bool renamed = weft_suggest_former(suggest->word, candidate);
    bool synonym = weft_suggest_synonym(suggest->word, candidate);
    bool known = suggest->renamed || suggest->synonym;
    if (renamed || synonym || (!known && distance < nearest)) {
        suggest->renamed = renamed;
        suggest->synonym = synonym;
        suggest->best = candidate;
        suggest->distance = distance;
    }
}

/* The suggestion, or "". Near: at most two edits or a third of the word, and something in
 * common. */
static inline const char *weft_suggest_text(weft_suggest *suggest)
{
    size_t length = strlen(suggest->word);
    unsigned d = suggest->distance;
    bool near = d > 0 && d < length && (d <= 2 || 3 * (size_t)d <= length);
    suggest->text[0] = '\0';
    if (suggest->renamed)
        (void)snprintf(suggest->text, sizeof suggest->text, "; it is called '%.60s' now",
                       suggest->best);
    else if (suggest->best && (suggest->synonym || near))
        (void)snprintf(suggest->text, sizeof suggest->text, "; did you mean '%.60s'?",
                       suggest->best);
    return suggest->text;
}

#endif
