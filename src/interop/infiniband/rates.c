/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/infiniband/rates.h"

#include <string.h>

/* ibsim 0.10 takes FDR10 for QDR, and NDR and XDR for SDR. */
static bool ibsim_knows(uint8_t speed)
{
    static const char *const unknown[] = {"FDR10", "NDR", "XDR"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (strcmp(weft_subnet_speeds[speed].name, unknown[i]) == 0)
            return false;
    return true;
}

/* The slowest of some widths that carries a rate; of width 0 if none does. */
static weft_subnet_rate slowest(double mbps, const uint8_t *widths, bool any_speed)
{
    weft_subnet_rate best = {0};
    for (; *widths; widths++)
        for (uint8_t s = 0; s < WEFT_SUBNET_SPEEDS; s++) {
            weft_subnet_rate rate = {.width = *widths, .speed = s};
            bool slower = best.width == 0 || weft_subnet_mbps(rate) < weft_subnet_mbps(best);
            if ((any_speed || ibsim_knows(s)) && (double)weft_subnet_mbps(rate) >= mbps && slower)
                best = rate;
        }
    return best;
}

weft_subnet_rate weft_ib_rate_for(double bits_per_second)
{
    static const uint8_t usual[] = {4, 1, 2, 0}, wide[] = {8, 12, 0};
    double mbps = bits_per_second / 1e6 * (1 - 1e-9); /* a decimal's last digit does not matter */
    weft_subnet_rate rate = slowest(mbps, usual, false);
    rate = rate.width ? rate : slowest(mbps, wide, false);
    rate = rate.width ? rate : slowest(mbps, usual, true);
    rate = rate.width ? rate : slowest(mbps, wide, true);
    return rate.width ? rate : (weft_subnet_rate){.width = 12, .speed = WEFT_SUBNET_SPEEDS - 1};
}

/* Bits per second; 0: not known. */
static double speed_of(const weft_scenario *scenario, const weft_link_settings *link)
{
    if (link->rate.unit == WEFT_BITS_PER_SECOND)
        return link->rate.value;
    double flits = link->rate.unit == WEFT_FLITS_PER_CYCLE ? link->rate.value : 1;
    return scenario->clock == WEFT_NONE_REAL
               ? 0
               : flits * scenario->links.flit.value * 8 * scenario->clock;
}

weft_ib_rates weft_ib_rates_of(const weft_scenario *scenario)
{
    const weft_link_settings *const links[WEFT_LINK_CLASSES] = {
        [WEFT_LINK_LOCAL] = &scenario->links.local,
        [WEFT_LINK_GLOBAL] = &scenario->links.global,
        [WEFT_LINK_HOST] = &scenario->links.host,
        [WEFT_LINK_REGIONAL] = &scenario->links.regional,
    };
    weft_ib_rates rates = {.given = true};
    for (size_t c = 0; c < WEFT_LINK_CLASSES; c++) {
        double speed = speed_of(scenario, links[c]);
        rates.given = rates.given && speed > 0;
        rates.at[c] = weft_ib_rate_for(speed > 0 ? speed : 100e9);
    }
    return rates;
}

void weft_ib_rates_explain(const weft_ib_rates *rates, weft_text *text)
{
    weft_text_add(text,
                  rates->given
                      ? "# rates are the least of InfiniBand that carry those of the scenario\n"
                      : "# all links are 4xEDR: the scenario does not say how fast they are\n");
}
