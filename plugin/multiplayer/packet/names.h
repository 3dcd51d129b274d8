/* names.h
 *
 * Names that are not on the wire: of RPC methods, properties, scenes. They come from the game's project
 * (project/project.h) or from records of the running game. In both cases methods are used only if they have
 * the checksum on the wire; what records say about scenes and synchronizers is used only in their own
 * recording.
 *
 * Names from records are valid from the frame of the record on, so every pass gives the same answers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_NAMES_H
#define GODOT_NAMES_H

#include "multiplayer/packet/items.h"

/* --- contents of records; first pass only, everything is in file scope --------------------------- */

typedef struct {
    const char *path;   /* relative to the multiplayer root */
    const char *script; /* "" if it has none */
    scene_name_list methods, node_methods;
    rpc_signature *signatures;    /* of node_methods, then of methods; NULL: not known */
    const scene_name_list *lists; /* by scene_list; NULL: the node is not a MultiplayerSynchronizer */
    const char *spawn_parent;     /* path; NULL: the node is not a MultiplayerSpawner */
    scene_name_list scenes;       /* that a spawner can spawn */
    uint32_t frame;               /* set by godot_names_learn_node(), frame_order() */
    rpc_list list;                /* likewise: methods and node_methods */
} godot_node_names;

typedef struct {
    const char *scene; /* "res://player.tscn"; of a node that a spawn function has made, its path */
    const scene_synchronizer *synchronizers;
    uint32_t count;
} godot_scene_names;

void godot_names_init(void);
/* `recording`: number of the recorder. The structures are kept, not copied. */
void godot_names_learn_node(packet_info *pinfo, uint32_t recording, godot_node_names *node);
void godot_names_learn_scene(packet_info *pinfo, uint32_t recording, const godot_scene_names *scene);

/* The authority of a node in the recording game, as the recorder has found it in this frame; 0: the node has
 * left this path. */
void godot_names_learn_authority(packet_info *pinfo, uint32_t recording, const char *path, int32_t peer);

/* --- lookup -------------------------------------------------------------------------------------- */

/* Whether there is a record of this scene. `scene`: "res://player.tscn", or the path of a node that a spawn
 * function has made. */
bool godot_names_has_scene(const godot_packet *packet, const char *scene);

/* The latest record about a node in the packet's recording, NULL: none. */
const godot_node_names *godot_names_of_node(const godot_packet *packet, const char *path);

/* Name of a method on a node with this checksum, NULL if it is not certain, and how it may be called. */
const char *godot_names_method(const godot_packet *packet, const char *checksum, uint16_t method);
rpc_signature godot_names_signature(const godot_packet *packet, const char *checksum, uint16_t method);
/* The script(s) with this checksum: see rpc_project_find(). */
const rpc_list *godot_names_list(const godot_packet *packet, const char *checksum, const rpc_list *previous);
/* Of a godot_place with a checksum: the scripts with these methods. */
const char *const *godot_names_scripts(const godot_packet *packet, const godot_place *place);

/* The peer that is the authority of the node at `path`, 0: not known; `*reason`: why, NULL if there is no
 * project. `checksum`: of the node's RPC methods; Godot 3: NULL, and `name` is that of the method or property
 * that is called. See project/authority/authority.h. */
int32_t godot_names_authority(const godot_packet *packet, const char *path, const char *checksum,
                              const char *name, const char **reason);

/* The same in the game that has recorded the packet, if the packet is for it; false: nothing of the node is
 * recorded. `*peer` is 0 on the first pass, and if it may have changed at about this time: the recorder looks
 * at each node now and then. `*frame`: frame_order() of the record. */
bool godot_names_recorded_authority(const godot_packet *packet, const char *path, int32_t *peer,
                                    uint32_t *frame);

/* The node at a path, with what is known of the spawned one above it. */
scene_shown_node godot_names_shown(const godot_packet *packet, const char *path);

/* The functions of project/scenes/lookup.h with these names; where records describe the node or the scene,
 * they are the answer. The parent: NULL if it is not certain. */
const char *godot_names_spawned(const godot_packet *packet, const scene_shown_node *spawner, uint32_t index);
/* First pass: the list of this spawner in the project is not that of the capture. */
void godot_names_contradict(const godot_packet *packet, const char *spawner);
const char *godot_names_spawn_parent(const godot_packet *packet, const scene_shown_node *spawner);
uint32_t godot_names_announced(const godot_packet *packet, const char *scene,
                               scene_announcement announcement);
scene_name_list godot_names_properties(const godot_packet *packet, const scene_shown_synchronizer *which,
                                       const char **inside);

#endif
