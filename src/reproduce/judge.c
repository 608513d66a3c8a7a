/* SPDX-License-Identifier: Apache-2.0 */
/* A claim is judged by the file of its rule. */
#include "reproduce/verdict.h"

weft_status weft_verdict_judge(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                               weft_arena *arena, weft_claim_result *out, weft_error *err)
{
    const weft_claim *claim = &figure->claims[c];
    *out = (weft_claim_result){.name = claim->name,
                               .metric = claim->metric,
                               .unit = groups->unit[c] ? groups->unit[c] : "",
                               .rule = "not claimed",
                               .against = weft_against_name(claim->against),
                               .sentence = claim->sentence,
                               .place = claim->place,
                               .sure = claim->sure,
                               .summary = "",
                               .verdict = WEFT_NOT_CLAIMED,
                               .reason = claim->reason};
    switch ((weft_rule)claim->rule) {
    case WEFT_RULE_NONE:
        return WEFT_OK;
    case WEFT_RULE_Z:
    case WEFT_RULE_DIGITS:
    case WEFT_RULE_WITHIN:
    case WEFT_RULE_SHOWN:
        return weft_verdict_table(figure, c, groups, arena, out, err);
    case WEFT_RULE_DISTRIBUTION:
        return weft_verdict_distribution(figure, c, groups, arena, out, err);
    case WEFT_RULE_BRACKET:
        weft_verdict_bracket(figure, c, groups, arena, out);
        return WEFT_OK;
    case WEFT_RULE_CONTRAST:
        weft_verdict_contrast(figure, c, groups, arena, out);
        return WEFT_OK;
    case WEFT_RULE_ORDERING:
    case WEFT_RULE_TREND:
        break;
    }
    weft_verdict_pairs(figure, c, groups, arena, out);
    return WEFT_OK;
}
