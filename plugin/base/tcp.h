/* tcp.h
 *
 * Whether Wireshark's TCP dissector may have passed on bytes in another order than they were sent, or not all
 * of them: after a segment that is missing in the capture or came later, unless its preference "Reassemble
 * out-of-order segments" is on, or one that the snap length has cut, what follows is read from a wrong place.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BASE_TCP_H
#define BASE_TCP_H

#include "base/wireshark-compat.h"

/* To be called once, after frame_register(), which `enet` calls. */
void tcp_register(void);

/* What Wireshark has learned of this frame's TCP connection so far; NULL: it has none. */
const struct tcp_analysis *tcp_connection(packet_info *pinfo);

/* That preference. */
bool tcp_is_put_in_order(void);

/* Whether that may be so for the bytes of this frame, which is of a TCP connection: segments before it, in
 * its direction, are missing, cut, or come later. The same on every pass. */
bool tcp_is_broken(packet_info *pinfo);
/* The same of the other direction's bytes, up to this frame. */
bool tcp_is_broken_back(packet_info *pinfo);

/* The same of a direction, `fwd` or `rev` of tcp_connection(), up to a frame_order(); 0: the last one. */
bool tcp_flow_is_broken(const void *flow, uint32_t before);

/* Whether the capture, as far as it was read, lacks segments of the connection that have arrived. */
bool tcp_lacks_segments(const struct tcp_analysis *tcp);

/* Whether the sender has opened the TCP connection; a guess, frame_seems_from_client(), if the capture does
 * not show it, or if this is not TCP. */
bool tcp_is_from_client(packet_info *pinfo);

/* Whether the capture has the beginning of the frame's TCP connection. True if it is not over TCP. */
bool tcp_has_start(packet_info *pinfo);

/* Later passes: whether the capture has the end (FIN or RST) of this frame's TCP connection. */
bool tcp_is_closed(packet_info *pinfo);

#endif
