/* digits.h
 *
 * Numbers in decimal digits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>
#include <stdint.h>

#define DIGITS_SIZE 20 /* digits of UINT64_MAX */

/* Writes the decimal digits of `value` to the end of `digits`, without a NUL; returns the index of the first
 * one. */
size_t digits_of(uint64_t value, char digits[DIGITS_SIZE]);

#endif
