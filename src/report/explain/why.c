/* SPDX-License-Identifier: Apache-2.0 */
/* Why a point is slow, as text. */
#include "report/explain/why.h"

#include "base/digits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/explain/wait_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 78 };

static const char *const confidences[] = {"low", "medium", "high"};

static const char *const sentences[WEFT_WHY_CAUSES] = {
    [WEFT_WHY_NOTHING] = "packets hardly wait",
    [WEFT_WHY_LINK] = "a saturated link",
    [WEFT_WHY_CUT] = "a saturated cut",
    [WEFT_WHY_SLOW_LINK] = "a slow link",
    [WEFT_WHY_FAULT] = "a failed link, whose traffic another one has to carry",
    [WEFT_WHY_RECEPTION] = "reception: an endpoint gets more than its link carries",
    [WEFT_WHY_INJECTION] = "injection: endpoints cannot send as much",
    [WEFT_WHY_HEAD_OF_LINE] = "head-of-line blocking",
    [WEFT_WHY_CREDITS] = "credit stalls: buffers do not cover the round trip",
    [WEFT_WHY_VCS] = "shortage of virtual channels",
    [WEFT_WHY_CROSSBAR] = "the crossbar: inputs feed one output at a time",
    [WEFT_WHY_ARBITRATION] = "unfair arbitration",
};

static const char *sentence_of(const weft_why_verdict *v)
{
    if (!v->full && v->cause == WEFT_WHY_LINK)
        return "contention for a link";
    if (!v->full && v->cause == WEFT_WHY_RECEPTION)
        return "contention for the link to an endpoint";
    return sentences[v->cause];
}

/* Prints a text in lines of at most WIDE bytes. */
static void print_folded(const char *text, FILE *out)
{
    size_t column = 0;
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " ");
        if (column == 0 || column + 1 + length > WIDE - 5) {
            fprintf(out, "%s     ", column ? "\n" : "");
            column = 0;
        }
        fprintf(out, "%s%.*s", column ? " " : "", (int)length, word);
        column += length + (column > 0);
        word += length + (word[length] == ' ');
    }
    fputc('\n', out);
}

static void print_state(const weft_why *why, FILE *out)
{
    char one[WEFT_DIGITS_TEXT], two[WEFT_DIGITS_TEXT], three[WEFT_DIGITS_TEXT];
    if (isfinite(why->latency))
        fprintf(out, "  latency %s %s", weft_digits_plain(one, why->latency, 5), why->unit);
    if (isfinite(why->latency) && why->zero_load > 0)
        fprintf(out, ", %s times that without load (%s %s)",
                weft_digits_plain(one, why->latency / why->zero_load, 3),
                weft_digits_plain(two, why->zero_load, 5), why->unit);
    if (isfinite(why->offered) && isfinite(why->accepted))
        fprintf(out, "\n  offered load %.4g, accepted %.4g", why->offered, why->accepted);
    fprintf(out, "\n  %s packets wait on average (%s to %s), ",
            weft_digits_plain(one, why->waiting, 4), weft_digits_plain(two, why->lo, 4),
            weft_digits_plain(three, why->hi, 4));
    fprintf(out, "%s of them at their sources\n", weft_digits_plain(one, why->at_sources, 4));
    fprintf(out, "  %u samples from %s to %s %s\n", why->samples,
            weft_digits_plain(one, why->from, 6), weft_digits_plain(two, why->until, 6), why->unit);
}

void weft_explain_why(const weft_why *why, FILE *out)
{
    weft_wait_tree tree;
    char *key = weft_text_copy(*why->key ? why->key : "the point");
    weft_make_harmless(key);
    fprintf(out, "%s\n", key);
    free(key);
    print_state(why, out);
    for (size_t i = 0; i < why->n_verdicts; i++) {
        const weft_why_verdict *v = &why->verdicts[i];
        fprintf(out, "\n%2zu. %s (%s confidence", i + 1, sentence_of(v),
                confidences[v->confidence]);
        if (v->cause != WEFT_WHY_NOTHING)
            fprintf(out, ", %.0f %% of the waiting, %.0f to %.0f", 100 * v->share, 100 * v->lo,
                    100 * v->hi);
        fprintf(out, ")\n");
        print_folded(v->text, out);
    }
    weft_wait_tree_make(why, &tree);
    if (tree.count)
        weft_wait_tree_print(&tree, out);
}
