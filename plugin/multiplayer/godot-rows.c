/* godot-rows.c
 *
 * What a packet tells `-z godot,messages` while it is dissected; see godot-packet.h and godot-tap.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/godot-packet.h"

#include "variant/json.h"

const char *godot_transfer_mode_name(godot_transfer_mode mode)
{
    static const char *const names[] = {
        [GODOT_TRANSFER_RELIABLE] = "reliable",
        [GODOT_TRANSFER_UNRELIABLE] = "unreliable",
        [GODOT_TRANSFER_UNRELIABLE_ORDERED] = "unreliable ordered",
    };
    return names[mode];
}

void godot_tap_set_ends(const godot_packet *packet)
{
    godot_tap *tap = packet->tap;
    tap->from = godot_session_peer_id(packet->message, packet->from);
    tap->to = packet->to ? godot_session_peer_id(packet->message, packet->to) : packet->broadcast;
    tap->to_unknown = packet->to && tap->to == 0;
}

void godot_tap_set_problem(const godot_packet *packet, const char *text)
{
    if (!packet->tap->problem) {
        packet->tap->problem = text;
    }
}

/* --- values as JSON --- */

/* A list while it gets an entry. What does not fit is not written; the entry is taken back then. */
typedef struct {
    godot_tap *tap;
    wmem_strbuf_t *list;
    size_t before;
} json_entry;

static void append(void *context, const char *text, size_t length)
{
    const json_entry *entry = (const json_entry *)context;
    if (wmem_strbuf_get_len(entry->list) + length > GODOT_TAP_MAX_JSON) {
        entry->tap->full = true;
    } else if (!entry->tap->full) {
        wmem_strbuf_append_len(entry->list, text, length);
    }
}

static void append_text(json_entry *entry, const char *text)
{
    append(entry, text, strlen(text));
}

static bool begin(json_entry *entry, const godot_packet *packet, wmem_strbuf_t *list)
{
    if (!list || packet->tap->full) {
        return false;
    }
    *entry = (json_entry){packet->tap, list, wmem_strbuf_get_len(list)};
    append_text(entry, entry->before ? "," : "");
    return true;
}

static void end(const json_entry *entry, const godot_packet *packet)
{
    if (entry->tap->full) {
        wmem_strbuf_truncate(entry->list, entry->before);
        godot_tap_set_problem(packet, "Values beyond 1 MiB of JSON are left out");
    }
}

void godot_tap_add_argument(const godot_packet *packet, uint32_t offset, uint32_t length,
                            variant_options options)
{
    json_entry entry;
    if (begin(&entry, packet, packet->tap->arguments)) {
        variant_json(packet->bytes + offset, length, options, append, &entry, NULL);
        end(&entry, packet);
    }
}

void godot_tap_add_bytes(const godot_packet *packet, uint32_t offset, uint32_t length)
{
    json_entry entry;
    if (begin(&entry, packet, packet->tap->arguments)) {
        append_text(&entry, "{\"type\":\"PackedByteArray\",\"args\":[");
        for (uint32_t i = 0; i < length && !packet->tap->full; i++) {
            append_text(&entry,
                        wmem_strdup_printf(packet->pinfo->pool, i ? ",%u" : "%u", packet->bytes[offset + i]));
        }
        append_text(&entry, "]}");
        end(&entry, packet);
    }
}

void godot_tap_add_value(const godot_packet *packet, const char *node, const char *property, uint32_t offset,
                         uint32_t length, variant_options options)
{
    json_entry entry;
    if (begin(&entry, packet, packet->tap->values)) {
        append_text(&entry, "{\"node\":");
        if (*node) {
            variant_json_text(node, strlen(node), append, &entry);
        } else {
            append_text(&entry, "null");
        }
        append_text(&entry, ",\"property\":");
        variant_json_text(property, strlen(property), append, &entry);
        append_text(&entry, ",\"value\":");
        variant_json(packet->bytes + offset, length, options, append, &entry, NULL);
        append_text(&entry, "}");
        end(&entry, packet);
    }
}
