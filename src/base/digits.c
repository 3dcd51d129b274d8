/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/digits.h"

#include <string.h>

size_t digits_of(uint64_t value, char digits[DIGITS_SIZE])
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
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
