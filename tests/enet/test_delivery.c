/* enet/test_delivery.c
 *
 * Delivery compared with the ENet library: a host gets messages in any order, duplicated, with numbers that
 * are too far ahead. It delivers exactly the messages that are delivered according to the notes.
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

#include "enet/capture_of_datagrams.h"
#include "enet/enet_samples.h"

enum { CLIENT, SERVER }; /* sockets */

#define MESSAGES     400 /* of a round */
#define ID_LENGTH    5   /* "m0123" */
#define COPIES       8
#define PACKET_PARTS 2 /* fragments of a message, the id in the first one */

#define DROPPED                                                                                              \
    (ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) | ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED) |                       \
     ENET_NOTE(ENET_NOTE_OVERTAKEN) | ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR) |                                  \
     ENET_NOTE(ENET_NOTE_FRAGMENT_LATE) | ENET_NOTE(ENET_NOTE_FRAGMENT_REPEATED))
#define REPEATED (ENET_NOTE(ENET_NOTE_RETRANSMISSION) | ENET_NOTE(ENET_NOTE_DUPLICATE))

static ENetHost *server, *client;
static ENetPeer *to_server, *to_client;
static fed_conversation fed;

/* A message of the client. */
static struct {
    uint16_t after, number; /* `number`: of an unreliable message; 0: `after` is its own number */
    bool fragmented;
    unsigned delivered;                         /* by the library */
    unsigned copies;                            /* commands that carried or completed it */
    const enet_command_record *records[COPIES]; /* the first ones */
} messages[MESSAGES];
static unsigned message_count;

/* --- what both ends see is added to a capture -------------------------------------------------------- */

static unsigned id_of(const uint8_t *text)
{
    unsigned id = MESSAGES;
    char copy[ID_LENGTH + 1] = {0};

    memcpy(copy, text, ID_LENGTH);
    assert_int_equal(sscanf(copy, "m%u", &id), 1);
    assert_true(id < MESSAGES);
    return id;
}

static void note_copies(const enet_datagram_record *record)
{
    for (uint32_t i = 0; i < record->command_count; i++) {
        const enet_command *command = &fed.datagram.commands[i];
        const uint8_t *text = fed.datagram.opened.body + command->data_offset;
        bool fragment = enet_commands[command->type].fragment;
        if (!enet_commands[command->type].data || (fragment && !record->commands[i].completes)) {
            continue;
        }
        /* Each fragment has the id. */
        unsigned id = id_of(text);
        if (messages[id].copies < COPIES) {
            messages[id].records[messages[id].copies++] = &record->commands[i];
        }
    }
}

static int ENET_CALLBACK see_datagram(ENetHost *host, ENetEvent *event)
{
    unsigned endpoint = host == server ? CLIENT : SERVER;
    size_t length = host->receivedDataLength;

    (void)event;
    const enet_datagram_record *record = feed_cut(&fed, endpoint, host->receivedData, length, length);
    assert_non_null(record);
    if (endpoint == CLIENT) {
        note_copies(record);
    }
    return 0;
}

static void service(ENetHost *host, unsigned milliseconds)
{
    ENetEvent event;

    while (enet_host_service(host, &event, milliseconds) > 0) {
        milliseconds = 0;
        if (event.type == ENET_EVENT_TYPE_CONNECT && host == server) {
            to_client = event.peer;
        }
        if (event.type == ENET_EVENT_TYPE_RECEIVE) {
            messages[id_of(event.packet->data)].delivered++;
            enet_packet_destroy(event.packet);
        }
    }
}

static void open_connection(void)
{
    ENetAddress address = {.host = ENET_HOST_TO_NET_32(0x7f000001), .port = 0};

    feed_begin(&fed);
    message_count = 0;
    memset(messages, 0, sizeof messages);
    server = enet_host_create(&address, 1, 1, 0, 0);
    client = enet_host_create(NULL, 1, 1, 0, 0);
    assert_true(server && client);
    assert_int_equal(enet_socket_get_address(server->socket, &address), 0);
    server->intercept = client->intercept = see_datagram;
    address.host = ENET_HOST_TO_NET_32(0x7f000001);
    to_client = NULL;
    to_server = enet_host_connect(client, &address, 1, 0);
    for (int i = 0; i < 2000 && (!to_client || to_server->state != ENET_PEER_STATE_CONNECTED); i++) {
        service(client, 0);
        service(server, 1);
    }
    assert_int_equal(to_server->state, ENET_PEER_STATE_CONNECTED);
}

static void close_connection(void)
{
    enet_host_destroy(client);
    enet_host_destroy(server);
    feed_end(&fed);
}

/* --- datagrams of the client ----------------------------------------------------------------------- */

static uint8_t datagram[4000];
static size_t datagram_length;
static uint16_t sent_time;

static void append_16(uint16_t number)
{
    datagram[datagram_length++] = (uint8_t)(number >> 8);
    datagram[datagram_length++] = (uint8_t)number;
}

static void append_32(uint32_t number)
{
    append_16((uint16_t)(number >> 16));
    append_16((uint16_t)number);
}

static void begin_datagram(void)
{
    datagram_length = 0;
    append_16((uint16_t)(0x8000 | to_server->outgoingSessionID << 12 | to_server->outgoingPeerID));
    append_16(++sent_time);
}

static void append_id(unsigned id)
{
    char text[ID_LENGTH + 1];

    snprintf(text, sizeof text, "m%04u", id % 10000);
    memcpy(datagram + datagram_length, text, ID_LENGTH);
    datagram_length += ID_LENGTH;
}

/* The message, or one of its fragments. */
static void append_message(unsigned id, unsigned part)
{
    bool reliable = messages[id].number == 0, fragmented = messages[id].fragmented;
    unsigned type =
        fragmented ? ENET_SEND_UNRELIABLE_FRAGMENT : (reliable ? ENET_SEND_RELIABLE : ENET_SEND_UNRELIABLE);

    datagram[datagram_length++] = (uint8_t)(type | (reliable ? 0x80 : 0));
    datagram[datagram_length++] = 0;
    append_16(messages[id].after);
    if (!reliable) {
        append_16(messages[id].number);
    }
    append_16(ID_LENGTH);
    if (fragmented) {
        append_32(PACKET_PARTS);
        append_32(part);
        append_32(PACKET_PARTS * ID_LENGTH);
        append_32(part * ID_LENGTH);
    }
    append_id(id);
}

static void send_datagram(void)
{
    ENetBuffer buffer = {.data = datagram, .dataLength = datagram_length};

    assert_int_equal(enet_socket_send(client->socket, &to_server->address, &buffer, 1), (int)datagram_length);
}

static void let_both_work(void)
{
    service(server, 0);
    service(client, 0);
}

/* --- comparison ------------------------------------------------------------------------------------ */

static bool left_as_delivered(const enet_command_record *record)
{
    bool repeated = (record->notes & REPEATED) && !(record->notes & ENET_NOTE(ENET_NOTE_REFUSED_BEFORE));

    return !repeated && !(record->notes & DROPPED);
}

/* `notes`: counts of the notes in the records. */
static unsigned compare(uint32_t notes)
{
    unsigned counted = 0;

    for (unsigned id = 0; id < message_count; id++) {
        unsigned delivered = 0;
        for (unsigned i = 0; i < messages[id].copies; i++) {
            delivered += left_as_delivered(messages[id].records[i]);
            counted += (messages[id].records[i]->notes & notes) != 0;
        }
        if (delivered != messages[id].delivered) {
            fail_msg("message %u (%u, %u): the library delivered it %u times, the notes say %u", id,
                     messages[id].after, messages[id].number, messages[id].delivered, delivered);
        }
    }
    return counted;
}

/* --- tests ----------------------------------------------------------------------------------------- */

typedef struct {
    unsigned id, part;
    uint32_t place;
} sending;

static int by_place(const void *a, const void *b)
{
    const sending *x = a, *y = b;

    return x->place < y->place ? -1 : x->place > y->place;
}

/* Reliable messages with unreliable ones between them, whole and in fragments: some lost, some duplicated,
 * all up to `disorder` places late. */
static unsigned plan(sending *list, uint64_t *seed, unsigned disorder)
{
    unsigned count = 0;

    for (uint16_t after = 0; after < 40; after++) {
        unsigned unreliable = random_below(seed, 5);
        for (uint16_t number = 0; number <= unreliable; number++) {
            if (after == 0 && number == 0) {
                continue; /* there is no reliable message 0 */
            }
            unsigned id = message_count++;
            messages[id].after = after;
            messages[id].number = number;
            messages[id].fragmented = number && random_below(seed, 4) == 0;
            for (unsigned part = 0; part < (messages[id].fragmented ? PACKET_PARTS : 1u); part++) {
                if (number && random_below(seed, 10) == 0) {
                    continue; /* lost */
                }
                unsigned copies = random_below(seed, 12) == 0 ? 2 : 1;
                for (unsigned copy = 0; copy < copies; copy++) {
                    uint32_t late = random_below(seed, 3) == 0 ? random_below(seed, disorder + 1) : 0;
                    list[count] = (sending){id, part, 1000 * (count + late) + count};
                    count++;
                }
            }
        }
    }
    qsort(list, count, sizeof *list, by_place);
    return count;
}

/* Also counts messages dropped because several reliable messages were delivered at once. */
static void any_order(void **state)
{
    static sending list[4 * MESSAGES];
    uint64_t seed = 12;
    unsigned overtaken = 0;

    (void)state;
    for (int round = 0; round < 120; round++) {
        open_connection();
        unsigned count = plan(list, &seed, 1 + random_below(&seed, 30));
        for (unsigned i = 0; i < count; i++) {
            begin_datagram();
            append_message(list[i].id, list[i].part);
            if (i + 1 < count && random_below(&seed, 3) == 0) {
                i++;
                append_message(list[i].id, list[i].part);
            }
            send_datagram();
            let_both_work();
        }
        overtaken += compare(ENET_NOTE(ENET_NOTE_OVERTAKEN));
        close_connection();
    }
    assert_true(overtaken > 100);
}

/* Sends reliable messages up to this number, all with the same id. */
static void send_up_to(unsigned id, uint16_t from, uint16_t to)
{
    for (uint16_t number = from; number <= to;) {
        begin_datagram();
        for (unsigned i = 0; i < 60 && number <= to; i++) {
            messages[id].after = number++;
            messages[id].copies = 0;
            append_message(id, 0);
        }
        send_datagram();
        let_both_work();
    }
}

/* Whether the library has queued the reliable message with this number. */
static bool is_queued(uint16_t number)
{
    const ENetList *list = &to_client->channels[0].incomingReliableCommands;

    for (ENetListIterator i = list->sentinel.next; i != &list->sentinel; i = i->next) {
        if (((ENetIncomingCommand *)i)->reliableSequenceNumber == number) {
            return true;
        }
    }
    return false;
}

/* Refused while it is too far ahead, accepted after others were delivered; the numbers between are not out of
 * order. */
static void too_far_ahead(void **state)
{
    enum { FILLER, FAR };
    const uint16_t far = 8 * ENET_SEQUENCE_WINDOW + 10;

    (void)state;
    open_connection();
    message_count = 2;
    send_up_to(FILLER, 1, 4500);
    assert_int_equal(messages[FILLER].delivered, 4500);
    for (int copy = 0; copy < 2; copy++) {
        messages[FAR].after = far;
        begin_datagram();
        append_message(FAR, 0);
        send_datagram();
        let_both_work();
        assert_true(messages[FAR].records[copy]->notes & ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR));
        assert_false(is_queued(far));
    }
    send_up_to(FILLER, 4501, 8200);
    assert_int_equal(messages[FILLER].delivered, 8200);
    assert_int_equal(messages[FILLER].records[0]->notes, 0);
    begin_datagram();
    append_message(FAR, 0);
    send_datagram();
    let_both_work();
    assert_true(messages[FAR].records[2]->notes & ENET_NOTE(ENET_NOTE_REFUSED_BEFORE));
    assert_false(messages[FAR].records[2]->notes & ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR));
    assert_true(is_queued(far)); /* by the library */
    close_connection();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order),
        cmocka_unit_test(too_far_ahead),
    };

    if (enet_initialize() != 0) {
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    enet_deinitialize();
    return failed;
}
