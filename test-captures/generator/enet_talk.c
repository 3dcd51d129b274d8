/* One end of ENet conversations through libenet, for captures.
 *
 *   enet_talk server PORT OPTIONS ENDS           ends after this many disconnects
 *   enet_talk client PORT OPTIONS PLAN [OWN]     follows one of the plans below, from the port OWN if named
 *
 * OPTIONS: "c" for the CRC-32 checksum, "r" for the range coder, both or "-". The client follows the plan and
 * sends commands to the server in messages that begin with "!". Log: JSON lines on standard output, see
 * test-captures/enet/README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <enet/enet.h>
#include <enet/time.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 6, SLOTS = 4, TICK = 2 /* ms */ };

enum operation {
    CONNECT,    /* slot, data: and wait for the connection */
    ABANDON,    /* slot, data: connect, and give up before the answer */
    SEND,       /* slot, channel, flags, size */
    FLOOD,      /* slot, channel, flags, size, count */
    MIX,        /* slot, channel, count: reliable, unreliable and fragmented unreliable messages in turns */
    TURNS,      /* slot, other slot, count: unreliable messages of both in turns */
    ASK,        /* slot, text: the server obeys */
    THROTTLE,   /* slot, interval, acceleration, deceleration */
    BANDWIDTH,  /* -, incoming, outgoing: of the host */
    WAIT,       /* -, milliseconds */
    SETTLE,     /* slot: wait until everything is acknowledged */
    STATISTICS, /* slot */
    DISCONNECT, /* slot, data: gracefully; and wait for the end */
    LATER,      /* slot, data: gracefully, after what is queued; and wait for the end */
    NOW,        /* slot, data: without waiting for anything */
    END
};

struct step {
    enum operation operation;
    unsigned slot;
    unsigned a, b, c, d;
    const char *text;
};

#define R ENET_PACKET_FLAG_RELIABLE
#define U ENET_PACKET_FLAG_UNSEQUENCED
#define F ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT

static const struct step everything[] = {
    {ABANDON, 0, 5},
    {WAIT, 0, 50},
    {CONNECT, 0, 0xdeadbeef},
    {SEND, 0, 0, R, 5},
    {SEND, 0, 0, 0, 6},
    {SEND, 0, 0, 0, 7},
    {SEND, 0, 1, U, 8},
    {SEND, 0, 2, U, 9},
    {SEND, 0, 0, R, 20},
    {SEND, 0, 0, 0, 6},
    {WAIT, 0, 30},
    {SEND, 0, 2, F, 3000},
    {SEND, 0, 1, R, 4000},
    {SEND, 0, 3, 0, 3000},
    {SEND, 0, 3, U, 3000},
    {SEND, 0, 1, R, 40000},
    {ASK, 0, .text = "!send 0 1 50"},
    {ASK, 0, .text = "!send 1 1 30000"},
    {ASK, 0, .text = "!send 2 0 60"},
    {ASK, 0, .text = "!send 2 2 70"},
    {ASK, 0, .text = "!send 3 8 2800"},
    {SETTLE, 0},
    {THROTTLE, 0, 4000, 3, 1},
    {ASK, 0, .text = "!throttle 3000 4 2"},
    {BANDWIDTH, 0, 57600, 14400},
    {WAIT, 0, 1100},
    {BANDWIDTH, 0, 0, 0},
    {WAIT, 0, 1100},
    {CONNECT, 1, 222},
    {CONNECT, 2, 333},
    {SEND, 1, 0, R, 100},
    {SEND, 2, 0, R, 101},
    {SEND, 0, 0, R, 102},
    {SEND, 2, 1, 0, 103},
    {SEND, 1, 1, U, 104},
    {ASK, 1, .text = "!send 4 1 3000"},
    {ASK, 2, .text = "!send 4 1 3000"},
    {SETTLE, 1},
    {SETTLE, 2},
    {STATISTICS, 0},
    {DISCONNECT, 0, 11223344},
    {STATISTICS, 1},
    {NOW, 1, 4},
    {CONNECT, 0, 0x01020304},
    {SEND, 0, 0, R, 10},
    {ASK, 0, .text = "!now 9"},
    {SEND, 2, 0, R, 2000},
    {SEND, 2, 5, F, 2000},
    {STATISTICS, 2},
    {LATER, 2, 6},
    {CONNECT, 0, 555},
    {SEND, 0, 0, R, 11},
    {SETTLE, 0},
    {ASK, 0, .text = "!disconnect 12"},
    {END},
};

/* Messages without content: not under the range coder, which libenet 1.3.17 does not survive. */
static const struct step empty[] = {
    {CONNECT, 0, 1},    {SEND, 0, 0, R, 0}, {SEND, 0, 0, 0, 0}, {SEND, 0, 1, U, 0},
    {SEND, 0, 0, R, 1}, {SETTLE, 0},        {DISCONNECT, 0, 0}, {END},
};

/* Every 16-bit counter wraps: reliable (in the middle of a fragmented message), unreliable, unsequenced.
 */
static const struct step wrap[] = {
    {CONNECT, 0, 1},
    {FLOOD, 0, 0, R, 1, 65533},
    {SEND, 0, 0, R, 20000},
    {SEND, 0, 0, 0, 30},
    {FLOOD, 0, 0, R, 1, 2000},
    {FLOOD, 0, 1, 0, 1, 65600},
    {FLOOD, 0, 2, U, 1, 65600},
    {SEND, 0, 0, R, 3},
    {SETTLE, 0},
    {STATISTICS, 0},
    {DISCONNECT, 0, 0},
    {END},
};

/* For a bad network: what is counted here has to be found in the capture. */
static const struct step steady[] = {
    {CONNECT, 0, 1},
    {FLOOD, 0, 0, R, 200, 60},
    {ASK, 0, .text = "!send 1 1 20000"},
    {SEND, 0, 1, R, 20000},
    {SETTLE, 0},
    {FLOOD, 0, 2, 0, 40, 60},
    {FLOOD, 0, 3, U, 40, 60},
    {SEND, 0, 2, F, 6000},
    {SETTLE, 0},
    {FLOOD, 0, 0, R, 10, 60},
    {SETTLE, 0},
    {WAIT, 0, 300},
    {STATISTICS, 0},
    {DISCONNECT, 0, 0},
    {END},
};

/* On a network that loses and reorders: which unreliable messages arrive depends on the reliable ones. */
static const struct step mixed[] = {
    {CONNECT, 0, 1}, {MIX, 0, 0, 120}, {SETTLE, 0}, {DISCONNECT, 0, 0}, {END},
};

/* Messages right after the connection. */
static const struct step early[] = {
    {CONNECT, 0, 1},
    {SEND, 0, 0, R, 11},
    {SEND, 0, 0, 0, 12},
    {SEND, 0, 1, R, 13},
    {SEND, 0, 1, R, 14},
    {WAIT, 0, 20},
    {SEND, 0, 0, R, 15},
    {SETTLE, 0},
    {SEND, 0, 0, R, 16},
    {SETTLE, 0},
    {STATISTICS, 0},
    {DISCONNECT, 0, 0},
    {END},
};

/* Two connections between the same two sockets that send in turns. */
static const struct step turns[] = {
    {CONNECT, 0, 1},    {CONNECT, 1, 2},    {WAIT, 0, 700}, {TURNS, 0, 1, 80}, {SETTLE, 0}, {SETTLE, 1},
    {DISCONNECT, 0, 0}, {DISCONNECT, 1, 0}, {END},
};

/* The server ends without disconnecting: its kernel replies to later datagrams with ICMP errors. */
static const struct step gone[] = {
    {CONNECT, 0, 1},           {SEND, 0, 0, R, 20}, {SEND, 0, 1, 0, 30}, {SETTLE, 0},
    {ASK, 0, .text = "!quit"}, {SEND, 0, 0, R, 40}, {WAIT, 0, 20},       {SEND, 0, 1, 0, 50},
    {SEND, 0, 0, R, 60},       {WAIT, 0, 300},      {STATISTICS, 0},     {END},
};

/* Until somebody kills it. */
static const struct step stay[] = {
    {CONNECT, 0, 1},     {FLOOD, 0, 0, R, 20, 12}, {FLOOD, 0, 1, 0, 30, 12},
    {SEND, 0, 1, R, 40}, {SEND, 0, 2, R, 3000},    {ASK, 0, .text = "!send 1 1 30"},
    {WAIT, 0, 60000},    {END},
};

static const struct {
    const char *name;
    const struct step *steps;
} plans[] = {{"everything", everything}, {"empty", empty}, {"wrap", wrap},   {"steady", steady},
             {"mixed", mixed},           {"early", early}, {"turns", turns}, {"gone", gone},
             {"stay", stay}};

static ENetHost *host;
static ENetAddress server;
static ENetPeer *slots[SLOTS]; /* of a client */
static unsigned ends;

static unsigned long name_of(const ENetPeer *peer)
{
    return (unsigned long)(uintptr_t)peer->data;
}

static void log_bytes(const char *what, const ENetPeer *peer, unsigned channel, long flags,
                      const uint8_t *data, size_t size)
{
    printf("{\"what\": \"%s\", \"link\": \"%lu\", \"channel\": %u, ", what, name_of(peer), channel);
    if (flags >= 0) {
        printf("\"flags\": %ld, ", flags);
    }
    printf("\"size\": %zu, \"hex\": \"", size);
    for (size_t i = 0; i < size; i++) {
        printf("%02x", data[i]);
    }
    puts("\"}");
}

static void send_bytes(ENetPeer *peer, unsigned channel, unsigned flags, const uint8_t *data, size_t size)
{
    log_bytes("send", peer, channel, (long)flags, data, size);
    ENetPacket *packet = enet_packet_create(data, size, flags);
    if (enet_peer_send(peer, (enet_uint8)channel, packet) < 0) {
        puts("{\"what\": \"refused\"}");
        enet_packet_destroy(packet);
    }
}

/* Content: blocks of 64 bytes, a quarter of them random, the others text of few letters. */
static void send_message(ENetPeer *peer, unsigned channel, unsigned flags, size_t size)
{
    static uint8_t data[65536];
    static uint32_t message;
    uint32_t x = ++message;
    for (size_t i = 0; i < size; i++) {
        x = x * 1103515245 + 12345;
        data[i] = (i & 192) == 64 ? (uint8_t)(x >> 16) : (uint8_t)(97 + (x >> 16 & 7));
    }
    send_bytes(peer, channel, flags, data, size);
}

static void log_statistics(const ENetPeer *peer)
{
    printf("{\"what\": \"statistics\", \"link\": \"%lu\", \"packets_sent\": %u, \"packets_lost\": %u, "
           "\"round_trip_time\": %u, "
           "\"round_trip_time_variance\": %u, \"mtu\": %u, \"window_size\": %u, \"packet_throttle\": %u}\n",
           name_of(peer), peer->packetsSent, peer->packetsLost, peer->roundTripTime,
           peer->roundTripTimeVariance, peer->mtu, peer->windowSize, peer->packetThrottle);
}

static void log_totals(void)
{
    printf("{\"what\": \"totals\", \"sent_bytes\": %u, \"sent_datagrams\": %u, \"received_bytes\": %u, "
           "\"received_datagrams\": %u}\n",
           host->totalSentData, host->totalSentPackets, host->totalReceivedData, host->totalReceivedPackets);
}

static void obey(ENetPeer *peer, const char *text)
{
    unsigned a, b, c;
    if (sscanf(text, "!send %u %u %u", &a, &b, &c) == 3) {
        send_message(peer, a, b, c);
    } else if (sscanf(text, "!throttle %u %u %u", &a, &b, &c) == 3) {
        enet_peer_throttle_configure(peer, a, b, c);
    } else if (sscanf(text, "!disconnect %u", &a) == 1) {
        enet_peer_disconnect(peer, a);
    } else if (sscanf(text, "!now %u", &a) == 1) {
        enet_peer_disconnect_now(peer, a);
        ends++;
    } else if (strcmp(text, "!quit") == 0) {
        exit(0);
    }
}

static void receive(const ENetEvent *event)
{
    const ENetPacket *packet = event->packet;
    log_bytes("receive", event->peer, event->channelID, -1, packet->data, packet->dataLength);
    if (packet->dataLength > 0 && packet->data[0] == '!') {
        char text[64] = {0};
        memcpy(text, packet->data, packet->dataLength < sizeof text ? packet->dataLength : sizeof text - 1);
        obey(event->peer, text);
    }
}

/* Handles what happened within `milliseconds`. */
static void service(unsigned milliseconds)
{
    ENetEvent event;
    unsigned until = enet_time_get() + milliseconds;
    do {
        while (enet_host_service(host, &event, TICK) > 0) {
            switch (event.type) {
            case ENET_EVENT_TYPE_CONNECT:
                if (event.peer->data == NULL) {
                    event.peer->data = (void *)(uintptr_t)event.data;
                }
                printf("{\"what\": \"connected\", \"link\": \"%lu\", \"data\": %u, \"port\": %u, "
                       "\"connect_id\": \"%08x\"}\n",
                       name_of(event.peer), event.data, event.peer->address.port,
                       ENET_HOST_TO_NET_32(event.peer->connectID));
                break;
            case ENET_EVENT_TYPE_RECEIVE:
                receive(&event);
                enet_packet_destroy(event.packet);
                break;
            case ENET_EVENT_TYPE_DISCONNECT:
                printf("{\"what\": \"disconnected\", \"link\": \"%lu\", \"data\": %u}\n", name_of(event.peer),
                       event.data);
                event.peer->data = NULL;
                ends++;
                break;
            default:
                break;
            }
        }
    } while (ENET_TIME_LESS(enet_time_get(), until));
}

static int settled(const ENetPeer *peer)
{
    return enet_list_empty(&((ENetPeer *)peer)->outgoingCommands) &&
           enet_list_empty(&((ENetPeer *)peer)->sentReliableCommands);
}

static void open_slot(unsigned slot, unsigned data)
{
    printf("{\"what\": \"connect\", \"link\": \"%u\", \"data\": %u, \"channels\": %u}\n", data, data,
           CHANNELS);
    slots[slot] = enet_host_connect(host, &server, CHANNELS, data);
    slots[slot]->data = (void *)(uintptr_t)data;
}

static void log_end(const char *kind, const ENetPeer *peer, unsigned data)
{
    printf("{\"what\": \"disconnect\", \"link\": \"%lu\", \"data\": %u, \"kind\": \"%s\"}\n", name_of(peer),
           data, kind);
}

static void wait_for_end(const ENetPeer *peer)
{
    while (peer->state != ENET_PEER_STATE_DISCONNECTED) {
        service(TICK);
    }
}

static void perform(const struct step *step)
{
    ENetPeer *peer = slots[step->slot];
    switch (step->operation) {
    case CONNECT:
        open_slot(step->slot, step->a);
        while (slots[step->slot]->state != ENET_PEER_STATE_CONNECTED) {
            service(TICK);
        }
        break;
    case ABANDON:
        open_slot(step->slot, step->a);
        enet_host_flush(host);
        log_end("abandoned", slots[step->slot], step->a);
        enet_peer_disconnect(slots[step->slot], step->a);
        break;
    case SEND:
        send_message(peer, step->a, step->b, step->c);
        break;
    case FLOOD:
        for (unsigned i = 0; i < step->d; i++) {
            send_message(peer, step->a, step->b, step->c);
            if (i % 512 == 511) {
                while (!settled(peer)) {
                    service(TICK);
                }
            }
        }
        break;
    case MIX:
        for (unsigned i = 0; i < step->b; i++) {
            if (i % 4 == 0) {
                send_message(peer, step->a, R, 12);
            }
            send_message(peer, step->a, 0, 20);
            service(4);
            send_message(peer, step->a, i % 3 == 2 ? F : 0, i % 3 == 2 ? 3000 : 16);
            service(4);
        }
        break;
    case TURNS:
        for (unsigned i = 0; i < step->b; i++) {
            send_message(peer, 1, 0, 20);
            send_message(slots[step->a], 1, 0, 24);
            service(2);
        }
        break;
    case ASK:
        send_bytes(peer, 0, R, (const uint8_t *)step->text, strlen(step->text));
        service(30);
        break;
    case THROTTLE:
        printf("{\"what\": \"throttle\", \"link\": \"%lu\", \"interval\": %u, \"acceleration\": %u, "
               "\"deceleration\": %u}\n",
               name_of(peer), step->a, step->b, step->c);
        enet_peer_throttle_configure(peer, step->a, step->b, step->c);
        break;
    case BANDWIDTH:
        printf("{\"what\": \"bandwidth\", \"incoming\": %u, \"outgoing\": %u}\n", step->a, step->b);
        enet_host_bandwidth_limit(host, step->a, step->b);
        break;
    case WAIT:
        service(step->a);
        break;
    case SETTLE:
        while (!settled(peer)) {
            service(TICK);
        }
        break;
    case STATISTICS:
        log_statistics(peer);
        break;
    case DISCONNECT:
        log_end("graceful", peer, step->a);
        enet_peer_disconnect(peer, step->a);
        wait_for_end(peer);
        break;
    case LATER:
        log_end("later", peer, step->a);
        enet_peer_disconnect_later(peer, step->a);
        wait_for_end(peer);
        break;
    case NOW:
        log_end("now", peer, step->a);
        enet_peer_disconnect_now(peer, step->a);
        peer->data = NULL;
        break;
    case END:
        break;
    }
}

static int run_client(const char *plan)
{
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        if (strcmp(plans[i].name, plan) == 0) {
            for (const struct step *step = plans[i].steps; step->operation != END; step++) {
                perform(step);
            }
            service(200);
            return 0;
        }
    }
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 6 || enet_initialize() != 0) {
        return 2;
    }
    int is_server = strcmp(argv[1], "server") == 0;
    enet_address_set_host_ip(&server, "127.0.0.1");
    server.port = (enet_uint16)atoi(argv[2]);
    ENetAddress own = server;
    own.port = argc == 6 ? (enet_uint16)atoi(argv[5]) : server.port;
    host = enet_host_create(is_server || argc == 6 ? &own : NULL, 8, CHANNELS, 0, 0);
    if (!host) {
        return 1;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* it may be killed */
    if (strchr(argv[3], 'c')) {
        host->checksum = enet_crc32;
    }
    if (strchr(argv[3], 'r')) {
        enet_host_compress_with_range_coder(host);
    }
    puts("{\"what\": \"ready\"}");
    fflush(stdout);
    int status = 0;
    if (is_server) {
        while (ends < (unsigned)atoi(argv[4])) {
            service(TICK);
        }
        service(100);
    } else {
        status = run_client(argv[4]);
    }
    log_totals();
    enet_host_destroy(host);
    enet_deinitialize();
    return status;
}
