/* frames.c
 *
 * Statistics → Godot Frames, and `-z godot,frames[,FILE.csv][,FILTER]`: what a peer sends in one frame of the
 * game, as a row with a bar: which frames are large, and of what. In the order of time.
 *
 * The frames of a game are not on the wire. What a peer sends at about the same time is taken for one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "statistics/table.h"

#include "multiplayer/peers/names.h"
#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/time/time.h"
#include "multiplayer/statistics/values/bursts.h"
#include "multiplayer/statistics/values/filters.h"
#include "multiplayer/statistics/values/shares.h"

/* A quarter of an hour of a game at 60 frames a second. */
#define MAX_ROWS 50000u
/* Senders that are remembered; hostile traffic can have any number. */
#define MAX_SENDERS 8000u
enum {
    MAX_NAMES = 8,   /* that are counted of a frame; those beyond are in the last one */
    NAMES_SHOWN = 3, /* the largest */
    BLOCK_BYTES = 64,
    MAX_BLOCKS = 40 /* of a bar; what is beyond is "+" */
};

enum { FRAMES, TABLES };
static const char *const titles[TABLES] = {[FRAMES] = "Frames of the game"};

enum { SECONDS, WIRE, MESSAGES, SINCE, FROM, BAR, WHAT, FILTER, COLUMNS };
static stat_tap_table_item columns[COLUMNS] = {
    [SECONDS] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "Seconds", "%s"},
    [WIRE] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes on the wire", "%u"},
    [MESSAGES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Messages", "%u"},
    [SINCE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "After, ms", "%.2f"},
    [FROM] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "From", "%s"},
    [BAR] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Size", "%s"},
    [WHAT] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "What", "%s"},
    [FILTER] = {STAT_TABLE_FILTER},
};

typedef enum { PART_STATE, PART_CALL, PART_SPAWN, PART_OTHER, PARTS } frame_part;
static const char *const blocks[PARTS] = {
    [PART_STATE] = "█", [PART_CALL] = "▓", [PART_SPAWN] = "▒", [PART_OTHER] = "░"};

typedef struct {
    char *name;
    uint32_t messages;
    uint64_t bytes;
} counted_name;

/* The latest frame of a sender. */
typedef struct {
    double begin;
    uint32_t first; /* frame of the capture */
    char *key;      /* of its row */
    counted_name names[MAX_NAMES];
    unsigned name_count;
    uint64_t parts[PARTS]; /* bytes on the wire */
} game_frame;

typedef struct {
    wmem_allocator_t *pool;
    wmem_map_t *latest; /* text of the sender to game_frame */
    uint32_t last_frame;
} frame_state;

static void *begin(wmem_allocator_t *pool)
{
    frame_state *state = wmem_new0(pool, frame_state);
    state->pool = pool;
    state->latest = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    return state;
}

static frame_part part_of(const godot_tap *tap)
{
    const char *what = tap->what ? tap->what : "";
    return tap->call                                                    ? PART_CALL
           : g_str_has_prefix(what, "synchronize") || tap->set          ? PART_STATE
           : strcmp(what, "spawn") == 0 || strcmp(what, "despawn") == 0 ? PART_SPAWN
                                                                        : PART_OTHER;
}

static void count_name(frame_state *state, game_frame *frame, const char *name, uint32_t bytes)
{
    unsigned i = 0;
    while (i < frame->name_count && strcmp(frame->names[i].name, name) != 0) {
        i++;
    }
    if (i == frame->name_count && i < MAX_NAMES) {
        frame->names[frame->name_count++] =
            (counted_name){wmem_strdup(state->pool, i + 1 < MAX_NAMES ? name : "others"), 0, 0};
    }
    counted_name *counted = &frame->names[MIN(i, MAX_NAMES - 1)];
    counted->messages++;
    counted->bytes += bytes;
}

static int by_bytes(const void *a, const void *b)
{
    const counted_name *first = (const counted_name *)a, *second = (const counted_name *)b;
    return first->bytes > second->bytes ? -1 : first->bytes < second->bytes;
}

/* The largest first: "12 synchronize, aim(), 2 others". */
static void set_what(stat_cell *cell, const game_frame *frame)
{
    counted_name sorted[MAX_NAMES];
    unsigned named = MIN(frame->name_count, MAX_NAMES - 1);
    uint32_t others = frame->name_count > named ? frame->names[named].messages : 0;
    GString *text = g_string_new(NULL);
    memcpy(sorted, frame->names, named * sizeof *sorted);
    qsort(sorted, named, sizeof *sorted, by_bytes);
    for (unsigned i = 0; i < named; i++) {
        if (i >= NAMES_SHOWN) {
            others += sorted[i].messages;
            continue;
        }
        g_string_append(text, i ? ", " : "");
        if (sorted[i].messages > 1) {
            g_string_append_printf(text, "%u ", sorted[i].messages);
        }
        g_string_append(text, sorted[i].name);
    }
    if (others) {
        g_string_append_printf(text, ", %u other%s", others, others == 1 ? "" : "s");
    }
    stat_cell_set_text(cell, text->str);
    g_string_free(text, TRUE);
}

static void set_bar(stat_cell *cell, const game_frame *frame)
{
    GString *text = g_string_new(NULL);
    uint64_t bytes = 0;
    unsigned drawn = 0;
    for (unsigned part = 0; part < PARTS; part++) {
        bytes += frame->parts[part];
        for (; drawn < MIN((bytes + BLOCK_BYTES / 2) / BLOCK_BYTES, MAX_BLOCKS); drawn++) {
            g_string_append(text, blocks[part]);
        }
    }
    g_string_append(text, bytes > (uint64_t)MAX_BLOCKS * BLOCK_BYTES ? "+" : "");
    stat_cell_set_text(cell, text->str);
    g_string_free(text, TRUE);
}

static const char *sender_key(const packet_info *pinfo, const godot_tap *tap)
{
    return tap->sender ? wmem_strdup_printf(pinfo->pool, "%d", tap->sender)
                       : wmem_strdup_printf(pinfo->pool, "session %u %d", tap->session, tap->from_initiator);
}

/* The sender's frame that the message belongs to; NULL: there are too many senders. `since`: seconds since
 * the one before if it is a new one, else below 0. */
static game_frame *frame_of(frame_state *state, const packet_info *pinfo, const char *sender, double *since)
{
    game_frame *frame = wmem_map_lookup(state->latest, sender);
    double now = nstime_to_sec(&pinfo->rel_ts);
    *since = frame ? now - frame->begin : 0;
    if (frame && *since >= 0 && *since < GODOT_BURST_SECONDS) {
        *since = -1;
        return frame;
    }
    if (!frame && wmem_map_size(state->latest) >= MAX_SENDERS) {
        return NULL;
    }
    if (!frame) {
        frame = wmem_new(state->pool, game_frame);
        wmem_map_insert(state->latest, wmem_strdup(state->pool, sender), frame);
    }
    *frame = (game_frame){.begin = now, .first = pinfo->num};
    frame->key = wmem_strdup_printf(state->pool, "%u %s", pinfo->num, sender);
    return frame;
}

/* What the server passes on has both names. */
static const char *filter_sender(wmem_allocator_t *pool, const char *frames, const godot_tap *tap,
                                 const char *from)
{
    const char *of = tap->sender ? godot_filter_text(pool, "godot.from", from) : "";
    bool server = g_str_has_prefix(from, "server");
    return godot_filter_both(
        pool, frames, *of && !server ? godot_filter_both(pool, of, "!(godot.from matches \"^server\")") : of);
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    const godot_tap *tap = data;
    stat_table *table = stat_table_of(tap_data);
    if (pinfo->num < ((frame_state *)table->state)->last_frame) {
        stat_table_restart(table); /* a window reads the file again, its rows are empty */
    }
    frame_state *state = table->state;
    state->last_frame = pinfo->num;
    double since;
    game_frame *frame = frame_of(state, pinfo, sender_key(pinfo, tap), &since);
    if (!frame) {
        return TAP_PACKET_DONT_REDRAW;
    }
    stat_cell *row = stat_table_row(table, FRAMES, frame->key);
    if (!stat_row_is_other(row)) {
        const char *from = tap->sender ? godot_peer_name(pinfo->pool, tap->sender) : "?";
        if (since >= 0) {
            stat_cell_set_text(&row[SECONDS], wmem_strdup_printf(pinfo->pool, "%10.3f", frame->begin));
            stat_cell_set_number(&row[SINCE], 1000 * since);
            stat_cell_set_text(&row[FROM], from);
        }
        const char *frames = wmem_strdup_printf(pinfo->pool, "frame.number >= %u && frame.number <= %u",
                                                frame->first, pinfo->num);
        stat_row_set_filter(table, row, filter_sender(pinfo->pool, frames, tap, from));
        frame->parts[part_of(tap)] += tap->wire_length;
        count_name(state, frame, godot_counted_name(pinfo->pool, tap), tap->wire_length);
        set_bar(&row[BAR], frame);
        set_what(&row[WHAT], frame);
    }
    stat_cell_add(&row[WIRE], tap->wire_length);
    stat_cell_add(&row[MESSAGES], tap->repeated ? 0 : 1);
    return TAP_PACKET_REDRAW;
}

void godot_frames_register(int proto _U_)
{
    static stat_table table = {STAT_TABLE("Godot Frames", "godot,frames", "godot", packet, columns, titles),
                               .max_rows = MAX_ROWS, .sort_column = STAT_TABLE_UNSORTED, .begin = begin,
                               .heading = godot_heading};
    stat_table_register(&table);
}
