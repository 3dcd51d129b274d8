/* scene_v4.h
 *
 * Packets of Godot 4's SceneMultiplayer (4.0 - 4.6): remote calls, the path cache, raw packets, spawning and
 * synchronizing of nodes, system messages. One packet is one message of the transport.
 *
 * Source of the facts: the engine's modules/multiplayer (scene_multiplayer.cpp, scene_rpc_interface.cpp,
 * scene_cache_interface.cpp, scene_replication_interface.cpp), checked against captures of 4.6.3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MULTIPLAYER_V4_H
#define MULTIPLAYER_V4_H

#include "multiplayer/wire/packet.h"

typedef enum {
    MULTIPLAYER_V4_REMOTE_CALL,
    MULTIPLAYER_V4_SIMPLIFY_PATH,
    MULTIPLAYER_V4_CONFIRM_PATH,
    MULTIPLAYER_V4_RAW,
    MULTIPLAYER_V4_SPAWN,
    MULTIPLAYER_V4_DESPAWN,
    MULTIPLAYER_V4_SYNC,
    MULTIPLAYER_V4_SYS,
    MULTIPLAYER_V4_COMMAND_COUNT
} multiplayer_v4_command;

typedef enum {
    MULTIPLAYER_V4_AUTH,
    MULTIPLAYER_V4_ADD_PEER,
    MULTIPLAYER_V4_DEL_PEER,
    MULTIPLAYER_V4_RELAY,
    MULTIPLAYER_V4_SUBCOMMAND_COUNT
} multiplayer_v4_subcommand;

#define MULTIPLAYER_V4_COMMAND_MASK      0x07
#define MULTIPLAYER_V4_PATH_FLAG         0x80000000u /* node id: offset of a path; net id: path-cache id */
#define MULTIPLAYER_V4_NODE_METHOD       0x8000u /* method id: configured on the node, not in its script */
#define MULTIPLAYER_V4_CUSTOM_SCENE      0xffu   /* scene id: made by the spawner's spawn_function */
#define MULTIPLAYER_V4_CHECKSUM_LENGTH   32u
#define MULTIPLAYER_V4_CONFIRM_ID_LENGTH 6u  /* of a CONFIRM_PATH with an id */
#define MULTIPLAYER_V4_MAX_WATCHED       64u /* watched properties of one synchronizer: bits of the mask */

/* A field at offset 0 is not in the packet (offset 0 is the command byte). */
typedef struct {
    uint8_t node_size, method_size; /* bytes of the ids; node_size 0: invalid size code */
    uint32_t node_offset;
    uint32_t node; /* as on the wire, with MULTIPLAYER_V4_PATH_FLAG */
    multiplayer_text path;
    uint32_t method_offset;
    uint16_t method;
    bool raw;              /* no arguments, or the bare bytes of one PackedByteArray */
    uint32_t count_offset; /* not in the raw form */
    uint8_t count;         /* arguments; raw form: 0 or 1 */
    uint32_t arguments_offset, arguments_length;
} multiplayer_v4_call;

typedef struct {
    uint32_t checksum_offset; /* 32 hexadecimal digits */
    uint32_t id_offset, id;
    multiplayer_text path;
} multiplayer_v4_simplify;

typedef struct {
    uint32_t valid_offset;
    uint8_t valid;
    uint32_t id_offset, id; /* 4.3 and later */
    multiplayer_text path;  /* 4.0 - 4.2 */
} multiplayer_v4_confirm;

typedef struct {
    uint32_t scene_offset, spawner_offset, net_id_offset, sync_count_offset, name_size_offset;
    uint8_t scene;
    uint32_t spawner, net_id;
    uint32_t sync_count; /* as announced; readable: sync_ids_length / 4 */
    uint32_t sync_ids_offset, sync_ids_length;
    uint32_t name_size;
    multiplayer_text name;
    uint32_t argument_size_offset, argument_offset, argument_length; /* scene 0xff only */
    uint32_t state_offset, state_length;
} multiplayer_v4_spawn;

typedef struct {
    bool delta;
    uint32_t time_offset; /* full form only */
    uint16_t time;
    uint32_t entries_offset;
} multiplayer_v4_sync;

/* One synchronizer's state in a SYNC packet. */
typedef struct {
    uint32_t offset, length; /* the whole entry */
    uint32_t id;             /* as on the wire, with MULTIPLAYER_V4_PATH_FLAG */
    uint32_t mask_offset;    /* delta form only */
    uint64_t mask;
    uint32_t size_offset, size;
    uint32_t data_offset, data_length; /* data_length < size if the packet ends early */
    multiplayer_findings findings;
} multiplayer_v4_entry;

typedef struct {
    uint32_t subcommand_offset;
    uint8_t subcommand;
    uint32_t peer_offset;
    int32_t peer;
    uint32_t data_offset, data_length; /* AUTH: data; RELAY: inner packet */
} multiplayer_v4_sys;

typedef struct {
    const uint8_t *bytes;
    uint32_t length;
    uint8_t byte; /* the command byte */
    multiplayer_v4_command command;
    union {
        multiplayer_v4_call call;
        multiplayer_v4_simplify simplify;
        multiplayer_v4_confirm confirm;
        multiplayer_v4_spawn spawn;
        struct {
            uint32_t net_id_offset, net_id;
        } despawn;
        multiplayer_v4_sync sync;
        multiplayer_v4_sys sys;
    } u;
    multiplayer_findings findings;
} multiplayer_v4_packet;

/* Reads the fields that are there. Values (arguments, state) are left to the Variant decoder, compact form.
 * `bytes` must stay valid while the packet is in use. */
void multiplayer_v4_parse(const uint8_t *bytes, size_t length, multiplayer_v4_packet *packet);

/* Next entry of a SYNC packet: start with *position = packet->u.sync.entries_offset. Returns false when no
 * further entry begins; bytes that are left then are reported in `packet` already. */
bool multiplayer_v4_next_entry(const multiplayer_v4_packet *packet, uint32_t *position,
                               multiplayer_v4_entry *entry);

/* Number of values a delta entry announces. */
uint32_t multiplayer_v4_mask_count(uint64_t mask);

/* Judges whether bytes are a SceneMultiplayer packet as an engine writes it: structure, values consumed to
 * the last byte, and the invariants of every released engine. */
multiplayer_confidence multiplayer_v4_judge(const uint8_t *bytes, size_t length);

const char *multiplayer_v4_command_name(uint8_t command_byte);  /* "Remote Call", … "Delta Sync" */
const char *multiplayer_v4_subcommand_name(uint8_t subcommand); /* NULL if unknown */

#endif
