/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"
#include "report/fabric/fabric.h"

static void add_lengths(weft_json *json, const weft_judge_case *it)
{
    weft_json_list(json, "path_lengths");
    for (uint32_t h = 0; h <= WEFT_JUDGE_HOPS; h++)
        if (it->lengths[h] > 0) {
            weft_json_object(json, NULL);
            weft_json_whole(json, "hops", h);
            weft_json_whole(json, "pairs", (int64_t)it->lengths[h]);
            weft_json_end(json);
        }
    weft_json_end(json);
}

static void add_texts(weft_json *json, const char *name, const char *const *texts, size_t count)
{
    weft_json_list(json, name);
    for (size_t i = 0; i < count; i++)
        weft_json_text(json, NULL, texts[i]);
    weft_json_end(json);
}

static void add_links(weft_json *json, const weft_judge_case *it)
{
    weft_json_list(json, "worst_links");
    for (size_t i = 0; i < it->n_worst; i++) {
        weft_json_object(json, NULL);
        weft_json_real(json, "load", it->worst[i].load);
        weft_json_text(json, "link", it->worst[i].name);
        weft_json_end(json);
    }
    weft_json_end(json);
    weft_json_list(json, "cut_off");
    for (size_t i = 0; i < it->n_losses; i++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "host", it->losses[i].host);
        weft_json_whole(json, "from", it->losses[i].from);
        weft_json_end(json);
    }
    weft_json_end(json);
}

static void add_case(weft_json *json, const weft_judge_case *it)
{
    weft_json_object(json, NULL);
    weft_json_text(json, "name", it->name);
    weft_json_flag(json, "changed", it->changed);
    weft_json_whole(json, "hosts", it->hosts);
    weft_json_whole(json, "switches", it->there[0]);
    weft_json_whole(json, "cables", it->there[1]);
    weft_json_whole(json, "pairs_cut_off", (int64_t)it->lost);
    add_lengths(json, it);
    weft_json_whole(json, "shifts", it->shifts_seen);
    weft_json_whole(json, "shifts_uncontended", it->shifts_free);
    weft_json_real(json, "shift_mean", it->shift_mean);
    weft_json_real(json, "shift_most", it->shift_most);
    weft_json_whole(json, "shift_worst", it->shift_worst);
    weft_json_real(json, "effective_bisection", it->bisection);
    weft_json_real(json, "half_width", it->bisection_half_width);
    if (it->traced)
        add_texts(json, "credit_loop", it->loop, it->n_loop);
    add_texts(json, "unlike_links", it->unlike, it->n_unlike);
    add_links(json, it);
    weft_json_end(json);
}

void weft_judged_json(const weft_judgement *judgement, FILE *out)
{
    weft_json json;
    weft_json_init(&json);
    weft_json_object(&json, NULL);
    if (judgement->change)
        weft_json_text(&json, "change", judgement->change);
    weft_json_list(&json, "cases");
    for (size_t i = 0; i < judgement->n_cases; i++)
        add_case(&json, &judgement->cases[i]);
    weft_json_end(&json);
    weft_json_end(&json);
    (void)fputs(json.text.at, out);
    weft_json_done(&json);
}
