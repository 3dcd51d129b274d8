/* events.h
 *
 * Records of what happened in the game besides packets: reports, output, changes of nodes, pauses, and the
 * script lines that have sent a packet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RECORDER_EVENTS_H
#define RECORDER_EVENTS_H

#include "recorder/view.h"

void recorder_events_register(int proto);

/* Adds the multiplayer authority of the node that a text is about; false: it has none. */
bool recorder_add_authority(const record_state *state, recorder_json *json, int32_t *authority);

void recorder_dissect_report(const record_state *state);
void recorder_dissect_output(const record_state *state);
void recorder_dissect_node(const record_state *state);
void recorder_dissect_pause(const record_state *state);
void recorder_dissect_origin(const record_state *state);

#endif
