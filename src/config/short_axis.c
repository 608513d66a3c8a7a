/* SPDX-License-Identifier: Apache-2.0 */
#include "config/short_axis.h"

#include "config/edit.h"

#include <ctype.h>
#include <string.h>

/* 0.1, -5, 1e-3, 20%, 4 flits, 3 µs */
static bool is_number(const char *text, size_t length)
{
    size_t sign = length > 0 && (*text == '-' || *text == '+');
    size_t dot = length > sign && text[sign] == '.';
    if (length <= sign + dot || !isdigit((unsigned char)text[sign + dot]))
        return false;
    size_t i = sign + strspn(text + sign, "0123456789.");
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        size_t at = i + 1 + (text[i + 1] == '-' || text[i + 1] == '+');
        size_t exponent = strspn(text + at, "0123456789");
        i = exponent > 0 ? at + exponent : i;
    }
    for (; i < length; i++)
        if (!isalpha((unsigned char)text[i]) && (unsigned char)text[i] < 0x80 &&
            !strchr(" %/", text[i]))
            return false;
    return true;
}

/* minimal-adaptive */
static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)text[i]) &&
            !(i > 0 && (isdigit((unsigned char)text[i]) || text[i] == '-')))
            return false;
    return length > 0;
}

const weft_node *weft_short_range(const weft_node *value, weft_arena *arena)
{
    static const char *const names[] = {"from", "to", "step"};
    if (value->type != WEFT_NODE_SCALAR || !value->plain)
        return NULL;
    const char *rest = value->text;
    const weft_node *map = weft_node_empty_map(arena, value);
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(rest, "/");
        if (!is_number(rest, length) || (rest[length] == '/') != (i < 2))
            return NULL;
        map = weft_node_with(arena, map, weft_node_scalar(arena, value, names[i]),
                             weft_node_scalar(arena, value, weft_arena_copy(arena, rest, length)));
        rest += length + (i < 2);
    }
    return map;
}

const weft_node *weft_short_list(const weft_node *value, weft_arena *arena)
{
    if (value->type != WEFT_NODE_SCALAR || !value->plain || !strchr(value->text, ','))
        return NULL;
    size_t room = 1;
    for (const char *comma = value->text; (comma = strchr(comma, ',')); comma++)
        room++;
    const weft_node **values = WEFT_TAKE(arena, const weft_node *, room);
    uint32_t count = 0;
    bool numbers = true, words = true;
    for (const char *rest = value->text;;) {
        rest += strspn(rest, " ");
        size_t length = strcspn(rest, ",");
        numbers = numbers && is_number(rest, length);
        words = words && is_word(rest, length);
        values[count++] = weft_node_scalar(arena, value, weft_arena_copy(arena, rest, length));
        rest += length;
        if (*rest == '\0')
            break;
        rest++;
    }
    weft_node *list = WEFT_TAKE(arena, weft_node, 1);
    *list = *value;
    list->type = WEFT_NODE_LIST;
    list->values = values;
    list->n_values = count;
    return numbers || words ? list : NULL;
}
