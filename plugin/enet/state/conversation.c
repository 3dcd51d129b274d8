/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/state/conversation.h"

#include "base/allocators.h"
#include "enet/evidence/conclusions.h"
#include "enet/evidence/loss.h"

#include <epan/conversation.h>

const char *(*enet_peer_name)(wmem_allocator_t *scope, int32_t id);
void (*enet_peer_connects)(void);
const char *(*enet_end_name)(wmem_allocator_t *scope, const enet_connection *connection, enet_side side);
enet_answer (*enet_server_opens)(uint32_t stream);
bool (*enet_is_of_mesh)(const enet_connection *connection);

static int proto_enet;
static enet_capture connections_of_file;

#define KEPT_ADDRESS 16 /* bytes; IPv6 */

/* Two sockets, with all data needed for each datagram together. */
typedef struct {
    enet_conversation state;
    address first_address, other_address; /* of socket 0, the first sender, and of socket 1 */
    uint32_t first_port, other_port;
    uint8_t first_bytes[KEPT_ADDRESS],
        other_bytes[KEPT_ADDRESS]; /* of the addresses, if they are not longer */
    uint32_t before;               /* see enet_state_not_given() */
} conversation_data;

/* Conversations of recent datagrams, by the hash of their sockets. Wireshark's lookup takes several times as
 * long, and longer the more conversations there are. */
#define RECENT_BITS 14
#define RECENT      (1u << RECENT_BITS)
static conversation_data *recent[RECENT];

/* Index of a record, by frame_order(). A frame seldom has more than one ENet datagram; those after the first
 * one are in lists by the same. */
static paged_list records = {.size = sizeof(uint32_t)};
static wmem_map_t *further_records;

typedef struct further_record {
    uint32_t index;
    struct further_record *next;
} further_record;

/* Seconds, by the index of the first transmission; NULL: none yet. */
static wmem_map_t *round_trips;
static bool round_trips_wanted;

static void begin_file(void)
{
    const memory_allocator memory = file_memory();

    enet_capture_init(&connections_of_file, &memory);
}

/* Its memory was freed with the file. */
static void end_file(void)
{
    connections_of_file = (enet_capture){0};
    memset(recent, 0, sizeof recent);
    round_trips = NULL;
    records = (paged_list){.size = sizeof(uint32_t)};
}

void enet_state_register(int proto)
{
    proto_enet = proto;
    further_records = file_map(g_direct_hash, g_direct_equal);
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

const address *enet_state_initiator(const enet_connection *connection, uint32_t *port)
{
    const conversation_data *data = (const conversation_data *)connection->conversation;
    bool first = connection->senders[ENET_INITIATOR].endpoint == 0;

    *port = first ? data->first_port : data->other_port;
    return first ? &data->first_address : &data->other_address;
}

uint32_t enet_state_not_given(const enet_connection *connection)
{
    return ((const conversation_data *)connection->conversation)->before;
}

/* --- conversations ------------------------------------------------------------------------------- */

static bool is_socket(const address *a, uint32_t a_port, const address *b, uint32_t b_port)
{
    return a_port == b_port && addresses_equal(a, b);
}

static bool is_between(const conversation_data *data, const packet_info *pinfo)
{
    return (is_socket(&data->first_address, data->first_port, &pinfo->src, pinfo->srcport) &&
            is_socket(&data->other_address, data->other_port, &pinfo->dst, pinfo->destport)) ||
           (is_socket(&data->first_address, data->first_port, &pinfo->dst, pinfo->destport) &&
            is_socket(&data->other_address, data->other_port, &pinfo->src, pinfo->srcport));
}

/* All bits of the socket affect the upper bits. */
static uint64_t hash_of_socket(const address *where, uint32_t port)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    const uint8_t *bytes = where->data;
    uint64_t hash = port * factor;

    for (int i = 0; i < where->len; i++) {
        hash = (hash ^ bytes[i]) * factor;
    }
    return (hash ^ hash >> 32) * factor;
}

/* Another one for each socket, but for a chance of 2^-32. */
static uint32_t number_of_socket(const address *where, uint32_t port)
{
    return (uint32_t)(hash_of_socket(where, port) >> 32);
}

/* Where the conversation of a packet would be; the same for both directions. NULL where other layers have
 * made conversations of their own, as inside DTLS. */
static conversation_data **recent_place(const packet_info *pinfo)
{
    if (pinfo->ptype != PT_UDP || pinfo->conv_addr_port_endpoints || pinfo->conv_elements) {
        return NULL;
    }
    uint64_t hash =
        hash_of_socket(&pinfo->src, pinfo->srcport) + hash_of_socket(&pinfo->dst, pinfo->destport);
    return &recent[hash >> (64 - RECENT_BITS)];
}

static void keep_address(address *to, uint8_t *bytes, const address *from)
{
    if (from->len > KEPT_ADDRESS) {
        copy_address_wmem(wmem_file_scope(), to, from);
        return;
    }
    if (from->len > 0) {
        memcpy(bytes, from->data, (size_t)from->len);
    }
    set_address(to, from->type, from->len, from->len > 0 ? bytes : NULL);
}

static conversation_data *new_conversation(const packet_info *pinfo, enet_dialect dialect)
{
    conversation_data *data = wmem_new0(wmem_file_scope(), conversation_data);

    keep_address(&data->first_address, data->first_bytes, &pinfo->src);
    keep_address(&data->other_address, data->other_bytes, &pinfo->dst);
    data->first_port = pinfo->srcport;
    data->other_port = pinfo->destport;
    enet_conversation_init(&data->state, &connections_of_file,
                           pinfo->srcport == pinfo->destport && addresses_equal(&pinfo->src, &pinfo->dst),
                           dialect);
    data->state.sockets[0] = number_of_socket(&pinfo->src, pinfo->srcport);
    data->state.sockets[1] = number_of_socket(&pinfo->dst, pinfo->destport);
    return data;
}

enet_conversation *enet_conversation_of(packet_info *pinfo, bool create, enet_dialect dialect)
{
    conversation_data **place = recent_place(pinfo);
    if (place && *place && is_between(*place, pinfo)) {
        return &(*place)->state;
    }
    conversation_t *of_packet =
        create ? find_or_create_conversation(pinfo) : find_conversation_pinfo(pinfo, 0);
    conversation_data *data = of_packet ? conversation_get_proto_data(of_packet, proto_enet) : NULL;

    if (!data && of_packet && create) {
        data = new_conversation(pinfo, dialect);
        data->before = of_packet->setup_frame < pinfo->num ? of_packet->setup_frame : 0;
        conversation_add_proto_data(of_packet, proto_enet, data);
    }
    if (data && place) {
        *place = data;
    }
    return data ? &data->state : NULL;
}

/* The conversation is the first member of its data. */
enet_arrival enet_arrival_of(const enet_conversation *conversation, const packet_info *pinfo)
{
    const conversation_data *data = (const conversation_data *)(const void *)conversation;
    bool first = pinfo->srcport == data->first_port && addresses_equal(&pinfo->src, &data->first_address);

    return (enet_arrival){.time = nanoseconds_of(&pinfo->abs_ts),
                          .frame = frame_order(pinfo),
                          .bytes = pinfo->fd->pkt_len,
                          .endpoint = first ? 0u : 1u,
                          .point = frame_capture_point(pinfo)};
}

uint32_t enet_notes_withdrawn(const packet_info *pinfo, const enet_sender *sender,
                              const enet_command_record *record, unsigned type)
{
    if (!record->notes || !frame_visited(pinfo)) {
        return 0;
    }
    const enet_arrival arrival = {.time = nanoseconds_of(&pinfo->abs_ts), .frame = frame_order(pinfo)};
    return enet_withdrawn_notes(&connections_of_file, sender, &arrival, record, type);
}

nstime_t enet_time_since(const packet_info *pinfo, int64_t time)
{
    return nstime_of(nanoseconds_of(&pinfo->abs_ts) - time);
}

/* --- capture points ------------------------------------------------------------------------------ */

enet_sighting_facts enet_state_sighting(const packet_info *pinfo, const enet_datagram_record *record)
{
    enet_sighting_facts facts = enet_points_facts(&connections_of_file, record->sighting);

    return frame_visited(pinfo) ? facts : (enet_sighting_facts){.frame = facts.frame};
}

enet_delivery_facts enet_state_delivery(const packet_info *pinfo, const enet_datagram_record *record,
                                        const enet_command *command)
{
    bool reliable = command->type == ENET_SEND_RELIABLE || command->type == ENET_SEND_FRAGMENT;

    return reliable && record->sighting && frame_visited(pinfo)
               ? enet_delivery_of(&connections_of_file, record, command, frame_order(pinfo))
               : (enet_delivery_facts){0};
}

const enet_sender *enet_sender_in_file(uint32_t stream, bool from_initiator)
{
    return enet_evidence_sender(&connections_of_file, stream, from_initiator);
}

static enet_answer server_opens(const enet_connection *connection)
{
    return enet_server_opens ? enet_server_opens(connection->stream) : ENET_NOT_KNOWN;
}

enet_side enet_client_side(const packet_info *pinfo, const enet_sender *sender)
{
    const enet_connection *connection = sender->connection;
    enet_side side = (enet_side)sender->side;
    enet_side other = side == ENET_INITIATOR ? ENET_ACCEPTOR : ENET_INITIATOR;
    bool known = connection->roles_known || pinfo->srcport == pinfo->destport;
    bool from_client = known ? side == ENET_INITIATOR : frame_seems_from_client(pinfo);
    bool reversed = server_opens(connection) == ENET_YES;
    return from_client != reversed ? side : other;
}

bool enet_client_agrees(const enet_connection *connection)
{
    if (connection->connect_frame) {
        return !enet_is_of_mesh || !enet_is_of_mesh(connection);
    }
    return server_opens(connection) == ENET_NO;
}

/* --- what the capture has ------------------------------------------------------------------------ */

enet_answer enet_captured_whole(const enet_span *span)
{
    return enet_evidence_whole(&connections_of_file, span);
}

bool enet_captured_delivery(uint32_t stream, bool from_initiator, uint8_t channel, uint32_t sent,
                            int64_t *time)
{
    const enet_sender *sender = enet_evidence_sender(&connections_of_file, stream, from_initiator);
    const enet_transmission *first = enet_transmission_at(&connections_of_file, sent);
    return sender && first && enet_delivery_time(&connections_of_file, sender, channel, first, time);
}

uint32_t enet_captured_not(const enet_span *span, bool *proven)
{
    return enet_evidence_missing(&connections_of_file, span, proven);
}

enet_direction enet_captured_of(uint32_t stream, bool from_initiator)
{
    const enet_sender *sender = enet_sender_in_file(stream, from_initiator);
    return sender ? enet_evidence_of(sender) : (enet_direction){0};
}

bool enet_losses_judged(const enet_connection *connection)
{
    return enet_loss_is_judged(connection);
}

enet_ending enet_ending_in_file(const enet_connection *connection)
{
    return enet_ending_of(&connections_of_file, connection);
}

const char *enet_captured_text(wmem_allocator_t *pool, unsigned any, unsigned all)
{
    static const struct {
        unsigned bit;
        bool lacks;
        const char *text;
    } words[] = {{ENET_COMPLETE_OTHER, false, "one direction"},
                 {ENET_COMPLETE_START, false, "not from the start"},
                 {ENET_LACKS_ARRIVED, true, "not all datagrams"},
                 {ENET_LACKS_BYTES, true, "not all bytes"}};
    wmem_strbuf_t *text = wmem_strbuf_new(pool, NULL);
    for (size_t i = 0; i < array_length(words); i++) {
        bool said = words[i].lacks ? any & words[i].bit : !(all & words[i].bit);
        if (said) {
            wmem_strbuf_append_printf(text, "%s%s", wmem_strbuf_get_len(text) ? ", " : "", words[i].text);
        }
    }
    return wmem_strbuf_get_len(text) ? wmem_strbuf_get_str(text) : "whole";
}

const enet_connection *enet_connection_in_file(uint32_t stream)
{
    return stream < connections_of_file.connections.count
               ? enet_connection_at(&connections_of_file, stream + 1)
               : NULL;
}

/* --- round trips --------------------------------------------------------------------------------- */

void enet_state_keep_round_trips(bool keep)
{
    round_trips_wanted = keep;
    round_trips = keep ? round_trips : NULL;
}

void enet_state_learn_round_trip(const packet_info *pinfo, const enet_command_detail *detail)
{
    const enet_transmission *answered =
        round_trips_wanted
            ? enet_round_trip(&connections_of_file, detail, ENET_ACKNOWLEDGE, frame_order(pinfo))
            : NULL;
    if (!answered || detail->earlier_frame) {
        return;
    }
    if (!round_trips) { /* statistics are opened when the file has been read already */
        round_trips = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
    }
    nstime_t time = enet_time_since(pinfo, answered->time);
    double *seconds = wmem_new(wmem_file_scope(), double);
    *seconds = nstime_to_sec(&time);
    wmem_map_insert(round_trips, GUINT_TO_POINTER(answered->is_first ? detail->about : answered->first),
                    seconds);
}

double enet_state_round_trip(uint32_t first)
{
    const double *seconds = round_trips ? wmem_map_lookup(round_trips, GUINT_TO_POINTER(first)) : NULL;
    return seconds ? *seconds : -1;
}

/* --- records ------------------------------------------------------------------------------------- */

static enet_kept_datagram *kept_at(uint32_t index)
{
    return enet_kept_at(&connections_of_file, index);
}

/* The first record of the frame; 0 if there is none. */
static uint32_t first_of(const packet_info *pinfo)
{
    const uint32_t *first = paged_list_find(&records, frame_order(pinfo));
    return first ? *first : 0;
}

/* The records after the `first` one; NULL if there are none. */
static const further_record *further_of(const packet_info *pinfo, uint32_t first)
{
    return kept_at(first)->followed ? wmem_map_lookup(further_records, GUINT_TO_POINTER(frame_order(pinfo)))
                                    : NULL;
}

uint32_t enet_record_here(const packet_info *pinfo)
{
    uint32_t first = first_of(pinfo);

    if (!first || kept_at(first)->layer == pinfo->curr_layer_num) {
        return first;
    }
    const further_record *further = further_of(pinfo, first);
    while (further && kept_at(further->index)->layer != pinfo->curr_layer_num) {
        further = further->next;
    }
    return further ? further->index : 0;
}

static void keep_further(uint32_t frame, uint32_t index)
{
    further_record *further = wmem_new(wmem_file_scope(), further_record);

    *further = (further_record){index, wmem_map_lookup(further_records, GUINT_TO_POINTER(frame))};
    wmem_map_insert(further_records, GUINT_TO_POINTER(frame), further);
}

void enet_record_keep(const packet_info *pinfo, uint32_t index)
{
    const memory_allocator memory = file_memory();
    uint32_t *first = paged_list_make(&memory, &records, frame_order(pinfo));

    kept_at(index)->layer = pinfo->curr_layer_num;
    if (*first) {
        kept_at(*first)->followed = 1;
        keep_further(frame_order(pinfo), index);
    } else {
        *first = index;
    }
}

const enet_sender *enet_sender_in_frame(const packet_info *pinfo)
{
    uint32_t first = first_of(pinfo);
    uint32_t last = first && kept_at(first)->layer <= pinfo->curr_layer_num ? first : 0;

    for (const further_record *further = first ? further_of(pinfo, first) : NULL; further;
         further = further->next) {
        uint32_t layer = kept_at(further->index)->layer;
        if (layer <= pinfo->curr_layer_num && (!last || layer > kept_at(last)->layer)) {
            last = further->index;
        }
    }
    return last ? enet_kept_sender(&connections_of_file, last) : NULL;
}
