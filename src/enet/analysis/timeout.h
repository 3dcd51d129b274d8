/* timeout.h
 *
 * Connections that end without a DISCONNECT: a sender repeats a command until it has waited long enough, then
 * it gives up the connection. The rule is that of ENet: at least 5 s, and the command was
 * sent six times (each time it waits twice as long); or 30 s in any case.
 *
 * A process that is killed is as silent as one that has given up. Only what it sends later from the same
 * socket, in a connection that it had before, shows which.
 *
 * An acknowledgement that comes after the sender's last datagram is too late. A time-out can only be found
 * with the whole capture, so on later passes.
 *
 * Pauses: a process that is stopped, loads a scene or waits in a debugger neither sends nor receives, and
 * answers afterwards what had arrived meanwhile. Its clock in the datagrams shows that it sent nothing in
 * between; the acknowledgement of what was sent early in the pause shows that the network delivered it.
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
    ENET_TIMED_OUT,  /* the sender has given up the connection, or its process has ended before */
    ENET_UNANSWERED, /* CONNECT was sent at least three times and never answered */
} enet_timeout_kind;

typedef struct {
    enet_timeout_kind kind;
    uint32_t transmissions; /* of the command */
    int64_t waited;         /* nanoseconds from its first transmission to the last one */
    int64_t given_up;     /* ENET_TIMED_OUT: time when the sender gives up, as far as its waiting shows it */
    int64_t until;        /* nanoseconds from the first transmission to then */
    uint32_t heard_frame; /* last datagram of the other end before the last transmission; 0: none */
    int64_t heard;        /* nanoseconds from then until the sender gives up; if heard_frame is not 0 */
    bool lives_on;        /* ENET_TIMED_OUT: its process is heard after that, so it has given up */
    bool has_server;      /* ENET_UNANSWERED: the other socket has sent to others before and after that */
    bool accepted_only;   /* the other end sent nothing later than 1 s after its answer to CONNECT */
} enet_timeout;

/* A process that did not run. */
typedef struct {
    uint32_t last, first;       /* frames: its last datagram before, and its first one after that */
    int64_t from_time, to_time; /* of these */
    const enet_sender *sender;  /* whose process it is */
} enet_pause;

/* A time in which a socket was the same process's, as datagrams of one connection from before and after show;
 * in nanoseconds. */
typedef struct {
    int64_t from, to;
    uint32_t before; /* index: an earlier one of the socket; 0: none */
} enet_life;

/* A time in which nothing was captured of any connection, in nanoseconds. */
typedef struct {
    int64_t from, to;
} enet_break;

/* A break is longer than this, in nanoseconds: the files of one evening have been appended, rather than that
 * nobody played while the capture ran. */
#define ENET_LONGEST_QUIET INT64_C(300000000000)

/* Breaks that are kept of a file. */
#define ENET_MAX_BREAKS 1000u

/* Pauses that are kept of a file. */
#define ENET_MAX_PAUSES 1000u

/* Processes with one socket among which it is looked for the one that had it at some time. */
#define ENET_MAX_LIVES_TRIED 1000u

/* To be called for each datagram, before its commands. */
void enet_timeout_hear(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival,
                       const enet_header *header);

/* To be called for each ACKNOWLEDGE that answers `answered` (NULL: it is not known what). */
void enet_timeout_answered(enet_capture *capture, enet_sender *sender, const enet_transmission *answered);

/* The pause after which the sender's datagram in `frame` is the first one; NULL: none. */
const enet_pause *enet_pause_before(const enet_capture *capture, const enet_sender *sender, uint32_t frame);

/* To be called for each command that is sent again; `first`: index of its first transmission. */
void enet_timeout_repeat(const enet_capture *capture, enet_sender *sender, uint32_t first);

/* Whether the sender gave up after this transmission (`index`), the last one of its command. Not if the
 * connection is closed with a DISCONNECT, or if the capture ends before the sender would have sent the
 * command again. */
enet_timeout enet_timeout_at(const enet_capture *capture, const enet_sender *sender, uint32_t index);

#endif
