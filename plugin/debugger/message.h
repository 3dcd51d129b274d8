/* message.h
 *
 * Shows a message of the remote debugger, with known name and direction: tree, Info column, expert infos.
 * Declares the fields of `godot.debugger`, which packet-godot-debugger.c uses as well.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DEBUGGER_MESSAGE_H
#define DEBUGGER_MESSAGE_H

#include "base/wireshark-compat.h"

#include <epan/expert.h>

#include "debugger/messages.h"
#include "debugger/recogniser.h"
#include "multiplayer/reports/reports.h"
#include "variant/api.h"

#define DEBUGGER_MAX_INFO 160u /* bytes of a message in the Info column */
#define DEBUGGER_MAX_TEXT 500u /* bytes of one argument in it and in expert infos */

extern int hf_debugger_length, hf_debugger_message, hf_debugger_thread_id, hf_debugger_argument_count,
    hf_debugger_argument_index, hf_debugger_message_frame, hf_debugger_direction, hf_debugger_undecoded,
    hf_debugger_more, hf_debugger_encoding;
extern int ett_debugger;
extern expert_field ei_debugger_error, ei_debugger_warning, ei_debugger_break, ei_debugger_too_long,
    ei_debugger_not_a_message, ei_debugger_undecoded, ei_debugger_trailing, ei_debugger_more;

void debugger_fields_register(int proto);

/* Arguments whose text is needed for a summary or an expert info. */
#define DEBUGGER_STACK 8 /* levels of a script's stack that are reported */
#define MAX_WANTED     (7 + 3 * DEBUGGER_STACK)
typedef struct {
    const char *name[MAX_WANTED];
    const char *text[MAX_WANTED]; /* NULL: not there, or not shown yet */
    unsigned count;               /* entries of both */
} wanted_arguments;

/* Where a game has stopped in the script debugger and not gone on yet. First pass. */
typedef struct {
    uint32_t frame; /* frame_order(); 0: it runs, or the capture does not show it */
    nstime_t time;
} debugger_stop;

/* One message being shown. */
typedef struct {
    tvbuff_t *tvb; /* its Variant */
    packet_info *pinfo;
    proto_tree *tree;
    proto_item *item;
    proto_tree *encoding; /* the last subtree: how the message was sent */
    variant_options options;
    const debugger_message *message; /* NULL: the game's own */
    const char *name;                /* NULL: none was found */
    wanted_arguments wanted;
    wmem_strbuf_t *line; /* all arguments, if there is no template */
    uint64_t repetitions;
    bool is_warning;        /* an error message that is a warning */
    engine_process *source; /* the game that says it; NULL: the editor does, or there are too many games */
    debugger_stop *stop;    /* of the connection */
} message_view;

/* Prepares `view` for the message whose Variant is `tvb`; its tree is that of `item`. */
void debugger_begin_view(message_view *view, tvbuff_t *tvb, packet_info *pinfo, proto_item *item,
                         unsigned api);

/* Moves `encoding` after everything that was added since. */
void debugger_end_view(message_view *view);

/* Godot 4: [name, thread id, [arguments]]. */
void debugger_show_v4(message_view *view, debugger_direction direction);

/* Godot 3, editor to game: [name, arguments…]. */
void debugger_show_v3_command(message_view *view);

/* Shows an error of Godot 3: one Array with the values that Godot 4 sends as arguments. Returns its text for
 * the Info column. */
const char *debugger_show_v3_error(message_view *view);

/* To be called after that: the text of the error without file and line, in pinfo->pool. */
const char *debugger_v3_error_text(const message_view *view);

/* Adds the name and the most important arguments to the Info column and to `item`, and expert infos for
 * errors and breakpoints. Does nothing if no name was found. */
void debugger_show_summary(message_view *view);

/* Shows how long the game had stopped where it goes on. debugger_show_summary() has done that. */
void debugger_show_stop(const message_view *view);

/* `text` as one line of at most `limit` bytes, cut between characters, in pinfo->pool. */
const char *debugger_cut(packet_info *pinfo, const char *text, size_t limit);

/* The text of an argument in view->wanted; NULL: there is none. */
const char *debugger_text_named(const message_view *view, const char *name);

/* Appends to the text of the message's item. */
void debugger_append_label(message_view *view, const char *text);

/* Reads the value at `offset` of the message. */
void debugger_read(const message_view *view, godot_variant *value, uint32_t offset, uint32_t length);

/* A value as text, in pinfo->pool: strings without quotes, whole numbers without a decimal point. */
const char *debugger_plain_text(const godot_variant *value);

#endif
