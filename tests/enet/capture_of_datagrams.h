/* capture_of_datagrams.h
 *
 * For tests of the state in src/enet: a conversation to which datagrams are added one after another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CAPTURE_OF_DATAGRAMS_H
#define CAPTURE_OF_DATAGRAMS_H

#include <string.h>

#include "common/counted_memory.h"
#include "enet/analysis/receive.h"

/* A conversation of two sockets in a capture file of its own. */
typedef struct {
    counted_memory kept, scratch; /* of the file; of one datagram */
    enet_capture capture;
    enet_conversation conversation, other; /* `other`: between two other sockets */
    enet_layout_choices choices;
    uint8_t plain[ENET_MAX_DATAGRAM];
    uint32_t frame; /* of the last datagram */
    int64_t clock;  /* time by which the next ones are late, in nanoseconds; frames are a millisecond apart */
    uint32_t point; /* interface of the next ones; 0: not known */
    bool elsewhere; /* the next ones are between the sockets of `other` */
    enet_datagram datagram;
    enet_datagram_record decided; /* about it */
    enet_datagram_record *record; /* the same; NULL if it was refused */
} fed_conversation;

static inline void feed_begin(fed_conversation *fed)
{
    memset(fed, 0, sizeof *fed);
    counted_begin(&fed->kept);
    counted_begin(&fed->scratch);
    fed->choices = (enet_layout_choices){ENET_STOCK, ENET_CHECKSUM_AUTO, (int)ENET_COMPRESSION_AUTO};
    enet_capture_init(&fed->capture, &(memory_allocator){counted_resize, &fed->kept});
    enet_conversation_init(&fed->conversation, &fed->capture, false, ENET_STOCK);
    enet_conversation_init(&fed->other, &fed->capture, false, ENET_STOCK);
}

static inline void feed_end(fed_conversation *fed)
{
    counted_end(&fed->scratch);
    counted_end(&fed->kept);
}

static inline enet_receive_options feed_options(fed_conversation *fed, const memory_allocator *scratch)
{
    return (enet_receive_options){.choices = &fed->choices,
                                  .scratch_memory = scratch,
                                  .scratch = fed->plain,
                                  .reassemble = true,
                                  .may_refuse = true};
}

/* The next datagram, captured whole or only in part; frames are 42 bytes longer. */
static inline enet_datagram_record *feed_cut(fed_conversation *fed, unsigned endpoint, const uint8_t *bytes,
                                             size_t captured, size_t length)
{
    memory_allocator scratch = {counted_resize, &fed->scratch};
    enet_receive_options options = feed_options(fed, &scratch);
    enet_wire wire = {.bytes = bytes, .captured = (uint32_t)captured, .length = (uint32_t)length};
    enet_arrival arrival = {.time = fed->clock + (int64_t)(fed->frame + 1) * 1000000,
                            .frame = ++fed->frame,
                            .bytes = (uint32_t)length + 42,
                            .endpoint = endpoint,
                            .point = fed->point};

    counted_end(&fed->scratch);
    counted_begin(&fed->scratch);
    enet_conversation *conversation = fed->elsewhere ? &fed->other : &fed->conversation;
    bool taken = enet_receive(conversation, &options, &arrival, &wire, NULL, &fed->datagram, &fed->decided);
    fed->record = taken ? &fed->decided : NULL;
    return fed->record;
}

#endif
