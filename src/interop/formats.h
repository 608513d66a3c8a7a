/* SPDX-License-Identifier: Apache-2.0 */
/* Import and export of foreign formats of fabrics. Input is untrusted: no reader crashes or takes
 * memory out of proportion to the text. */
#ifndef WEFT_INTEROP_FORMATS_H
#define WEFT_INTEROP_FORMATS_H

#include "base/text.h"
#include "interop/import_graph.h"

/* Read a whole text into an import graph, whose `file` is its name in messages. */
WEFT_MUST_USE weft_status weft_edges_read(weft_import_graph *import_graph, const char *text,
                                          size_t length, weft_error *err);
WEFT_MUST_USE weft_status weft_anynet_read(weft_import_graph *import_graph, const char *text,
                                           size_t length, weft_error *err);
WEFT_MUST_USE weft_status weft_graphml_read(weft_import_graph *import_graph, const char *text,
                                            size_t length, weft_error *err);

/* Write a built topology as text; edges and graphml, read again in file order, give the same
 * topology with the same ports. */
WEFT_MUST_USE weft_status weft_edges_write(const weft_topology *topology, weft_text *text,
                                           weft_error *err);
WEFT_MUST_USE weft_status weft_graphml_write(const weft_topology *topology, weft_text *text,
                                             weft_error *err);
WEFT_MUST_USE weft_status weft_dot_write(const weft_topology *topology, weft_text *text,
                                         weft_error *err);

#endif
