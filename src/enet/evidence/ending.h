/* ending.h
 *
 * How a connection ends: with a DISCONNECT, or without one, because a process was killed, its window was
 * closed, or it was started again. A process that ends without a DISCONNECT ends with its last datagram.
 *
 * Limitations: a connection that both ends stop to use at once is only silent.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_ENDING_H
#define ENET_ENDING_H

#include "enet/analysis/timeout.h"
#include "enet/connection/record.h"

typedef enum {
    ENET_NO_END,       /* both ends are heard up to the end of the capture, as far as it has them */
    ENET_DISCONNECTED, /* with a DISCONNECT */
    ENET_UNREACHABLE,  /* ICMP: the socket of one end is closed */
    ENET_REPLACED,     /* one end uses the slot again for another connection between the same sockets */
    ENET_GIVEN_UP,     /* one end was not heard any more, until the other one has given it up (time-out) */
    ENET_SILENT,       /* one end is not heard any more, and does not answer what the other one repeats */
    ENET_ENDING_KINDS
} enet_ending_kind;

typedef struct {
    enet_ending_kind kind;
    uint8_t side;          /* enet_side of the end that left or is gone; if there is an end */
    uint32_t frame;        /* its last datagram; ENET_GIVEN_UP: the last one before it is given up */
    int64_t time;          /* of that, in nanoseconds */
    uint32_t shown_in;     /* frame that shows it: the DISCONNECT, the ICMP message; 0: none by itself */
    bool given_up;         /* the other end gives it up, at `given_up_time` */
    int64_t given_up_time; /* nanoseconds */
    bool lives_on;         /* if `given_up`: it has; else its process may have ended before */
    bool either;           /* ENET_GIVEN_UP: the end `side` may have given up the other one before */
    uint32_t next_stream;  /* ENET_REPLACED: the connection in its place */
} enet_ending;

/* The time-out after this transmission of `sender` (timeout.h), if the capture has what shows it. */
enet_timeout enet_timeout_after(const enet_capture *capture, const enet_sender *sender, uint32_t index);

/* As far as the capture was read. */
enet_ending enet_ending_of(const enet_capture *capture, const enet_connection *connection);

/* Whether a connection between the same two sockets has begun since either end of this one was heard: it is
 * no longer there, or no longer captured. */
bool enet_is_followed(const enet_connection *connection);

#endif
