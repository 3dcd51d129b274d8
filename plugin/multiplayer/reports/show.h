/* show.h
 *
 * Shows reports: at their own line of the packet list, and at the packet that they are about.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_REPORTS_SHOW_H
#define GODOT_REPORTS_SHOW_H

#include "multiplayer/reports/reports.h"

void godot_reports_register_fields(int proto);

/* Where items are added. */
typedef struct {
    packet_info *pinfo;
    tvbuff_t *tvb;
    proto_tree *tree;
    proto_item *item; /* that the tree belongs to, for expert infos */
} report_view;

/* "ERROR RPC 'kick' is not allowed on node …", "SCRIPT ERROR res://unit.gd:42: …", "hello": a line of at most
 * `limit` bytes, as the engine prints it. In `pool`. */
const char *godot_report_line(wmem_allocator_t *pool, const godot_report *report, size_t limit);

/* "ERROR", "SCRIPT ERROR", "print", … */
const char *godot_report_kind_name(report_kind kind);

/* "res://unit.gd:42 @ hit()", "unit.cpp:42" without a function: one line, not more than 200 bytes of
 * each name. In `pool`. */
const char *godot_report_place(wmem_allocator_t *pool, const report_place *place);

/* The line of a script that it comes from: "res://unit.gd:42 @ hit()"; NULL: not known. */
const char *godot_report_script(wmem_allocator_t *pool, const godot_report *report);

/* Adds the fields of the report and calls the tap; an error also gets its expert info, unless `own_expert`
 * is set, since the caller adds another one. */
void godot_report_show(const report_view *view, const godot_report *report, bool own_expert);

/* Adds what was reported about a packet, with expert infos. Returns what the engine printed, as one line;
 * NULL: nothing. */
const char *godot_reports_show_at_packet(const report_view *view, const godot_report *reports);

/* Adds references to the reports about the same packet at its receiver. */
void godot_reports_refer(const report_view *view, const godot_report *reports);

/* Adds the script lines that have sent a packet: at the packet, with a reference to their record; or at the
 * record, with one to the packet. */
void godot_report_show_origin(const report_view *view, const report_origin *origin);
void godot_report_show_origin_record(const report_view *view, const report_origin *origin,
                                     uint32_t packet_frame);

/* Whether the engine's own code for multiplayer refuses a packet with this error, not a method that the
 * packet has called. */
bool godot_report_is_refusal(const godot_report *report);

#endif
