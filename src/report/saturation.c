/* SPDX-License-Identifier: Apache-2.0 */
#include "report/saturation.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

static void add_accepted(const weft_saturation *found, weft_text *to)
{
    const char *steady = found->accepted_steady ? "" : ", not yet steady";
    weft_text_add(to, "  accepted     ");
    if (isnan(found->accepted))
        weft_text_add(to, "not known at offered 1.0: the run was too short%s\n", steady);
    else if (isnan(found->accepted_lo))
        weft_text_add(to, "%.4g at offered 1.0, too short a run for an interval%s\n",
                      found->accepted, steady);
    else
        weft_text_add(to, "%.4g [%.4g, %.4g] at offered 1.0%s\n", found->accepted,
                      found->accepted_lo, found->accepted_hi, steady);
}

void weft_report_saturation(const char *key, const weft_saturation *found, weft_text *to)
{
    if (key[0]) {
        size_t start = to->length;
        weft_text_add(to, "%s\n", key);
        weft_make_lines_harmless(to->at + start);
        to->length = start + strlen(to->at + start);
    }
    if (found->always_stable)
        weft_text_add(to, "  saturation   none up to an offered load of 1.0 (rho %.4g)\n",
                      found->rho);
    else
        weft_text_add(
            to, "  saturation   load %.4g … %.4g (fraction of injection bandwidth), rho %.4g\n",
            found->load, found->unstable, found->rho);
    if (found->from_empty > 0)
        weft_text_add(to,
                      "  congestion   an empty network carries up to %.4g, a congested one %.4g\n",
                      found->from_empty, found->accepted);
    if (found->why[0])
        weft_text_add(to, "  wide because %s\n", found->why);
    if (found->bound > 0)
        weft_text_add(to, "  bound        %.4g\n", found->bound);
    add_accepted(found, to);
}

weft_status weft_report_searches(weft_result *result, weft_text *to, weft_error *err)
{
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        weft_saturation found;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        if (!weft_saturation_read(point, &found))
            return WEFT_OK;
        weft_report_saturation(point->key, &found, to);
    }
    return WEFT_OK;
}
