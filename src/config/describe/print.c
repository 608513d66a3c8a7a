/* SPDX-License-Identifier: Apache-2.0 */
/* Only letters, digits and a few marks are written plain; anything else is quoted and escaped, so
 * that what is printed is harmless on a terminal and reads back as the same text. */
#include "config/describe/print.h"

#include "base/memory.h"
#include "config/units.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool plain_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_-./+*^()% ", c) != NULL;
}

/* Letters, digits and harmless marks, no space at an end, and no word that means something else. */
static bool is_plain(const char *scalar)
{
    static const char *const words[] = {"null", "Null", "NULL", "true", "false"};
    size_t length = strlen(scalar);
    char first = scalar[0];
    bool starts = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                  (first >= '0' && first <= '9') || first == '/';
    if (!starts || scalar[length - 1] == ' ')
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(scalar, words[i]) == 0)
            return i >= 3;
    for (const char *at = scalar; *at; at++)
        if (!plain_character(*at))
            return false;
    return true;
}

void weft_print_text(weft_text *text, const char *scalar)
{
    if (is_plain(scalar)) {
        weft_text_add(text, "%s", scalar);
        return;
    }
    weft_text_append(text, "\"", 1);
    for (size_t left = strlen(scalar); left;) {
        uint32_t code;
        size_t bytes = weft_utf8_next(scalar, left, &code);
        if (bytes == 0)
            code = '?', bytes = 1;
        if (code == '"' || code == '\\')
            weft_text_add(text, "\\%c", (char)code);
        else if (weft_utf8_is_control(code))
            weft_text_add(text, "\\u%04x", (unsigned)code);
        else
            weft_text_append(text, code == '?' ? "?" : scalar, code == '?' ? 1 : bytes);
        scalar += bytes;
        left -= bytes;
    }
    weft_text_append(text, "\"", 1);
}

static void print_scalar(weft_text *text, const weft_node *node)
{
    char number[WEFT_QUANTITY_CHARS];
    if (weft_node_is_null(node))
        weft_text_add(text, "null");
    else if (node->plain && weft_quantity_canonical(node->text, number))
        weft_text_add(text, "%s", number);
    else
        weft_print_text(text, node->text);
}

static int by_key(const void *a, const void *b, void *map)
{
    const weft_node *const *keys = ((const weft_node *)map)->keys;
    return strcmp(keys[*(const uint32_t *)a]->text, keys[*(const uint32_t *)b]->text);
}

static void print_map(weft_text *text, const weft_node *map, bool sorted)
{
    uint32_t *order = weft_alloc((map->n_values + 1) * sizeof *order);
    for (uint32_t i = 0; i < map->n_values; i++)
        order[i] = i;
    if (sorted)
        qsort_r(order, map->n_values, sizeof *order, by_key, (void *)(uintptr_t)map);
    weft_text_append(text, "{", 1);
    for (uint32_t i = 0; i < map->n_values; i++) {
        uint32_t at = order[i];
        weft_text_append(text, ", ", i ? 2 : 0);
        weft_print_text(text, map->keys[at]->text);
        weft_text_append(text, ": ", 2);
        weft_print_flow(text, map->values[at], sorted);
    }
    weft_text_append(text, "}", 1);
    free(order);
}

void weft_print_flow(weft_text *text, const weft_node *node, bool sorted)
{
    assert(node);
    if (node->type == WEFT_NODE_SCALAR) {
        print_scalar(text, node);
        return;
    }
    if (node->type == WEFT_NODE_MAP) {
        print_map(text, node, sorted);
        return;
    }
    weft_text_append(text, "[", 1);
    for (uint32_t i = 0; i < node->n_values; i++) {
        weft_text_append(text, ", ", i ? 2 : 0);
        weft_print_flow(text, node->values[i], sorted);
    }
    weft_text_append(text, "]", 1);
}
