/* number.c
 *
 * Floating point numbers as Godot 4.6 prints them. The engine's String::num_scientific() uses Grisu2 (Florian
 * Loitsch, "Printing Floating-Point Numbers Quickly and Accurately with Integers", 2010). Grisu2 works in 64
 * bits, so that about one f64 in a thousand gets a digit more than necessary or a neighbour of the nearest
 * decimal. Text equal to the engine's therefore takes the same algorithm with the same choice of powers of
 * ten; an exact one (or printf) would differ in those cases.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/digits.h"
#include "variant/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* f * 2^e */
typedef struct {
    uint64_t f;
    int e;
} scaled;

#define SLACK 8 /* bytes after the last digit that put_digits() reads and writes, at most */

/* Decimal digits, the first not 0, and the power of ten of the last one. */
typedef struct {
    char digit[20 + SLACK];
    int count;
    int exponent;
} decimal;

/* Significands of the powers of ten from POWER_FIRST in steps of POWER_STEP: 10^k = f * 2^e rounded to the
 * nearest 64-bit f with the top bit set. */
#define POWER_FIRST (-300)
#define POWER_STEP  8
static const uint64_t powers[] = {
    0xab70fe17c79ac6cau, 0xff77b1fcbebcdc4fu, 0xbe5691ef416bd60cu, 0x8dd01fad907ffc3cu, 0xd3515c2831559a83u,
    0x9d71ac8fada6c9b5u, 0xea9c227723ee8bcbu, 0xaecc49914078536du, 0x823c12795db6ce57u, 0xc21094364dfb5637u,
    0x9096ea6f3848984fu, 0xd77485cb25823ac7u, 0xa086cfcd97bf97f4u, 0xef340a98172aace5u, 0xb23867fb2a35b28eu,
    0x84c8d4dfd2c63f3bu, 0xc5dd44271ad3cdbau, 0x936b9fcebb25c996u, 0xdbac6c247d62a584u, 0xa3ab66580d5fdaf6u,
    0xf3e2f893dec3f126u, 0xb5b5ada8aaff80b8u, 0x87625f056c7c4a8bu, 0xc9bcff6034c13053u, 0x964e858c91ba2655u,
    0xdff9772470297ebdu, 0xa6dfbd9fb8e5b88fu, 0xf8a95fcf88747d94u, 0xb94470938fa89bcfu, 0x8a08f0f8bf0f156bu,
    0xcdb02555653131b6u, 0x993fe2c6d07b7facu, 0xe45c10c42a2b3b06u, 0xaa242499697392d3u, 0xfd87b5f28300ca0eu,
    0xbce5086492111aebu, 0x8cbccc096f5088ccu, 0xd1b71758e219652cu, 0x9c40000000000000u, 0xe8d4a51000000000u,
    0xad78ebc5ac620000u, 0x813f3978f8940984u, 0xc097ce7bc90715b3u, 0x8f7e32ce7bea5c70u, 0xd5d238a4abe98068u,
    0x9f4f2726179a2245u, 0xed63a231d4c4fb27u, 0xb0de65388cc8ada8u, 0x83c7088e1aab65dbu, 0xc45d1df942711d9au,
    0x924d692ca61be758u, 0xda01ee641a708deau, 0xa26da3999aef774au, 0xf209787bb47d6b85u, 0xb454e4a179dd1877u,
    0x865b86925b9bc5c2u, 0xc83553c5c8965d3du, 0x952ab45cfa97a0b3u, 0xde469fbd99a05fe3u, 0xa59bc234db398c25u,
    0xf6c69a72a3989f5cu, 0xb7dcbf5354e9beceu, 0x88fcf317f22241e2u, 0xcc20ce9bd35c78a5u, 0x98165af37b2153dfu,
    0xe2a0b5dc971f303au, 0xa8d9d1535ce3b396u, 0xfb9b7cd9a4a7443cu, 0xbb764c4ca7a44410u, 0x8bab8eefb6409c1au,
    0xd01fef10a657842cu, 0x9b10a4e5e9913129u, 0xe7109bfba19c0c9du, 0xac2820d9623bf429u, 0x80444b5e7aa7cf85u,
    0xbf21e44003acdd2du, 0x8e679c2f5e44ff8fu, 0xd433179d9c8cb841u, 0x9e19db92b4e31ba9u,
};

/* Values are scaled until their binary exponent is at least this (and at most -32), so that the integral part
 * fits 32 bits. */
#define ALPHA (-60)

static scaled normalise(scaled x)
{
#ifdef __GNUC__
    int zeros = __builtin_clzll(x.f);
    return (scaled){x.f << zeros, x.e - zeros};
#else
    for (int bits = 32; bits > 0; bits /= 2) {
        if (x.f >> (64 - bits) == 0) {
            x = (scaled){x.f << bits, x.e - bits};
        }
    }
    return x;
#endif
}

/* Upper 64 bits of the product, rounded half up. */
static inline scaled multiply(scaled x, scaled y)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    return (scaled){(uint64_t)(((product)x.f * y.f + ((uint64_t)1 << 63)) >> 64), x.e + y.e + 64};
#else
    uint64_t a = x.f >> 32, b = x.f & 0xffffffffu;
    uint64_t c = y.f >> 32, d = y.f & 0xffffffffu;
    uint64_t middle = (b * d >> 32) + (a * d & 0xffffffffu) + (b * c & 0xffffffffu) + 0x80000000u;
    return (scaled){a * c + (a * d >> 32) + (b * c >> 32) + (middle >> 32), x.e + y.e + 64};
#endif
}

static int floor_log2_of_power(int k)
{
    const int numerator = 1741647, denominator = 1 << 19; /* log2(10), exact enough for |k| <= 324 */
    return k >= 0 ? k * numerator / denominator : -((-k * numerator + denominator - 1) / denominator);
}

/* The power of ten that brings a value with binary exponent `e` into the range; *k: which one it is. */
static scaled power_for(int e, int *k)
{
    /* ceil((ALPHA - e - 1) * log10(2)), and up to the next power in the table */
    int f = ALPHA - e - 1;
    int least = f * 78913 / (1 << 18) + (f > 0 ? 1 : 0);
    int i = (least - POWER_FIRST + POWER_STEP - 1) / POWER_STEP;
    *k = POWER_FIRST + i * POWER_STEP;
    return (scaled){powers[i], floor_log2_of_power(*k) - 63};
}

/* Lowers the last digit while that brings the decimal nearer to the value and keeps it inside the interval.
 * `above`: from the value to the interval's upper end, `width`: of the interval, `rest`: from the decimal to
 * the upper end, `unit`: weight of the last digit; all in the same scale. */
static void round_last_digit(decimal *d, uint64_t above, uint64_t width, uint64_t rest, uint64_t unit)
{
    while (rest < above && width - rest >= unit &&
           (rest + unit < above || above - rest > rest + unit - above)) {
        d->digit[d->count - 1]--;
        rest += unit;
    }
}

/* At most 20, eight at a time: a loop over each would be mispredicted at its end, and a loop over eights made
 * a call of memcpy(). */
static char *put_digits(char *out, const char *digits, int count)
{
    memcpy(out, digits, 8);
    if (count > 8) {
        memcpy(out + 8, digits + 8, 8);
    }
    if (count > 16) {
        memcpy(out + 16, digits + 16, 8);
    }
    return out + count;
}

/* The digits of `value` > 0 are the first ones of the decimal. */
static void begin_digits(decimal *d, uint64_t value)
{
    char digits[DIGITS_SIZE + SLACK];
    size_t at = digits_of(value, digits);
    d->count = (int)(DIGITS_SIZE - at);
    put_digits(d->digit, digits + at, d->count);
}

/* Digits of `high` until the decimal lies between `low` and `high`; `value` is between them. */
static void generate_digits(decimal *d, scaled low, scaled value, scaled high)
{
    const int shift = -high.e;
    const uint64_t one = (uint64_t)1 << shift;
    uint64_t width = high.f - low.f;
    uint64_t above = high.f - value.f;
    uint32_t integral = (uint32_t)(high.f >> shift);
    uint64_t fraction = high.f & (one - 1);

    /* Removes as many digits from the end as `width` allows, but not the first one. */
    if (fraction <= width) {
        uint64_t unit = one, rest = fraction;
        while (integral >= 10) {
            uint64_t longer = rest + integral % 10 * unit;
            if (longer > width) {
                break;
            }
            rest = longer;
            unit *= 10;
            integral /= 10;
            d->exponent++;
        }
        begin_digits(d, integral);
        round_last_digit(d, above, width, rest, unit);
        return;
    }
    begin_digits(d, integral);
    do {
        fraction *= 10;
        width *= 10;
        above *= 10;
        d->digit[d->count++] = (char)('0' + (fraction >> shift));
        fraction &= one - 1;
        d->exponent--;
    } while (fraction > width);
    round_last_digit(d, above, width, fraction, one);
}

/* f * 2^e is the value; `at_boundary`: the neighbour below is only half as far away as the one above. */
static decimal shortest(uint64_t f, int e, bool at_boundary)
{
    scaled high = normalise((scaled){2 * f + 1, e - 1});
    scaled low = at_boundary ? (scaled){4 * f - 1, e - 2} : (scaled){2 * f - 1, e - 1};
    low = (scaled){low.f << (low.e - high.e), high.e};
    scaled value = normalise((scaled){f, e});

    int k;
    scaled power = power_for(high.e, &k);
    value = multiply(value, power);
    low = multiply(low, power);
    high = multiply(high, power);
    /* The products may be off by one, so the interval is reduced. */
    low.f++;
    high.f--;
    decimal d = {.count = 0, .exponent = -k};
    generate_digits(&d, low, value, high);
    return d;
}

/* Without the sign, as the other one. */
static decimal shortest_of_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0) {
        return shortest(fraction, -1074, false);
    }
    return shortest(fraction | (uint64_t)1 << 52, exponent - 1075, fraction == 0 && exponent > 1);
}

static decimal shortest_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t fraction = bits & ((1u << 23) - 1);
    int exponent = (int)(bits >> 23 & 0xff);
    if (exponent == 0) {
        return shortest(fraction, -149, false);
    }
    return shortest(fraction | 1u << 23, exponent - 150, fraction == 0 && exponent > 1);
}

static char *put_zeros(char *out, int count)
{
    memset(out, '0', (size_t)count);
    return out + count;
}

/* Integer digits before an exponent is written. */
enum { MOST_PLAIN = 15 };

/* Exponent with sign and at least two digits. */
static char *put_exponent(char *out, int exponent)
{
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    int magnitude = exponent < 0 ? -exponent : exponent;
    if (magnitude >= 100) {
        *out++ = (char)('0' + magnitude / 100);
    }
    *out++ = (char)('0' + magnitude / 10 % 10);
    *out++ = (char)('0' + magnitude % 10);
    return out;
}

/* Plain notation from 0.0001 up to `most` integer digits, else one digit, point and exponent. */
static char *put_decimal(char *out, const decimal *d, int most)
{
    const int integer_digits = d->count + d->exponent;
    if (integer_digits > most || integer_digits <= -4) {
        *out++ = d->digit[0];
        if (d->count > 1) {
            *out++ = '.';
        }
        out = put_digits(out, d->digit + 1, d->count - 1);
        return put_exponent(out, integer_digits - 1);
    }
    if (d->exponent >= 0) {
        out = put_digits(out, d->digit, d->count);
        return put_zeros(out, d->exponent);
    }
    if (integer_digits > 0) {
        out = put_digits(out, d->digit, integer_digits);
        *out++ = '.';
        return put_digits(out, d->digit + integer_digits, -d->exponent);
    }
    *out++ = '0';
    *out++ = '.';
    out = put_zeros(out, -integer_digits);
    return put_digits(out, d->digit, d->count);
}

size_t variant_number_text(double value, char text[VARIANT_NUMBER_SIZE])
{
    const char *name = value != value ? "nan" : value > DBL_MAX ? "inf" : value < -DBL_MAX ? "inf_neg" : "0";
    char *out = text;
    if (name[0] != '0' || value == 0.0) {
        memcpy(out, name, strlen(name));
        out += strlen(name);
    } else {
        if (value < 0) {
            *out++ = '-';
        }
        decimal d = variant_fits_f32(value) ? shortest_of_f32((float)value) : shortest_of_f64(value);
        out = put_decimal(out, &d, MOST_PLAIN);
    }
    *out = '\0';
    return (size_t)(out - text);
}

size_t variant_double_text(double value, char text[VARIANT_NUMBER_SIZE])
{
    char *out = text;
    if (signbit(value)) {
        *out++ = '-';
    }
    char *end = out;
    if (value < 0 || value > 0) {
        decimal d = shortest_of_f64(value);
        end = put_decimal(out, &d, d.count > MOST_PLAIN ? d.count : MOST_PLAIN);
    } else {
        *end++ = '0';
    }
    *end = '\0';
    if (!strpbrk(out, ".e")) {
        memcpy(end, ".0", 3);
        end += 2;
    }
    return (size_t)(end - text);
}
