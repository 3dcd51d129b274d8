/* findings.h
 *
 * What decoders find wrong with bytes: one type for all protocols. Each protocol numbers its problems and has
 * a table of facts about them; what its receiver does about a problem, the verdict, is an enum of the
 * protocol as well.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Severity of a problem. */
typedef enum {
    PROBLEM_NOTE,      /* some senders do it, or it does no harm */
    PROBLEM_WARNING,   /* no known sender does it */
    PROBLEM_UNDECODED, /* nothing known of this time: perhaps of a newer version */
    PROBLEM_SECURITY,  /* possibly an attack */
    PROBLEM_ERROR,     /* malformed: the receiver cannot read it */
} problem_severity;

typedef struct {
    const char *name; /* stable, for filters and scripts */
    const char *text; /* one sentence without a full stop */
    problem_severity severity;
    uint8_t verdict; /* what the receiver usually does; a finding has what applies */
} problem_facts;

typedef struct {
    uint8_t problem, verdict; /* of the protocol's enums */
    bool fatal;               /* the rest of the value cannot be read (Variants) */
    uint32_t offset, length; /* bytes it is about; length 0: something is missing there, or it is about all */
} finding;

#endif
