/* enet-state.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/enet-state.h"

#include <epan/conversation.h>
#include <epan/proto_data.h>

static int proto_enet = -1;
static enet_capture connections_of_file;

/* --- memory ---------------------------------------------------------------------------------------- */

static void *resize(void *allocator, void *old, size_t size)
{
    if (size == 0) {
        wmem_free(allocator, old);
        return NULL;
    }
    return old ? wmem_realloc(allocator, old, size) : wmem_alloc(allocator, size);
}

enet_memory enet_packet_memory(const packet_info *pinfo)
{
    return (enet_memory){resize, pinfo->pool};
}

static void begin_file(void)
{
    enet_capture_init(&connections_of_file, &(enet_memory){resize, wmem_file_scope()});
}

/* Its memory went with the file. */
static void end_file(void)
{
    connections_of_file = (enet_capture){0};
}

void enet_state_register(int proto)
{
    proto_enet = proto;
    register_init_routine(begin_file);
    register_cleanup_routine(end_file);
}

const enet_capture *enet_state_of_file(void)
{
    return &connections_of_file;
}

uint32_t enet_state_connections(void)
{
    return connections_of_file.connections.count;
}

/* --- conversations --------------------------------------------------------------------------------- */

typedef struct {
    enet_conversation state;
    address first_address; /* of socket 0: the first sender */
    uint32_t first_port;
} conversation_data;

enet_conversation *enet_conversation_of(packet_info *pinfo, bool create, enet_dialect dialect)
{
    conversation_t *of_packet =
        create ? find_or_create_conversation(pinfo) : find_conversation_pinfo(pinfo, 0);
    conversation_data *data = of_packet ? conversation_get_proto_data(of_packet, proto_enet) : NULL;

    if (data || !of_packet || !create) {
        return data ? &data->state : NULL;
    }
    data = wmem_new0(wmem_file_scope(), conversation_data);
    copy_address_wmem(wmem_file_scope(), &data->first_address, &pinfo->src);
    data->first_port = pinfo->srcport;
    enet_conversation_init(&data->state, &connections_of_file,
                           pinfo->srcport == pinfo->destport && addresses_equal(&pinfo->src, &pinfo->dst),
                           dialect);
    conversation_add_proto_data(of_packet, proto_enet, data);
    return &data->state;
}

/* Wraps for times that no capture has. */
static int64_t nanoseconds(const nstime_t *time)
{
    return (int64_t)((uint64_t)time->secs * UINT64_C(1000000000) + (uint64_t)time->nsecs);
}

static nstime_t to_nstime(int64_t nanoseconds_of)
{
    return (nstime_t){.secs = (time_t)(nanoseconds_of / 1000000000),
                      .nsecs = (int)(nanoseconds_of % 1000000000)};
}

/* The conversation is the first member of its data. */
enet_arrival enet_arrival_of(const enet_conversation *conversation, const packet_info *pinfo)
{
    const conversation_data *data = (const conversation_data *)(const void *)conversation;
    bool first = pinfo->srcport == data->first_port && addresses_equal(&pinfo->src, &data->first_address);

    return (enet_arrival){.time = nanoseconds(&pinfo->abs_ts),
                          .frame = pinfo->num,
                          .bytes = pinfo->fd->pkt_len,
                          .endpoint = first ? 0u : 1u};
}

nstime_t enet_time_since(const packet_info *pinfo, int64_t time)
{
    return to_nstime((int64_t)((uint64_t)nanoseconds(&pinfo->abs_ts) - (uint64_t)time));
}

nstime_t enet_time_of(const enet_transmission *transmission)
{
    return to_nstime(transmission->time);
}

/* --- records --------------------------------------------------------------------------------------- */

static uint32_t record_key(unsigned layer)
{
    return ENET_KEY_RECORD + layer;
}

enet_datagram_record *enet_record_here(packet_info *pinfo)
{
    return p_get_proto_data(wmem_file_scope(), pinfo, proto_enet, record_key(pinfo->curr_layer_num));
}

void enet_record_keep(packet_info *pinfo, enet_datagram_record *record)
{
    p_add_proto_data(wmem_file_scope(), pinfo, proto_enet, record_key(pinfo->curr_layer_num), record);
}

const enet_datagram_record *enet_record_of(packet_info *pinfo)
{
    for (unsigned layer = pinfo->curr_layer_num; layer > 0; layer--) {
        const enet_datagram_record *record =
            p_get_proto_data(wmem_file_scope(), pinfo, proto_enet, record_key(layer));
        if (record) {
            return record;
        }
    }
    return NULL;
}
