/* SPDX-License-Identifier: Apache-2.0 */
/* Head, data, tail. The data stand in a script element that is no script, as JSON. There '<' can
 * only occur inside strings, so it is written \u003c everywhere: no text from a results file can
 * end the element or start another one. */
#include "report/html.h"

#include "report/page/data.h"
#include "report/page/parts.h"

#include <assert.h>
#include <string.h>

typedef struct escape {
    weft_sink sink;
    void *to;
} escape;

static weft_status escaped(void *to, const char *bytes, size_t count, weft_error *err)
{
    const escape *e = to;
    while (count > 0) {
        const char *at = memchr(bytes, '<', count);
        size_t plain = at ? (size_t)(at - bytes) : count;
        if (plain > 0)
            WEFT_TRY(e->sink(e->to, bytes, plain, err));
        if (at)
            WEFT_TRY(e->sink(e->to, "\\u003c", 6, err));
        bytes += plain + (at ? 1 : 0);
        count -= plain + (at ? 1 : 0);
    }
    return WEFT_OK;
}

bool weft_report_has_page(void)
{
    weft_page_parts parts;
    return weft_page_parts_get(&parts);
}

weft_status weft_report_html(const weft_report_page *page, weft_sink sink, void *to,
                             weft_error *err)
{
    weft_page_parts parts;
    assert(page && sink);
    if (!weft_page_parts_get(&parts))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "this program was built without the report page; install npm and nodejs, "
                         "and build it again to have it");
    escape e = {sink, to};
    WEFT_TRY(sink(to, parts.head, parts.head_length, err));
    weft_out out = {.sink = escaped, .to = &e, .err = err};
    weft_status status = weft_page_data(page, &out);
    weft_text_done(&out.text);
    WEFT_TRY(status);
    return sink(to, parts.tail, parts.tail_length, err);
}
