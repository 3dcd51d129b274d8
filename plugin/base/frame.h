/* frame.h
 *
 * Order numbers of frames. With a read filter (-R), Wireshark's frame numbers do not identify a frame: a
 * frame that the filter drops has the number of the next one that it keeps or, in the window, none; and the
 * window dissects a kept frame twice. So state in file scope uses order numbers, which are converted to frame
 * numbers for display:
 *
 * order number of each frame that a dissector of this plugin gets, counted from 1 on the first pass; the
 *                    same on every pass. 0: no frame
 *     frame number   Wireshark's, shown to the user
 *
 * The functions can be called while a frame is dissected, and in a tap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FRAME_H
#define FRAME_H

#include "base/wireshark-compat.h"

/* To be called once. */
void frame_register(void);

/* Has `function` called for each frame on the first pass, when it is dissected. For one function. */
void frame_look_at_new(void (*function)(packet_info *pinfo));

/* Order number of the frame that is being dissected. If it has none, because no dissector of this plugin got
 * it on the first pass: that of the previous frame that has one, 0 if there is none. */
uint32_t frame_order(const packet_info *pinfo);

/* Whether this is a later pass over the frame, so state must not be changed. To be used instead of
 * PINFO_FD_VISITED(). */
bool frame_visited(const packet_info *pinfo);

/* The frame's number; 0: the read filter has dropped the frame, or `order` is 0. */
uint32_t frame_number(uint32_t order);

/* The same, but for a dropped frame the number of the next one that is kept, for statistics that need an
 * order. 0 if `order` is 0. */
uint32_t frame_position(uint32_t order);

/* Adds an item with the frame's number, marked as generated. NULL, and no item, if the frame has none. */
proto_item *frame_add_reference(proto_tree *tree, int hf, tvbuff_t *tvb, uint32_t order);

/* Whether the packet's sender is the client. An assumption, but the same for a whole conversation: servers
 * usually have the lower port. */
bool frame_seems_from_client(const packet_info *pinfo);

/* The capture point of the packet: its interface, or the one that a packet comment names; 0: unknown. */
uint32_t frame_capture_point(const packet_info *pinfo);

/* Nanoseconds, as src/ has times. Times in a capture file are arbitrary: those before 1834 or after 2106 are
 * limited to that range, so that their differences stay numbers. */
static inline int64_t nanoseconds_of(const nstime_t *time)
{
    const int64_t most = INT64_C(1) << 32;
    return CLAMP((int64_t)time->secs, -most, most) * 1000000000 + CLAMP(time->nsecs, 0, 999999999);
}

/* The reverse. */
static inline nstime_t nstime_of(int64_t nanoseconds)
{
    return (nstime_t){.secs = (time_t)(nanoseconds / 1000000000), .nsecs = (int)(nanoseconds % 1000000000)};
}

/* "frame 12", or "a dropped frame"; in `scope`. */
char *frame_text(wmem_allocator_t *scope, uint32_t order);

#endif
