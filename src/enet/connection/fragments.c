/* fragments.c
 *
 * See fragments.h. Up to a million fragments are allowed, in any order, so each takes constant time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/connection/fragments.h"

#include <string.h>

#include "base/array.h"

#define MAX_OLDER 8u /* messages with one start sequence that may be under way at once, reordered */

static uint32_t key_of(bool unreliable, uint8_t channel, uint16_t start)
{
    return (uint32_t)unreliable << 24 | (uint32_t)channel << 16 | start;
}

static uint32_t start_key(const enet_command *command)
{
    return key_of(command->type == ENET_SEND_UNRELIABLE_FRAGMENT, command->channel,
                  command->fields.fragment.start_sequence);
}

static uint32_t find_message(const enet_capture *capture, uint32_t newest, uint32_t number)
{
    for (unsigned tried = 0; newest && tried < MAX_OLDER; tried++) {
        const enet_message *message = enet_message_at(capture, newest);
        if (message->number == number) {
            return newest;
        }
        newest = message->older;
    }
    return 0;
}

static uint32_t new_message(enet_capture *capture, const enet_command *command, uint32_t number,
                            uint32_t older)
{
    uint32_t index = paged_list_add(&capture->memory, &capture->messages);
    enet_message *message = enet_message_at(capture, index);

    message->count = command->fields.fragment.count;
    message->total_length = command->fields.fragment.total_length;
    message->number = number;
    message->older = older;
    return index;
}

static enet_fragment *find_fragment(const enet_message *message, uint32_t number)
{
    uint32_t place = message->completed_frame ? number + 1 : number_map_get(&message->by_number, number);

    return place ? &message->fragments[place - 1] : NULL;
}

uint32_t enet_message_of(enet_capture *capture, enet_sender *sender, const enet_command *command,
                         uint32_t number)
{
    uint32_t newest = number_map_get(&sender->messages, start_key(command));
    uint32_t index = find_message(capture, newest, number);

    if (!index) {
        index = new_message(capture, command, number, newest);
        number_map_put(&capture->memory, &sender->messages, start_key(command), index);
    }
    const enet_message *message = enet_message_at(capture, index);
    return message->count == command->fields.fragment.count &&
                   message->total_length == command->fields.fragment.total_length
               ? index
               : 0;
}

uint32_t enet_message_take(const memory_allocator *memory, enet_message *message, uint32_t number,
                           uint32_t frame)
{
    const enet_fragment *earlier = find_fragment(message, number);

    if (earlier) {
        return earlier->frame;
    }
    array_grow(memory, &message->fragments, message->seen, &message->room, UINT32_MAX,
               sizeof *message->fragments);
    message->fragments[message->seen++] = (enet_fragment){.number = number, .frame = frame};
    number_map_put(memory, &message->by_number, number, message->seen);
    return 0;
}

uint32_t enet_message_count(const enet_capture *capture, const enet_sender *sender, uint8_t channel,
                            uint32_t number)
{
    uint32_t newest = number_map_get(&sender->messages, key_of(false, channel, (uint16_t)number));
    uint32_t index = find_message(capture, newest, number);

    return index ? enet_message_at(capture, index)->count : 0;
}

/* Puts the fragments into the order of their numbers and their bytes into one piece. */
static void join(const memory_allocator *memory, enet_message *message)
{
    enet_fragment *ordered = memory->resize(memory->context, NULL, message->count * sizeof *ordered);
    uint32_t at = 0;

    message->bytes = memory->resize(memory->context, NULL, message->length ? message->length : 1);
    for (uint32_t i = 0; i < message->count; i++) {
        ordered[message->fragments[i].number] = message->fragments[i];
    }
    for (uint32_t i = 0; i < message->count; i++) {
        memcpy(message->bytes + at, ordered[i].bytes, ordered[i].length);
        at += ordered[i].length;
        memory->resize(memory->context, ordered[i].bytes, 0);
        ordered[i].bytes = NULL;
    }
    memory->resize(memory->context, message->fragments, 0);
    message->fragments = ordered;
    number_map_clear(memory, &message->by_number);
}

bool enet_message_add(enet_capture *capture, enet_message *message, const enet_arrival *arrival,
                      const uint8_t *data, uint32_t length)
{
    const memory_allocator *memory = &capture->memory;
    enet_fragment *fragment = &message->fragments[message->seen - 1];

    if (length > message->total_length - message->length) {
        /* more than the message has: no sender sends such fragments, and memory has to be limited */
        return false;
    }
    fragment->bytes = memory->resize(memory->context, NULL, length ? length : 1);
    fragment->length = length & 0x7fffffffu;
    memcpy(fragment->bytes, data, length);
    message->length += length;
    if (++message->added < message->count) {
        return false;
    }
    join(memory, message);
    message->completed_frame = arrival->frame;
    return true;
}

bool enet_message_again(enet_message *message, const enet_command *command, uint32_t frame)
{
    if (message->count != command->fields.fragment.count ||
        message->total_length != command->fields.fragment.total_length) {
        return false;
    }
    enet_fragment *fragment = find_fragment(message, command->fields.fragment.number);
    if (!fragment || fragment->again || !message->completed_frame) {
        return false;
    }
    fragment->again = 1;
    if (++message->again < message->count) {
        return false;
    }
    message->again_frame = frame;
    return true;
}
