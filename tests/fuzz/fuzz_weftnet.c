/* SPDX-License-Identifier: Apache-2.0 */
/* A .weftnet file of any bytes, with the checksum a sound one has: reading it never crashes and
 * takes no more memory than the file is worth; what is read is written as the same bytes. */
#include "base/crc32c.h"
#include "net/topology/common/weftnet.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_weftnet net;
    weft_error err;
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    if (size >= 12) { /* the fuzzer need not find these */
        memcpy(copy, "WEFTNET\n\1\0\0", 12);
        weft_put_u32(copy + size - 4, weft_crc32c(0, copy, size - 4));
    }
    if (weft_weftnet_parse("fuzz", copy, size, &net, &err) == WEFT_OK) {
        weft_pack pack = {0};
        weft_weftnet_pack(&net, &pack);
        if (pack.count != size || memcmp(pack.data, copy, size) != 0)
            abort();
        weft_pack_done(&pack);
        weft_weftnet_done(&net);
    }
    free(copy);
    return 0;
}
