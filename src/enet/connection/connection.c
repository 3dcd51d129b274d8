/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/connection/connection.h"

#define MAX_UNPAIRED_TRIED 64u

void enet_conversation_init(enet_conversation *conversation, enet_capture *capture, bool to_itself,
                            enet_dialect dialect)
{
    *conversation =
        (enet_conversation){.capture = capture,
                            .to_itself = to_itself,
                            .dialect = (uint8_t)dialect,
                            .unpacking = ENET_BUDGET(ENET_CONVERSATION_BYTES, ENET_CONVERSATION_COMMANDS),
                            .compression = ENET_COMPRESSION_UNKNOWN};
}

/* --- finding by address -------------------------------------------------------------------------- */

static uint32_t index_of(const enet_connection *connection)
{
    return connection->stream + 1;
}

/* Peer ids have at most 19 bits (ENET_MORE_PEERS). */
static uint32_t address_key(unsigned endpoint, uint32_t peer_id, uint8_t session)
{
    return endpoint << 21 | (uint32_t)session << 19 | peer_id;
}

static enet_sender *sender_at_address(const enet_conversation *conversation, unsigned endpoint,
                                      uint32_t peer_id, uint8_t session)
{
    uint32_t found = number_map_get(&conversation->by_address, address_key(endpoint, peer_id, session));

    return found ? &enet_connection_at(conversation->capture, found >> 1)->senders[found & 1] : NULL;
}

static void claim_address(enet_conversation *conversation, enet_sender *sender)
{
    const enet_sender *before =
        sender_at_address(conversation, sender->endpoint, sender->peer_id, sender->session);

    if (before && before->connection != sender->connection) {
        /* The receiver has put another connection into this slot. */
        enet_other_sender(before)->replaced_by = index_of(sender->connection);
        sender->replaces = index_of(before->connection);
    }
    number_map_put(&conversation->capture->memory, &conversation->by_address,
                   address_key(sender->endpoint, sender->peer_id, sender->session),
                   index_of(sender->connection) << 1 | sender->side);
    conversation->capture->waiting_claims -= sender->claim_waits;
    sender->claim_waits = false;
}

/* Whether this attempt to connect is newer than the connection that has its slot: as the receiver uses the
 * slot again, it has no such connection any more. The reply to an older attempt may still come when the slot
 * is in use again; if only replies were captured, nothing else shows which one is in use. */
static bool is_newer(const enet_sender *sender, const enet_sender *present)
{
    const enet_connection *own = sender->connection, *other = present->connection;
    bool half = !own->senders[ENET_INITIATOR].first_frame && !other->senders[ENET_INITIATOR].first_frame;
    bool certain =
        half || own->connect_frame || (other->has_connect_id && own->connect_id == other->connect_id);

    return certain && own->stream > other->stream;
}

/* From now on, datagrams with this peer id and session are the sender's. If an open connection has them that
 * is not certainly older, this takes effect when the other side uses the new one. */
static void publish_sender(enet_conversation *conversation, enet_sender *sender, uint32_t peer_id,
                           uint8_t session)
{
    sender->has_peer_id = sender->has_session = true;
    sender->peer_id = peer_id;
    sender->session = session;
    const enet_sender *present = sender_at_address(conversation, sender->endpoint, peer_id, session);
    if (present && present->connection != sender->connection && !present->connection->end_frame &&
        !is_newer(sender, present)) {
        conversation->capture->waiting_claims += !sender->claim_waits;
        sender->claim_waits = true;
    } else {
        claim_address(conversation, sender);
    }
}

/* --- new connections ----------------------------------------------------------------------------- */

static enet_connection *new_connection(enet_conversation *conversation, const enet_arrival *arrival,
                                       enet_side sender)
{
    enet_capture *capture = conversation->capture;
    uint32_t index = paged_list_add(&capture->memory, &capture->connections);
    enet_connection *connection = enet_connection_at(capture, index);

    connection->stream = index - 1;
    connection->conversation = conversation;
    connection->first_frame = arrival->frame;
    connection->first_time = arrival->time;
    connection->state = ENET_ESTABLISHED;
    for (uint8_t side = 0; side < ENET_SIDES; side++) {
        bool sent_this = side == (unsigned)sender || conversation->to_itself;
        connection->senders[side].connection = connection;
        connection->senders[side].side = side;
        connection->senders[side].endpoint =
            (uint8_t)(sent_this ? arrival->endpoint : 1u - arrival->endpoint);
    }
    connection->next_unpaired = conversation->unpaired;
    conversation->unpaired = conversation->newest = index;
    return connection;
}

static void publish_connect_id(enet_conversation *conversation, enet_connection *connection,
                               uint32_t connect_id)
{
    enet_capture *capture = conversation->capture;

    connection->has_connect_id = true;
    connection->connect_id = connect_id;
    number_map_put(&capture->memory, &conversation->by_connect_id, connect_id, index_of(connection));
    number_map_put(&capture->memory, &capture->by_connect_id, connect_id, index_of(connection));
}

static enet_connection *by_connect_id(const enet_capture *capture, const number_map *map, uint32_t connect_id)
{
    uint32_t index = number_map_get(map, connect_id);

    return index ? enet_connection_at(capture, index) : NULL;
}

/* Whether this handshake belongs to a later connection with the same connect id: its sender has sent
 * something else since, so that it has no reason to send it again. */
static bool begins_another(const enet_capture *capture, const enet_connection *known, enet_side side,
                           const enet_header *header)
{
    const enet_sender *sender = &known->senders[side];
    uint32_t first = enet_sent_find(&sender->sent, ENET_CONNECTION_CHANNEL, 1);

    return sender->has_spoken &&
           !(first && enet_sent_find_time(&capture->transmissions, first, header->sent_time));
}

/* --- the handshake ------------------------------------------------------------------------------- */

static enet_sender *sender_of_connect(enet_conversation *conversation, const enet_arrival *arrival,
                                      const enet_header *header, const enet_connect_fields *connect)
{
    enet_connection *known =
        by_connect_id(conversation->capture, &conversation->by_connect_id, connect->connect_id);

    if (known && known->roles_known && !known->end_frame &&
        known->senders[ENET_INITIATOR].endpoint == arrival->endpoint &&
        !begins_another(conversation->capture, known, ENET_INITIATOR, header)) {
        return &known->senders[ENET_INITIATOR];
    }
    enet_connection *connection = new_connection(conversation, arrival, ENET_INITIATOR);
    connection->roles_known = connection->from_start = true;
    connection->state = ENET_CONNECTING;
    /* The acceptor must put this number into its datagrams; which session is its choice. */
    connection->senders[ENET_ACCEPTOR].has_peer_id = true;
    connection->senders[ENET_ACCEPTOR].peer_id = connect->peer_id;
    publish_connect_id(conversation, connection, connect->connect_id);
    return &connection->senders[ENET_INITIATOR];
}

/* A connection whose CONNECT went to a broadcast address, seen now between the real sockets: so its initiator
 * has sent nothing else yet. Two connections may have the same id: hosts that are made in the same second. */
static enet_connection *adopt_broadcast(enet_conversation *conversation, unsigned endpoint, uint32_t id)
{
    enet_capture *capture = conversation->capture;
    enet_connection *connection = by_connect_id(capture, &capture->by_connect_id, id);

    if (!connection || connection->verify_frame || !connection->connect_frame || connection->end_frame ||
        connection->senders[ENET_INITIATOR].has_spoken) {
        return NULL;
    }
    connection->conversation = conversation;
    connection->senders[ENET_ACCEPTOR].endpoint = (uint8_t)endpoint;
    connection->senders[ENET_INITIATOR].endpoint = (uint8_t)(1u - endpoint);
    publish_connect_id(conversation, connection, id);
    conversation->newest = index_of(connection);
    return connection;
}

static enet_connection *newest_connection(const enet_conversation *conversation)
{
    return conversation->newest ? enet_connection_at(conversation->capture, conversation->newest) : NULL;
}

/* A connection whose CONNECT was truncated in the capture before the connect id. */
static enet_connection *adopt_cut(enet_conversation *conversation, unsigned endpoint, uint32_t id)
{
    enet_connection *newest = newest_connection(conversation);

    if (!newest || newest->state != ENET_CONNECTING || newest->has_connect_id ||
        newest->senders[ENET_ACCEPTOR].endpoint != endpoint) {
        return NULL;
    }
    publish_connect_id(conversation, newest, id);
    return newest;
}

static enet_connection *connection_of_verify(enet_conversation *conversation, const enet_arrival *arrival,
                                             const enet_header *header, uint32_t id)
{
    enet_connection *connection = by_connect_id(conversation->capture, &conversation->by_connect_id, id);

    if (connection && connection->senders[ENET_ACCEPTOR].endpoint == arrival->endpoint &&
        !begins_another(conversation->capture, connection, ENET_ACCEPTOR, header)) {
        return connection;
    }
    connection = adopt_broadcast(conversation, arrival->endpoint, id);
    if (!connection) {
        connection = adopt_cut(conversation, arrival->endpoint, id);
    }
    if (!connection) {
        const enet_connection *before = newest_connection(conversation);
        connection = new_connection(conversation, arrival, ENET_ACCEPTOR);
        /* Its CONNECT may be truncated as well. */
        connection->senders[ENET_INITIATOR].was_cut = before && before->senders[ENET_INITIATOR].was_cut;
        connection->roles_known = connection->from_start = true;
        connection->state = ENET_ANSWERED;
        publish_connect_id(conversation, connection, id);
    }
    return connection;
}

/* Without its connect id, a VERIFY_CONNECT is taken for the reply to the newest attempt; if that was
 * answered, it may also answer one that was given up. NULL: it is not known. */
static enet_sender *sender_of_cut_verify(enet_conversation *conversation, unsigned endpoint,
                                         const enet_header *header)
{
    enet_connection *newest = newest_connection(conversation);
    enet_sender *acceptor = newest ? &newest->senders[ENET_ACCEPTOR] : NULL;

    if (!acceptor || acceptor->endpoint != endpoint || newest->state != ENET_CONNECTING ||
        acceptor->has_session || (acceptor->has_peer_id && acceptor->peer_id != header->peer_id)) {
        return NULL;
    }
    newest->state = ENET_ANSWERED;
    publish_sender(conversation, acceptor, header->peer_id, header->session);
    return acceptor;
}

static enet_sender *sender_of_verify(enet_conversation *conversation, const enet_arrival *arrival,
                                     const enet_header *header, const enet_connect_fields *verify)
{
    enet_connection *connection = connection_of_verify(conversation, arrival, header, verify->connect_id);

    if (!connection->verify_frame) {
        publish_sender(conversation, &connection->senders[ENET_ACCEPTOR], header->peer_id, header->session);
        publish_sender(conversation, &connection->senders[ENET_INITIATOR], verify->peer_id,
                       verify->outgoing_session & 3u);
    }
    return &connection->senders[ENET_ACCEPTOR];
}

/* --- in the middle ------------------------------------------------------------------------------- */

/* The direction of `connection` that could have sent this datagram and was not seen before, or NULL. */
static enet_sender *unseen_sender(const enet_conversation *conversation, enet_connection *connection,
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

/* Whether `sender` has sent the command that `acknowledge` (from the other side) acknowledges, at the echoed
 * time. */
static bool has_sent(const enet_capture *capture, const enet_sender *sender, const enet_command *acknowledge)
{
    uint32_t first =
        enet_sent_find(&sender->sent, acknowledge->channel, acknowledge->fields.acknowledgement.sequence);

    return enet_sent_find_time(&capture->transmissions, first, acknowledge->fields.acknowledgement.sent_time);
}

/* Which connection with one known direction has this datagram as the other one? One whose transmission it
 * acknowledges; else one with the same session, because slots of both ends are mostly reused together; else
 * the newest. */
static enet_sender *pair_sender(enet_conversation *conversation, unsigned endpoint,
                                const enet_datagram_facts *facts)
{
    const enet_capture *capture = conversation->capture;
    enet_sender *same_session = NULL, *any = NULL;
    uint32_t *link = &conversation->unpaired;

    for (unsigned tried = 0; *link && tried < MAX_UNPAIRED_TRIED; tried++) {
        enet_connection *connection = enet_connection_at(capture, *link);
        if (connection->senders[ENET_INITIATOR].has_session &&
            connection->senders[ENET_ACCEPTOR].has_session) {
            *link = connection->next_unpaired; /* paired meanwhile */
            continue;
        }
        link = &connection->next_unpaired;
        enet_sender *sender = unseen_sender(conversation, connection, endpoint, facts->header);
        if (!sender) {
            continue;
        }
        const enet_sender *other = enet_other_sender(sender);
        if (facts->acknowledge && has_sent(capture, other, facts->acknowledge)) {
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

/* A datagram to no peer that is not a CONNECT: the initiator gave up its newest attempt. The reply may have
 * been in transit. */
static enet_sender *sender_of_abandoned(const enet_conversation *conversation, unsigned endpoint)
{
    enet_connection *newest = newest_connection(conversation);

    if (newest && newest->roles_known && newest->senders[ENET_INITIATOR].endpoint == endpoint &&
        newest->state != ENET_ESTABLISHED) {
        return &newest->senders[ENET_INITIATOR];
    }
    return NULL;
}

/* The sender of a datagram that no known connection has claimed, or NULL. */
static enet_sender *new_sender(enet_conversation *conversation, const enet_arrival *arrival,
                               const enet_datagram_facts *facts)
{
    const enet_header *header = facts->header;
    enet_sender *sender = NULL;

    if (!facts->plausible && !facts->undecodable) {
        return NULL;
    }
    if (!header->to_nobody) {
        sender = pair_sender(conversation, arrival->endpoint, facts);
    }
    if (!sender && !facts->plausible) {
        return NULL;
    }
    if (!sender) {
        sender = &new_connection(conversation, arrival, ENET_INITIATOR)->senders[ENET_INITIATOR];
        sender->connection->roles_known = header->to_nobody;
        sender->connection->state = facts->cut_connect ? ENET_CONNECTING : ENET_ESTABLISHED;
    }
    if (!header->to_nobody) {
        publish_sender(conversation, sender, header->peer_id, header->session);
    }
    return sender;
}

/* Whether this command continues what the sender has sent on its channel: it is the next reliable one, an
 * unreliable one after the latest, or one that is sent again as it is not acknowledged. */
static bool continues(const enet_capture *capture, const enet_sender *sender, const enet_command *command)
{
    const number_map *sent = &sender->sent;
    uint8_t channel = command->channel;
    uint16_t number = command->sequence;
    uint32_t index = enet_sent_find(sent, channel, number);

    if (!(enet_commands[command->type].byte & ENET_COMMAND_ACKNOWLEDGE)) {
        return index && !enet_sent_find(sent, channel, (uint16_t)(number + 1u));
    }
    if (!index) {
        return enet_sent_find(sent, channel, (uint16_t)(number - 1u));
    }
    const enet_transmission *first = paged_list_at(&capture->transmissions, index);
    return first->type == command->type && first->length == (uint16_t)command->length &&
           !first->command_acked_in;
}

/* Whether the commands of a datagram are of the connection before: the first one that continues the numbers
 * of only one of both decides; without others, the first acknowledgement of what only one has sent. */
static bool is_of_before(const enet_capture *capture, const enet_sender *before, const enet_sender *now,
                         const enet_datagram_facts *facts)
{
    bool others = false, answers = false, answers_now = false;

    for (uint32_t i = 0; i < facts->count; i++) {
        const enet_command *command = &facts->commands[i];
        if (!enet_is_executed(command) || command->type == ENET_SEND_UNSEQUENCED) {
            continue;
        }
        bool ack = command->type == ENET_ACKNOWLEDGE;
        bool old = ack ? has_sent(capture, enet_other_sender(before), command)
                       : command->sequence > 1 && continues(capture, before, command);
        bool recent = ack ? has_sent(capture, enet_other_sender(now), command)
                          : command->sequence > 1 && continues(capture, now, command);
        if (!ack && old != recent) {
            return old;
        }
        others |= !ack;
        answers |= ack && old && !recent && !answers_now;
        answers_now |= ack && recent && !old && !answers;
    }
    return !others && answers;
}

/* Only one end has started again, and the other one still sends to the connection before, in the same slot
 * and session: what it sends continues the numbers of that one, and not of this. Else `sender`. */
static enet_sender *sender_before(const enet_conversation *conversation, enet_sender *sender,
                                  const enet_datagram_facts *facts)
{
    enet_connection *connection = enet_connection_at(conversation->capture, sender->replaces);
    enet_sender *before = &connection->senders[0];

    before += before->endpoint == sender->endpoint ? 0 : 1;
    bool of_both = enet_other_sender(before)->replaced_by && before->replaced_by;
    if (of_both || connection->end_frame) {
        return sender;
    }
    return is_of_before(conversation->capture, before, sender, facts) ? before : sender;
}

/* Whether the newest connection may have sent this datagram although another one has its address: the
 * connection claims it, or the address of this end is not known yet. */
static bool may_be_of(const enet_sender *waiting, const enet_sender *present, const enet_header *header)
{
    if (waiting->endpoint != present->endpoint || waiting->connection == present->connection) {
        return false;
    }
    return waiting->has_session ? waiting->claim_waits && waiting->peer_id == header->peer_id &&
                                      waiting->session == header->session
                                : !waiting->has_peer_id || waiting->peer_id == header->peer_id;
}

/* Whether the acknowledgement is one of a VERIFY_CONNECT that the sender `present` has not received: it
 * has sent something else since it received its own, and its numbers have not begun again. So it has
 * connected again. */
static bool opens_another(const enet_capture *capture, const enet_sender *present,
                          const enet_command *acknowledge)
{
    const enet_sender *acceptor = enet_other_sender(present);

    return acknowledge->channel == ENET_CONNECTION_CHANNEL &&
           acknowledge->fields.acknowledgement.sequence == 1 && present->has_spoken &&
           !enet_sent_find(&acceptor->sent, ENET_CONNECTION_CHANNEL, UINT16_MAX) &&
           !has_sent(capture, acceptor, acknowledge);
}

/* The sender `present` has the address of this datagram, but the newest connection has sent what it
 * acknowledges, and that one has not; or it completes the newest handshake: its sender, else NULL. */
static enet_sender *newest_sender(enet_conversation *conversation, enet_sender *present,
                                  const enet_datagram_facts *facts)
{
    const enet_capture *capture = conversation->capture;
    enet_connection *newest = newest_connection(conversation);
    const enet_command *acknowledge = facts->acknowledge;

    for (unsigned side = 0; newest && acknowledge && side < ENET_SIDES; side++) {
        enet_sender *waiting = &newest->senders[side];
        if (!may_be_of(waiting, present, facts->header)) {
            continue;
        }
        bool answers = has_sent(capture, enet_other_sender(waiting), acknowledge) &&
                       !has_sent(capture, enet_other_sender(present), acknowledge);
        bool opens = side == ENET_INITIATOR && newest->state != ENET_ESTABLISHED &&
                     opens_another(capture, present, acknowledge);
        if (!answers && !opens) {
            continue;
        }
        waiting->has_peer_id = waiting->has_session = true;
        waiting->peer_id = facts->header->peer_id;
        waiting->session = facts->header->session;
        claim_address(conversation, waiting);
        return waiting;
    }
    return NULL;
}

enet_sender *enet_sender_of(enet_conversation *conversation, const enet_arrival *arrival,
                            const enet_datagram_facts *facts)
{
    const enet_header *header = facts->header;
    enet_sender *sender;

    if (facts->handshake && facts->handshake->type == ENET_CONNECT) {
        return sender_of_connect(conversation, arrival, header, &facts->handshake->fields.connect);
    }
    if (facts->handshake) {
        return sender_of_verify(conversation, arrival, header, &facts->handshake->fields.connect);
    }
    if (header->to_nobody) {
        sender = sender_of_abandoned(conversation, arrival->endpoint);
    } else {
        sender = facts->cut_verify ? sender_of_cut_verify(conversation, arrival->endpoint, header) : NULL;
        sender = sender
                     ? sender
                     : sender_at_address(conversation, arrival->endpoint, header->peer_id, header->session);
    }
    if (!sender) {
        return new_sender(conversation, arrival, facts);
    }
    if (conversation->newest != index_of(sender->connection) && !header->to_nobody) {
        enet_sender *newest = newest_sender(conversation, sender, facts);
        if (newest) {
            return newest;
        }
    }
    if (sender->replaces && !header->to_nobody) {
        return sender_before(conversation, sender, facts);
    }
    if (conversation->capture->waiting_claims && enet_other_sender(sender)->claim_waits) {
        claim_address(conversation, enet_other_sender(sender));
    }
    return sender;
}

enet_sender *enet_sender_known(const enet_conversation *conversation, unsigned endpoint,
                               const enet_header *header)
{
    return header->to_nobody ? sender_of_abandoned(conversation, endpoint)
                             : sender_at_address(conversation, endpoint, header->peer_id, header->session);
}
