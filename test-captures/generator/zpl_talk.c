/* One end of an ENet conversation with zpl-c/enet, a variant of ENet in a single header, for captures.
 *
 *   zpl_talk server PORT
 *   zpl_talk client PORT
 *
 * Built with the enet.h of the npm package enet.c, see scenarios/zpl.py.
 * Log: JSON lines on standard output, see test-captures/enet/README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define ENET_IMPLEMENTATION
#include "enet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, PEERS = 3000, TICK = 2 /* ms */ };

static ENetHost *host;
static int ended;

static void log_bytes(const char *what, unsigned channel, const uint8_t *data, size_t size)
{
    printf("{\"what\": \"%s\", \"channel\": %u, \"size\": %zu, \"hex\": \"", what, channel, size);
    for (size_t i = 0; i < size; i++) {
        printf("%02x", data[i]);
    }
    puts("\"}");
}

static void send_message(ENetPeer *peer, unsigned channel, unsigned flags, size_t size)
{
    static uint8_t data[8192];
    static uint32_t x = 1;

    for (size_t i = 0; i < size; i++) {
        x = x * 1103515245 + 12345;
        data[i] = (uint8_t)(97 + (x >> 16 & 7));
    }
    log_bytes("send", channel, data, size);
    enet_peer_send(peer, (enet_uint8)channel, enet_packet_create(data, size, flags));
}

static void service(unsigned milliseconds, int answer)
{
    ENetEvent event;

    for (unsigned waited = 0; waited < milliseconds; waited += TICK) {
        while (enet_host_service(host, &event, TICK) > 0) {
            if (event.type == ENET_EVENT_TYPE_CONNECT) {
                printf("{\"what\": \"connected\", \"data\": %u, \"peer\": %u}\n", event.data,
                       (unsigned)event.peer->incomingPeerID);
            } else if (event.type == ENET_EVENT_TYPE_RECEIVE) {
                log_bytes("receive", event.channelID, event.packet->data, event.packet->dataLength);
                if (answer) {
                    send_message(event.peer, event.channelID, event.packet->flags & ENET_PACKET_FLAG_RELIABLE,
                                 30);
                }
                enet_packet_destroy(event.packet);
            } else if (event.type == ENET_EVENT_TYPE_DISCONNECT) {
                printf("{\"what\": \"disconnected\", \"data\": %u}\n", event.data);
                ended = 1;
            }
        }
    }
}

static void talk(unsigned port)
{
    ENetAddress server;

    memset(&server, 0, sizeof server);
    enet_address_set_host(&server, "::1");
    server.port = (enet_uint16)port;
    ENetPeer *peer = enet_host_connect(host, &server, CHANNELS, 77);
    service(100, 0);
    for (unsigned i = 0; i < 12; i++) {
        send_message(peer, 0, ENET_PACKET_FLAG_RELIABLE, 20 + i);
        send_message(peer, 1, 0, 40 + i);
        send_message(peer, 2, ENET_PACKET_FLAG_UNSEQUENCED, 50 + i);
        service(20, 0);
    }
    send_message(peer, 1, ENET_PACKET_FLAG_RELIABLE, 4000);
    service(700, 0);
    enet_peer_disconnect(peer, 5);
    while (!ended) {
        service(TICK, 0);
    }
}

int main(int argc, char **argv)
{
    ENetAddress address;

    if (argc != 3 || enet_initialize() != 0) {
        return 2;
    }
    memset(&address, 0, sizeof address);
    address.host = ENET_HOST_ANY;
    address.port = (enet_uint16)atoi(argv[2]);
    int is_server = strcmp(argv[1], "server") == 0;
    host = enet_host_create(is_server ? &address : NULL, is_server ? PEERS : 1, CHANNELS, 0, 0);
    if (!host) {
        return 1;
    }
    puts("{\"what\": \"ready\"}");
    fflush(stdout);
    if (is_server) {
        while (!ended) {
            service(TICK, 1);
        }
        service(50, 1);
    } else {
        talk((unsigned)atoi(argv[2]));
    }
    enet_host_destroy(host);
    return 0;
}
