/* recorded.h
 *
 * What a recording says about one of its packets: the `data` argument of the dissector "godot.recorded",
 * whose tvb is the packet as SceneMultiplayer made it.
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
    int32_t other_id;   /* source or target; sent: 0 to all, negative to all but this one */
    bool received;      /* else sent */
    bool own_is_server;
    uint8_t mode; /* MultiplayerPeer.TransferMode, 3: none */
    uint16_t channel;
} godot_recorded_info;

#endif
