/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/digits.h"

size_t digits_of(uint64_t value, char digits[DIGITS_SIZE])
{
    size_t at = DIGITS_SIZE;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return at;
}
