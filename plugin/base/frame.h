/* frame.h
 *
 * Order numbers of frames. With a read filter (-R), Wireshark's frame numbers do not identify a frame: a
 * frame that the filter drops has the number of the next one that it keeps or, in the window, none; and the
 * window dissects a kept frame twice. So state in file scope uses order numbers, which are converted to frame
 * numbers for display:
 *
 *     order number   of each frame that one of these dissectors got, in the order in which they came, from 1
 *     without gaps;
 *                    the same on every pass. 0: no frame
 *     frame number   Wireshark's, that the user sees
 *
 * The functions can be called while a frame is dissected, and in a tap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FRAME_H
#define FRAME_H

#include "base/wireshark-compat.h"

/* Once. */
void frame_register(void);

/* Order number of the frame that is dissected. Of one that no dissector of this plugin got when the file was
 * read: that of the latest one before it, 0 if there is none. */
uint32_t frame_order(const packet_info *pinfo);

/* Whether the frame was dissected before, so that nothing is to be learned from it: use it instead of
 * PINFO_FD_VISITED(). */
bool frame_visited(const packet_info *pinfo);

/* The frame's number; 0: the read filter has dropped the frame, or `order` is 0. */
uint32_t frame_number(uint32_t order);

/* The same, but of a dropped frame the number of the next one that is kept, or would have been: for what is
 * in the order of numbers, as statistics are. 0 if `order` is 0. */
uint32_t frame_position(uint32_t order);

/* An item with the frame's number, marked as generated. NULL, and nothing is added, if the frame has none. */
proto_item *frame_add_reference(proto_tree *tree, int hf, tvbuff_t *tvb, uint32_t order);

/* "frame 12", or "a dropped frame"; in `scope`. */
char *frame_text(wmem_allocator_t *scope, uint32_t order);

#endif
