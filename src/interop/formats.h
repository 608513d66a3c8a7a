/* SPDX-License-Identifier: Apache-2.0 */
/* Foreign formats of fabrics, in and out. What is read is hostile: no reader crashes or takes
 * more memory than the text is worth. */
#ifndef WEFT_INTEROP_FORMATS_H
#define WEFT_INTEROP_FORMATS_H

#include "base/text.h"
#include "interop/import_graph.h"

/* Readers of a whole text into an import graph, whose file names it in messages. */
WEFT_MUST_USE weft_status weft_edges_read(weft_import_graph *import_graph, const char *text,
                                          size_t length, weft_error *err);
WEFT_MUST_USE weft_status weft_anynet_read(weft_import_graph *import_graph, const char *text,
                                           size_t length, weft_error *err);
WEFT_MUST_USE weft_status weft_graphml_read(weft_import_graph *import_graph, const char *text,
                                            size_t length, weft_error *err);

/* A built topology as text; edges and graphml can be read again, in the order of the file, and
 * give it back port for port. */
WEFT_MUST_USE weft_status weft_edges_write(const weft_topology *topology, weft_text *text,
                                           weft_error *err);
WEFT_MUST_USE weft_status weft_graphml_write(const weft_topology *topology, weft_text *text,
                                             weft_error *err);
WEFT_MUST_USE weft_status weft_dot_write(const weft_topology *topology, weft_text *text,
                                         weft_error *err);

#endif
