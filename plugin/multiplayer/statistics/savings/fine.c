/* fine.c
 *
 * Changes of properties in replication mode On Change that are too small to be seen, as of a body that
 * trembles while it rests; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <math.h>

#include "multiplayer/statistics/savings/savings.h"

/* A hundredth of a pixel, a centimetre, half a degree. */
#define FINE      0.01
#define FINE_TEXT "0.01"
/* Share of the changes of a property from which that is said of it. */
#define OFTEN 0.25

/* Compared with the latest value that would be sent: what moves slowly is sent now and then. */
static bool is_fine(property_track *own, const godot_tap_variant *value)
{
    savings_numbers now = savings_numbers_at(value);
    bool fine = now.count && now.count == own->sent.count;
    for (unsigned i = 0; fine && i < now.count; i++) {
        fine = fabs(now.at[i] - own->sent.at[i]) < FINE;
    }
    if (!fine) {
        own->sent = now;
    }
    return fine;
}

void savings_count_fine(synchronizer *of, synchronized_property *one, property_track *own,
                        const godot_update *update, uint32_t index)
{
    fine_changes *fine = &of->fine;
    if (index == 0) {
        fine->values = fine->value_bytes = 0;
    }
    if (!is_fine(own, update->variants)) {
        return;
    }
    uint32_t length = godot_update_length(update);
    one->fine++;
    fine->values++;
    fine->value_bytes += length;
    fine->bytes += length;
    if (fine->values == update->part->value_count) { /* nothing is left of the part */
        fine->parts++;
        fine->bytes += update->part->length - fine->value_bytes;
    }
}

void savings_end_fine(savings *all, const godot_tap *tap)
{
    for (uint32_t i = 0; i < tap->part_count; i++) {
        synchronizer *of = all->of_parts->pdata[i];
        if (of && of->fine.bytes) {
            bool whole = of->fine.parts == tap->part_count;
            savings_add(all, &of->fine.saved, whole ? savings_command_length(tap) : of->fine.bytes, whole);
            of->fine.saved.acknowledgements += whole && tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
            of->fine.bytes = of->fine.parts = 0;
        }
    }
}

bool savings_advise_fine(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    uint64_t fine = 0, changes = 0;
    GString *names = g_string_new(NULL);
    for (unsigned i = 0; i < of->changing->len; i++) {
        const synchronized_property *one = of->changing->pdata[i];
        if (one->fine >= SAVINGS_LEAST && (double)one->fine >= OFTEN * (double)one->changes) {
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", one->name);
            fine += one->fine;
            changes += one->changes;
        }
    }
    if (fine) {
        char *where = savings_synchronizer_text(of);
        savings_row found = {
            .bytes = savings_with_acknowledgements(all, &of->fine.saved),
            .what =
                g_strdup("Set it only when it differs by " FINE_TEXT " or more, or round it with snapped()"),
            .where = g_strdup_printf("%s: %s", where, names->str),
            .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " changes were by less than " FINE_TEXT
                                   ". If nobody sees these",
                                   fine, changes),
            .but = "What moves slowly goes by steps",
            .evidence = &of->fine.saved};
        savings_add_row(all, rows, found);
        g_free(where);
    }
    g_string_free(names, TRUE);
    return fine > 0;
}
