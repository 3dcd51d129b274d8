/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/state/session.h"
#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/values/shares.h"

#define GOLDEN_RATIO     2654435769u
#define SQUARE_ROOT_OF_2 1779033703u

const char *godot_counted_name(wmem_allocator_t *pool, const godot_tap *tap)
{
    const char *what = tap->what ? tap->what : "(unknown)";
    return tap->call ? wmem_strdup_printf(pool, "%s()", what) : what;
}

const char *godot_counted_node(const godot_tap *tap, const char *all)
{
    bool unnamed = tap->call && tap->what && *tap->what == '#';
    return !unnamed ? all : tap->node ? tap->node : "(no node)";
}

const char *godot_heading(const char *name)
{
    static const char *const names[][2] = {{"Bytes on the wire", "Packet bytes"},
                                           {"Wire bytes each", "Packet bytes each"},
                                           {"Wire bytes/s", "Packet bytes/s"}};
    const godot_totals *totals = godot_session_totals();
    for (size_t i = 0; i < array_length(names); i++) {
        if (totals->any && !totals->wire_known && strcmp(name, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return name;
}

/* The share of `value` for the bytes from `begin` to `end` of `all`. */
static uint64_t share_of(uint64_t value, uint64_t begin, uint64_t end, uint64_t all, uint64_t phase)
{
    return all ? (end * value + phase) / all - (begin * value + phase) / all : 0;
}

/* The fractional parts of multiples of an irrational number are evenly distributed (Weyl); `factor` is its
 * 32-bit fraction. */
static uint64_t phase_of(uint32_t number, uint32_t factor, uint64_t all)
{
    return (uint64_t)(number * factor) * MIN(all, UINT32_MAX) >> 32;
}

godot_shares godot_shares_of(const godot_tap *tap)
{
    godot_shares shares = {.tap = tap};
    for (uint32_t i = 0; i < tap->part_count; i++) {
        shares.all += tap->parts[i].length;
    }
    shares.phase = phase_of(tap->number, GOLDEN_RATIO, shares.all);
    return shares;
}

bool godot_next_share(godot_shares *shares, godot_share *share)
{
    const godot_tap *tap = shares->tap;
    uint64_t bytes = tap->repeated ? 0 : tap->length;
    if (shares->next >= MAX(1, tap->part_count)) {
        return false;
    }
    *share = (godot_share){NULL, tap->node, tap->repeated ? 0 : 1, bytes, tap->wire_length};
    if (tap->part_count) {
        uint64_t begin = shares->begin, end = begin + tap->parts[shares->next].length;
        share->part = &tap->parts[shares->next];
        share->node = share->part->node;
        share->bytes = share_of(bytes, begin, end, shares->all, shares->phase);
        share->wire = share_of(tap->wire_length, begin, end, shares->all, shares->phase);
        shares->begin = end;
    }
    share->node = share->node ? share->node : "(no node)";
    shares->next++;
    return true;
}

godot_property_shares godot_property_shares_of(const godot_shares *of, const godot_share *share)
{
    godot_property_shares shares = {.of = share};
    for (uint32_t i = 0; share->part && i < share->part->value_count; i++) {
        shares.all += share->part->values[i].length;
    }
    shares.phase = phase_of(of->tap->number, SQUARE_ROOT_OF_2, shares.all);
    return shares;
}

bool godot_next_property_share(godot_property_shares *shares, godot_property_share *property)
{
    const godot_share *of = shares->of;
    uint32_t count = shares->all ? of->part->value_count : 0;
    if (shares->next >= MAX(1, count)) {
        return false;
    }
    *property = (godot_property_share){NULL, of->bytes, of->wire};
    if (count) {
        const godot_tap_value *value = &of->part->values[shares->next];
        uint64_t begin = shares->begin, end = begin + value->length;
        *property =
            (godot_property_share){value->name, share_of(of->bytes, begin, end, shares->all, shares->phase),
                                   share_of(of->wire, begin, end, shares->all, shares->phase)};
        shares->begin = end;
    }
    shares->next++;
    return true;
}
