/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/deliver.h"

#include "enet/evidence/loss.h"

#include <epan/decode_as.h>
#include <epan/proto_data.h>

#include "base/subdissector.h"

static int proto_enet;
static dissector_table_t payload_table; /* "enet.payload": chosen by Decode As */
static dissector_table_t channel_table; /* "enet.channel" */
static heur_dissector_list_t payload_heuristics;

/* --- subdissectors -------------------------------------------------------------------------------- */

/* Wireshark moves a heuristic that accepted a message to the front of its list, so later passes could call
 * another one first. The dissector that was chosen on the first pass is kept in four bits of the record; one
 * that threw an exception counts as chosen. */
enum { SUBDISSECTOR_UNKNOWN, SUBDISSECTOR_NONE, FIRST_SUBDISSECTOR, SUBDISSECTORS = 16 };
static heur_dtbl_entry_t *subdissectors[SUBDISSECTORS]; /* of this file, from FIRST_SUBDISSECTOR on */

static unsigned number_of_subdissector(heur_dtbl_entry_t *entry)
{
    unsigned number = FIRST_SUBDISSECTOR;

    if (!entry) {
        return SUBDISSECTOR_NONE;
    }
    while (number < SUBDISSECTORS && subdissectors[number] && subdissectors[number] != entry) {
        number++;
    }
    if (number == SUBDISSECTORS) {
        return SUBDISSECTOR_UNKNOWN;
    }
    subdissectors[number] = entry;
    return number;
}

static bool offer_to_heuristics(tvbuff_t *message, packet_info *pinfo, proto_tree *top,
                                enet_payload_info *info, enet_command_record *record)
{
    heur_dtbl_entry_t *entry = NULL;

    if (record->subdissector >= FIRST_SUBDISSECTOR) {
        call_heur_dissector_direct(subdissectors[record->subdissector], message, pinfo, top, info);
        return true;
    }
    if (record->subdissector == SUBDISSECTOR_NONE) {
        return false;
    }
    bool taken = dissector_try_heuristic(payload_heuristics, message, pinfo, top, &entry, info);
    if (!frame_visited(pinfo)) {
        record->subdissector = number_of_subdissector(entry) & 15u;
    }
    return taken;
}

typedef struct {
    int protocol;
    heur_dtbl_entry_t *entry; /* NULL: none was found */
} protocol_search;

static void compare_protocol(const char *list _U_, heur_dtbl_entry_t *entry, void *data)
{
    protocol_search *search = data;

    if (!search->entry && entry->enabled && proto_get_id(entry->protocol) == search->protocol) {
        search->entry = entry;
    }
}

/* After an exception: Wireshark adds the protocol of a heuristic to the layers before it calls it, so it is
 * the first new layer since there were `layers`. */
static void remember_failed_subdissector(const packet_info *pinfo, unsigned layers,
                                         enet_command_record *record)
{
    wmem_list_frame_t *layer = wmem_list_head(pinfo->layers);

    for (unsigned i = 0; layer && i < layers; i++) {
        layer = wmem_list_frame_next(layer);
    }
    if (layer && !frame_visited(pinfo)) {
        protocol_search search = {.protocol = GPOINTER_TO_INT(wmem_list_frame_data(layer))};
        heur_dissector_table_foreach("enet", compare_protocol, &search);
        record->subdissector =
            search.entry ? number_of_subdissector(search.entry) & 15u : SUBDISSECTOR_UNKNOWN;
    }
}

/* A message and what its dissectors get. */
typedef struct {
    tvbuff_t *message;
    packet_info *pinfo;
    proto_tree *top;
    enet_payload_info *info;
    enet_command_record *record;
} offered_message;

static bool offer(void *data)
{
    const offered_message *m = data;
    return dissector_try_payload_with_data(payload_table, m->message, m->pinfo, m->top, true, m->info) > 0 ||
           dissector_try_uint_with_data(channel_table, m->info->channel, m->message, m->pinfo, m->top, true,
                                        m->info) > 0 ||
           offer_to_heuristics(m->message, m->pinfo, m->top, m->info, m->record);
}

static void remember_failed(void *data, unsigned layers)
{
    const offered_message *m = data;
    remember_failed_subdissector(m->pinfo, layers, m->record);
}

/* Facts that are known at the end of the capture: whether the command (of fragments, the last one) is
 * acknowledged, and how often it was sent. */
static void add_later_facts(const enet_view *view, const enet_command *command,
                            const enet_command_record *record, enet_payload_info *info)
{
    enet_command_detail detail = enet_detail_of(view->capture, record, command->type);
    const enet_transmission *transmission = enet_transmission_at(view->capture, detail.transmission);
    if (!transmission) {
        return;
    }
    info->sent = transmission->is_first ? detail.transmission : transmission->first;
    if (!frame_visited(view->pinfo)) {
        return;
    }
    const enet_transmission *first = enet_first_transmission(view->capture, transmission);
    info->transmissions = first->count;
    info->held_until = enet_delivery_at_latest(view->record->sender, command->channel, first);
    info->acknowledged = first->command_acked_in != 0;
    info->unanswered = enet_loss_never_answered(view->capture, view->record->sender, first);
    info->round_trip = enet_state_round_trip(info->sent);
}

/* Whether the receiver has received the command before, by its notes. Not if it refused all earlier
 * transmissions. */
static bool is_repeated(const enet_command_record *record)
{
    const uint32_t repeated = ENET_NOTE(ENET_NOTE_RETRANSMISSION) | ENET_NOTE(ENET_NOTE_DUPLICATE) |
                              ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED) | ENET_NOTE(ENET_NOTE_GROUP_REPEATED);

    return (record->notes & repeated) && !(record->notes & ENET_NOTE(ENET_NOTE_REFUSED_BEFORE));
}

/* Whether the command was sent before, by its notes at the first capture point. */
static bool sent_before(const enet_capture *capture, const enet_sighting_facts *facts,
                        const enet_command *command, const enet_message *message)
{
    const enet_kept_datagram *first = facts->record ? enet_kept_at(capture, facts->record) : NULL;

    return !message && first && command->index < first->command_count &&
           is_repeated(&first->commands[command->index]);
}

/* Data about a message whose datagram was captured at one of two capture points. */
static void add_sighting(const enet_view *view, const enet_command *command, const enet_message *message,
                         enet_payload_info *info)
{
    enet_sighting_facts facts = enet_state_sighting(view->pinfo, view->record);
    uint32_t frame = frame_order(view->pinfo);

    info->second_point = view->record->second;
    info->lost = facts.lost;
    if (!facts.placed) {
        return;
    }
    uint32_t sent_in = facts.sender_frame ? facts.sender_frame : facts.frame;
    info->sent_here = frame == sent_in && !sent_before(view->capture, &facts, command, message);
    info->points_known = true;
    info->arrived |= facts.receiver_frame != 0;
    info->received_in = facts.receiver_frame;
    info->has_transit = facts.has_transit && frame == facts.receiver_frame;
    info->transit = nstime_of(facts.transit);
    if (frame != facts.receiver_frame) {
        return;
    }
    enet_delivery_facts delivery = enet_state_delivery(view->pinfo, view->record, command);
    if (!delivery.known) {
        info->delivered_in = sent_before(view->capture, &facts, command, message) ? 0 : frame;
    } else if (!delivery.copy) {
        info->delivered_in = delivery.frame;
        info->held = !delivery.frame;
        info->wait = nstime_of(delivery.frame ? delivery.wait : 0);
    }
}

enet_payload_info enet_describe_message(const enet_view *view, const enet_command *command,
                                        const enet_command_record *record, const enet_message *message,
                                        uint32_t share)
{
    static const enet_delivery deliveries[ENET_COMMAND_COUNT] = {
        [ENET_SEND_UNRELIABLE] = ENET_DELIVERY_UNRELIABLE,
        [ENET_SEND_UNRELIABLE_FRAGMENT] = ENET_DELIVERY_UNRELIABLE,
        [ENET_SEND_UNSEQUENCED] = ENET_DELIVERY_UNSEQUENCED,
    };
    const uint32_t dropped = ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) | ENET_NOTE(ENET_NOTE_OVERTAKEN) |
                             ENET_NOTE(ENET_NOTE_GROUP_TOO_FAR) | ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR) |
                             ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE);
    const enet_sender *sender = view->record->sender;
    const enet_connection *connection = sender->connection;

    enet_payload_info info = {
        .stream = connection->stream,
        .channel = command->channel,
        .delivery = deliveries[command->type],
        .fragmented = enet_commands[command->type].fragment,
        .direction_known = view->record->direction_known,
        .from_initiator = sender->side == ENET_INITIATOR,
        .has_connect_data = view->record->has_connect_data,
        .connect_data = view->record->has_connect_data ? connection->connect.data : 0,
        .channel_count = view->record->channel_count,
        .mtu = view->record->mtu,
        /* The last missing fragment of a message may be a retransmission. */
        .retransmission = view->record->second || (!message && is_repeated(record)),
        .wire_length = message ? message->wire_length : share,
        .first_frame = connection->first_frame,
        .closed_in = frame_visited(view->pinfo) ? connection->end_frame : 0,
        .closed_by_initiator = connection->ended_by == ENET_INITIATOR,
    };
    add_later_facts(view, command, record, &info);
    info.sent_here = !info.retransmission;
    info.arrived = info.acknowledged;
    if (view->record->sighting) {
        add_sighting(view, command, message, &info);
    }
    uint32_t withdrawn = enet_notes_withdrawn(view->pinfo, sender, record, command->type);
    info.ignored = info.retransmission || (record->notes & dropped & ~withdrawn) != 0;
    return info;
}

bool enet_deliver(const enet_view *view, const enet_payload_info *info, enet_command_record *record,
                  tvbuff_t *message)
{
    packet_info *pinfo = view->pinfo;
    enet_payload_info of_message = *info;
    offered_message offered = {message, pinfo, view->top, &of_message, record};
    const subdissector_call call = {.tvb = message,
                                    .pinfo = pinfo,
                                    .tree = view->top,
                                    .layered = (info->message_index & ENET_MESSAGES_OF_DATAGRAM) <
                                               SUBDISSECTOR_LAYERED_CALLS,
                                    .offer = offer,
                                    .failed = remember_failed,
                                    .data = &offered};

    if (view->tree && (info->message_index & ENET_MESSAGES_OF_DATAGRAM) == 0) {
        p_add_proto_data(pinfo->pool, pinfo, proto_enet, ENET_KEY_CHANNEL,
                         wmem_memdup(pinfo->pool, &info->channel, sizeof info->channel));
    }
    return subdissector_run(&call) != SUBDISSECTOR_DECLINED;
}

/* --- Decode As by channel ------------------------------------------------------------------------ */

static void channel_prompt(packet_info *pinfo, char *prompt)
{
    const uint8_t *channel = p_get_proto_data(pinfo->pool, pinfo, proto_enet, ENET_KEY_CHANNEL);
    snprintf(prompt, MAX_DECODE_AS_PROMPT_LEN, "ENet channel %u as", channel ? *channel : 0u);
}

static void *channel_value(packet_info *pinfo)
{
    const uint8_t *channel = p_get_proto_data(pinfo->pool, pinfo, proto_enet, ENET_KEY_CHANNEL);
    return GUINT_TO_POINTER(channel ? *channel : 0u);
}

static void register_decode_as_by_channel(void)
{
    static build_valid_func values[] = {channel_value};
    static decode_as_value_t value = {channel_prompt, 1, values};
    static decode_as_t by_channel = {"enet",
                                     "enet.channel",
                                     1,
                                     0,
                                     &value,
                                     NULL,
                                     NULL,
                                     decode_as_default_populate_list,
                                     decode_as_default_reset,
                                     decode_as_default_change,
                                     NULL};
    register_decode_as(&by_channel);
}

/* --- registration -------------------------------------------------------------------------------- */

static void begin_file(void)
{
    memset(subdissectors, 0, sizeof subdissectors);
}

void enet_deliver_register(int proto)
{
    proto_enet = proto;
    payload_table = register_decode_as_next_proto(proto, "enet.payload", "ENet payload", NULL);
    channel_table = register_dissector_table("enet.channel", "ENet channel", proto, FT_UINT8, BASE_DEC);
    payload_heuristics = register_heur_dissector_list("enet", proto);
    register_decode_as_by_channel();
    register_init_routine(begin_file);
}
