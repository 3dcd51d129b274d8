/* subdissector.h
 *
 * Dissectors of others, which this plugin calls for a part of its packet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SUBDISSECTOR_H
#define SUBDISSECTOR_H

#include "base/wireshark-compat.h"

typedef enum {
    SUBDISSECTOR_DECLINED,
    SUBDISSECTOR_TOOK_IT,
    SUBDISSECTOR_FAILED,  /* with an exception: it read beyond the end of the bytes */
    SUBDISSECTOR_STOPPED, /* by Wireshark, for what that calls a bug of the dissector, as a million items */
} subdissector_result;

typedef struct {
    tvbuff_t *tvb; /* the bytes */
    packet_info *pinfo;
    proto_tree *tree;      /* NULL if there is none */
    bool layered;          /* the protocols stay in the list of the frame's layers */
    bool survives_bugs;    /* what Wireshark calls a bug of the dissector does not end the frame either */
    bool (*offer)(void *); /* calls dissectors with `data`; true: one has taken the bytes */
    void (*failed)(void *, unsigned layers); /* NULL, or called after an exception; the list of layers had
                                              * `layers` elements before */
    void *data;
} subdissector_call;

/* Wireshark gives up a frame with 500 layers, and each call adds some: only those of the first calls of a
 * frame are to stay listed. */
#define SUBDISSECTOR_LAYERED_CALLS 64u

/* An exception in a dissector concerns its bytes only. It is shown in `tree` as Wireshark shows it of a whole
 * packet, unless the capture's snap length has cut the bytes, which is reported of the frame. */
subdissector_result subdissector_run(const subdissector_call *call);

#endif
