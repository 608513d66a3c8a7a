/* SPDX-License-Identifier: Apache-2.0 */
/* "did you mean …?": the nearest of some words, if it is near enough. */
#ifndef WEFT_BASE_SUGGEST_H
#define WEFT_BASE_SUGGEST_H

#include "base/text.h"

#include <stdio.h>
#include <string.h>

typedef struct weft_suggest {
    const char *word, *best;
    unsigned distance;
    char text[96]; /* "; did you mean 'header'?" or "" */
} weft_suggest;

static inline void weft_suggest_offer(weft_suggest *suggest, const char *candidate)
{
    unsigned distance = weft_text_distance(suggest->word, candidate);
    if (!suggest->best || distance < suggest->distance) {
        suggest->best = candidate;
        suggest->distance = distance;
    }
}

/* Near: at most two edits or a third of the word, and something in common. */
static inline const char *weft_suggest_text(weft_suggest *suggest)
{
    size_t length = strlen(suggest->word);
    unsigned d = suggest->distance;
    suggest->text[0] = '\0';
    if (suggest->best && d > 0 && d < length && (d <= 2 || 3 * (size_t)d <= length))
        (void)snprintf(suggest->text, sizeof suggest->text, "; did you mean '%.60s'?",
                       suggest->best);
    return suggest->text;
}

#endif
