/* text.c
 *
 * See text.h. Written without printf(), since every frame needs a few of these texts for its Info column.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/show/text.h"

#include "base/digits.h"

#include <string.h>

typedef struct {
    char *at, *end; /* `end` is where the NUL goes at the latest */
} writer;

static void put(writer *w, const char *text)
{
    size_t length = strlen(text), left = (size_t)(w->end - w->at);

    length = length < left ? length : left;
    memcpy(w->at, text, length);
    w->at += length;
}

static void put_number(writer *w, uint64_t number)
{
    char digits[DIGITS_SIZE + 1];
    size_t at = digits_of(number, digits);

    digits[DIGITS_SIZE] = '\0';
    put(w, digits + at);
}

/* A text and the number after it. */
static void put_pair(writer *w, const char *text, uint64_t number)
{
    put(w, text);
    put_number(w, number);
}

static void put_prefix(writer *w, uint32_t notes)
{
    if (notes & ENET_NOTE(ENET_NOTE_RETRANSMISSION)) {
        put(w, "[Retransmission] ");
    } else if (notes & ENET_NOTE(ENET_NOTE_DUPLICATE)) {
        put(w, "[Duplicate] ");
    } else if (notes & ENET_NOTE(ENET_NOTE_ACK_REPEATED)) { /* by the network or by its sender */
        put(w, "[Repeated] ");
    }
}

static void put_data_length(writer *w, const enet_command *command)
{
    put_pair(w, " (", command->announced_length);
    put(w, " bytes)");
}

static void put_fragment(writer *w, const enet_command *command)
{
    put(w, command->type == ENET_SEND_FRAGMENT ? "Fragment" : "Unreliable fragment");
    put_pair(w, " ch ", command->channel);
    put_pair(w, " seq ", command->sequence);
    put_pair(w, ", ", (uint64_t)command->fields.fragment.number + 1u);
    put_pair(w, " of ", command->fields.fragment.count);
    put_pair(w, " (", command->announced_length);
    put_pair(w, " of ", command->fields.fragment.total_length);
    put(w, " bytes)");
}

static void put_acknowledgement(writer *w, const enet_command *command)
{
    put_pair(w, "Ack ", command->fields.acknowledgement.sequence);
    if (command->channel != ENET_CONNECTION_CHANNEL) {
        put_pair(w, " ch ", command->channel);
    }
}

/* In Godot's connections the data is the client's peer id. */
static void put_connect(writer *w, const enet_command *command)
{
    put(w, enet_commands[command->type].name);
    put_pair(w, " → ", command->fields.connect.channel_count);
    put(w, command->fields.connect.channel_count == 1 ? " channel" : " channels");
    if (command->type == ENET_CONNECT) {
        put_pair(w, " (data ", command->fields.connect.data);
        put(w, ")");
    }
}

/* The client is the end that opened the connection, if that was captured. */
static void put_disconnect(writer *w, const enet_command *command, const enet_datagram_record *datagram)
{
    put(w, command->acknowledge ? "Disconnect" : "Disconnect at once");
    if (datagram->sender && datagram->direction_known) {
        put(w, datagram->sender->side == ENET_INITIATOR ? " by the client" : " by the server");
    }
    put_pair(w, " (data ", command->fields.disconnect.data);
    put(w, ")");
}

static void put_command(writer *w, const enet_command *command, const enet_datagram_record *datagram)
{
    switch (command->type) {
    case ENET_ACKNOWLEDGE:
        put_acknowledgement(w, command);
        break;
    case ENET_CONNECT:
    case ENET_VERIFY_CONNECT:
        put_connect(w, command);
        break;
    case ENET_DISCONNECT:
        put_disconnect(w, command, datagram);
        break;
    case ENET_PING:
        put_pair(w, "Ping ", command->sequence);
        break;
    case ENET_SEND_RELIABLE:
        put_pair(w, "Reliable ch ", command->channel);
        put_pair(w, " seq ", command->sequence);
        put_data_length(w, command);
        break;
    case ENET_SEND_UNRELIABLE:
        put_pair(w, "Unreliable ch ", command->channel);
        put_pair(w, " seq ", command->sequence);
        put_pair(w, ".", command->fields.unreliable.sequence);
        put_data_length(w, command);
        break;
    case ENET_SEND_UNSEQUENCED:
        put_pair(w, "Unsequenced ch ", command->channel);
        put_pair(w, " group ", command->fields.unsequenced.group);
        put_data_length(w, command);
        break;
    case ENET_SEND_FRAGMENT:
    case ENET_SEND_UNRELIABLE_FRAGMENT:
        put_fragment(w, command);
        break;
    default:
        put(w, enet_commands[command->type].name);
        break;
    }
}

void enet_command_text(const enet_command *command, const enet_datagram_record *datagram, uint32_t notes,
                       char *text, size_t size)
{
    writer w = {.at = text, .end = text + size - 1};

    if (command->complete && command->type < ENET_COMMAND_COUNT) {
        put_prefix(&w, notes);
        put_command(&w, command, datagram);
    } else {
        put(&w, command->has_header ? enet_commands[command->type].name : "Truncated command");
    }
    *w.at = '\0';
}
