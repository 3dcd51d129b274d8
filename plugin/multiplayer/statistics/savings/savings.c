/* savings.c
 *
 * The text of Statistics → Godot Savings, and which savings are reported; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include "multiplayer/peers/names.h"
#include "multiplayer/statistics/savings/savings.h"
#include "project/project.h"

#include <wsutil/str_util.h>

/* What is not judged is said from this share on. */
#define NOT_JUDGED_SHARE 0.1
static int by_bytes(gconstpointer a, gconstpointer b)
{
    const savings_row *first = *(const savings_row *const *)a, *second = *(const savings_row *const *)b;
    if (first->bytes != second->bytes) {
        return first->bytes > second->bytes ? -1 : 1;
    }
    return strcmp(first->where, second->where);
}

/* Whether a row is about something that has no name: "#3()", "Property 0". */
static bool lacks_names(const GPtrArray *rows)
{
    bool found = false;
    for (unsigned i = 0; i < rows->len; i++) {
        const char *where = ((const savings_row *)rows->pdata[i])->where;
        found |= strchr(where, '#') != NULL || strstr(where, "Property ") != NULL;
    }
    return found;
}

/* The first frames that are evidence. */
static void append_frames(const savings_row *one, GString *text)
{
    g_string_append_printf(text, "%u", one->evidence ? one->evidence->frames[0] : one->frame);
    for (int i = 1; one->evidence && i < SAVINGS_FRAMES && one->evidence->frames[i]; i++) {
        g_string_append_printf(text, ", %u", one->evidence->frames[i]);
    }
}

static void write_row(const savings *all, const savings_row *one, GString *text)
{
    double seconds = all->now - all->begin;
    g_string_append_printf(text, "\n  %5.1f %%  %.0f bytes, %.0f a second  %s\n           ",
                           100 * ratio(one->bytes, (double)all->bytes), one->bytes,
                           ratio(one->bytes, seconds), one->what);
    godot_peer_append_path(text, one->where);
    g_string_append_printf(text, "\n           %s\n", one->why);
    if (one->but) {
        g_string_append_printf(text, "           But: %s\n", one->but);
    }
    g_string_append(text,
                    one->evidence && one->evidence->frames[1] ? "           frames " : "           frame ");
    append_frames(one, text);
    g_string_append_c(text, '\n');
    GString *filter = g_string_new("frame.number in {");
    append_frames(one, filter);
    g_ptr_array_add(all->shown, g_string_free(g_string_append_c(filter, '}'), FALSE));
}

const char *savings_shown_filter(void *state, unsigned number)
{
    const GPtrArray *shown = ((const savings *)state)->shown;
    return number < shown->len ? shown->pdata[number] : NULL;
}

/* Returns their number. */
static unsigned write_rows(const savings *all, const GPtrArray *rows, bool questions, GString *text)
{
    unsigned count = 0;
    for (unsigned i = 0; i < rows->len; i++) {
        const savings_row *one = rows->pdata[i];
        if (one->question == questions) {
            if (questions && !count) {
                g_string_append(text, "\n  Questions that a capture cannot answer:\n");
            }
            write_row(all, one, text);
            count++;
        }
    }
    return count;
}

/* With this, the price of one message more or less can be told. */
static void write_message_cost(const savings *all, GString *text)
{
    if (!all->messages || all->bytes < SAVINGS_LEAST_BYTES || all->cut_frames) {
        return;
    }
    double messages = (double)all->messages, frames = (double)all->frames;
    double headers = (double)all->header_bytes / messages;
    double whole = (double)all->bytes / messages, values = (double)all->value_bytes / messages;
    double godot = (double)all->message_bytes / messages - values;
    g_string_append_printf(text,
                           "\n  A message takes %.1f bytes on the wire (mean of %" PRIu64
                           " over ENet, in %.2f datagrams each):\n"
                           "    %6.1f  below ENet: Ethernet, IP, UDP; %.1f a datagram\n"
                           "    %6.1f  ENet's headers, acknowledgements, pings, messages sent again\n"
                           "    %6.1f  Godot's: kind of message, ids or paths of nodes, sizes\n"
                           "    %6.1f  values\n",
                           whole, all->messages, frames / messages, headers,
                           (double)all->header_bytes / frames, MAX(0, whole - headers - godot - values),
                           godot, values);
}

static bool is_much_packed(const savings *all)
{
    return all->bytes >= SAVINGS_LEAST_BYTES && all->packed.bytes >= NOT_JUDGED_SHARE * (double)all->bytes;
}

static const char *why_nothing(const savings *all)
{
    return all->cut_frames
               ? "\n  Not judged: frames were not captured whole (snap length). Capture whole packets.\n"
           : all->bytes < SAVINGS_LEAST_BYTES ? "\n  Too little to tell: less than 10,000 bytes.\n"
           : is_much_packed(all)              ? "" /* of the rest there is nothing */
                                 : "\n  Nothing worth changing: nothing would save 1 % of the bytes.\n";
}

/* Whether something in it changes is not known. */
static void write_not_judged(const savings *all, GString *text)
{
    if (is_much_packed(all) && !all->cut_frames) {
        g_string_append_printf(
            text,
            "\n  Not judged: %.1f %% of the bytes are in values that the game has compressed "
            "(from frame %u on).\n  Compressed, it is not seen what of them repeats: turn that "
            "off for a capture.\n",
            100 * ratio(all->packed.bytes, (double)all->bytes), all->packed.frames[0]);
    }
}

void savings_write(const savings *all, GString *text)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(savings_free_row);
    if (!all->cut_frames) {
        savings_advise_states(all, rows);
        savings_advise_calls(all, rows);
        savings_advise_others(all, rows);
    }
    g_ptr_array_sort(rows, by_bytes);
    g_ptr_array_set_size(all->shown, 0);
    g_string_append_printf(text,
                           "\n===================================================================\n"
                           "Godot Savings: up to frame %u, %" PRIu64 " bytes on the wire in %.2f s\n",
                           all->last_frame, all->bytes, all->begin < 0 ? 0 : all->now - all->begin);
    unsigned answers = write_rows(all, rows, false, text);
    g_string_append(text, answers && all->bytes >= SAVINGS_LEAST_BYTES ? "" : why_nothing(all));
    (void)write_rows(all, rows, true, text);
    if (rows->len > 1) {
        g_string_append(text,
                        "\n  Each by itself: several together may save less than their sum, or more.\n");
    }
    write_not_judged(all, text);
    write_message_cost(all, text);
    if (lacks_names(rows)) {
        g_string_append(
            text, godot_project_available()
                      ? "\n  Numbers: neither the project's scenes and scripts nor a recording name these.\n"
                      : "\n  Names instead of numbers: add the game at Preferences > Protocols > Godot > "
                        "Godot projects, or -o godot.project:FOLDER.\n");
    }
    g_string_append(text, "===================================================================\n");
    g_ptr_array_free(rows, TRUE);
}
