/* enet-connection.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/enet-connection.h"

#include <epan/conversation.h>

#include "enet/enet-analysis.h"

#define MAX_UNPAIRED_TRIED 64u

static uint32_t connection_count;
static wmem_map_t *all_by_connect_id; /* a CONNECT to a broadcast address is answered from another one */

void enet_connections_init(void)
{
    connection_count = 0;
    all_by_connect_id = NULL; /* its memory went with the previous file */
}

uint32_t enet_connections_count(void)
{
    return connection_count;
}

/* --- conversations --------------------------------------------------------------------------------- */

static wmem_map_t *number_map(void)
{
    return wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
}

enet_conversation *enet_conversation_of(packet_info *pinfo, int proto, bool create)
{
    conversation_t *of_packet =
        create ? find_or_create_conversation(pinfo) : find_conversation_pinfo(pinfo, 0);

    if (!of_packet) {
        return NULL;
    }
    enet_conversation *conversation = conversation_get_proto_data(of_packet, proto);
    if (conversation || !create) {
        return conversation;
    }
    conversation = wmem_new0(wmem_file_scope(), enet_conversation);
    copy_address_wmem(wmem_file_scope(), &conversation->first_address, &pinfo->src);
    conversation->first_port = pinfo->srcport;
    conversation->to_itself = pinfo->srcport == pinfo->destport && addresses_equal(&pinfo->src, &pinfo->dst);
    conversation->compression = ENET_COMPRESSION_UNKNOWN;
    conversation->by_address = number_map();
    conversation->by_connect_id = number_map();
    conversation_add_proto_data(of_packet, proto, conversation);
    return conversation;
}

unsigned enet_endpoint_of(const enet_conversation *conversation, const packet_info *pinfo)
{
    bool first = pinfo->srcport == conversation->first_port &&
                 addresses_equal(&pinfo->src, &conversation->first_address);
    return first ? 0u : 1u;
}

/* --- finding by address ---------------------------------------------------------------------------- */

/* Peer ids have at most 19 bits (ENET_MORE_PEERS). */
static void *address_key(unsigned endpoint, uint32_t peer_id, uint8_t session)
{
    return GUINT_TO_POINTER(endpoint << 21 | (uint32_t)session << 19 | peer_id);
}

static void claim_address(enet_conversation *conversation, enet_sender *sender)
{
    wmem_map_insert(conversation->by_address, address_key(sender->endpoint, sender->peer_id, sender->session),
                    sender);
    sender->claim_waits = false;
}

/* From now on datagrams with this peer id and session are the sender's. If a connection that is not closed
 * has them the claim waits until the other side uses the new one: the answer to an attempt that was given up
 * is still sent when the slot is in use again. */
static void publish_sender(enet_conversation *conversation, enet_sender *sender, uint32_t peer_id,
                           uint8_t session)
{
    sender->has_peer_id = sender->has_session = true;
    sender->peer_id = peer_id;
    sender->session = session;
    const enet_sender *present =
        wmem_map_lookup(conversation->by_address, address_key(sender->endpoint, peer_id, session));
    if (present && present->connection != sender->connection && !present->connection->end_frame) {
        sender->claim_waits = true;
    } else {
        claim_address(conversation, sender);
    }
}

/* --- new connections ------------------------------------------------------------------------------- */

static enet_connection *new_connection(enet_conversation *conversation, const packet_info *pinfo,
                                       enet_side sender)
{
    enet_connection *connection = wmem_new0(wmem_file_scope(), enet_connection);
    unsigned endpoint = enet_endpoint_of(conversation, pinfo);

    connection->stream = connection_count++;
    connection->first_frame = pinfo->num;
    connection->state = ENET_ESTABLISHED;
    for (unsigned side = 0; side < ENET_SIDES; side++) {
        connection->senders[side].connection = connection;
        connection->senders[side].side = (enet_side)side;
        bool sent_this = side == (unsigned)sender || conversation->to_itself;
        connection->senders[side].endpoint = sent_this ? endpoint : 1u - endpoint;
    }
    connection->next_unpaired = conversation->unpaired;
    conversation->unpaired = connection;
    conversation->newest = connection;
    return connection;
}

static void publish_connect_id(enet_conversation *conversation, enet_connection *connection,
                               uint32_t connect_id)
{
    connection->has_connect_id = true;
    connection->connect_id = connect_id;
    wmem_map_insert(conversation->by_connect_id, GUINT_TO_POINTER(connect_id), connection);
    if (!all_by_connect_id) {
        all_by_connect_id = number_map();
    }
    wmem_map_insert(all_by_connect_id, GUINT_TO_POINTER(connect_id), connection);
}

/* --- the handshake --------------------------------------------------------------------------------- */

static enet_sender *sender_of_connect(enet_conversation *conversation, const packet_info *pinfo,
                                      const enet_command *connect)
{
    uint32_t id = connect->fields.connect.connect_id;
    enet_connection *known = wmem_map_lookup(conversation->by_connect_id, GUINT_TO_POINTER(id));
    unsigned endpoint = enet_endpoint_of(conversation, pinfo);

    if (known && known->roles_known && !known->end_frame &&
        known->senders[ENET_INITIATOR].endpoint == endpoint) {
        return &known->senders[ENET_INITIATOR];
    }
    enet_connection *connection = new_connection(conversation, pinfo, ENET_INITIATOR);
    connection->roles_known = connection->from_start = true;
    connection->state = ENET_CONNECTING;
    /* The acceptor must put this number into its datagrams; which session is its choice. */
    connection->senders[ENET_ACCEPTOR].has_peer_id = true;
    connection->senders[ENET_ACCEPTOR].peer_id = connect->fields.connect.peer_id;
    publish_connect_id(conversation, connection, id);
    return &connection->senders[ENET_INITIATOR];
}

/* A connection whose CONNECT went to a broadcast address, seen now between the real endpoints. */
static enet_connection *adopt_broadcast(enet_conversation *conversation, const packet_info *pinfo,
                                        uint32_t id)
{
    enet_connection *connection =
        all_by_connect_id ? wmem_map_lookup(all_by_connect_id, GUINT_TO_POINTER(id)) : NULL;

    if (!connection || connection->verify_frame || !connection->connect_frame) {
        return NULL;
    }
    unsigned endpoint = enet_endpoint_of(conversation, pinfo);
    connection->senders[ENET_ACCEPTOR].endpoint = endpoint;
    connection->senders[ENET_INITIATOR].endpoint = 1u - endpoint;
    publish_connect_id(conversation, connection, id);
    conversation->newest = connection;
    return connection;
}

/* A connection whose CONNECT was cut by the capture in front of the connect id. */
static enet_connection *adopt_cut(enet_conversation *conversation, unsigned endpoint, uint32_t id)
{
    enet_connection *newest = conversation->newest;

    if (!newest || newest->state != ENET_CONNECTING || newest->has_connect_id ||
        newest->senders[ENET_ACCEPTOR].endpoint != endpoint) {
        return NULL;
    }
    publish_connect_id(conversation, newest, id);
    return newest;
}

static enet_sender *sender_of_verify(enet_conversation *conversation, const packet_info *pinfo,
                                     const enet_header *header, const enet_command *verify)
{
    uint32_t id = verify->fields.connect.connect_id;
    unsigned endpoint = enet_endpoint_of(conversation, pinfo);
    enet_connection *connection = wmem_map_lookup(conversation->by_connect_id, GUINT_TO_POINTER(id));

    if (connection && connection->senders[ENET_ACCEPTOR].endpoint != endpoint) {
        connection = NULL;
    }
    if (!connection) {
        connection = adopt_broadcast(conversation, pinfo, id);
    }
    if (!connection) {
        connection = adopt_cut(conversation, endpoint, id);
    }
    if (!connection) {
        connection = new_connection(conversation, pinfo, ENET_ACCEPTOR);
        connection->roles_known = connection->from_start = true;
        connection->state = ENET_ANSWERED;
        publish_connect_id(conversation, connection, id);
    }
    if (!connection->verify_frame) {
        publish_sender(conversation, &connection->senders[ENET_ACCEPTOR], header->peer_id, header->session);
        publish_sender(conversation, &connection->senders[ENET_INITIATOR], verify->fields.connect.peer_id,
                       verify->fields.connect.outgoing_session & 3u);
    }
    return &connection->senders[ENET_ACCEPTOR];
}

/* --- in the middle --------------------------------------------------------------------------------- */

/* The direction of `connection` that could have sent this datagram and was not seen before, or NULL. */
static enet_sender *silent_sender(enet_conversation *conversation, enet_connection *connection,
                                  unsigned endpoint, const enet_header *header)
{
    for (unsigned side = 0; side < ENET_SIDES; side++) {
        enet_sender *sender = &connection->senders[side];
        if (sender->has_session || (sender->endpoint != endpoint && !conversation->to_itself)) {
            continue;
        }
        if (sender->has_peer_id && sender->peer_id != header->peer_id) {
            continue;
        }
        return sender;
    }
    return NULL;
}

/* Which half-known connection has this datagram as its other direction? One whose transmission it
 * acknowledges; else one with the same session, because slots of both ends are mostly reused together; else
 * the newest. */
static enet_sender *pair_sender(enet_conversation *conversation, unsigned endpoint,
                                const enet_datagram_facts *facts)
{
    enet_sender *same_session = NULL, *any = NULL;
    enet_connection **link = &conversation->unpaired;

    for (unsigned tried = 0; *link && tried < MAX_UNPAIRED_TRIED; tried++) {
        enet_connection *connection = *link;
        if (connection->senders[ENET_INITIATOR].has_session &&
            connection->senders[ENET_ACCEPTOR].has_session) {
            *link = connection->next_unpaired; /* paired meanwhile */
            continue;
        }
        link = &connection->next_unpaired;
        enet_sender *sender = silent_sender(conversation, connection, endpoint, facts->header);
        if (!sender) {
            continue;
        }
        const enet_sender *other = enet_other_sender(sender);
        if (facts->acknowledge && enet_traffic_has_sent(other, facts->acknowledge)) {
            return sender;
        }
        if (!same_session && other->has_session && other->session == facts->header->session) {
            same_session = sender;
        }
        if (!any) {
            any = sender;
        }
    }
    return same_session ? same_session : any;
}

/* A datagram to nobody that is no CONNECT: the initiator gave up its newest attempt. The answer may have been
 * on its way. */
static enet_sender *sender_of_abandoned(const enet_conversation *conversation, unsigned endpoint)
{
    enet_connection *newest = conversation->newest;

    if (newest && newest->roles_known && newest->senders[ENET_INITIATOR].endpoint == endpoint &&
        newest->state != ENET_ESTABLISHED) {
        return &newest->senders[ENET_INITIATOR];
    }
    return NULL;
}

enet_sender *enet_sender_of(enet_conversation *conversation, const packet_info *pinfo,
                            const enet_datagram_facts *facts)
{
    const enet_header *header = facts->header;

    if (facts->handshake && facts->handshake->type == ENET_CONNECT) {
        return sender_of_connect(conversation, pinfo, facts->handshake);
    }
    if (facts->handshake) {
        return sender_of_verify(conversation, pinfo, header, facts->handshake);
    }
    unsigned endpoint = enet_endpoint_of(conversation, pinfo);
    enet_sender *sender = NULL;
    if (header->to_nobody) {
        sender = sender_of_abandoned(conversation, endpoint);
    } else {
        sender = wmem_map_lookup(conversation->by_address,
                                 address_key(endpoint, header->peer_id, header->session));
    }
    if (sender && enet_other_sender(sender)->claim_waits) {
        claim_address(conversation, enet_other_sender(sender));
    }
    if (sender || (!facts->plausible && !facts->undecodable)) {
        return sender;
    }
    if (!header->to_nobody) {
        sender = pair_sender(conversation, endpoint, facts);
    }
    if (!sender && !facts->plausible) {
        return NULL;
    }
    if (!sender) {
        sender = &new_connection(conversation, pinfo, ENET_INITIATOR)->senders[ENET_INITIATOR];
        sender->connection->roles_known = header->to_nobody;
        sender->connection->state = facts->cut_connect ? ENET_CONNECTING : ENET_ESTABLISHED;
    }
    if (!header->to_nobody) {
        publish_sender(conversation, sender, header->peer_id, header->session);
    }
    return sender;
}
