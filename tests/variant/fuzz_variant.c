/* fuzz_variant.c
 *
 * libFuzzer target for the Variant decoder, its text writer and the detection of generations. The first byte
 * of the input chooses the dialect (bits 0-1), the compact form (2) and whether objects are allowed (3).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/variant_invariants.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* If a dialect is detected, the value fills the bytes, and the decoder of that dialect accepts it. */
static void check_guess(const uint8_t *bytes, size_t length, variant_dialect preferred)
{
    variant_guess guess = variant_detect(bytes, length, preferred);
    if (guess.score == 0) {
        return;
    }
    variant_options options = {.dialect = guess.dialect, .objects_allowed = true};
    if (guess.score < 0 || guess.consumed != length || variant_skip(bytes, length, options, NULL) != length) {
        abort();
    }
}

/* Reading the text of a number gives that number: as an f32 if it is one, otherwise as an f64. */
static void check_number(double value)
{
    char text[VARIANT_NUMBER_SIZE];
    size_t length = variant_number_text(value, text);
    variant_check_text(text, length);
    bool finite = value - value == 0;
    if (finite && strtod(text, NULL) != value && (double)strtof(text, NULL) != value) {
        abort();
    }
}

static void check_numbers(const uint8_t *bytes, size_t length)
{
    double value;
    float single;
    if (length < sizeof value) {
        return;
    }
    memcpy(&value, bytes, sizeof value);
    memcpy(&single, bytes, sizeof single);
    check_number(value);
    check_number((double)single);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const uint8_t *bytes = data + 1;
    size_t length = size - 1;
    variant_options options = {
        .dialect = (variant_dialect)(data[0] & 3),
        .compact = (data[0] & 4) != 0,
        .objects_allowed = (data[0] & 8) != 0,
    };
    variant_check(bytes, length, options);
    check_guess(bytes, length, VARIANT_DIALECT_COUNT);
    check_guess(bytes, length, options.dialect);
    check_numbers(bytes, length);
    return 0;
}
