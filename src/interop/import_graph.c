/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/import_graph.h"

#include "base/memory.h"
#include "config/units.h"

#include <stdlib.h>

void weft_import_graph_init(weft_import_graph *import_graph, const char *file)
{
    *import_graph = (weft_import_graph){.file = file, .n_slots = 256};
    import_graph->slots = weft_alloc(sizeof *import_graph->slots * import_graph->n_slots);
}

void weft_import_graph_done(weft_import_graph *import_graph)
{
    free(import_graph->routers);
    free(import_graph->cables);
    free(import_graph->text);
    free(import_graph->slots);
    *import_graph = (weft_import_graph){0};
}

/* ---- routers by name ---- */

static uint64_t hash(const char *name, size_t length)
{
    uint64_t value = 0xCBF29CE484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)name[i]) * 0x100000001B3u;
    return value ^ value >> 29;
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *slot_of(const weft_import_graph *import_graph, const char *name, size_t length)
{
    size_t mask = import_graph->n_slots - 1, at = hash(name, length) & mask;
    for (; import_graph->slots[at]; at = (at + 1) & mask) {
        const char *other = weft_import_graph_name(import_graph, import_graph->slots[at] - 1);
        if (strncmp(other, name, length) == 0 && other[length] == '\0')
            break;
    }
    return &import_graph->slots[at];
}

static void widen_slots(weft_import_graph *import_graph)
{
    free(import_graph->slots);
    import_graph->n_slots *= 2;
    import_graph->slots = weft_alloc(sizeof *import_graph->slots * import_graph->n_slots);
    for (uint32_t r = 0; r < import_graph->n_routers; r++) {
        const char *name = weft_import_graph_name(import_graph, r);
        *slot_of(import_graph, name, strlen(name)) = r + 1;
    }
}

static void add_router(weft_import_graph *import_graph, weft_word name)
{
    if (import_graph->n_routers == import_graph->router_room) {
        import_graph->router_room = import_graph->router_room ? 2 * import_graph->router_room : 64;
        import_graph->routers = weft_realloc(import_graph->routers, import_graph->router_room,
                                             sizeof *import_graph->routers);
    }
    if (import_graph->text_room - import_graph->text_bytes <= name.length) {
        import_graph->text_room = 2 * import_graph->text_room + name.length + 1;
        import_graph->text = weft_realloc(import_graph->text, import_graph->text_room, 1);
    }
    import_graph->routers[import_graph->n_routers++] =
        (weft_import_graph_router){.name = import_graph->text_bytes};
    memcpy(import_graph->text + import_graph->text_bytes, name.at, name.length);
    import_graph->text_bytes += name.length;
    import_graph->text[import_graph->text_bytes++] = '\0';
}

weft_status weft_import_graph_router_of(weft_import_graph *import_graph, const weft_lines *lines,
                                        weft_word name, uint32_t *router, weft_error *err)
{
    if (!name.at || !weft_weftnet_name_sound(name.at, name.length))
        return weft_lines_fail(lines, err,
                               "the name of a router is a text of 1 … %d bytes, found '%.*s'",
                               WEFT_WEFTNET_NAME_MAX, WEFT_WORD(name));
    uint32_t *slot = slot_of(import_graph, name.at, name.length);
    if (*slot == 0) {
        if (import_graph->n_routers == WEFT_WEFTNET_MOST)
            return weft_lines_fail(lines, err, "there are more than %u routers", WEFT_WEFTNET_MOST);
        add_router(import_graph, name);
        *slot = import_graph->n_routers;
        if (2 * (size_t)import_graph->n_routers > import_graph->n_slots)
            widen_slots(import_graph);
        *router = import_graph->n_routers - 1;
        return WEFT_OK;
    }
    *router = *slot - 1;
    return WEFT_OK;
}

/* ---- hosts and cables ---- */

weft_status weft_import_graph_hosts(weft_import_graph *import_graph, const weft_lines *lines,
                                    uint32_t router, uint64_t hosts, weft_error *err)
{
    if (hosts > WEFT_WEFTNET_HOSTS_MAX - import_graph->routers[router].hosts)
        return weft_lines_fail(lines, err, "router %s would have more than %u hosts",
                               weft_import_graph_name(import_graph, router),
                               WEFT_WEFTNET_HOSTS_MAX);
    import_graph->routers[router].hosts += (uint32_t)hosts;
    import_graph->hosts_given = import_graph->hosts_given || hosts > 0;
    return WEFT_OK;
}

weft_status weft_import_graph_join(weft_import_graph *import_graph, const weft_lines *lines,
                                   weft_import_graph_cable cable, weft_error *err)
{
    if (cable.end[0].router == cable.end[1].router)
        return weft_lines_fail(lines, err, "a cable joins two different routers, found %s twice",
                               weft_import_graph_name(import_graph, cable.end[0].router));
    for (int e = 0; e < 2; e++)
        if (++import_graph->routers[cable.end[e].router].degree > WEFT_WEFTNET_PORTS_MAX)
            return weft_lines_fail(lines, err, "router %s has more than %d cables, the most it may",
                                   weft_import_graph_name(import_graph, cable.end[e].router),
                                   WEFT_WEFTNET_PORTS_MAX);
    if (import_graph->n_cables == WEFT_WEFTNET_MOST)
        return weft_lines_fail(lines, err, "there are more than %u cables", WEFT_WEFTNET_MOST);
    if (import_graph->n_cables == import_graph->cable_room) {
        import_graph->cable_room = import_graph->cable_room ? 2 * import_graph->cable_room : 64;
        import_graph->cables = weft_realloc(import_graph->cables, import_graph->cable_room,
                                            sizeof *import_graph->cables);
    }
    import_graph->cables[import_graph->n_cables++] = cable;
    return WEFT_OK;
}

weft_status weft_import_graph_class(const weft_lines *lines, weft_word word, uint32_t *class,
                                    weft_error *err)
{
    static const struct {
        const char *name;
        weft_link_class class;
    } classes[] = {
        {"local", WEFT_LINK_LOCAL}, {"regional", WEFT_LINK_REGIONAL}, {"global", WEFT_LINK_GLOBAL}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (weft_word_is(word, classes[i].name)) {
            *class = classes[i].class;
            return WEFT_OK;
        }
    return weft_lines_fail(lines, err,
                           "the class of a link is local, regional or global, found '%.*s'",
                           WEFT_WORD(word));
}

/* A number with its unit; false: it is none, or none of a link. */
static bool read_quantity(weft_word word, weft_param_type type, double least, weft_quantity *out)
{
    char text[WEFT_QUANTITY_CHARS];
    if (word.length == 0 || word.length >= sizeof text || memchr(word.at, '\0', word.length))
        return false;
    memcpy(text, word.at, word.length);
    text[word.length] = '\0';
    return weft_quantity_read(type, text, out) == WEFT_QUANTITY_OK && out->value >= least &&
           out->value <= 1e18;
}

weft_status weft_import_graph_latency(const weft_lines *lines, weft_word word, uint32_t *latency,
                                      weft_link_settings *timing, weft_error *err)
{
    uint64_t number;
    weft_quantity quantity;
    if (weft_word_number(word, WEFT_LATENCY_MOST, &number) && number > 0) {
        *latency = (uint32_t)number;
        return WEFT_OK;
    }
    if (!timing || !read_quantity(word, WEFT_PARAM_DURATION, 1e-6, &quantity))
        return weft_lines_fail(lines, err,
                               "the latency of a link is a whole number of cycles 1 … %u%s, found "
                               "'%.*s'",
                               WEFT_LATENCY_MOST, timing ? ", or has a unit such as 30ns" : "",
                               WEFT_WORD(word));
    timing->latency = (weft_duration){quantity.value, (weft_time_unit)quantity.base};
    return WEFT_OK;
}

weft_status weft_import_graph_rate(const weft_lines *lines, weft_word word,
                                   weft_link_settings *timing, weft_error *err)
{
    weft_quantity quantity;
    if (!read_quantity(word, WEFT_PARAM_RATE, 1e-6, &quantity))
        return weft_lines_fail(lines, err,
                               "the rate of a link is such as 100Gb/s or 0.5flits/cycle, found "
                               "'%.*s'",
                               WEFT_WORD(word));
    timing->rate = (weft_rate){quantity.value, (weft_rate_unit)quantity.base};
    return WEFT_OK;
}

weft_status weft_import_graph_ports(const weft_lines *lines, weft_word word,
                                    weft_import_graph_cable *cable, weft_error *err)
{
    const char *colon = memchr(word.at, ':', word.length);
    size_t before = colon ? (size_t)(colon - word.at) : word.length;
    weft_word part[2] = {{.at = word.at, .length = before}, {0}};
    if (colon)
        part[1] = (weft_word){.at = colon + 1, .length = word.length - before - 1};
    for (int e = 0; e < 2; e++) {
        uint64_t port;
        if (!weft_word_number(part[e], WEFT_WEFTNET_PORTS_MAX - 1, &port))
            return weft_lines_fail(lines, err,
                                   "ports are two numbers 0 … %d such as 3:7, found '%.*s'",
                                   WEFT_WEFTNET_PORTS_MAX - 1, WEFT_WORD(word));
        cable->end[e].port = (uint32_t)port;
    }
    return WEFT_OK;
}
