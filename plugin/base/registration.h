/* registration.h
 *
 * Registration that the dissectors of this plugin have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef REGISTRATION_H
#define REGISTRATION_H

#include "base/wireshark-compat.h"

#include <epan/expert.h>

#include "base/findings.h"

/* A name for filters: `prefix`, `name` ("PackedVector2Array" gives "packed_vector2_array", "invalid UTF-8"
 * gives "invalid_utf_8") and, if not NULL, a dot and `component`. Lives as long as the program. */
const char *filter_name(const char *prefix, const char *name, const char *component);

/* One expert info for each of `count` problems, named by `prefix` and the problem. `facts` and `fields` have
 * `count` elements and live as long as the program. */
void register_problems(expert_module_t *module, const char *prefix, const problem_facts *facts,
                       expert_field *fields, unsigned count);

/* Which of several heuristic dissectors gets a WebSocket message. Wireshark calls the dissectors of a
 * heuristic list in an order that changes while it runs, and a message of the remote debugger is also a valid
 * Variant.
 *
 * Registers a function that returns true for messages of the caller's protocol; it has precedence over
 * heuristics with weaker evidence. For handoff functions. */
void claim_websocket(bool (*claims)(tvbuff_t *tvb, packet_info *pinfo));
/* True if a message is claimed: the heuristics of others return false then. */
bool websocket_is_claimed(tvbuff_t *tvb, packet_info *pinfo);

/* Offers a dissector under Decode As in those of the tables (the last name is NULL) that this Wireshark has
 * and that allow it. */
void offer_decode_as(dissector_handle_t handle, const char *const *tables);

#endif
