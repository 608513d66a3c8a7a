/* SPDX-License-Identifier: Apache-2.0 */
#include "report/model.h"

#include "report/plain.h"
#include "result/key.h"

#include <string.h>

static void add(weft_report_model_keys *keys, const weft_key_part *part)
{
    size_t length = part->name_length < 63 ? part->name_length : 63;
    for (size_t i = 0; i < keys->n_names; i++)
        if (strlen(keys->names[i]) == length && strncmp(keys->names[i], part->name, length) == 0)
            return;
    if (keys->n_names == WEFT_MODEL_KEYS)
        return;
    memcpy(keys->names[keys->n_names], part->name, length);
    keys->names[keys->n_names++][length] = '\0';
}

void weft_report_model_keys_find(const weft_report_model *view, weft_report_model_keys *keys)
{
    *keys = (weft_report_model_keys){.n_names = 0};
    for (size_t i = 0; i < view->n_points; i++) {
        const char *rest = view->points[i]->key;
        weft_key_part part;
        while (weft_key_next(&rest, &part))
            add(keys, &part);
    }
}

void weft_report_model_keys_value(const weft_point *point, const char *name, char *value,
                                  size_t size)
{
    const char *rest = point->key;
    weft_key_part part;
    weft_arena arena;
    value[0] = '\0';
    weft_arena_init(&arena);
    while (weft_key_next(&rest, &part))
        if (strlen(name) == part.name_length && strncmp(name, part.name, part.name_length) == 0) {
            const char *plain = weft_plain_value(&arena, part.value, part.value_length, size / 4);
            strncpy(value, plain, size - 1);
            value[size - 1] = '\0';
        }
    weft_arena_done(&arena);
}

const weft_agreement *weft_report_model_agreement(const weft_report_model *view, size_t point,
                                                  const weft_output *output)
{
    for (size_t i = 0; i < view->n_agreements; i++)
        if (view->agreements[i].point == point && view->agreements[i].output == output)
            return &view->agreements[i];
    return NULL;
}

bool weft_report_model_has(const weft_report_model *view, const weft_output *output)
{
    for (size_t i = 0; i < view->n_points; i++)
        for (size_t k = 0; k < view->points[i]->n_metrics; k++)
            if (strcmp(view->points[i]->metrics[k].name, output->name) == 0)
                return true;
    return false;
}
