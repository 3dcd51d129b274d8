/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/show/expert.h"

#include "base/registration.h"
#include "enet/analysis/timeout.h"

expert_field ei_enet_problem[ENET_PROBLEM_COUNT];
static expert_field ei_note[ENET_NOTE_COUNT];
expert_field ei_enet_unacknowledged, ei_enet_checksum, ei_enet_undecoded, ei_enet_over_budget,
    ei_enet_compression_useless, ei_enet_disconnect, ei_enet_connect, ei_enet_reassembled_length,
    ei_enet_not_analysed, ei_enet_timeout, ei_enet_unanswered, ei_enet_paused;

static ei_register_info notes[] = {
    {&ei_note[ENET_NOTE_RETRANSMISSION],
     {"enet.analysis.retransmission", PI_SEQUENCE, PI_NOTE,
      "Retransmission: sent before, not acknowledged in time", EXPFILL}},
    {&ei_note[ENET_NOTE_SPURIOUS],
     {"enet.analysis.spurious_retransmission", PI_SEQUENCE, PI_NOTE,
      "Spurious retransmission: the acknowledgement was already on its way", EXPFILL}},
    {&ei_note[ENET_NOTE_DUPLICATE],
     {"enet.analysis.duplicate", PI_SEQUENCE, PI_NOTE, "Duplicate: the same transmission was captured before",
      EXPFILL}},
    {&ei_note[ENET_NOTE_OUT_OF_ORDER],
     {"enet.analysis.out_of_order", PI_SEQUENCE, PI_NOTE, "Out of order: first seen after a higher number",
      EXPFILL}},
    {&ei_note[ENET_NOTE_GAP],
     {"enet.analysis.gap", PI_SEQUENCE, PI_WARN,
      "Reliable numbers before this one were not seen yet: late, lost or not captured", EXPFILL}},
    {&ei_note[ENET_NOTE_UNRELIABLE_GAP],
     {"enet.analysis.unreliable_gap", PI_SEQUENCE, PI_NOTE,
      "Unreliable numbers skipped: lost, dropped by the sender's throttle, or not captured", EXPFILL}},
    {&ei_note[ENET_NOTE_UNRELIABLE_LATE],
     {"enet.analysis.unreliable_late", PI_SEQUENCE, PI_NOTE,
      "After a later unreliable message: a receiver to which they come in this order drops it", EXPFILL}},
    {&ei_note[ENET_NOTE_UNRELIABLE_REPEATED],
     {"enet.analysis.unreliable_duplicate", PI_SEQUENCE, PI_NOTE,
      "Unreliable message seen before: a receiver drops it", EXPFILL}},
    {&ei_note[ENET_NOTE_GROUP_REPEATED],
     {"enet.analysis.unsequenced_duplicate", PI_SEQUENCE, PI_NOTE,
      "Unsequenced group seen before: a receiver drops it", EXPFILL}},
    {&ei_note[ENET_NOTE_GROUP_TOO_FAR],
     {"enet.analysis.unsequenced_too_far", PI_SEQUENCE, PI_WARN,
      "Unsequenced group too old or too far ahead: a receiver drops it", EXPFILL}},
    {&ei_note[ENET_NOTE_NUMBER_TOO_FAR],
     {"enet.analysis.sequence_too_far", PI_SEQUENCE, PI_WARN,
      "Seven or more windows ahead of what is acknowledged: a receiver drops it "
      "without acknowledging it",
      EXPFILL}},
    {&ei_note[ENET_NOTE_UNKNOWN_NUMBER],
     {"enet.analysis.ack_unknown", PI_SEQUENCE, PI_NOTE, "Acknowledges a command that was not captured",
      EXPFILL}},
    {&ei_note[ENET_NOTE_UNKNOWN_TIME],
     {"enet.analysis.ack_time_unknown", PI_SEQUENCE, PI_NOTE,
      "Echoes a sent time at which no transmission of the command was captured", EXPFILL}},
    {&ei_note[ENET_NOTE_ACK_REPEATED],
     {"enet.analysis.ack_repeated", PI_SEQUENCE, PI_NOTE,
      "This transmission was acknowledged before: it, or its acknowledgement, was duplicated", EXPFILL}},
    {&ei_note[ENET_NOTE_BEFORE_HANDSHAKE],
     {"enet.analysis.before_handshake", PI_PROTOCOL, PI_WARN,
      "Sent before the handshake was complete: a receiver refuses it and "
      "skips the rest of the datagram",
      EXPFILL}},
    {&ei_note[ENET_NOTE_REFUSED_BEFORE],
     {"enet.analysis.refused_before", PI_SEQUENCE, PI_NOTE,
      "Earlier copies were refused, because the handshake was not complete or the number too far ahead: "
      "this is the one that a receiver executes",
      EXPFILL}},
    {&ei_note[ENET_NOTE_AFTER_DISCONNECT],
     {"enet.analysis.after_disconnect", PI_PROTOCOL, PI_WARN, "Sent after this side's own Disconnect",
      EXPFILL}},
    {&ei_note[ENET_NOTE_VERIFY_MISMATCH],
     {"enet.analysis.verify_mismatch", PI_PROTOCOL, PI_WARN,
      "Does not repeat the throttle values of Connect: the client gives up the "
      "connection",
      EXPFILL}},
    {&ei_note[ENET_NOTE_VERIFY_STALE],
     {"enet.analysis.verify_stale", PI_PROTOCOL, PI_NOTE,
      "Answers an attempt that was given up: the client acknowledges it without "
      "using it",
      EXPFILL}},
    {&ei_note[ENET_NOTE_CHANNELS_GRANTED],
     {"enet.analysis.channels_granted", PI_PROTOCOL, PI_NOTE, "More channels than Connect asked for",
      EXPFILL}},
    {&ei_note[ENET_NOTE_TOO_BIG],
     {"enet.analysis.too_big_for_unreliable", PI_PROTOCOL, PI_NOTE,
      "Too big for one datagram and therefore sent reliably, on a channel of unreliable "
      "messages",
      EXPFILL}},
    {&ei_note[ENET_NOTE_FRAGMENT_LATE],
     {"enet.analysis.fragment_late", PI_SEQUENCE, PI_NOTE, "The message was complete already", EXPFILL}},
    {&ei_note[ENET_NOTE_FRAGMENT_REPEATED],
     {"enet.analysis.fragment_duplicate", PI_SEQUENCE, PI_NOTE,
      "This fragment of the message was seen before", EXPFILL}},
    {&ei_note[ENET_NOTE_FRAGMENT_CONFLICT],
     {"enet.analysis.fragment_conflict", PI_REASSEMBLE, PI_WARN,
      "Fragment count or length differs from the message's other fragments: a "
      "receiver refuses it and skips the rest of the datagram",
      EXPFILL}},
    {&ei_note[ENET_NOTE_OVERTAKEN],
     {"enet.analysis.unreliable_overtaken", PI_SEQUENCE, PI_NOTE,
      "A later reliable message was delivered while it waited for an earlier one: a "
      "receiver to which they come in this order drops it",
      EXPFILL}},
    {&ei_note[ENET_NOTE_NOT_KEPT],
     {"enet.analysis.fragment_not_kept", PI_REASSEMBLE, PI_WARN,
      "Not reassembled: the fragments of this file need 256 MiB more than their captured bytes", EXPFILL}},
};
_Static_assert(array_length(notes) == ENET_NOTE_COUNT, "each note of src/enet has an expert info");

expert_field ei_enet_second_point, ei_enet_lost, ei_enet_throttled;

static ei_register_info others[] = {
    {&ei_enet_second_point,
     {"enet.analysis.second_point", PI_SEQUENCE, PI_CHAT,
      "Captured before at another capture point: neither analysed nor counted again", EXPFILL}},
    {&ei_enet_lost,
     {"enet.analysis.lost", PI_SEQUENCE, PI_NOTE,
      "Lost on the network: it left its sender and was not captured at the other capture point", EXPFILL}},
    {&ei_enet_throttled,
     {"enet.analysis.throttled", PI_SEQUENCE, PI_NOTE,
      "Unreliable numbers that never left the sender: dropped by its throttle", EXPFILL}},
    {&ei_enet_unacknowledged,
     {"enet.analysis.unacknowledged", PI_SEQUENCE, PI_NOTE,
      "Neither acknowledged nor sent again in this capture", EXPFILL}},
    {&ei_enet_checksum,
     {"enet.checksum.bad", PI_CHECKSUM, PI_ERROR, "Wrong checksum: a receiver drops the datagram", EXPFILL}},
    {&ei_enet_undecoded,
     {"enet.compression.undecoded", PI_UNDECODED, PI_WARN, "Cannot be decompressed", EXPFILL}},
    {&ei_enet_over_budget,
     {"enet.compression.over_budget", PI_UNDECODED, PI_WARN,
      "Not decompressed: earlier datagrams used up the limit on decompressed bytes", EXPFILL}},
    {&ei_enet_compression_useless,
     {"enet.compression.useless", PI_PROTOCOL, PI_NOTE, "Compression does not make it shorter", EXPFILL}},
    {&ei_enet_not_analysed,
     {"enet.analysis.not_analysed", PI_UNDECODED, PI_WARN,
      "From here on the commands of this datagram are not analysed and their messages not dissected: the "
      "file has too many datagrams with more commands than any known sender puts into one",
      EXPFILL}},
    {&ei_enet_timeout,
     {"enet.analysis.timeout", PI_SEQUENCE, PI_WARN,
      "Peer timed out: the sender gave up the connection without a Disconnect, or has exited", EXPFILL}},
    {&ei_enet_paused,
     {"enet.analysis.paused", PI_SEQUENCE, PI_NOTE,
      "The sender's process did not run: it neither sent nor answered", EXPFILL}},
    {&ei_enet_unanswered,
     {"enet.analysis.connect_unanswered", PI_SEQUENCE, PI_WARN, "Connect is never answered", EXPFILL}},
    {&ei_enet_connect, {"enet.analysis.connect", PI_SEQUENCE, PI_CHAT, "Connection opened", EXPFILL}},
    {&ei_enet_disconnect,
     {"enet.analysis.disconnect", PI_SEQUENCE, PI_CHAT, "Connection closed by this side", EXPFILL}},
    {&ei_enet_reassembled_length,
     {"enet.reassembled.bad_length", PI_REASSEMBLE, PI_WARN,
      "The fragments together are not as long as the message should be", EXPFILL}},
};

void enet_expert_notes(packet_info *pinfo, proto_item *item, uint32_t notes_of_command)
{
    for (unsigned note = 0; note < ENET_NOTE_COUNT; note++) {
        if (notes_of_command & ENET_NOTE(note)) {
            expert_add_info(pinfo, item, &ei_note[note]);
        }
    }
}

static double seconds(int64_t nanoseconds)
{
    return (double)nanoseconds / 1e9;
}

/* "the server", "client 2 (peer 4711)"; "one end" if it is not known which one is the server. */
static const char *end_name(const enet_view *view, const enet_sender *sender, const char *unknown)
{
    wmem_allocator_t *pool = view->pinfo->pool;
    const enet_connection *connection = sender->connection;
    uint32_t id = connection->connect_frame ? connection->connect.data : 0;
    if (!connection->roles_known) {
        const char *own = enet_end_name ? enet_end_name(pool, connection, (enet_side)sender->side) : NULL;
        return own ? own : unknown;
    }
    if (sender->side == ENET_ACCEPTOR || id == 0 || id > INT32_MAX) {
        return sender->side == ENET_ACCEPTOR ? "the server" : "the client";
    }
    const char *number = wmem_strdup_printf(pool, "peer %u", id);
    const char *name = enet_peer_name ? enet_peer_name(pool, (int32_t)id) : number;
    return wmem_strdup_printf(pool, "%s (%s)", strcmp(name, number) == 0 ? "the client" : name, number);
}

void enet_expert_timeout(const enet_view *view, proto_item *item, uint32_t index)
{
    const enet_sender *sender = view->record->sender;
    wmem_allocator_t *pool = view->pinfo->pool;
    enet_timeout timeout = enet_timeout_after(view->capture, sender, index);
    if (timeout.kind == ENET_UNANSWERED) {
        expert_add_info_format(
            view->pinfo, item, &ei_enet_unanswered,
            "Connect of %s was sent %u times in %.1f s and is never answered (connection_failed): %s it is "
            "full, or it uses another compression or encryption%s",
            end_name(view, sender, "one end"), timeout.transmissions, seconds(timeout.waited),
            timeout.has_server ? "the server answers others:" : "there is no server,",
            view->record->layout.compression != ENET_COMPRESSION_NONE ? "; this Connect is compressed" : "");
    }
    if (timeout.kind != ENET_TIMED_OUT) {
        return;
    }
    const char *heard = timeout.heard_frame ? wmem_strdup_printf(pool, ", last heard in %s, %.1f s before",
                                                                 frame_text(pool, timeout.heard_frame),
                                                                 seconds(timeout.heard))
                                            : "";
    expert_add_info_format(
        view->pinfo, item, &ei_enet_timeout,
        "Peer timed out%s: %s gives up %s%s: sent %u times in %.1f s, not answered in %.1f s%s%s",
        !sender->connection->roles_known ? ""
        : sender->side == ENET_ACCEPTOR  ? " (peer_disconnected)"
                                         : " (server_disconnected)",
        end_name(view, sender, "one end"), end_name(view, enet_other_sender(sender), "the other one"),
        timeout.lives_on ? "" : ", or has exited", timeout.transmissions, seconds(timeout.waited),
        seconds(timeout.until), heard,
        timeout.accepted_only ? "; it only accepted (refuse_new_connections)" : "");
}

void enet_expert_pause(const enet_view *view, proto_item *item)
{
    const enet_sender *sender = view->record->sender;
    wmem_allocator_t *pool = view->pinfo->pool;
    const enet_pause *pause = sender && view->capture->pauses.count
                                  ? enet_pause_before(view->capture, sender, frame_order(view->pinfo))
                                  : NULL;
    if (pause) {
        expert_add_info_format(
            view->pinfo, item, &ei_enet_paused,
            "Paused: %s did not run for %.1f s, from %s on: what was sent to it had arrived and is "
            "answered only now",
            end_name(view, sender, "one end"), seconds(pause->to_time - pause->from_time),
            frame_text(pool, pause->last));
    }
}

void enet_expert_register(int proto)
{
    expert_module_t *module = expert_register_protocol(proto);

    register_problems(module, "enet.problem.", enet_problems, ei_enet_problem, ENET_PROBLEM_COUNT);
    expert_register_field_array(module, notes, array_length(notes));
    expert_register_field_array(module, others, array_length(others));
}
