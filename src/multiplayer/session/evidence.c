/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/session/evidence.h"

#include "base/array.h"

struct godot_gap {
    uint32_t before; /* number of a message */
    godot_missing reason;
};

enum { MAX_GAPS = 10000 }; /* of one end; beyond that, everything that follows counts as a gap */

const char *godot_missing_text(godot_missing reason)
{
    static const char *const texts[GODOT_MISSING_REASONS] = {
        [GODOT_MISSING_NOTHING] = "nothing is missing",
        [GODOT_MISSING_DIRECTION] = "one direction was not captured",
        [GODOT_MISSING_BEGINNING] = "the capture starts late",
        [GODOT_MISSING_SEGMENTS] = "TCP segments are missing or out of order",
        [GODOT_MISSING_BYTES] = "cut by the snap length",
        [GODOT_MISSING_PACKETS] = "packets are missing",
        [GODOT_MISSING_NUMBERS] = "the records have no numbers",
        [GODOT_MISSING_ORDER] = "captured in another order",
    };
    return texts[reason];
}

void godot_evidence_add(const memory_allocator *memory, godot_evidence *seen, uint32_t number,
                        godot_missing reason)
{
    if (reason == GODOT_MISSING_SEGMENTS && seen->garbled_from == 0) {
        seen->garbled_from = number;
    }
    struct godot_gap *last = seen->count ? &seen->gaps[seen->count - 1] : NULL;
    if (last && last->before == number) {
        last->reason = reason < last->reason ? reason : last->reason;
    } else if (array_grow(memory, &seen->gaps, seen->count, &seen->room, MAX_GAPS, sizeof *seen->gaps)) {
        seen->gaps[seen->count++] = (struct godot_gap){number, reason};
    }
}

static int compare_gap(const void *element, const void *key)
{
    const struct godot_gap *gap = element;
    const uint32_t *number = key;
    return gap->before < *number ? -1 : gap->before > *number;
}

godot_missing godot_evidence_between(const godot_evidence *seen, uint32_t after, uint32_t before)
{
    uint32_t next = after + 1;
    uint32_t place = lower_bound(&next, seen->gaps, seen->count, sizeof *seen->gaps, compare_gap);
    if (place < seen->count) {
        return seen->gaps[place].before <= before ? seen->gaps[place].reason : GODOT_MISSING_NOTHING;
    }
    return seen->count >= MAX_GAPS ? GODOT_MISSING_PACKETS : GODOT_MISSING_NOTHING;
}
