/* relayed.h
 *
 * A packet that the server passes on is in two frames, and its receiver's error is about the second. What the
 * engine has said is then known at the first one, too, and is not concluded there once more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_REPORTS_RELAYED_H
#define GODOT_REPORTS_RELAYED_H

#include "multiplayer/reports/reports.h"

void godot_relayed_init(void);

typedef struct {
    int32_t from, to; /* ids of the peers; 0: not known */
    const uint8_t *bytes;
    uint32_t length;
} relayed_contents;

/* First pass, if a report may come: the packet goes to the server, or is passed on by it. The first copy with
 * the same contents belongs to the first packet, and so on. */
void godot_relayed_learn(report_packet packet, const relayed_contents *contents, bool passed_on);

/* Reports about what the server has passed on of this packet; NULL: none. */
const godot_report *godot_relayed_reports(report_packet packet);

#endif
