/* SPDX-License-Identifier: Apache-2.0 */
/* Why a point is slow, as JSON. */
#include "report/explain/why.h"

#include "base/json.h"

static const char *const confidences[] = {"low", "medium", "high"};

static void add_interval(weft_json *json, const char *name, double value, double lo, double hi)
{
    weft_json_object(json, name);
    weft_json_real(json, "value", value);
    weft_json_real(json, "lo", lo);
    weft_json_real(json, "hi", hi);
    weft_json_end(json);
}

static void add_verdicts(weft_json *json, const weft_why *why)
{
    weft_json_list(json, "verdicts");
    for (size_t i = 0; i < why->n_verdicts; i++) {
        const weft_why_verdict *v = &why->verdicts[i];
        weft_json_object(json, NULL);
        weft_json_text(json, "cause", v->name);
        weft_json_text(json, "confidence", confidences[v->confidence]);
        add_interval(json, "share", v->share, v->lo, v->hi);
        weft_json_text(json, "where", v->where);
        weft_json_text(json, "text", v->text);
        weft_json_end(json);
    }
    weft_json_end(json);
}

static void add_tree(weft_json *json, const weft_why *why)
{
    weft_json_list(json, "roots");
    for (size_t i = 0; i < why->n_roots; i++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "name", why->roots[i].name);
        weft_json_real(json, "packets", why->roots[i].packets);
        add_interval(json, "busy", why->roots[i].busy, why->roots[i].lo, why->roots[i].hi);
        weft_json_end(json);
    }
    weft_json_end(json);
    weft_json_list(json, "waits");
    for (size_t i = 0; i < why->n_waits; i++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "from", why->waits[i].from);
        weft_json_text(json, "to", why->waits[i].to);
        weft_json_real(json, "packets", why->waits[i].packets);
        weft_json_end(json);
    }
    weft_json_end(json);
}

static void add_trial(weft_json *json, const weft_why_trial *trial)
{
    weft_json_text(json, "gain_of", trial->by_load ? "accepted" : "p99");
    weft_json_list(json, "tried");
    for (size_t i = 0; i < trial->n_changes; i++) {
        const weft_why_change *c = &trial->changes[i];
        weft_json_object(json, NULL);
        weft_json_text(json, "change", c->change);
        weft_json_text(json, "what", c->what);
        if (*c->refused) {
            weft_json_text(json, "refused", c->refused);
        } else {
            weft_json_flag(json, "saturated", c->saturated);
            add_interval(json, "accepted", c->accepted, c->accepted_lo, c->accepted_hi);
            weft_json_real(json, "latency", c->latency);
            add_interval(json, "p99", c->p99, c->p99_lo, c->p99_hi);
            add_interval(json, "gain", c->gain, c->lo, c->hi);
        }
        weft_json_end(json);
    }
    weft_json_end(json);
}

void weft_explain_why_json(const weft_why *why, const weft_why_trial *trial, FILE *out)
{
    weft_json json;
    weft_json_init(&json);
    weft_json_object(&json, NULL);
    weft_json_text(&json, "key", why->key);
    weft_json_real(&json, "latency", why->latency);
    weft_json_real(&json, "zero_load", why->zero_load);
    weft_json_text(&json, "unit", why->unit);
    weft_json_real(&json, "offered", why->offered);
    weft_json_real(&json, "accepted", why->accepted);
    add_interval(&json, "waiting", why->waiting, why->lo, why->hi);
    weft_json_real(&json, "at_sources", why->at_sources);
    weft_json_whole(&json, "samples", why->samples);
    add_verdicts(&json, why);
    add_tree(&json, why);
    if (trial)
        add_trial(&json, trial);
    weft_json_end(&json);
    (void)fputs(json.text.at, out);
    weft_json_done(&json);
}
