/* SPDX-License-Identifier: Apache-2.0 */
/* Journeys of packets, as text. */
#include "report/explain/why.h"

#include <math.h>

enum { WAITS = 12 }; /* at one stop that are listed; the longest of more */

/* The length of the WAITS-th longest wait. */
static double least_listed(const weft_traced_stop *stop)
{
    double longest[WAITS] = {0};
    for (size_t w = 0; w < stop->n_waits; w++) {
        double time = stop->waits[w].time;
        for (int k = 0; k < WAITS; k++)
            if (time > longest[k]) {
                double other = longest[k];
                longest[k] = time;
                time = other;
            }
    }
    return longest[WAITS - 1];
}

static void print_waits(const weft_traced_stop *stop, FILE *out)
{
    double least = stop->n_waits > WAITS ? least_listed(stop) : 0, rest = 0;
    size_t listed = 0, left = 0;
    for (size_t w = 0; w < stop->n_waits; w++) {
        if (stop->waits[w].time < least || listed == WAITS) {
            rest += stop->waits[w].time;
            left++;
            continue;
        }
        listed++;
        fprintf(out, "  %22.6g  %s\n", stop->waits[w].time, stop->waits[w].text);
    }
    if (left)
        fprintf(out, "  %22.6g  in %zu shorter waits\n", rest, left);
}

/* When it was ready, and how long it waited; "-" for what is not over. */
static void print_times(const weft_traced_stop *stop, FILE *out)
{
    char ready[32] = "-", waited[32] = "-";
    if (isfinite(stop->arrived))
        (void)snprintf(ready, sizeof ready, "%.8g", stop->arrived);
    if (isfinite(stop->left - stop->arrived))
        (void)snprintf(waited, sizeof waited, "%.6g", stop->left - stop->arrived);
    fprintf(out, "  %12s %9s  ", ready, waited);
}

static void print_packet(const weft_traced_packet *p, const char *unit, FILE *out)
{
    fprintf(out, "\npacket %s of %u flits, endpoint %u", p->name, p->flits, p->source);
    if (isfinite(p->delivered))
        fprintf(out, " to %u: latency %.6g %s, from %.8g to %.8g\n", p->destination,
                p->delivered - p->born, unit, p->born, p->delivered);
    else
        fprintf(out, ": born at %.8g %s, not delivered when the run ended\n", p->born, unit);
    fprintf(out, "  %12s %9s\n", "ready at", "waited");
    for (size_t s = 0; s < p->n_stops; s++) {
        const weft_traced_stop *stop = &p->stops[s];
        if (isnan(stop->arrived) && stop->n_waits == 0)
            continue;
        print_times(stop, out);
        fprintf(out, "%s%s%s%s%s\n", stop->place, *stop->in ? ", " : "", stop->in,
                *stop->out ? " → " : "", stop->out);
        print_waits(stop, out);
    }
}

void weft_explain_traced(const weft_traced *traced, FILE *out)
{
    fprintf(out, "times in %s\n", traced->unit);
    for (size_t i = 0; i < traced->n_packets; i++)
        print_packet(&traced->packets[i], traced->unit, out);
}
