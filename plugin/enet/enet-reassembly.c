/* enet-reassembly.c
 *
 * Fragments are kept by their number in a tree and put together when the last one comes. Wireshark's own
 * reassembly walks a list for every fragment, which takes hours for the million fragments that ENet allows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/enet-reassembly.h"

#define MAX_OLDER 8u /* messages with one start sequence that may be under way at once, reordered */

struct enet_messages {
    wmem_map_t *by_start; /* kind, channel, start sequence → enet_message, newest */
};

typedef struct {
    fragment_item item; /* `next` in the order of numbers, as soon as the message is complete */
    uint8_t *bytes;     /* until then; NULL if they were not added */
} fragment;

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
        message->count = command->fields.fragment.count;
        message->total_length = command->fields.fragment.total_length;
        message->number = number;
        message->fragments = wmem_tree_new(wmem_file_scope());
        message->older = newest;
        wmem_map_insert(sender->messages->by_start, start_key(command), message);
    }
    const fragment *earlier = wmem_tree_lookup32(message->fragments, command->fields.fragment.number);
    *earlier_frame = earlier ? earlier->item.frame : 0;
    if (!earlier) {
        fragment *new = wmem_new0(wmem_file_scope(), fragment);
        new->item.frame = pinfo->num;
        new->item.offset = command->fields.fragment.number;
        wmem_tree_insert32(message->fragments, command->fields.fragment.number, new);
        message->seen++;
    }
    if (!message->completed_frame) {
        message->wire_length += share;
    }
    return message;
}

/* Called for the fragments in the order of their numbers: moves the bytes of one to the message's end. */
static compat_bool join(const void *key _U_, void *value, void *data)
{
    fragment *next = value;
    enet_message *message = data;

    if (message->last) {
        message->last->next = &next->item;
    } else {
        message->first = &next->item;
    }
    message->last = &next->item;
    memcpy(message->bytes + message->length, next->bytes, next->item.len);
    message->length += next->item.len;
    wmem_free(wmem_file_scope(), next->bytes);
    next->bytes = NULL;
    return FALSE;
}

bool enet_message_add(enet_message *message, const packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                      const enet_command *command)
{
    fragment *added = wmem_tree_lookup32(message->fragments, command->fields.fragment.number);

    added->item.len = command->data_length;
    added->bytes = wmem_alloc(wmem_file_scope(), MAX(1, command->data_length));
    tvb_memcpy(tvb, added->bytes, (int)offset, command->data_length);
    message->added_bytes += command->data_length;
    if (++message->added < message->count) {
        return false;
    }
    message->bytes = wmem_alloc(wmem_file_scope(), MAX(1, message->added_bytes));
    wmem_tree_foreach(message->fragments, join, message);
    message->completed_frame = pinfo->num;
    return true;
}

tvbuff_t *enet_message_whole(const enet_message *message, tvbuff_t *last)
{
    return message->completed_frame
               ? tvb_new_child_real_data(last, message->bytes, message->length, (int)message->length)
               : NULL;
}

fragment_head *enet_message_parts(const enet_message *message, packet_info *pinfo, tvbuff_t *whole)
{
    fragment_head *parts = wmem_new0(pinfo->pool, fragment_head);

    parts->next = message->first;
    parts->len = message->length;
    parts->datalen = message->count - 1;
    parts->reassembled_in = message->completed_frame;
    parts->flags = FD_DEFRAGMENTED | FD_BLOCKSEQUENCE | FD_DATALEN_SET;
    parts->tvb_data = whole;
    return parts;
}
