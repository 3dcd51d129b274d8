/* enet/test_library.c
 *
 * The ENet decoders compared with the ENet library: its range coder, datagrams between its hosts, and how a
 * host reacts to datagrams that break the rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <enet/enet.h>

#include "codec/range_coder.h"
#include "enet/wire/checksum.h"
#include "enet/wire/compression.h"
#include "enet/wire/detect.h"
#include "enet/enet_samples.h"
#include "enet/wire/judge.h"
#include "enet/wire/numbers.h"

/* --- range coder ----------------------------------------------------------------------------------- */

#define LONGEST 4092 /* 4096 bytes of buffer, 4 of header */

static uint8_t plain[LONGEST], packed[2 * LONGEST], theirs[2 * LONGEST], ours[2 * LONGEST];
static void *coder;

static size_t library_encode(size_t length, size_t capacity)
{
    ENetBuffer buffer = {.data = plain, .dataLength = length};

    return enet_range_coder_compress(coder, &buffer, 1, length, theirs, capacity);
}

/* Bodies of different kinds: a stream of commands, text, runs, periods, few and many values. */
static void fill(int kind, size_t length, uint64_t *seed)
{
    uint32_t period = 1 + random_below(seed, 40), values = 1 + random_below(seed, 256);

    for (size_t i = 0; i < length; i++) {
        switch (kind) {
        case 0: /* acknowledgements and movement messages */
            plain[i] =
                (uint8_t)("\x01\x00\x00\x07\x00\x07\xc4\x24\x49\x02\x00\x00\x00\x05\x00\x0c\x00\x01\x00\x02"
                              [i % 20] +
                          (i % 20 == 3 ? i / 20 : 0));
            break;
        case 1:
            plain[i] = (uint8_t)("the quick brown fox jumps over the lazy dog "[(i + i / 97) % 44]);
            break;
        case 2:
            plain[i] = i && random_below(seed, period) ? plain[i - 1] : (uint8_t)next_random(seed);
            break;
        case 3:
            plain[i] = i >= period ? plain[i - period] : (uint8_t)next_random(seed);
            break;
        case 4:
            plain[i] = (uint8_t)random_below(seed, values);
            break;
        default:
            plain[i] = (uint8_t)next_random(seed);
            break;
        }
    }
}

static void range_coder(void **state)
{
    uint64_t seed = 1;

    (void)state;
    /* Of long ones every fifth, which includes the longest: both take a time that grows with the length. */
    for (size_t length = 1; length <= LONGEST; length += length < 512 ? 1 : 5) {
        for (int round = 0; round < 2; round++) {
            size_t packed_length, decoded_length;
            uint32_t capacity = 1 + random_below(&seed, (uint32_t)length);

            fill((int)(length + 3 * (size_t)round) % 6, length, &seed);
            packed_length = library_encode(length, sizeof theirs);
            assert_int_equal(enet_range_encode(plain, length, ours, sizeof ours), packed_length);
            assert_memory_equal(ours, theirs, packed_length);
            assert_int_equal(enet_range_encode(plain, length, ours, capacity),
                             library_encode(length, capacity));
            memcpy(packed, ours, packed_length);
            library_encode(length, sizeof theirs);
            assert_int_equal(enet_range_decode(theirs, packed_length, ours, LONGEST, &decoded_length),
                             DECOMPRESSED);
            assert_int_equal(decoded_length, length);
            assert_memory_equal(ours, plain, length);
        }
    }
}

/* While these bytes are encoded, the range is 0x10000, the smallest one that the encoder does not
 * renormalise. */
static void range_at_its_limit(void **state)
{
    static const uint8_t bytes[] = {2,  3,  18, 25, 20, 15, 13, 22, 31, 34, 4,  25, 9,  17, 20, 6,  24,
                                    27, 10, 25, 32, 24, 21, 33, 18, 13, 29, 5,  2,  20, 30, 33, 19, 28,
                                    5,  0,  30, 35, 8,  24, 9,  8,  30, 17, 21, 35, 14, 15, 5};
    (void)state;
    memcpy(plain, bytes, sizeof bytes);
    size_t packed_length = library_encode(sizeof bytes, sizeof theirs);
    assert_int_equal(enet_range_encode(plain, sizeof bytes, ours, sizeof ours), packed_length);
    assert_memory_equal(ours, theirs, packed_length);
}

static void compare_decoding(size_t packed_length, size_t capacity)
{
    size_t our_length,
        their_length = enet_range_coder_decompress(coder, packed, packed_length, theirs, capacity);
    decompress_result result = enet_range_decode(packed, packed_length, ours, capacity, &our_length);

    assert_int_equal(our_length, their_length);
    assert_memory_equal(ours, theirs, our_length);
    assert_int_equal(result == DECOMPRESSED, their_length > 0);
}

/* Streams with a bit changed, a piece cut off or exchanged, and random ones. */
static void corrupt_streams(void **state)
{
    uint64_t seed = 2;
    unsigned failures = 0;

    (void)state;
    for (int round = 0; round < 6000; round++) {
        size_t length = 1 + random_below(&seed, round % 8 ? 400 : LONGEST), packed_length;
        uint32_t at;

        fill(round % 6, length, &seed);
        packed_length = library_encode(length, sizeof theirs);
        memcpy(packed, theirs, packed_length);
        at = random_below(&seed, (uint32_t)packed_length);
        switch (round / 6 % 4) {
        case 0:
            packed[at] ^= (uint8_t)(1u << random_below(&seed, 8));
            break;
        case 1:
            packed_length = at + 1;
            break;
        case 2:
            memmove(packed, packed + at, packed_length - at);
            break;
        default:
            for (size_t i = at; i < packed_length; i++) {
                packed[i] = (uint8_t)next_random(&seed);
            }
        }
        compare_decoding(packed_length, round % 2 ? LONGEST : length);
        failures += enet_range_coder_decompress(coder, packed, packed_length, theirs, LONGEST) == 0;
    }
    assert_true(failures > 500);
}

/* A stream in which a position of the root does not fit into the 16 bits that ENet stores. */
static void position_too_large(void **state)
{
    FILE *file = fopen(TEST_DATA_DIR "/enet-range-coder-corrupt.bin", "rb");

    (void)state;
    assert_non_null(file);
    size_t length = fread(packed, 1, sizeof packed, file);
    fclose(file);
    assert_int_equal(length, 3097);
    compare_decoding(length, LONGEST);
}

/* --- two hosts ------------------------------------------------------------------------------------- */

#define CHANNELS 3

static ENetHost *server, *client;
static ENetPeer *to_server, *to_client; /* the client's and the server's end of the connection */
static uint64_t seed_of_test;

/* What was seen on the wire. */
static struct {
    unsigned datagrams, compressed, mistaken, commands[ENET_COMMAND_COUNT], acknowledgements;
    uint32_t connect_id;
    enet_command connect, verify;
    uint16_t last_acknowledged;
    uint8_t last_acknowledged_channel;
    bool check;    /* check every datagram with the rules */
    bool checksum; /* the hosts use one */
} wire;

static void check_commands(const enet_header *header, const uint8_t *body_bytes, size_t length)
{
    enet_body_context context = {.header = header};
    enet_command command;
    enet_body body;

    enet_body_init(&body, body_bytes, length, length, &context);
    while (enet_body_next(&body, &command)) {
        assert_true(!wire.check || (command.finding_count == 0 && !command.skipped));
        if (command.complete) {
            wire.commands[command.type]++;
        }
        if (command.type == ENET_CONNECT) {
            wire.connect = command;
        }
        if (command.type == ENET_VERIFY_CONNECT) {
            wire.verify = command;
        }
        if (command.type == ENET_CONNECT) {
            wire.connect_id = command.fields.connect.connect_id;
        }
        if (command.type == ENET_ACKNOWLEDGE && command.channel != ENET_CONNECTION_CHANNEL) {
            wire.acknowledgements++;
            wire.last_acknowledged = command.sequence;
            wire.last_acknowledged_channel = command.channel;
        }
    }
    assert_true(!wire.check || body.finding_count == 0);
}

static int ENET_CALLBACK see_datagram(ENetHost *host, ENetEvent *event)
{
    const uint8_t *bytes = host->receivedData;
    size_t length = host->receivedDataLength, body_length;
    static uint8_t scratch[ENET_MAX_DATAGRAM];
    const uint8_t *body;
    enet_header header;

    (void)event;
    if (!wire.check && host == server) {
        return 0; /* these are the damaged ones */
    }
    assert_true(enet_header_read(&header, bytes, length, ENET_STOCK, wire.checksum));
    body = bytes + header.length;
    body_length = length - header.length;
    if (header.compressed) {
        enet_compression compression = enet_recognise_compression(
            &header, body, body_length, ENET_COMPRESSION_UNKNOWN, true, scratch, LONGEST, &body_length);

        assert_int_equal(compression, ENET_COMPRESSION_RANGE_CODER);
        body = scratch;
        wire.compressed++;
    }
    wire.datagrams++;
    check_commands(&header, body, body_length);
    if (wire.checksum) {
        uint32_t seed = header.to_nobody ? 0 : wire.connect_id;

        assert_int_equal(enet_checksum(&header, bytes, seed, body, body_length), header.checksum);
        assert_int_equal(enet_checksum_recover_seed(&header, bytes, body, body_length), seed);
    }
    if (wire.check) {
        static uint8_t other_scratch[ENET_MAX_DATAGRAM];
        enet_detection found;

        assert_true(enet_detect(&found, ENET_STOCK, bytes, length, other_scratch) >= ENET_CONFIDENCE_WEAK);
        if (found.header.has_checksum != wire.checksum || found.body_length != body_length) {
            wire.mistaken++;
        }
    }
    return 0;
}

static void open_hosts(bool checksum, bool compress)
{
    ENetAddress address = {.host = ENET_HOST_TO_NET_32(0x7f000001), .port = 0};

    server = enet_host_create(&address, 4, CHANNELS, 0, 0);
    client = enet_host_create(NULL, 1, CHANNELS, 0, 0);
    assert_non_null(server);
    assert_non_null(client);
    assert_int_equal(enet_socket_get_address(server->socket, &server->address), 0);
    if (checksum) {
        server->checksum = client->checksum = enet_crc32;
    }
    if (compress) {
        enet_host_compress_with_range_coder(server);
        enet_host_compress_with_range_coder(client);
    }
    server->intercept = client->intercept = see_datagram;
    memset(&wire, 0, sizeof wire);
    wire.check = true;
    wire.checksum = checksum;
}

static void close_hosts(void)
{
    enet_host_destroy(client);
    enet_host_destroy(server);
}

static unsigned received; /* messages, by the host serviced last */
static char last_message[64];

/* Lets a host work for a moment. */
static void service(ENetHost *host, unsigned milliseconds)
{
    ENetEvent event;

    while (enet_host_service(host, &event, milliseconds) > 0) {
        milliseconds = 0;
        if (event.type == ENET_EVENT_TYPE_CONNECT && host == server) {
            to_client = event.peer;
        }
        if (event.type != ENET_EVENT_TYPE_RECEIVE) {
            continue;
        }
        received++;
        snprintf(last_message, sizeof last_message, "%.*s", (int)event.packet->dataLength,
                 (const char *)event.packet->data);
        enet_packet_destroy(event.packet);
    }
}

static void connect_hosts(uint32_t data)
{
    ENetAddress address = server->address;

    address.host = ENET_HOST_TO_NET_32(0x7f000001);
    to_client = NULL;
    to_server = enet_host_connect(client, &address, CHANNELS, data);
    assert_non_null(to_server);
    for (int i = 0; i < 2000 && (!to_client || to_server->state != ENET_PEER_STATE_CONNECTED); i++) {
        service(client, 0);
        service(server, i > 20); /* datagrams on the loopback interface usually arrive at once */
    }
    assert_non_null(to_client);
    assert_int_equal(to_server->state, ENET_PEER_STATE_CONNECTED);
}

/* Both hosts forget the connection without sending anything. */
static void forget_connection(void)
{
    enet_peer_reset(to_server);
    if (to_client) {
        enet_peer_reset(to_client);
    }
    service(server, 0);
    service(client, 0);
}

static void send_message(ENetPeer *peer, size_t length, uint32_t flags)
{
    static uint8_t message[20000];

    for (size_t i = 0; i < length; i++) {
        message[i] = (uint8_t)(i % 7 + random_below(&seed_of_test, 3));
    }
    enet_peer_send(peer, (enet_uint8)random_below(&seed_of_test, CHANNELS),
                   enet_packet_create(message, length, flags));
}

/* All kinds of traffic between two hosts. */
static void exchange(bool checksum, bool compress)
{
    static const uint32_t flags[] = {ENET_PACKET_FLAG_RELIABLE, 0, ENET_PACKET_FLAG_UNSEQUENCED,
                                     ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT,
                                     ENET_PACKET_FLAG_UNSEQUENCED | ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT};
    unsigned sent = 0;

    seed_of_test = 5;
    open_hosts(checksum, compress);
    connect_hosts(0xdeadbeef);
    received = 0;
    for (int round = 0; round < 300; round++) {
        ENetPeer *peer = round % 3 ? to_server : to_client;
        unsigned burst = 1 + random_below(&seed_of_test, 12);

        for (unsigned i = 0; i < burst; i++, sent++) {
            send_message(peer, 1 + random_below(&seed_of_test, i == 0 && round % 4 == 0 ? 9000 : 100),
                         flags[random_below(&seed_of_test, 5)]);
        }
        if (round == 100) {
            enet_peer_throttle_configure(to_server, 4000, 3, 1);
        }
        if (round == 200) {
            enet_host_bandwidth_limit(client, 200000, 100000);
        }
        if (round % 50 == 0) {
            enet_peer_ping(peer);
        }
        service(client, 0);
        service(server, 0);
        service(client, 1);
    }
    enet_peer_disconnect(to_server, 7);
    for (int i = 0; i < 200 && to_server->state != ENET_PEER_STATE_DISCONNECTED; i++) {
        service(client, 1);
        service(server, 1);
    }
    enet_peer_disconnect_now(to_client, 8);
    assert_true(received > sent / 2); /* unreliable ones may be dropped by the throttle */
    assert_true(wire.datagrams > 500);
    assert_true(!compress || wire.compressed > 200);
    /* The four bytes of a checksum are random: they can be a PING (one in about 60,000), and before
     * compressed commands they can be valid compressed commands. Then one datagram is not enough to
     * decide. */
    assert_true(wire.mistaken * 500 <= (checksum ? wire.datagrams : 0));
    for (int type = ENET_ACKNOWLEDGE; type < ENET_COMMAND_COUNT; type++) {
        if (type != ENET_BANDWIDTH_LIMIT) { /* sent once a second */
            assert_true(wire.commands[type] > 0);
        }
    }
    close_hosts();
}

static void datagrams_plain(void **state)
{
    (void)state;
    exchange(false, false);
}

static void datagrams_checksum(void **state)
{
    (void)state;
    exchange(true, false);
}

static void datagrams_compressed(void **state)
{
    (void)state;
    exchange(false, true);
}

static void datagrams_both(void **state)
{
    (void)state;
    exchange(true, true);
}

/* --- what a host does with damaged datagrams ------------------------------------------------------- */

static uint8_t damaged[ENET_MAX_DATAGRAM];
static size_t damaged_length;

static void append(const char *hex)
{
    damaged_length += from_hex(hex, damaged + damaged_length);
}

static void append_text(const char *text)
{
    memcpy(damaged + damaged_length, text, strlen(text));
    damaged_length += strlen(text);
}

/* Starts a datagram of the client with the header that the server expects. */
static void start_datagram(bool sent_time)
{
    uint16_t word = (uint16_t)(to_server->outgoingPeerID | to_server->outgoingSessionID << 12);

    damaged[0] = (uint8_t)(word >> 8 | (sent_time ? 0x80 : 0));
    damaged[1] = (uint8_t)word;
    damaged_length = 2;
    if (sent_time) {
        append("1234");
    }
}

static void send_datagram(void)
{
    ENetBuffer buffer = {.data = damaged, .dataLength = damaged_length};

    assert_int_equal(enet_socket_send(client->socket, &to_server->address, &buffer, 1), (int)damaged_length);
}

/* Sends a valid datagram after it and waits until that has arrived. `number` is its unreliable number. */
static void wait_for_server(uint16_t number)
{
    char hex[] = "07010000 0000 0004";

    snprintf(hex, sizeof hex, "07010000%04x0004", number);
    start_datagram(false);
    append(hex);
    append_text("sync");
    send_datagram();
    for (int i = 0; i < 500; i++) {
        service(server, 1);
        if (strcmp(last_message, "sync") == 0) {
            break;
        }
    }
    assert_string_equal(last_message, "sync");
    last_message[0] = 0;
}

/* A command with some of its fields at or over a limit. The server accepts its sequence numbers. */
static void append_random_command(uint64_t *seed)
{
    static const uint8_t types[] = {0x01, 0x82, 0x83, 0x85, 0x86, 0x07, 0x88,
                                    0x49, 0x8a, 0x8b, 0x0c, 0x00, 0x0d, 0x0f};
    static const uint8_t channels[] = {0, 0, 0, 2, 3, 254, 255};
    static const uint32_t counts[] = {0, 1, 2, 3, 10, 1048576, 1048577, 0xffffffff};
    static const uint32_t totals[] = {0, 1, 10, 11, 100, 33554431, 33554433, 0xffffffff};
    uint8_t byte = types[random_below(seed, sizeof types)];
    uint8_t *command = damaged + damaged_length;
    const enet_command_info *info;
    uint32_t data;

    if (random_below(seed, 4) == 0) {
        byte ^= 0x80;
    }
    if (random_below(seed, 8) == 0) {
        byte ^= (uint8_t)(0x10 << random_below(seed, 3));
    }
    info = &enet_commands[byte & ENET_COMMAND_TYPE_MASK];
    memset(command, 0, 64);
    for (int i = 4; i < 48; i++) {
        if (random_below(seed, 4) == 0) {
            command[i] = (uint8_t)next_random(seed);
        }
    }
    command[0] = byte;
    command[1] =
        info->data || random_below(seed, 4) == 0 ? channels[random_below(seed, sizeof channels)] : 0xff;
    command[3] = info->fragment && (byte & 15) == ENET_SEND_UNRELIABLE_FRAGMENT ? 0 : 9;
    damaged_length += info->fixed_length ? info->fixed_length : 4;
    if (!info->data) {
        return;
    }
    data = random_below(seed, 12);
    if (info->fragment) {
        uint32_t fields[4] = {counts[random_below(seed, 8)], random_below(seed, 4),
                              totals[random_below(seed, 8)],
                              random_below(seed, 3) ? random_below(seed, 12) : totals[random_below(seed, 8)]};
        for (int i = 0; i < 16; i++) {
            command[8 + i] = (uint8_t)(fields[i / 4] >> (24 - 8 * (i % 4)));
        }
        command[4] = 0;
        command[5] = 9;
    }
    command[info->length_offset] = random_below(seed, 20) == 0;
    command[info->length_offset + 1] = (uint8_t)data;
    memset(damaged + damaged_length, 'x', data);
    damaged_length += data;
}

/* 1.3.18 refuses two things that an older library accepts. A slot that does not wait for VERIFY_CONNECT
 * ignores its fields. */
static bool is_judged_otherwise(const enet_command *command)
{
    for (uint32_t i = 0; i < command->finding_count; i++) {
        if (command->findings[i].problem == ENET_PROBLEM_FRAGMENT_EMPTY ||
            command->findings[i].problem == ENET_PROBLEM_TOTAL_TOO_SHORT ||
            command->findings[i].verdict == ENET_CONNECTION_DIES) {
            return true;
        }
    }
    return false;
}

/* A message after the command arrives exactly if the parser says that a receiver processes it. */
static void refusals(void **state)
{
    uint64_t seed = 4;
    unsigned skipped = 0, looked_at = 0;

    (void)state;
    open_hosts(false, false);
    for (int round = 0; round < 4000; round++) {
        bool sent_time = random_below(&seed, 5) != 0;
        enet_body_context context = {.channel_count = CHANNELS};
        enet_command command, marker = {.skipped = true};
        enet_header header;
        enet_body body;

        wire.check = true;
        connect_hosts(2);
        wire.check = false;
        start_datagram(sent_time);
        append_random_command(&seed);
        append("07010000 0001 0006");
        append_text("marker");
        assert_true(enet_header_read(&header, damaged, damaged_length, ENET_STOCK, false));
        context.header = &header;
        enet_body_init(&body, damaged + header.length, damaged_length - header.length,
                       damaged_length - header.length, &context);
        assert_true(enet_body_next(&body, &command));
        if (!is_judged_otherwise(&command)) {
            bool expected;

            if (!enet_body_next(&body, &marker)) {
                marker.skipped = true;
            }
            expected = !marker.skipped && !marker.finding_count;
            send_datagram();
            received = 0;
            last_message[0] = 0;
            for (int i = 0; i < 3 && strcmp(last_message, "marker") != 0; i++) {
                service(server, expected && i ? 1 : 0); /* refused messages never arrive: no need to wait */
            }
            if ((strcmp(last_message, "marker") == 0) != expected) {
                fail_msg("round %d: command %02x channel %u, %s", round, command.byte, command.channel,
                         command.finding_count ? enet_problems[command.findings[0].problem].name
                                               : "no finding");
            }
            skipped += !expected;
            looked_at += expected;
        }
        forget_connection();
    }
    assert_true(skipped > 800 && looked_at > 800);
    close_hosts();
}

static bool is_queued(const ENetChannel *channel, uint16_t number)
{
    const ENetList *list = &channel->incomingReliableCommands;

    for (ENetListIterator i = list->sentinel.next; i != &list->sentinel; i = i->next) {
        if (((ENetIncomingCommand *)i)->reliableSequenceNumber == number) {
            return true;
        }
    }
    return false;
}

/* Accepted, acknowledged or neither: every number after every other one. */
static void accepted_numbers(void **state)
{
    uint64_t seed = 6;
    unsigned verdicts[3] = {0};

    (void)state;
    open_hosts(false, false);
    for (int round = 0; round < 1200; round++) {
        uint16_t current = (uint16_t)next_random(&seed), number = (uint16_t)next_random(&seed);
        ENetChannel *channel;
        enet_number_verdict verdict;
        char hex[32];

        if (round % 4 == 0) {
            number =
                (uint16_t)((current & 0xf000) + 4096 * (6 + random_below(&seed, 4)) - random_below(&seed, 2));
        }
        if (number == (uint16_t)(current + 1)) {
            continue; /* delivered at once */
        }
        verdict = enet_judge_number(current, number);
        wire.check = true;
        connect_hosts(2);
        wire.check = false;
        wire.acknowledgements = 0;
        channel = &to_client->channels[0];
        channel->incomingReliableSequenceNumber = current;
        snprintf(hex, sizeof hex, "8600%04x0001", number);
        start_datagram(true);
        append(hex);
        append_text("x");
        send_datagram();
        wait_for_server(1);
        service(client, verdict != ENET_NUMBER_TOO_FAR);
        assert_int_equal(is_queued(channel, number), verdict == ENET_NUMBER_ACCEPTED);
        assert_int_equal(wire.acknowledgements, verdict != ENET_NUMBER_TOO_FAR);
        if (wire.acknowledgements) {
            assert_int_equal(wire.last_acknowledged, number);
        }
        verdicts[verdict]++;
        forget_connection();
    }
    assert_true(verdicts[ENET_NUMBER_ACCEPTED] > 200 && verdicts[ENET_NUMBER_TOO_FAR] > 100 &&
                verdicts[ENET_NUMBER_DELIVERED] > 200);
    close_hosts();
}

/* The bitmap of unsequenced groups, over several turns of the 16-bit counter. */
static void unsequenced_groups(void **state)
{
    enet_unsequenced_window window = {0};
    uint64_t seed = 8;
    uint16_t group = 0;
    unsigned verdicts[3] = {0};

    (void)state;
    open_hosts(false, false);
    connect_hosts(2);
    wire.check = false;
    for (int round = 0; round < 6000; round++) {
        char hex[32];
        enet_group_verdict verdict;

        group = (uint16_t)(group + random_below(&seed, 60));
        if (random_below(&seed, 30) == 0) {
            group = (uint16_t)(group + random_below(&seed, 40000));
        }
        if (random_below(&seed, 8) == 0) {
            group = (uint16_t)(group - random_below(&seed, 1500));
        }
        verdict = enet_receive_group(&window, group);
        snprintf(hex, sizeof hex, "49000000%04x0005", group);
        start_datagram(false);
        append(hex);
        append_text("group");
        send_datagram();
        received = 0;
        wait_for_server((uint16_t)(round + 1));
        assert_int_equal(received, verdict == ENET_GROUP_NEW ? 2 : 1);
        verdicts[verdict]++;
        if (round % 64 == 0) {
            service(client, 0);
        }
    }
    assert_true(verdicts[ENET_GROUP_NEW] > 500 && verdicts[ENET_GROUP_DUPLICATE] > 20 &&
                verdicts[ENET_GROUP_TOO_FAR] > 100);
    forget_connection();
    close_hosts();
}

static int set_up(void **state)
{
    (void)state;
    coder = enet_range_coder_create();
    return enet_initialize() != 0 || coder == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    enet_range_coder_destroy(coder);
    enet_deinitialize();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_coder),
        cmocka_unit_test(range_at_its_limit),
        cmocka_unit_test(corrupt_streams),
        cmocka_unit_test(position_too_large),
        cmocka_unit_test(datagrams_plain),
        cmocka_unit_test(datagrams_checksum),
        cmocka_unit_test(datagrams_compressed),
        cmocka_unit_test(datagrams_both),
        cmocka_unit_test(refusals),
        cmocka_unit_test(accepted_numbers),
        cmocka_unit_test(unsequenced_groups),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
