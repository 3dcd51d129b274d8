/* timeout.h
 *
 * Connections that end without a DISCONNECT: a sender repeats a command until it has waited long enough, then
 * it gives up the connection. The rule is that of ENet: at least 5 s, and the command was
 * sent six times (each time it waits twice as long); or 30 s in any case.
 *
 * An acknowledgement that comes after the sender's last datagram is too late. A time-out can only be found
 * with the whole capture, so on later passes.
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
    uint32_t heard_frame;   /* last datagram of the other end before the last transmission; 0: none */
    int64_t heard;          /* nanoseconds from then to the last transmission; if heard_frame is not 0 */
    bool accepted_only;     /* the other end sent nothing later than 1 s after its answer to CONNECT */
} enet_timeout;

/* To be called for each datagram, before its commands. */
void enet_timeout_hear(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival);

/* To be called for each command that is sent again; `first`: index of its first transmission. */
void enet_timeout_repeat(const enet_capture *capture, enet_sender *sender, uint32_t first);

/* Whether the sender gave up after this transmission (`index`), the last one of its command. Not if the
 * connection is closed with a DISCONNECT, or if the capture ends before the sender would have sent the
 * command again. */
enet_timeout enet_timeout_at(const enet_capture *capture, const enet_sender *sender, uint32_t index);

#endif
