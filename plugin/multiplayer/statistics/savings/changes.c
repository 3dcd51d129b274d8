/* changes.c
 *
 * Changes of properties in replication mode On Change that receivers do not need: too small to be seen, as of
 * a body that trembles while it rests; from one value to another and back, at an even pace. See savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <math.h>

#include "multiplayer/statistics/savings/savings.h"

/* A hundredth of a pixel, a centimetre, half a degree. */
#define FINE      0.01
#define FINE_TEXT "0.01"
/* By so much of it, or seconds, a time between two changes may differ from the one before: frames do not come
 * evenly. */
#define UNEVEN       0.2
#define UNEVEN_FRAME 0.02

/* Compared with the latest value that would be sent: what moves slowly is sent now and then. */
static bool is_fine(property_track *own, const godot_update *update, double now _U_)
{
    savings_numbers value = savings_numbers_at(update->variants);
    bool fine = value.count && value.count == own->sent.count;
    for (unsigned i = 0; fine && i < value.count; i++) {
        fine = fabs(value.at[i] - own->sent.at[i]) < FINE;
    }
    if (!fine) {
        own->sent = value;
    }
    return fine;
}

/* The first changes tell that it begins, and what ends it is another time. */
static bool is_toggled(property_track *own, const godot_update *update, double now)
{
    toggled_value *before = &own->toggled;
    uint32_t hash = godot_update_hash(update);
    double step = now - before->time;
    bool even = fabs(step - before->step) <= MAX(UNEVEN_FRAME, UNEVEN * before->step);
    bool back = before->count > 1 && hash == before->hashes[1] && hash != before->hashes[0];
    before->hashes[1] = before->hashes[0];
    before->hashes[0] = hash;
    before->time = now;
    before->step = step;
    before->count++;
    return even && back;
}

static const struct {
    bool (*is)(property_track *own, const godot_update *update, double now);
    double often; /* share of the changes of a property from which that is said of it */
    const char *what, *why, *but;
} needless[NEEDLESS_KINDS] = {
    [NEEDLESS_FINE] = {is_fine, 0.25,
                       "Set it only when it differs by " FINE_TEXT " or more, or round it with snapped()",
                       "were by less than " FINE_TEXT ". If nobody sees these",
                       "What moves slowly goes by steps"},
    [NEEDLESS_TOGGLED] = {is_toggled, 0.6, "Never (with Spawn): each peer can toggle it by itself",
                          "were back to the value before the latest one, at an even pace",
                          "What starts or stops it has to be told, by a call or On Change"},
};

static void count_needless(needless_changes *of, const godot_update *update)
{
    uint32_t length = godot_update_length(update);
    of->values++;
    of->value_bytes += length;
    of->bytes += length;
    if (of->values == update->part->value_count) { /* nothing is left of the part */
        of->parts++;
        of->bytes += update->part->length - of->value_bytes;
    }
}

void savings_count_needless(const savings *all, synchronizer *of, synchronized_property *one,
                            property_track *own, const godot_update *update, uint32_t index)
{
    for (int kind = 0; kind < NEEDLESS_KINDS; kind++) {
        needless_changes *changes = &of->needless[kind];
        if (index == 0) {
            changes->values = changes->value_bytes = 0;
        }
        if (needless[kind].is(own, update, all->now)) {
            one->needless[kind]++;
            count_needless(changes, update);
        }
    }
}

static void end_needless(savings *all, const godot_tap *tap, needless_changes *of)
{
    bool whole = of->parts == tap->part_count;
    if (of->bytes) {
        savings_add(all, &of->saved, whole ? savings_command_length(tap) : of->bytes, whole);
        of->saved.acknowledgements += whole && tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    }
    of->bytes = of->parts = 0;
}

void savings_end_needless(savings *all, const godot_tap *tap)
{
    for (uint32_t i = 0; i < tap->part_count; i++) {
        synchronizer *of = all->of_parts->pdata[i];
        for (int kind = 0; of && kind < NEEDLESS_KINDS; kind++) {
            end_needless(all, tap, &of->needless[kind]);
        }
    }
}

static double advise(const savings *all, GPtrArray *rows, const synchronizer *of, int kind)
{
    double saved = savings_with_acknowledgements(all, &of->needless[kind].saved);
    uint64_t count = 0, changes = 0;
    GString *names = g_string_new(NULL);
    for (unsigned i = 0; i < of->changing->len; i++) {
        const synchronized_property *one = of->changing->pdata[i];
        uint64_t here = one->needless[kind];
        if (here >= SAVINGS_LEAST && (double)here >= needless[kind].often * (double)one->changes) {
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", one->name);
            count += here;
            changes += one->changes;
        }
    }
    if (count) {
        char *where = savings_synchronizer_text(of);
        savings_row found = {.bytes = saved,
                             .what = g_strdup(needless[kind].what),
                             .where = g_strdup_printf("%s: %s", where, names->str),
                             .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " changes %s", count, changes,
                                                    needless[kind].why),
                             .but = needless[kind].but,
                             .evidence = &of->needless[kind].saved};
        savings_add_row(all, rows, found);
        g_free(where);
    }
    g_string_free(names, TRUE);
    return count ? saved : 0;
}

double savings_advise_needless(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    double most = 0;
    for (int kind = 0; kind < NEEDLESS_KINDS; kind++) {
        double saved = advise(all, rows, of, kind);
        most = MAX(most, saved);
    }
    return most;
}
