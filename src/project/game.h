/* game.h
 *
 * The files of a game, from a folder or a pack: names of RPCs are in its scripts (rpc_names.h), replicated
 * properties in its scenes (scenes/lookup.h).
 *
 *     project.godot      settings: autoloads; project.binary in packs
 *     .gd .cs            sources                        .tscn .tres    text
 *     .gdc               tokens, of exported games      .scn .res      binary
 *     .gd.uid            uid of the script              .remap         in packs: path of a file's binary form
 *     .godot/uid_cache.bin  in packs: uids of all files
 *
 * The names of global classes are in the scripts, also in exported ones, so the cache of class names is not
 * needed. In an exported game C# is an assembly, which is not read.
 *
 * Do not call it for each packet: it allocates. Time and memory are limited for any input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GAME_H
#define GAME_H

#include "base/pool.h"
#include "project/authority/lines.h"
#include "project/authority/authority.h"
#include "project/pack/pack.h"
#include "project/scenes/lookup.h"
#include "project/scripts/rpc_names.h"

/* Limits of all folders and packs of a game together. */
#define GAME_MAX_FILES    20000u
#define GAME_MAX_SIZE     (64u << 20)
#define GAME_MAX_UNPACKED (256u << 20) /* text that compiled scripts and binary scenes become */
#define GAME_MAX_SCRIPT   (4u << 20)   /* as tokens a script is up to four times as long as its text */
#define GAME_MAX_SCENE    (16u << 20)  /* levels with their tiles or meshes */
#define GAME_MAX_RESOURCE (1u << 20)
#define GAME_MAX_REMAP    4096u

/* In the order in which files are read, so that a limit leaves out the least useful ones. */
typedef enum { GAME_SETTINGS, GAME_UID, GAME_SCRIPT, GAME_SCENE, GAME_RESOURCE, GAME_NOTHING } game_kind;

typedef struct {
    rpc_project *names;
    scene_project *scenes;
    authority_lines authority;
    uint32_t last_root;      /* the highest number of a project */
    memory_pool paths;       /* of files, as the game knows them, and what is made for a pack */
    uint32_t files;          /* read */
    uint64_t size;           /* bytes of them */
    uint64_t unpacked;       /* bytes of text that was made of binary ones */
    uint32_t encrypted;      /* files that would have been read */
    uint32_t damaged;        /* likewise; other formats included */
    uint32_t left_out;       /* likewise, because of a limit */
    uint32_t without_source; /* likewise: C# of exported games is in an assembly */
    uint32_t unread;         /* all of these, and those of game_add_unread(): their content is not known */
} game;

/* False if there is no memory. */
bool game_open(game *g);
void game_close(game *g);

/* Kind of a file by its name, and the most bytes that are read of such a file. */
game_kind game_file_kind(const char *path);
size_t game_file_limit(const char *path);

/* Whether one more file of this size is within the limits. If so, it is counted as read, else as left out. */
bool game_takes(game *g, const char *path, uint64_t size);

/* Reads a file of project `root` (see rpc_project_add_source()). `path`: "res://…". `bytes` are not needed
 * afterwards. */
void game_add_file(game *g, uint32_t root, const char *path, const uint8_t *bytes, size_t length);

/* Counts a file that exists, but cannot be read. `path` "": unknown files, as in a folder that cannot be
 * read. */
void game_add_unread(game *g, const char *path);

/* Reads a pack; PACK_OK or PACK_NEWER even if single files in it cannot be read. */
pack_result game_add_pack(game *g, uint32_t root, pack_source source);

/* To be called once, after everything was added. */
void game_link(game *g);

/* Whether all files have been read. */
bool game_is_whole(const game *g);

/* The authority of the node at `path`; not known if not all of the game was read. */
node_authority game_authority(const game *g, const char *path, node_scripts scripts);

#endif
