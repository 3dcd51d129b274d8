/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/evidence/conclusions.h"

#include "enet/connection/holes.h"

const enet_conclusion_facts enet_conclusions[ENET_CONCLUSIONS] = {
    [ENET_CONCLUDES_GAP] = {"enet.analysis.gap, enet.analysis.unreliable_gap, enet.analysis.out_of_order",
                            ENET_NEEDS_BYTES, "the numbers of commands"},
    [ENET_CONCLUDES_UNKNOWN] = {"enet.analysis.ack_unknown, enet.analysis.ack_time_unknown",
                                ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_START,
                                "an acknowledgement without its command"},
    [ENET_CONCLUDES_UNACKNOWLEDGED] = {"enet.analysis.unacknowledged",
                                       ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_NO_GAP |
                                           ENET_NEEDS_HEARD | ENET_NEEDS_TIME,
                                       "everything that the other end has sent since"},
    [ENET_CONCLUDES_NEVER_ACKNOWLEDGED] =
        {"Godot Replication: never acknowledged",
         ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_ALL | ENET_NEEDS_TIME,
         "the same, or that it was sent again until the connection was closed "
         "or given up"},
    [ENET_CONCLUDES_TIMEOUT] = {"enet.analysis.timeout, enet.analysis.connect_unanswered",
                                ENET_NEEDS_BYTES | ENET_NEEDS_TIME,
                                "how often a command is sent again, and that its sender is silent then"},
    [ENET_CONCLUDES_LOSS] = {"Godot Summary, Godot Peers: lost, needless, missing",
                             ENET_NEEDS_BYTES | ENET_NEEDS_ANSWERS | ENET_NEEDS_ALL,
                             "which transmission of a command is acknowledged"},
    [ENET_CONCLUDES_GONE] = {"Godot Summary, Godot Peers: gone, closed by", ENET_NEEDS_ANSWERS,
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
             (needs & ENET_NEEDS_START && !sender->connection->from_start) ||
             (needs & ENET_NEEDS_ALL &&
              enet_holes_may_lack(sender->connection->conversation->capture, sender->connection)));
}
