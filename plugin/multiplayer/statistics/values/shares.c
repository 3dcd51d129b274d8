/* shares.c
 *
 * How statistics divide a message about several nodes among them; see shares.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/state/tap.h"
#include "multiplayer/statistics/values/shares.h"

uint64_t godot_share_of(uint64_t value, uint64_t begin, uint64_t end, uint64_t all)
{
    return all ? end * value / all - begin * value / all : 0;
}

godot_shares godot_shares_of(const godot_tap *tap)
{
    godot_shares shares = {.tap = tap};
    for (uint32_t i = 0; i < tap->part_count; i++) {
        shares.all += tap->parts[i].length;
    }
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
        share->bytes = godot_share_of(bytes, begin, end, shares->all);
        share->wire = godot_share_of(tap->wire_length, begin, end, shares->all);
        shares->begin = end;
    }
    share->node = share->node ? share->node : "(no node)";
    shares->next++;
    return true;
}
