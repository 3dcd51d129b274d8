/* search.h
 *
 * Which packet an error in the remote debugger's stream is about. The stream does not say it, nor which of
 * the captured sockets are those of its game: the text names node, method and sender, and the packet is one
 * of those that came shortly before. Only what is certain counts: all packets that the text fits went to
 * the same peer, and there are as many of them as errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_REPORTS_SEARCH_H
#define GODOT_REPORTS_SEARCH_H

#include "multiplayer/reports/reports.h"

void godot_report_search_init(void);

/* A packet that an error may be about. */
typedef struct {
    report_packet packet;
    int32_t sender, receiver; /* peer ids; 0: not known */
    uint64_t way;             /* number of the session and direction: stands for an unknown receiver */
    const char *node;         /* path; NULL: none, or not known */
    const char *method;       /* "#3" if its name is not known; NULL: it is no call */
    unsigned kind;            /* an engine_packet_kind */
    int32_t arguments;        /* of a call */
} report_candidate;

/* Whether there is a debugger's connection, so that a report may come. */
bool godot_report_wants_candidates(void);

/* First pass: remembers the packet, which is about a node. */
void godot_report_candidate(const packet_info *pinfo, const report_candidate *candidate);

/* First pass: there is a debugger's connection from now on. */
void godot_report_expect(void);

/* First pass: searches the packet of the debugger's report with this number in the frame, and attaches the
 * report if it is certain; or does so when it becomes certain by a later one. */
void godot_report_search(const packet_info *pinfo, engine_process *source, const address *game,
                         const godot_report *report, uint32_t number);

#endif
