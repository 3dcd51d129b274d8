/* findings.c
 *
 * How the Variant decoder reports problems; see reader.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/reader.h"

#include <string.h>

/* Of a kind, a value has one finding. A finding that refuses the value replaces one that does not: the engine
 * may accept the first of a Dictionary's two types and refuse the second. Returns false if the earlier
 * finding stays. */
static bool make_place(variant_decoder *d, variant_problem problem, variant_verdict verdict)
{
    if (!(d->problems_seen >> problem & 1)) {
        return true;
    }
    for (unsigned i = 0; VARIANT_REJECTS(verdict) && i < d->findings; i++) {
        if (d->queue[i].problem == problem && !VARIANT_REJECTS(d->queue[i].verdict)) {
            d->findings--;
            memmove(&d->queue[i], &d->queue[i + 1], (d->findings - i) * sizeof d->queue[0]);
            return true;
        }
    }
    return false;
}

void variant_report_as(variant_decoder *d, variant_problem problem, variant_verdict verdict, uint32_t offset,
                       uint32_t length)
{
    if (!make_place(d, problem, verdict)) {
        return;
    }
    d->problems_seen |= 1u << problem;
    d->queue[d->findings++] = (finding){
        .problem = (uint8_t)problem,
        .verdict = (uint8_t)verdict,
        .fatal = d->failed,
        .offset = offset,
        .length = length,
    };
    if (VARIANT_REJECTS(verdict) && !d->rejected) {
        d->rejected = true;
        d->error = verdict;
    }
}

void variant_report(variant_decoder *d, variant_problem problem, uint32_t offset, uint32_t length)
{
    variant_report_as(d, problem, variant_default_verdict(problem, d->options.dialect), offset, length);
}

/* Reports that nothing after these bytes can be read. Returns false for the caller to return. */
bool variant_fail(variant_decoder *d, variant_problem problem, uint32_t offset, uint32_t length)
{
    d->failed = true;
    d->problems_seen &= ~(1u << problem); /* the harmless kind does not hide the fatal one */
    variant_report(d, problem, offset, length);
    d->position = offset + length;
    return false;
}
