/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/values/bursts.h"

/* Senders that are remembered; hostile traffic can have any number. */
#define MAX_SENDERS 8000u

typedef struct {
    double time;
    uint32_t frame;
} burst;

godot_bursts *godot_bursts_new(wmem_allocator_t *pool)
{
    godot_bursts *all = wmem_new0(pool, godot_bursts);
    all->pool = pool;
    all->latest = wmem_map_new(pool, wmem_int64_hash, g_int64_equal);
    return all;
}

void godot_bursts_count(godot_bursts *all, const packet_info *pinfo, const enet_tap_datagram *datagram)
{
    const enet_sender *sender = datagram->datagram->sender;
    if (!sender || !datagram->frame_bytes || !datagram->messages) {
        return;
    }
    gint64 key = (gint64)sender->connection->stream * ENET_SIDES + sender->side;
    double now = nstime_to_sec(&pinfo->rel_ts);
    burst *began = wmem_map_lookup(all->latest, &key);
    if (!began && wmem_map_size(all->latest) >= MAX_SENDERS) {
        return;
    }
    all->datagrams++;
    if (!began) {
        began = wmem_new(all->pool, burst);
        wmem_map_insert(all->latest, wmem_memdup(all->pool, &key, sizeof key), began);
    } else if (now - began->time < GODOT_BURST_SECONDS) {
        if (!all->joined++) {
            all->frames[0] = began->frame;
            all->frames[1] = pinfo->num;
        }
        all->bytes += datagram->frame_bytes - MIN(datagram->frame_bytes, datagram->datagram_bytes);
        return;
    }
    *began = (burst){now, pinfo->num};
}
