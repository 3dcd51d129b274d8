/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/evidence/conclusions.h"

#include "enet/connection/holes.h"

const enet_conclusion_facts enet_conclusions[ENET_CONCLUSIONS] = {
    [ENET_CONCLUDES_GAP] = {"enet.analysis.gap, enet.analysis.unreliable_gap, enet.analysis.out_of_order",
                            ENET_NEEDS_BYTES, "the numbers of commands"},
    [ENET_CONCLUDES_UNKNOWN] = {"enet.analysis.ack_unknown, enet.analysis.ack_time_unknown",
                                ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_START,
                                "an acknowledgement without its command"},
    [ENET_CONCLUDES_BEFORE_HANDSHAKE] = {"enet.analysis.before_handshake", ENET_NEEDS_BYTES | ENET_NEEDS_TIME,
                                         "a retransmission, or when the handshake is completed"},
    [ENET_CONCLUDES_UNACKNOWLEDGED] = {"enet.analysis.unacknowledged",
                                       ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_NO_GAP |
                                           ENET_NEEDS_HEARD | ENET_NEEDS_TIME | ENET_NEEDS_ORDER,
                                       "everything that the other end has sent since"},
    [ENET_CONCLUDES_NEVER_ACKNOWLEDGED] =
        {"Godot Replication: never acknowledged",
         ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_ALL | ENET_NEEDS_TIME | ENET_NEEDS_ORDER,
         "the same, or that it was sent again until the connection was closed "
         "or given up"},
    [ENET_CONCLUDES_TIMEOUT] = {"enet.analysis.timeout, enet.analysis.connect_unanswered",
                                ENET_NEEDS_BYTES | ENET_NEEDS_TIME | ENET_NEEDS_ORDER,
                                "how often a command is sent again, and that its sender is silent then"},
    [ENET_CONCLUDES_LOSS] = {"Godot Summary, Godot Peers: lost, needless, missing",
                             ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_ALL | ENET_NEEDS_ORDER,
                             "which transmission of a command is acknowledged"},
    [ENET_CONCLUDES_GONE] = {"Godot Summary, Godot Peers: gone, closed by",
                             ENET_NEEDS_ANSWERS | ENET_NEEDS_ORDER,
                             "ICMP, a handshake in the same slot, or the time-out of the other end"},
    [ENET_CONCLUDES_PAUSE] =
        {"enet.analysis.paused", ENET_NEEDS_ANSWERS,
         "a silence that the clock in datagrams confirms, and an acknowledgement of what "
         "was sent early in it"},
    [ENET_CONCLUDES_TOO_BIG] = {"enet.analysis.too_big_for_unreliable", ENET_NEEDS_START,
                                "that the channel has carried nothing reliable"},
    [ENET_CONCLUDES_BAD_CHECKSUM] = {"enet.checksum.bad", ENET_NEEDS_BYTES,
                                     "the connect id, of the handshake or of two other datagrams"},
};

bool enet_may_conclude(const enet_sender *sender, enet_conclusion conclusion)
{
    const enet_sender *other = enet_other_sender(sender);
    unsigned needs = enet_conclusions[conclusion].needs;

    return !((needs & ENET_NEEDS_BYTES && (sender->was_cut || other->was_cut)) ||
             (needs & ENET_NEEDS_ANSWERS && !other->first_frame) ||
             (needs & ENET_NEEDS_ORDER && sender->connection->clocks_differ) ||
             (needs & ENET_NEEDS_START && !sender->connection->from_start) ||
             (needs & ENET_NEEDS_ALL &&
              enet_holes_may_lack(sender->connection->conversation->capture, sender->connection)));
}

/* Datagrams that are captured within this time, in nanoseconds, may have been sent in the other order: the
 * queues of a network interface are read one after another. */
#define ORDER_ERROR INT64_C(1000000)

/* Whether the acceptor cannot have received the acknowledgement of its VERIFY_CONNECT before a datagram: the
 * acknowledgement comes clearly later, or later and the command is sent again, or the VERIFY_CONNECT is. An
 * initiator that sends anything else has acknowledged it: what the capture does not have need not be lost. */
static bool is_refused(const enet_capture *capture, const enet_sender *sender, int64_t time,
                       const enet_transmission *command)
{
    const enet_connection *connection = sender->connection;
    uint32_t first = enet_sent_find(&enet_other_sender(sender)->sent, ENET_CONNECTION_CHANNEL, 1);
    const enet_transmission *verify = enet_transmission_at(capture, first);
    const enet_transmission *last = verify ? enet_transmission_at(capture, verify->last) : NULL;
    bool again = command && command->count > 1 && connection->opened_time > time;
    bool later = connection->opened_by_ack && (again || connection->opened_time - time >= ORDER_ERROR);

    return !connection->opened_unseen && (later || (last && last->time - time >= ORDER_ERROR));
}

uint32_t enet_withdrawn_notes(const enet_capture *capture, const enet_sender *sender,
                              const enet_arrival *arrival, const enet_command_record *record, unsigned type)
{
    const uint32_t early = ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE), again = ENET_NOTE(ENET_NOTE_REFUSED_BEFORE);
    if (sender->connection->clocks_differ) {
        return record->notes & (early | again | ENET_NOTE(ENET_NOTE_SPURIOUS));
    }
    if (!(record->notes & (early | again))) {
        return 0;
    }
    const enet_transmission *own =
        enet_transmission_at(capture, enet_detail_of(capture, record, type).transmission);
    const enet_transmission *first = own ? enet_first_transmission(capture, own) : NULL;
    uint32_t withdrawn = 0;

    if (record->notes & early && !is_refused(capture, sender, arrival->time, first)) {
        withdrawn |= early;
    }
    /* Its first copy may have been refused because its number was too far ahead. */
    if (record->notes & again && first && first->time < sender->connection->opened_time &&
        !is_refused(capture, sender, first->time, first)) {
        withdrawn |= again;
    }
    return withdrawn;
}
