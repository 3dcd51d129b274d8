/* packet-enet.c
 *
 * ENet 1.3: reliable UDP. Registration: the protocol and the tables through which the protocols of an
 * application take their messages (enet-payload.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "wireshark-compat.h"

#include <epan/decode_as.h>

#include "enet-payload.h"

static int proto_enet = -1;

static dissector_table_t payload_table; /* "enet.payload": chosen by Decode As */
static dissector_table_t channel_table; /* "enet.channel" */
static heur_dissector_list_t payload_heuristics;

void proto_register_enet(void);
void proto_reg_handoff_enet(void);

void proto_register_enet(void)
{
    proto_enet = proto_register_protocol("ENet Protocol", "ENet", "enet");
    payload_table = register_decode_as_next_proto(proto_enet, "enet.payload", "ENet payload", NULL);
    channel_table = register_dissector_table("enet.channel", "ENet channel", proto_enet, FT_UINT8, BASE_DEC);
    payload_heuristics = register_heur_dissector_list("enet", proto_enet);
}

void proto_reg_handoff_enet(void)
{
    (void)payload_table;
    (void)channel_table;
    (void)payload_heuristics;
}
