/* recorded.h
 *
 * The data that the dissector "godot.recorded" gets with a packet (its `data` argument). The tvb is the
 * packet as SceneMultiplayer built it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_RECORDED_H
#define GODOT_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t recording; /* number of the recorder */
    int32_t own_id;     /* 0: not known yet */
    int32_t other_id;   /* source or target; if sent: 0 to all peers, -ID to all but that one */
    bool received;      /* else sent */
    bool own_is_server;
    uint8_t mode; /* MultiplayerPeer.TransferMode, 3: none */
    uint16_t channel;
} godot_recorded_info;

#endif
