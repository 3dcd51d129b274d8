/* timeout.h
 *
 * Connections that end without a DISCONNECT: a sender repeats a command until it has waited long enough, then
 * it gives up the connection. The rule is that of ENet: at least 5 s, and the command was
 * sent six times (each time it waits twice as long); or 30 s in any case.
 *
 * An acknowledgement that comes after the sender's last datagram has come too late. Answers need the whole
 * capture: they are for later passes.
 *
 * Source: enet_protocol_check_timeouts() of ENet's protocol.c.
 *
 * Limitations: limits that the application has set with enet_peer_timeout() are not on the wire, so a shorter
 * timeout is not found.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_TIMEOUT_H
#define ENET_TIMEOUT_H

#include "enet/connection/connection.h"

typedef enum {
    ENET_NO_TIMEOUT,
    ENET_TIMED_OUT,  /* the sender has given up the connection */
    ENET_UNANSWERED, /* CONNECT was sent at least three times and never answered */
} enet_timeout_kind;

typedef struct {
    enet_timeout_kind kind;
    uint32_t transmissions; /* of the command */
    int64_t waited;         /* nanoseconds from its first transmission to the last one */
    uint32_t heard_frame;   /* of the other end, before the last transmission; 0: it was not heard at all */
    int64_t heard;          /* nanoseconds from then to the last transmission; if heard_frame */
    bool
        /* the other end has answered the handshake, and was not heard from 1 s after that on */
        accepted_only;
} enet_timeout;

/* Takes note of a datagram, before its commands. */
void enet_timeout_hear(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival);

/* ... and of a command that is sent again; `first`: index of its first transmission. */
void enet_timeout_repeat(const enet_capture *capture, enet_sender *sender, uint32_t first);

/* What the last transmission of a command shows, `index` being that of the transmission. A connection that is
 * closed with a DISCONNECT has not timed out, and a capture that ends before the sender would have sent the
 * command again shows nothing. */
enet_timeout enet_timeout_at(const enet_capture *capture, const enet_sender *sender, uint32_t index);

#endif
