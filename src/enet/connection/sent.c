/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/connection/sent.h"

static uint32_t key_of(uint8_t channel, uint16_t sequence)
{
    return (uint32_t)channel << 16 | sequence;
}

uint32_t enet_sent_find(const number_map *sent, uint8_t channel, uint16_t sequence)
{
    return number_map_get(sent, key_of(channel, sequence));
}

uint32_t enet_sent_find_time(const paged_list *transmissions, uint32_t first, uint16_t sent_time)
{
    for (uint32_t index = first; index;) {
        const enet_transmission *at = paged_list_at(transmissions, index);
        if (at->has_sent_time && at->sent_time == sent_time) {
            return index;
        }
        index = at->next;
    }
    return 0;
}

static void fill(enet_transmission *transmission, const enet_arrival *arrival, const enet_header *header)
{
    transmission->time = arrival->time;
    transmission->frame = arrival->frame;
    transmission->sent_time = header->sent_time;
    transmission->has_sent_time = header->has_sent_time;
}

enet_transmission *enet_sent_add(const memory_allocator *memory, paged_list *transmissions, number_map *sent,
                                 uint8_t channel, uint32_t number)
{
    uint32_t index = paged_list_add(memory, transmissions);
    enet_transmission *first = paged_list_at(transmissions, index);

    first->is_first = 1;
    first->number = number;
    first->last = index;
    first->count = 1;
    number_map_put(memory, sent, key_of(channel, (uint16_t)number), index);
    return first;
}

void enet_sent_captured(enet_transmission *first, const enet_arrival *arrival, const enet_header *header,
                        const enet_command *command)
{
    fill(first, arrival, header);
    first->length = (uint16_t)command->length;
    first->type = command->type & 15u;
    first->unanswerable = !command->acknowledge || !header->has_sent_time;
}

uint32_t enet_sent_repeat(const memory_allocator *memory, paged_list *transmissions, uint32_t first_index,
                          const enet_arrival *arrival, const enet_header *header)
{
    enet_transmission *first = paged_list_at(transmissions, first_index);

    if (first->count >= ENET_MAX_TRANSMISSIONS) {
        return 0;
    }
    uint32_t index = paged_list_add(memory, transmissions);
    enet_transmission *added = paged_list_at(transmissions, index);
    fill(added, arrival, header);
    added->length = first->length;
    added->type = first->type;
    added->first = first_index;
    ((enet_transmission *)paged_list_at(transmissions, first->last))->next = index;
    first->last = index;
    first->count++;
    return index;
}
