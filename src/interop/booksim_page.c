/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/booksim.md: what becomes of every key, topology, routing function and pattern,
 * from the tables the translator goes by. */
#include "interop/booksim.h"

#include "interweft/interop.h"

static void add_keys(weft_text *out, weft_booksim_fate fate, const char *heading,
                     const char *column)
{
    weft_text_add(out, "\n## %s\n\n| key | default | %s |\n|---|---|---|\n", heading, column);
    for (const weft_booksim_key *key = weft_booksim_keys; key->name; key++)
        if (key->fate == fate)
            weft_text_add(out, "| `%s` | %s%s%s | %s |\n", key->name, *key->fallback ? "`" : "",
                          key->fallback, *key->fallback ? "`" : "empty", key->text);
}

static void add_networks(weft_text *out)
{
    weft_text_add(out, "\n## Topologies\n\n| topology | becomes |\n|---|---|\n");
    for (const weft_booksim_topology *row = weft_booksim_topologies; row->name; row++)
        weft_text_add(out, "| `%s` | %s%s |\n", row->name,
                      row->write ? "" : "refused: ", row->becomes);
    weft_text_add(out,
                  "\n## Routing functions\n\n| routing_function | of | becomes |\n|---|---|---|\n");
    for (const weft_booksim_routing *row = weft_booksim_routings; row->name; row++)
        weft_text_add(out, "| `%s` | `%s` | %s`%s`%s%s |\n", row->name, row->topology,
                      row->nearest ? "nearest: " : "", row->becomes, row->why ? "; " : "",
                      row->why ? row->why : "");
    weft_text_add(out, "\n## Patterns\n\n| traffic | becomes |\n|---|---|\n");
    for (const weft_booksim_pattern *row = weft_booksim_patterns; row->name; row++)
        weft_text_add(out, "| `%s` | %s`%s`%s%s |\n", row->name, row->why ? "nearest: " : "",
                      row->becomes, row->why ? "; " : "", row->why ? row->why : "");
}

char *weft_booksim_page(void)
{
    weft_text out;
    weft_text_init(&out);
    weft_text_add(&out, "# Keys of BookSim 2\n\nWhat `weft import booksim FILE` makes of every key "
                        "([how to](../howto/booksim.md)). A key that a file does not have takes "
                        "BookSim's default, which is translated too. A value that is not "
                        "honoured is refused; with `--nearest` the scenario has the nearest "
                        "setting and a comment.\n");
    add_keys(&out, WEFT_BOOKSIM_USED, "Translated", "becomes");
    add_networks(&out);
    add_keys(&out, WEFT_BOOKSIM_FIXED, "Honoured only at their default", "why");
    add_keys(&out, WEFT_BOOKSIM_IDLE, "Without a meaning here", "why");
    return weft_text_take(&out);
}
