/* SPDX-License-Identifier: Apache-2.0 */
/* Names with a value each, as a study pins keys and columns. */
#include "reproduce/reproduce.h"

#include "config/number.h"

#include <string.h>

bool weft_value_same(const char *a, const char *b)
{
    double x, y;
    size_t m = weft_number_read(a, 0, &x), n = weft_number_read(b, 0, &y);
    if (m == 0 || n == 0 || a[m] != '\0' || b[n] != '\0')
        return strcmp(a, b) == 0;
    double difference = x - y, size = x < 0 ? -x : x;
    return difference <= 1e-9 * size && difference >= -1e-9 * size;
}

weft_status weft_pins_read(const char *what, const weft_node *map, weft_arena *arena,
                           const weft_pin **pins, size_t *count, weft_error *err)
{
    if (map->type != WEFT_NODE_MAP)
        return weft_node_complain(err, map, "%s must be a map from names to values, found %s", what,
                                  weft_node_found(map, arena));
    weft_pin *made = WEFT_TAKE(arena, weft_pin, map->n_values);
    for (size_t i = 0; i < map->n_values; i++) {
        const weft_node *value = map->values[i];
        if (value->type != WEFT_NODE_SCALAR || weft_node_is_null(value))
            return weft_node_complain(err, value, "%s.%.60s must be a value, found %s", what,
                                      map->keys[i]->text, weft_node_found(value, arena));
        made[i] = (weft_pin){map->keys[i]->text, value->text};
    }
    *count = map->n_values;
    *pins = made;
    return WEFT_OK;
}
