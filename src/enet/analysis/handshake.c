/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/analysis/handshake.h"

#include "enet/analysis/channel.h"
#include "enet/wire/numbers.h"

void enet_handshake_connect(enet_connection *connection, const enet_arrival *arrival,
                            const enet_command *command)
{
    if (!connection->connect_frame) {
        connection->connect_frame = arrival->frame;
        connection->connect = command->fields.connect;
    }
}

static uint32_t compare_with_connect(const enet_connect_fields *connect, const enet_connect_fields *verify)
{
    uint32_t notes = 0;

    if (connect->throttle_interval != verify->throttle_interval ||
        connect->throttle_acceleration != verify->throttle_acceleration ||
        connect->throttle_deceleration != verify->throttle_deceleration) {
        notes |= ENET_NOTE(ENET_NOTE_VERIFY_MISMATCH);
    }
    if (verify->channel_count > connect->channel_count) {
        notes |= ENET_NOTE(ENET_NOTE_CHANNELS_GRANTED);
    }
    return notes;
}

/* The CONNECT that VERIFY_CONNECT answers; its retransmissions are not distinguished. */
static void answer_connect(const enet_capture *capture, const enet_sender *initiator, uint32_t frame,
                           enet_command_detail *detail)
{
    uint32_t index;
    enet_transmission *connect =
        enet_channel_find_sent(capture, initiator, ENET_CONNECTION_CHANNEL, 1, &index);

    if (!connect || connect->type != ENET_CONNECT) {
        return;
    }
    detail->about = index;
    detail->number = connect->count;
    if (!connect->command_acked_in) {
        connect->command_acked_in = connect->acked_in = frame;
    }
}

uint32_t enet_handshake_verify(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival,
                               const enet_command *command, enet_command_detail *detail)
{
    enet_connection *connection = sender->connection;
    const enet_connect_fields *verify = &command->fields.connect;
    uint32_t mtu = enet_clamp_mtu(verify->mtu);
    /* An initiator that has used the connection, or asks for an acknowledgement of a DISCONNECT, had it. */
    bool used = connection->ended_gracefully || enet_other_sender(sender)->has_spoken;
    uint32_t notes = connection->end_frame && !used ? ENET_NOTE(ENET_NOTE_VERIFY_STALE) : 0;

    answer_connect(capture, enet_other_sender(sender), arrival->frame, detail);
    if (connection->connect_frame) {
        uint32_t wanted = enet_clamp_mtu(connection->connect.mtu);
        notes |= compare_with_connect(&connection->connect, verify);
        mtu = wanted < mtu ? wanted : mtu;
    }
    if (!connection->verify_frame) {
        connection->verify_frame = arrival->frame;
        connection->verify_time = arrival->time;
        connection->mtu = (uint16_t)mtu;
        connection->channel_count =
            (uint8_t)(verify->channel_count < ENET_MAX_CHANNELS ? verify->channel_count : ENET_MAX_CHANNELS);
        connection->state = connection->state == ENET_CONNECTING ? ENET_ANSWERED : connection->state;
    }
    return notes;
}

void enet_handshake_disconnect(enet_sender *sender, const enet_arrival *arrival, const enet_header *header,
                               const enet_command *command)
{
    enet_connection *connection = sender->connection;
    uint32_t frame = arrival->frame;

    if (!sender->disconnect_frame) {
        sender->disconnect_frame = frame;
        sender->disconnect_sent = header->sent_time;
        sender->has_disconnect_sent = header->has_sent_time;
    }
    if (!connection->end_frame) {
        connection->end_frame = frame;
        connection->end_time = arrival->time;
        connection->ended_by = sender->side;
        connection->ended_gracefully = command->acknowledge;
    }
}

void enet_handshake_open(enet_connection *connection, const enet_arrival *arrival)
{
    connection->opened_time = connection->state == ENET_ESTABLISHED ? connection->opened_time : arrival->time;
    connection->state = ENET_ESTABLISHED;
}

void enet_handshake_conclude(enet_sender *sender, const enet_arrival *arrival, const enet_command *command)
{
    enet_connection *connection = sender->connection;
    bool handshake = command->type == ENET_CONNECT || command->type == ENET_VERIFY_CONNECT;

    sender->has_spoken |= !handshake && command->type != ENET_DISCONNECT;
    bool may_have_answered = sender->was_cut && !handshake; /* in what was not captured */
    bool concluded = sender->side == ENET_ACCEPTOR
                         ? command->type != ENET_VERIFY_CONNECT && command->type != ENET_DISCONNECT
                         : command->type == ENET_ACKNOWLEDGE && connection->state == ENET_CONNECTING;
    if (concluded || (may_have_answered && command->type != ENET_DISCONNECT)) {
        enet_handshake_open(connection, arrival);
    }
}

/* Whether it was sent after the sender's DISCONNECT, and not only captured after it, or again: the sender's
 * clock shows it. */
static bool is_after_disconnect(const enet_sender *sender, const enet_header *header)
{
    return sender->disconnect_frame && header->has_sent_time &&
           !(sender->has_disconnect_sent && (int16_t)(header->sent_time - sender->disconnect_sent) <= 0);
}

uint32_t enet_handshake_notes(const enet_sender *sender, const enet_arrival *arrival,
                              const enet_header *header, const enet_command *command)
{
    bool opening_or_closing = command->type == ENET_ACKNOWLEDGE || command->type == ENET_CONNECT ||
                              command->type == ENET_VERIFY_CONNECT || command->type == ENET_DISCONNECT;

    if (opening_or_closing) {
        return 0;
    }
    if (sender->connection->state != ENET_ESTABLISHED) {
        return ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE);
    }
    /* enet_peer_disconnect_now() adds a ping that is due to the datagram with its DISCONNECT. */
    bool due = command->type == ENET_PING && sender->disconnect_frame == arrival->frame;
    return is_after_disconnect(sender, header) && !due ? ENET_NOTE(ENET_NOTE_AFTER_DISCONNECT) : 0;
}
