/* SPDX-License-Identifier: Apache-2.0 */
#include "result/export.h"

#include <assert.h>

weft_status weft_result_export(weft_result *result, weft_format format, weft_sink sink, void *to,
                               weft_error *err)
{
    assert(result && sink);
    weft_out out = {.sink = sink, .to = to, .err = err};
    weft_status status = format == WEFT_FORMAT_CSV    ? weft_export_csv(result, &out)
                         : format == WEFT_FORMAT_JSON ? weft_export_json(result, &out)
                                                      : weft_export_canonical(result, &out);
    if (status == WEFT_OK)
        status = weft_out_flush(&out, true);
    weft_text_done(&out.text);
    return status;
}
