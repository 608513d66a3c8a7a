/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a source: byte offsets as lines and columns. */
#include "config/source.h"

#include <assert.h>

void weft_source_position(const weft_source *source, size_t offset, unsigned *line,
                          unsigned *column)
{
    assert(offset <= source->length);
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset; i++) {
        char byte = source->text[i];
        bool lone_return = byte == '\r' && source->text[i + 1] != '\n';
        if (byte == '\n' || lone_return) {
            ++*line;
            *column = 1;
        } else if (((unsigned char)byte & 0xC0) != 0x80) {
            ++*column;
        }
    }
}
