/* findings.h
 *
 * Problems that decoders find in bytes, one type for all protocols. Each protocol has an enum of its problems
 * with a table of facts about them, and an enum of verdicts: what a receiver does about a problem.
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
    PROBLEM_UNDECODED, /* not known at the time of writing: perhaps of a newer version */
    PROBLEM_SECURITY,  /* possibly an attack */
    PROBLEM_ERROR,     /* malformed: the receiver cannot read it */
} problem_severity;

typedef struct {
    const char *name; /* stable, for filters and scripts */
    const char *text; /* one sentence without a full stop */
    problem_severity severity;
    uint8_t verdict; /* the receiver's usual verdict; the one that applies is in the finding */
} problem_facts;

typedef struct {
    uint8_t problem, verdict; /* of the protocol's enums */
    bool fatal;               /* the rest of the value cannot be read (Variants) */
    uint32_t offset, length;  /* the bytes concerned; length 0: something is missing there, or all bytes */
} finding;

#endif
