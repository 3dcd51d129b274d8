/* fuzz_record.c
 *
 * Reads any bytes as a record, complete and truncated, and as the headers that other classes add to a packet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "recorder/record.h"

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const classes[] = {NULL, "SteamMultiplayerPeer", "EOSGMultiplayerPeer"};
    for (size_t length = size; length + 30 > size; length--) {
        recorder_record record = recorder_parse(data, (uint32_t)length);
        if (record.status == RECORDER_WHOLE) {
            require(record.payload_offset >= RECORDER_HEAD_LENGTH);
            require(record.payload_offset + record.payload_length == length);
            require(!record.number || recorder_is_numbered(&record));
            const uint8_t *payload = data + record.payload_offset;
            int32_t sender = record.received ? record.other_id : record.own_id;
            for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
                recorder_head head =
                    recorder_parse_head(classes[i], payload, record.payload_length, sender, true);
                require(head.length <= record.payload_length);
                require((head.kind == RECORDER_NO_HEAD) == (head.length == 0));
            }
        } else {
            require(record.payload_length == 0);
        }
        require(recorder_kind_name(record.kind));
        if (length == 0) {
            break;
        }
    }
    return 0;
}
