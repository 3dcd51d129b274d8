/* fuzz_session.c
 *
 * Any sequence of Godot 4's packets between two ends, through the model of the session and of the receiving
 * engine. Checked: a later pass concludes the same in any order of messages, packets that are said to be
 * missing add no conclusion, what is found is in the past or known to come later, and memory is bounded by
 * the bytes sent.
 *
 * Input: packets, each after two bytes. Of the first one: bit 7 is the sender, 6: cut, 5: repeated, 4:
 * packets of the sender are missing before it, 3: from another client, 2 to 0: tenths of a second since the
 * packet before. The second one is its length.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "common/counted_memory.h"
#include "multiplayer/engine/missing_node.h"
#include "multiplayer/session/nodes.h"
#include "multiplayer/wire/scene_v4.h"

#define MAX_MESSAGES 256u
#define CLIENT       77
#define OTHER_CLIENT 4711
#define TENTH        INT64_C(100000000)

/* What is concluded of a message. */
typedef struct {
    bool undefined, lacks_node, never_confirmed, despawned, unknown_node, absent;
} conclusions;

typedef struct {
    godot_message message;
    multiplayer_v4_packet packet;
    godot_party from, to;
    bool lossy;
    conclusions found;
} one;

static counted_memory memory;
static godot_store store;
static godot_session session;
static one all[MAX_MESSAGES];
static unsigned count;
static bool first_pass;

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static const char *text_of(const one *m, multiplayer_text text)
{
    static char copy[256];
    size_t length = text.length < sizeof copy - 1 ? text.length : sizeof copy - 1;
    memcpy(copy, m->packet.bytes + text.offset, length);
    copy[length] = 0;
    return copy;
}

static bool may_say(godot_verdict verdict)
{
    return verdict.holds && verdict.missing == GODOT_MISSING_NOTHING;
}

static bool may_conclude(const one *m, godot_conclusion conclusion, godot_party party)
{
    const godot_moment beginning = {0, 0};
    return godot_engine_lacks(conclusion, &m->message, party, beginning) == GODOT_MISSING_NOTHING;
}

/* --- packets ------------------------------------------------------------------------------------- */

static void announce(one *m)
{
    const multiplayer_v4_simplify *simplify = &m->packet.u.simplify;
    if (first_pass && !m->message.repeated) {
        godot_session_learn_path(&m->message, m->from, m->to, simplify->id, text_of(m, simplify->path),
                                 m->message.cut, "");
        godot_session_learn_has_node(&m->message, m->from, text_of(m, simplify->path), m->message.number);
    }
    godot_path *path = godot_session_path(&m->message, m->from, simplify->id);
    if (path && !first_pass) {
        m->found.never_confirmed = may_say(godot_engine_never_confirms(&m->message, path, m->to, true));
        require(!m->found.never_confirmed || !path->cut);
        (void)godot_session_disagreement(&m->message, path);
    }
}

static void confirm(one *m)
{
    const multiplayer_v4_confirm *confirmation = &m->packet.u.confirm;
    godot_path *path = confirmation->id_offset
                           ? godot_session_path(&m->message, m->to, confirmation->id)
                           : godot_session_path_by_name(&m->message, m->to, text_of(m, confirmation->path));
    if (first_pass) {
        godot_session_learn_confirm_form(&m->message, confirmation->id_offset ? 43 : 42);
    }
    if (path && first_pass && !m->message.repeated) {
        godot_session_learn_confirmation(&m->message, path, m->from, confirmation->valid);
        godot_session_learn_has_node(&m->message, m->from, path->path, path->number);
    }
    require(!path || path->owner == m->to);
}

static void call(one *m)
{
    const multiplayer_v4_call *packet = &m->packet.u.call;
    uint32_t id = packet->node & ~MULTIPLAYER_V4_PATH_FLAG;
    bool whole = packet->node & MULTIPLAYER_V4_PATH_FLAG;
    if (first_pass && !whole) {
        godot_session_adopt_path(&m->message, m->from, id);
    }
    godot_path *path = whole ? godot_session_path_by_name(&m->message, m->from, text_of(m, packet->path))
                             : godot_session_path(&m->message, m->from, id);
    m->found.undefined = !path && !whole && !first_pass &&
                         may_conclude(m, GODOT_PATH_UNDEFINED, godot_sending_end(&m->message));
    if (!path) {
        return;
    }
    if (first_pass && !whole) {
        godot_session_learn_use(&m->message, path, m->to);
    }
    if (whole && !path->cut && !first_pass) {
        const godot_delivery delivery = {m->message.number & 1, m->message.number & 2 ? m->message.frame : 0};
        m->found.lacks_node = may_say(godot_engine_lacks_node(&m->message, path, m->to, true, &delivery));
    }
    uint32_t number = 0;
    uint32_t frame = godot_session_despawned(&m->message, m->to, path->path, &number);
    require(!frame || number <= m->message.number);
    m->found.despawned = frame && may_conclude(m, GODOT_NODE_DESPAWNED, m->to);
    const char *inside;
    (void)godot_session_scene_above(&m->message, path->path, &inside);
}

static void spawn(one *m)
{
    const multiplayer_v4_spawn *packet = &m->packet.u.spawn;
    const char *name = godot_store_text(&store, text_of(m, packet->name));
    if (first_pass && !m->message.repeated && name) {
        const godot_node node = {.path = name, .number = m->message.number, .frame = m->message.frame};
        godot_session_learn_node(&m->message, m->from, packet->net_id, node);
        godot_session_learn_scene(&m->message, name, packet->scene ? "res://player.tscn" : NULL);
        godot_session_learn_despawn(&m->message, m->from, name, false);
    }
}

static void despawn(one *m)
{
    uint32_t net_id = m->packet.u.despawn.net_id;
    const godot_node *node = godot_session_node(&m->message, m->from, net_id, false);
    require(!node || !node->gone);
    m->found.unknown_node =
        !node && !first_pass && may_conclude(m, GODOT_NET_ID_UNKNOWN, godot_sending_end(&m->message));
    if (first_pass && !m->message.repeated) {
        const godot_node gone = {.path = node ? node->path : NULL,
                                 .number = m->message.number,
                                 .frame = m->message.frame,
                                 .gone = true};
        godot_session_learn_node(&m->message, m->from, net_id, gone);
        if (node && node->path) {
            godot_session_learn_despawn(&m->message, m->from, node->path, true);
        }
    }
}

static void system_packet(one *m)
{
    const multiplayer_v4_sys *packet = &m->packet.u.sys;
    const godot_presence *state;
    if (packet->subcommand == MULTIPLAYER_V4_RELAY) {
        m->found.absent = !first_pass && may_say(godot_engine_lacks_peer(&m->message, packet->peer, &state));
    } else if (first_pass) {
        godot_session_learn_presence(&m->message, packet->peer,
                                     packet->subcommand == MULTIPLAYER_V4_ADD_PEER);
    }
}

static void dissect(one *m)
{
    static void (*const packets[MULTIPLAYER_V4_COMMAND_COUNT])(one *) = {
        [MULTIPLAYER_V4_REMOTE_CALL] = call,     [MULTIPLAYER_V4_SIMPLIFY_PATH] = announce,
        [MULTIPLAYER_V4_CONFIRM_PATH] = confirm, [MULTIPLAYER_V4_SPAWN] = spawn,
        [MULTIPLAYER_V4_DESPAWN] = despawn,      [MULTIPLAYER_V4_SYS] = system_packet,
    };
    memset(&m->found, 0, sizeof m->found);
    if (m->packet.findings.count == 0 && packets[m->packet.command]) {
        packets[m->packet.command](m);
    }
    (void)godot_session_versions_differ(&m->message);
    (void)godot_engine_never_admits(&m->message, m->message.number & 1);
}

/* --- passes -------------------------------------------------------------------------------------- */

static void begin(bool from_start)
{
    const memory_allocator allocator = {counted_resize, &memory};
    memset(&session, 0, sizeof session);
    memory.blocks.next = memory.blocks.previous = &memory.blocks;
    memory.live = 0;
    godot_store_init(&store, &allocator);
    godot_session_begin(&session, &store, GODOT_OVER_WEBSOCKET, 0);
    session.seen[0].from_start = session.seen[1].from_start = from_start;
    session.api = 4;
}

static void end(void)
{
    while (memory.blocks.next != &memory.blocks) {
        counted_resize(&memory, memory.blocks.next + 1, 0);
    }
}

static unsigned read_input(const uint8_t *data, size_t size)
{
    int64_t now = 0;
    unsigned read = 0;
    for (size_t at = 0; at + 2 <= size && read < MAX_MESSAGES; read++) {
        uint8_t flags = data[at];
        size_t length = data[at + 1] < size - at - 2 ? data[at + 1] : size - at - 2;
        one *m = &all[read];
        now += TENTH * (flags & 7) + 1;
        *m = (one){.message = {.session = &session,
                               .number = read + 1,
                               .frame = read + 1,
                               .time = now,
                               .api = 4,
                               .from_initiator = flags & 0x80,
                               .cut = flags & 0x40,
                               .repeated = flags & 0x20},
                   .lossy = flags & 0x10};
        m->from = flags & 8 ? OTHER_CLIENT : godot_sending_end(&m->message);
        m->to = godot_receiving_end(&m->message);
        multiplayer_v4_parse(data + at + 2, length, &m->packet);
        at += 2 + length;
    }
    return read;
}

/* The capture, on the first pass and then from its end to its beginning. `worse`: packets may be missing
 * before this message, too. */
static void pass_both(unsigned worse)
{
    first_pass = true;
    for (unsigned i = 0; i < count; i++) {
        one *m = &all[i];
        session.latest = m->message.number;
        godot_session_learn_message(&m->message);
        if (i == 0) {
            godot_session_learn_peer_id(&m->message, GODOT_INITIATOR, CLIENT);
            godot_session_learn_peer_id(&m->message, GODOT_ACCEPTOR, 1);
        }
        if (m->lossy) {
            godot_session_learn_gap(&m->message, godot_sending_end(&m->message), GODOT_MISSING_PACKETS);
        }
        if (i == worse) {
            godot_session_learn_gap(&m->message, GODOT_INITIATOR, GODOT_MISSING_PACKETS);
            godot_session_learn_gap(&m->message, GODOT_ACCEPTOR, GODOT_MISSING_BYTES);
        }
        dissect(m);
    }
    first_pass = false;
    for (unsigned i = count; i > 0; i--) {
        dissect(&all[i - 1]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static conclusions whole[MAX_MESSAGES];
    count = read_input(data, size);
    begin(true);
    pass_both(MAX_MESSAGES);
    require(memory.live <= 200000 + 4096 * (size_t)count + 16 * size);
    for (unsigned i = 0; i < count; i++) {
        whole[i] = all[i].found;
        dissect(&all[i]);
        require(memcmp(&whole[i], &all[i].found, sizeof whole[i]) == 0);
    }
    end();
    if (count) {
        begin(true);
        pass_both(data[0] % count);
        for (unsigned i = 0; i < count; i++) {
            const bool *before = (const bool *)&whole[i], *after = (const bool *)&all[i].found;
            for (unsigned k = 0; k < sizeof whole[i] / sizeof *before; k++) {
                require(before[k] || !after[k]);
            }
        }
        end();
    }
    return 0;
}
