/* opened_connection.h
 *
 * For tests of src/enet: a connection that is opened, and reliable messages and acknowledgements of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef OPENED_CONNECTION_H
#define OPENED_CONNECTION_H

#include <stdio.h>

#include "enet/capture_of_datagrams.h"
#include "enet/enet_samples.h"

enum { CLIENT, SERVER }; /* sockets */

static fed_conversation fed;
static uint8_t bytes[4096];

/* A datagram in hexadecimal digits. */
static inline void feed(unsigned endpoint, const char *hex)
{
    size_t length = from_hex(hex, bytes);

    assert_non_null(feed_cut(&fed, endpoint, bytes, length, length));
}

/* Frames 1 to 3. */
static inline void open_connection(void)
{
    feed_begin(&fed);
    feed(CLIENT, CONNECT_DATAGRAM);
    feed(SERVER, VERIFY_DATAGRAM);
    feed(CLIENT, "8001c390 01ff0001 0001c38f");
}

/* One byte, sent reliably on channel 0 with this number, at this time of its sender's clock. */
static inline void reliable_at(unsigned endpoint, unsigned number, unsigned sent_time)
{
    char hex[64];

    snprintf(hex, sizeof hex, "%s%04x 8600%04x 0001 61", endpoint == CLIENT ? "8001" : "8000", sent_time,
             number);
    feed(endpoint, hex);
}

/* The time follows from the number. */
static inline void reliable(unsigned endpoint, unsigned number)
{
    reliable_at(endpoint, number, 0x1000 + number);
}

/* The acknowledgement of a command that was sent at this time. */
static inline void acknowledge_at(unsigned endpoint, unsigned number, unsigned sent_time)
{
    char hex[64];

    snprintf(hex, sizeof hex, "%s 0100%04x %04x%04x", endpoint == CLIENT ? "0001" : "0000", number, number,
             sent_time);
    feed(endpoint, hex);
}

static inline void acknowledge(unsigned endpoint, unsigned number)
{
    acknowledge_at(endpoint, number, 0x1000 + number);
}

#endif
