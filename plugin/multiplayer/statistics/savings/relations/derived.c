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
