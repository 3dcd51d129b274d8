/* enet-reassembly.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet-reassembly.h"

#define MAX_OLDER 8u /* messages with one start sequence that may be under way at once, reordered */

struct enet_messages {
    wmem_map_t *by_start; /* kind, channel, start sequence → enet_message, newest */
};

static reassembly_table table;
static uint32_t message_count;

/* libwireshark finds a message by its number alone. */
static void *message_key(const packet_info *pinfo _U_, const uint32_t id, const void *data _U_)
{
    return GUINT_TO_POINTER(id);
}

static void keep_key(void *key _U_)
{
}

void enet_reassembly_register(void)
{
    static const reassembly_table_functions functions = {
        g_direct_hash, g_direct_equal, message_key, message_key, keep_key, keep_key,
    };
    reassembly_table_register(&table, &functions);
}

void enet_reassembly_init(void)
{
    message_count = 0;
}

static void *start_key(const enet_command *command)
{
    uint32_t unreliable = command->type == ENET_SEND_UNRELIABLE_FRAGMENT;
    return GUINT_TO_POINTER(unreliable << 24 | (uint32_t)command->channel << 16 |
                            command->fields.fragment.start_sequence);
}

static enet_message *find_message(enet_message *newest, uint32_t number)
{
    for (unsigned tried = 0; newest && tried < MAX_OLDER; newest = newest->older, tried++) {
        if (newest->number == number) {
            return newest;
        }
    }
    return NULL;
}

enet_message *enet_message_take(enet_sender *sender, const packet_info *pinfo, const enet_command *command,
                                uint32_t number, uint32_t share, uint32_t *earlier_frame)
{
    if (!sender->messages) {
        sender->messages = wmem_new0(wmem_file_scope(), struct enet_messages);
        sender->messages->by_start = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
    }
    enet_message *newest = wmem_map_lookup(sender->messages->by_start, start_key(command));
    enet_message *message = find_message(newest, number);

    if (message && (message->count != command->fields.fragment.count ||
                    message->total_length != command->fields.fragment.total_length)) {
        return NULL;
    }
    if (!message) {
        message = wmem_new0(wmem_file_scope(), enet_message);
        message->id = ++message_count;
        message->count = command->fields.fragment.count;
        message->total_length = command->fields.fragment.total_length;
        message->number = number;
        message->fragments = wmem_tree_new(wmem_file_scope());
        message->older = newest;
        wmem_map_insert(sender->messages->by_start, start_key(command), message);
    }
    uint32_t fragment = command->fields.fragment.number;
    *earlier_frame = GPOINTER_TO_UINT(wmem_tree_lookup32(message->fragments, fragment));
    if (!*earlier_frame) {
        wmem_tree_insert32(message->fragments, fragment, GUINT_TO_POINTER(pinfo->num));
        message->seen++;
    }
    if (!message->completed_frame) {
        message->wire_length += share;
    }
    return message;
}

bool enet_message_add(enet_message *message, packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                      const enet_command *command)
{
    uint32_t number = command->fields.fragment.number;
    fragment_head *head = fragment_add_seq_check(&table, tvb, (int)offset, pinfo, message->id, NULL, number,
                                                 command->data_length, number + 1 < message->count);
    if (!head) {
        return false;
    }
    message->completed_frame = pinfo->num;
    return true;
}

fragment_head *enet_message_parts(const enet_message *message, packet_info *pinfo)
{
    return fragment_get_reassembled_id(&table, pinfo, message->id);
}
