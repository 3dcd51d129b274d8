/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/derived.h"

#include <math.h>
#include <string.h>

#include <glib.h>

/* Of a number, or of 1 for smaller ones: by so much values of 32 bits differ. */
#define NEARLY 1e-4

static bool are_near(double one, double other)
{
    return fabs(one - other) <= NEARLY * MAX(1, fabs(one));
}

static bool is_length(const savings_numbers *one, const savings_numbers *of)
{
    return of->count > 1 && one->count == 1 && are_near(one->at[0], savings_length_of(of));
}

static bool is_direction(const savings_numbers *one, const savings_numbers *of)
{
    double length = of->count > 1 && one->count == of->count ? savings_length_of(of) : -1;
    bool same = length >= 0;
    for (unsigned i = 0; same && i < of->count; i++) {
        same = are_near(one->at[i], length > 0 ? of->at[i] / length : 0);
    }
    return same;
}

static bool is_angle(const savings_numbers *one, const savings_numbers *of)
{
    return of->count == 2 && one->count == 1 &&
           fabs(sin((one->at[0] - atan2(of->at[1], of->at[0])) / 2)) <= NEARLY;
}

static bool is_of_angle(const savings_numbers *one, const savings_numbers *of)
{
    return of->count == 1 && one->count == 2 && are_near(one->at[0], cos(of->at[0])) &&
           are_near(one->at[1], sin(of->at[0]));
}

static const struct {
    bool (*holds)(const savings_numbers *one, const savings_numbers *of);
    const char *before, *after; /* the name of the other one */
} relations[DERIVED_LINEAR] = {
    [DERIVED_LENGTH] = {is_length, "", ".length()"},
    [DERIVED_DIRECTION] = {is_direction, "", ".normalized()"},
    [DERIVED_ANGLE] = {is_angle, "", ".angle()"},
    [DERIVED_OF_ANGLE] = {is_of_angle, "Vector2.from_angle(", ")"},
};

/* --- a factor and an offset ---------------------------------------------------------------------- */

/* Likewise, what is computed from the difference of two. */
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

/* Several receivers get the same value, which is no step. */
static void count_turn(linear_fit *fit, const savings_numbers *other)
{
    savings_numbers step = difference(other, &fit->latest);
    if (savings_length_of(&step) > 0 && product_of(&step, &fit->along) <= 0) {
        fit->turns += fit->along.count > 0;
        fit->along = step;
    }
    fit->latest = *other;
}

static bool can_fit(const linear_fit *fit, const savings_numbers *one, const savings_numbers *other)
{
    return !fit->broken && one->count && one->count == other->count && one->count == fit->one.count &&
           isfinite(savings_length_of(one)) && isfinite(savings_length_of(other));
}

static void linear_add(linear_fit *fit, const savings_numbers *one, const savings_numbers *other)
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

static bool linear_holds(const linear_fit *fit)
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

static char *linear_text(const linear_fit *fit, const char *other)
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

/* --- all of them --------------------------------------------------------------------------------- */

static void compare(derived_value *of, uint64_t bit, const savings_numbers *value,
                    const savings_numbers *other)
{
    for (int kind = 0; kind < DERIVED_LINEAR; kind++) {
        if ((of->derived[kind] & bit) && !relations[kind].holds(value, other)) {
            of->derived[kind] &= ~bit;
        }
        if ((of->derives[kind] & bit) && !relations[kind].holds(other, value)) {
            of->derives[kind] &= ~bit;
        }
    }
}

static uint64_t any_of(const derived_value *of)
{
    uint64_t any = 0;
    for (int kind = 0; kind < DERIVED_LINEAR; kind++) {
        any |= of->derived[kind] | of->derives[kind];
    }
    for (unsigned i = 0; i < DERIVED_SOURCES; i++) {
        any |= (uint64_t)!of->linear[i].broken << i;
    }
    return any;
}

uint64_t derived_candidates(const derived_value *of, uint32_t index)
{
    uint64_t before = index < DERIVED_MOST ? (UINT64_C(1) << index) - 1 : 0;
    return of->compared ? before & (of->twins | any_of(of)) : before;
}

void derived_compare(derived_value *of, const godot_tap_variant *value, uint32_t index, uint64_t known,
                     uint64_t changed)
{
    of->twins = (of->compared ? of->twins : UINT64_MAX) & known;
    for (int kind = 0; kind < DERIVED_LINEAR; kind++) {
        of->derived[kind] = (of->compared ? of->derived[kind] : UINT64_MAX) & known;
        of->derives[kind] = (of->compared ? of->derives[kind] : UINT64_MAX) & known;
    }
    for (unsigned i = 0; i < DERIVED_SOURCES; i++) {
        of->linear[i].broken |= !(known >> i & 1);
    }
    of->compared = true;
    bool has_changed = index < DERIVED_MOST && (changed >> index & 1);
    uint64_t any = any_of(of) & (has_changed ? UINT64_MAX : changed);
    savings_numbers numbers = any ? savings_numbers_at(value) : (savings_numbers){.count = 0};
    for (uint64_t left = of->twins | any; left; left &= left - 1) {
        uint64_t bit = left & -left;
        const godot_tap_variant *other = value - index + __builtin_ctzll(left);
        if (other->length != value->length || memcmp(other->bytes, value->bytes, other->length) != 0) {
            of->twins &= ~bit;
        }
        if (any & bit) {
            savings_numbers of_other = savings_numbers_at(other);
            compare(of, bit, &numbers, &of_other);
            if (bit < UINT64_C(1) << DERIVED_SOURCES) {
                linear_add(&of->linear[__builtin_ctzll(bit)], &numbers, &of_other);
            }
        }
    }
}

int derived_kind(const derived_value *one, const derived_value *other, unsigned place, bool before)
{
    const uint64_t *bits = before ? one->derived : other->derives;
    int kind = 0;
    while (kind < DERIVED_LINEAR && !(bits[kind] >> place & 1)) {
        kind++;
    }
    bool fits = before && place < DERIVED_SOURCES && linear_holds(&one->linear[place]);
    return kind < DERIVED_LINEAR || fits ? kind : DERIVED_KINDS;
}

char *derived_text(int kind, const derived_value *one, unsigned place, const char *other)
{
    if (kind == DERIVED_LINEAR) {
        return linear_text(&one->linear[place], other);
    }
    return g_strconcat(relations[kind].before, other, relations[kind].after, NULL);
}
