/* packet.h
 *
 * Types that the decoders of Godot 3 and Godot 4 multiplayer packets have in common: text in packets,
 * problems and what an engine does about each, and the confidence that bytes are such a packet at all.
 *
 * Offsets are relative to the first byte given to the parser. Lengths are in bytes. No allocation, no state.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MULTIPLAYER_H
#define MULTIPLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/findings.h"

/* Longer packets do not exist: ENet carries at most 32 MiB, a WebSocket peer 16 MiB. */
#define MULTIPLAYER_MAX_LENGTH 0x02000000u

/* What the receiving engine does about a problem. */
typedef enum {
    MULTIPLAYER_IGNORED,   /* it does not look at these bytes */
    MULTIPLAYER_TOLERATED, /* it reads the packet as if nothing was wrong; engines just never write this */
    MULTIPLAYER_PARTLY,    /* it executes what comes before, and drops the rest with an error */
    MULTIPLAYER_NULLED,    /* the call is made, this and the remaining arguments are null */
    MULTIPLAYER_DROPPED,   /* the packet is dropped with an error */
} multiplayer_verdict;

typedef enum {
    MULTIPLAYER_PROBLEM_TOO_SHORT,
    MULTIPLAYER_PROBLEM_UNKNOWN_COMMAND,
    MULTIPLAYER_PROBLEM_UNUSED_BITS,
    MULTIPLAYER_PROBLEM_ID_SIZE,
    MULTIPLAYER_PROBLEM_NOT_MINIMAL,
    MULTIPLAYER_PROBLEM_ID_ZERO,
    MULTIPLAYER_PROBLEM_PATH_OFFSET,
    MULTIPLAYER_PROBLEM_UNTERMINATED,
    MULTIPLAYER_PROBLEM_EMPTY_TEXT,
    MULTIPLAYER_PROBLEM_NODE_NAME,
    MULTIPLAYER_PROBLEM_METHOD_NAME,
    MULTIPLAYER_PROBLEM_CHECKSUM_TEXT,
    MULTIPLAYER_PROBLEM_EMPTY_CALL,
    MULTIPLAYER_PROBLEM_SIZE_FIELD,
    MULTIPLAYER_PROBLEM_EMPTY_ENTRY,
    MULTIPLAYER_PROBLEM_SUBCOMMAND,
    MULTIPLAYER_PROBLEM_PEER_ID,
    MULTIPLAYER_PROBLEM_RELAYED_SYSTEM,
    MULTIPLAYER_PROBLEM_VALUE,
    MULTIPLAYER_PROBLEM_VALUE_COUNT,
    MULTIPLAYER_PROBLEM_TRAILING,
    MULTIPLAYER_PROBLEM_COUNT
} multiplayer_problem;

#define MULTIPLAYER_MAX_FINDINGS 8 /* of one packet */

typedef struct {
    uint32_t count;
    bool dropped; /* one of them makes the engine drop the whole packet */
    finding list[MULTIPLAYER_MAX_FINDINGS];
} multiplayer_findings;

/* UTF-8 text up to a NUL ("cstring"). offset 0: not present. */
typedef struct {
    uint32_t offset;
    uint32_t length; /* without the NUL */
    bool terminated; /* the NUL is there */
} multiplayer_text;

/* The confidence that bytes are a packet, by the bytes alone. */
typedef enum {
    MULTIPLAYER_IMPOSSIBLE, /* no engine writes this */
    MULTIPLAYER_WEAK,       /* possible, but so are many other protocols: only inside a known session */
    MULTIPLAYER_MEDIUM,     /* several fields agree; needs another such packet or a known node id */
    MULTIPLAYER_STRONG,     /* accept when the transport is known */
    MULTIPLAYER_CONCLUSIVE, /* nothing else looks like this */
} multiplayer_confidence;

/* By multiplayer_problem; the verdict of findings is a multiplayer_verdict. */
extern const problem_facts multiplayer_problems[MULTIPLAYER_PROBLEM_COUNT];
const char *multiplayer_verdict_text(multiplayer_verdict verdict); /* "the engine drops the packet" */

/* --- for the two parsers ------------------------------------------------------------------------- */

/* Appends to `findings`; beyond MULTIPLAYER_MAX_FINDINGS only `dropped` is kept up to date. */
void multiplayer_report(multiplayer_findings *findings, multiplayer_problem problem,
                        multiplayer_verdict verdict, uint32_t offset, uint32_t length);

/* Text from `offset` to the first NUL or to `end`. */
multiplayer_text multiplayer_read_text(const uint8_t *bytes, uint32_t offset, uint32_t end);

/* The text that a packet of `length` bytes ends with. Readers stop at the end if there is no NUL. */
multiplayer_text multiplayer_last_text(const uint8_t *bytes, uint32_t offset, uint32_t length,
                                       multiplayer_findings *findings);

/* Passes over one value, of the compact form in Godot 4, that looks as an engine writes it. Returns its
 * length, 0 if it cannot be one. `*readable` is set if it is or contains text or a container. */
uint32_t multiplayer_plausible_value(const uint8_t *bytes, uint32_t length, int dialect, bool *readable);

/* The number of such values that the bytes are, -1 if they are not. */
int multiplayer_plausible_values(const uint8_t *bytes, uint32_t length, int dialect, bool *readable);

#endif
