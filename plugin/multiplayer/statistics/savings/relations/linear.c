/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/linear.h"

#include <math.h>

#include <glib.h>

/* Of a number, or of 1 for smaller ones: by so much values of 32 bits differ, and what is computed from the
 * difference of two. */
#define NEARLY  1e-4
#define ROUNDED 2e-7
/* What moves steadily fits with whatever else does. */
enum { LEAST_TURNS = 4 };

static double size_of(const savings_numbers *value)
{
    return MAX(1, savings_length_of(value));
}

static savings_numbers difference(const savings_numbers *one, const savings_numbers *other)
{
    savings_numbers found = {.count = one->count};
    for (unsigned i = 0; i < one->count; i++) {
        found.at[i] = one->at[i] - other->at[i];
    }
    return found;
}

static double product_of(const savings_numbers *one, const savings_numbers *other)
{
    double product = 0;
    for (unsigned i = 0; i < one->count; i++) {
        product += one->at[i] * other->at[i];
    }
    return product;
}

/* The factor is found again when the values are twice as far from the first ones: it is more exact then. */
static void find_factor(linear_fit *fit, const savings_numbers *one, const savings_numbers *other, double way)
{
    fit->factor = product_of(one, other) / (way * way);
    fit->way = way;
}

/* How far the difference may be from the factor times the difference of the other one. */
static bool fits(const linear_fit *fit, const savings_numbers *one, const savings_numbers *other, double way,
                 double size)
{
    double allowed = NEARLY * size + (fit->way > 0 ? ROUNDED * size * way / fit->way : 0);
    bool all = true;
    for (unsigned i = 0; i < one->count; i++) {
        all &= fabs(one->at[i] - fit->factor * other->at[i]) <= allowed;
    }
    return all;
}

static void count_turn(linear_fit *fit, const savings_numbers *other)
{
    savings_numbers step = difference(other, &fit->latest);
    if (product_of(&step, &fit->along) <= 0) {
        fit->turns += fit->along.count && savings_length_of(&fit->along) > 0;
        fit->along = step;
    }
    fit->latest = *other;
}

static bool can_fit(const linear_fit *fit, const savings_numbers *one, const savings_numbers *other)
{
    return !fit->broken && one->count && one->count == other->count && one->count == fit->one.count &&
           isfinite(savings_length_of(one)) && isfinite(savings_length_of(other));
}

void linear_add(linear_fit *fit, const savings_numbers *one, const savings_numbers *other)
{
    if (!fit->one.count) {
        fit->one = *one;
        fit->other = fit->latest = *other;
    }
    if (!can_fit(fit, one, other)) {
        fit->broken = true;
        return;
    }
    savings_numbers by = difference(one, &fit->one), of = difference(other, &fit->other);
    double way = savings_length_of(&of), size = MAX(size_of(one), size_of(&fit->one));
    size = MAX(size, fabs(fit->factor) * size_of(other));
    fit->broken = !fits(fit, &by, &of, way, size) && fit->way > 0;
    if (way > 2 * fit->way && way > NEARLY * size_of(&fit->other)) {
        find_factor(fit, &by, &of, way);
    }
    fit->broken |= !fits(fit, &by, &of, way, size);
    count_turn(fit, other);
}

bool linear_holds(const linear_fit *fit)
{
    bool moves = fabs(fit->factor) * fit->way > 100 * NEARLY * size_of(&fit->one);
    return !fit->broken && moves && fit->turns >= LEAST_TURNS;
}

/* "0.5 * ", or as a part of something: " / 300" is written after it. */
static void append_factor(GString *text, double factor, const char *other)
{
    double part = 1 / factor;
    if (fabs(factor - 1) <= NEARLY) {
        g_string_append(text, other);
    } else if (fabs(part) > 1 && fabs(part - floor(part + 0.5)) <= NEARLY * fabs(part)) {
        g_string_append_printf(text, "%s / %.0f", other, part);
    } else {
        g_string_append_printf(text, "%.4g * %s", factor, other);
    }
}

char *linear_text(const linear_fit *fit, const char *other)
{
    GString *text = g_string_new(NULL);
    append_factor(text, fit->factor, other);
    double at[3], most = 0;
    for (unsigned i = 0; i < fit->one.count; i++) {
        double offset = fit->one.at[i] - fit->factor * fit->other.at[i];
        at[i] = fabs(offset) <= 10 * NEARLY * size_of(&fit->one) ? 0 : offset;
        most = MAX(most, fabs(at[i]));
    }
    if (most > 0 && fit->one.count == 1) {
        g_string_append_printf(text, " %c %.4g", at[0] < 0 ? '-' : '+', fabs(at[0]));
    } else if (most > 0) {
        g_string_append_printf(text, " + (%.4g, %.4g", at[0], at[1]);
        g_string_append_printf(text, fit->one.count == 3 ? ", %.4g)" : ")", at[2]);
    }
    return g_string_free(text, FALSE);
}
