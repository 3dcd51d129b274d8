/* digits.c
 *
 * See digits.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/digits.h"

#include <string.h>

size_t digits_of(uint64_t value, char digits[DIGITS_SIZE])
{
    /* clang-format off */
    static const char pairs[] =
        "00010203040506070809" "10111213141516171819" "20212223242526272829" "30313233343536373839" "40414243444546474849"
        "50515253545556575859" "60616263646566676869" "70717273747576777879" "80818283848586878889" "90919293949596979899";
    /* clang-format on */
    size_t at = DIGITS_SIZE;
    for (; value >= 10; value /= 100) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * (value % 100), 2);
    }
    if (value > 0 || at == DIGITS_SIZE) {
        digits[--at] = (char)('0' + value);
    }
    return at;
}
