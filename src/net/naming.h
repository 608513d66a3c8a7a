/* SPDX-License-Identifier: Apache-2.0 */
/* Router names as users write them into files: names of an imported fabric, numbers on any other
 * topology. */
#ifndef WEFT_NET_NAMING_H
#define WEFT_NET_NAMING_H

#include "config/lines.h"
#include "interweft/topology.h"

typedef struct weft_naming {
    const weft_topology *topology;
    uint32_t *sorted; /* routers sorted by name; NULL: numbers are used */
} weft_naming;

void weft_naming_init(weft_naming *naming, const weft_topology *topology);
void weft_naming_done(weft_naming *naming);
/* The router of a name; WEFT_NOWHERE if there is none. */
uint32_t weft_naming_find(const weft_naming *naming, weft_word word);
/* Reads the next word of a line as a router; error messages call it `what`. */
WEFT_MUST_USE weft_status weft_naming_read(const weft_naming *naming, weft_lines *lines,
                                           const char *what, uint32_t *router, weft_error *err);
/* Reads a file of lines that name routers: calls `line` for each line, before its first word is
 * read. what: "a file of routes". */
typedef weft_status weft_naming_line(const weft_naming *naming, weft_lines *lines, void *user,
                                     weft_error *err);
WEFT_MUST_USE weft_status weft_naming_file(const weft_topology *topology, const weft_file *file,
                                           const char *what, weft_naming_line *line, void *user,
                                           weft_error *err);
/* The name of a router. */
#define WEFT_NAME_BYTES 256
const char *weft_naming_name(const weft_topology *topology, uint32_t router,
                             char text[WEFT_NAME_BYTES]);

/* The name of an endpoint that is a host of an InfiniBand fabric; NULL: it has a number only. */
const char *weft_naming_host(const weft_topology *topology, uint32_t endpoint);

/* The displayed name of a router: its name in an imported fabric, "level 1 switch 3", "(3, 0)", or
 * its number. */
void weft_naming_place(const weft_topology *topology, uint32_t router, char text[WEFT_NAME_BYTES]);

/* The name of a link, by its upstream router and port: "(3,4)+x" with coordinates,
 * "leaf1:p24->spine2" where routers have names, else "r17:p2->r9". */
#define WEFT_LINK_NAME_BYTES (2 * WEFT_NAME_BYTES + 16)
void weft_naming_link(const weft_topology *topology, uint32_t router, uint32_t port,
                      char name[WEFT_LINK_NAME_BYTES]);

#endif
