/* segments.h
 *
 * What is known of the TCP segments below WebSockets, and which end closes such a connection.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SEGMENTS_H
#define GODOT_SEGMENTS_H

#include "base/wireshark-compat.h"

/* The TCP segment of a frame. */
typedef struct {
    uint32_t frame;
    uint32_t length;   /* of its data, bytes */
    nstime_t answered; /* how long after the segment that it acknowledges; not known: `answers` is false */
    bool answers;
    bool copy;     /* another capture point captured it earlier: to be counted there */
    bool lost;     /* its data are sent again, as the other end's SACK shows that they did not arrive */
    bool needless; /* says that what the other end sent again had arrived (RFC 2883): */
    bool arrived;  /* what is `lost` so far */
} tcp_segment;

/* What closes a connection; without a Close the process has ended, or only its socket. */
typedef enum { WEBSOCKET_CLOSE, TCP_FIN, TCP_RST } websocket_closing;

/* The first of these. Later ones are answers. */
typedef struct {
    websocket_closing how;
    uint32_t frame;
    nstime_t time;    /* when it was captured: absolute, */
    double seconds;   /* and since the capture began */
    bool from_client; /* the end that opened the connection has sent it */
    bool ends_known;  /* the capture lacks nothing of the other end before it, which may have closed first */
    bool without_close; /* nor of its own end: there was no Close */
} websocket_ending;

/* To be called when a statistic begins that asks the functions below: segments are looked at from then on. */
void segments_listen(void);

/* The segment of this frame, for listeners of the tap "frame"; NULL: it has none. */
const tcp_segment *segment_of(const packet_info *pinfo);

/* Whether segments of several capture points were looked at. */
bool segments_have_points(void);

/* "WebSocket Close", "TCP FIN", "TCP RST" */
const char *websocket_closing_text(websocket_closing how);

/* How the WebSocket of this TCP connection (tcp.stream) ends, as far as the file was read; NULL: not, or
 * there are too many connections. */
const websocket_ending *websocket_ending_of(uint32_t stream);

#endif
