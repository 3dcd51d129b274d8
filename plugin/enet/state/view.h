/* view.h
 *
 * The datagram that is being dissected: the results of src/enet, and its bytes in tvbs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_VIEW_H
#define ENET_VIEW_H

#include "enet/state/conversation.h"

typedef struct {
    packet_info *pinfo;
    proto_tree *top;              /* of the frame */
    proto_tree *tree;             /* of this datagram, NULL if no tree is built */
    const enet_capture *capture;  /* of the file */
    enet_datagram datagram;       /* as it was read in this pass */
    enet_datagram_record decided; /* results of the first pass */
    enet_datagram_record *record; /* points to `decided` */
    uint32_t layer;               /* of the frame */
    tvbuff_t *tvb;                /* the datagram */
    tvbuff_t *body_tvb;           /* the commands; NULL if they cannot be read */
    unsigned body_offset;         /* of the first one, in body_tvb */
} enet_view;

/* Place in body_tvb of an offset in the commands. */
static inline int enet_view_offset(const enet_view *view, uint32_t offset)
{
    return (int)(view->body_offset + offset);
}

#endif
