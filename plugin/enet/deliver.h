/* deliver.h
 *
 * Passes messages to subdissectors: Decode As, the heuristic list "enet", or none; see enet/api/payload.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_DELIVER_H
#define ENET_DELIVER_H

#include "enet/api/payload.h"
#include "enet/state/view.h"

void enet_deliver_register(int proto);

/* All but message_index and number. `message`: NULL if it was not fragmented;
 * `share`: bytes of the frame for this command. */
enet_payload_info enet_describe_message(const enet_view *view, const enet_command *command,
                                        const enet_command_record *record, const enet_message *message,
                                        uint32_t share);

/* Calls a dissector for the message; false if none accepts it. */
bool enet_deliver(const enet_view *view, const enet_payload_info *info, enet_command_record *record,
                  tvbuff_t *message);

#endif
