/* variant_invariants.h
 *
 * Conditions for every value, valid or invalid. For unit tests and the fuzzer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_INVARIANTS_H
#define VARIANT_INVARIANTS_H

#include "variant/variant.h"

/* The results of decoding a value. */
typedef struct {
    unsigned values, containers, findings, rejecting, fatal;
    uint32_t problems; /* bit per variant_problem */
    variant_verdict error;
    uint32_t position;
} variant_census;

/* Decodes a value, writes its text, and checks its findings. Aborts with a message if a guarantee of
 * variant.h is violated. */
variant_census variant_check(const uint8_t *bytes, size_t length, variant_options options);

/* Aborts unless `text` is `length` bytes of correct UTF-8 without NUL, and a NUL after them. */
void variant_check_text(const char *text, size_t length);

#endif
