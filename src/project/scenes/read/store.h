/* store.h
 *
 * Contents of scene files: filled in by file.c and moved.c, used by the lookups.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_STORE_H
#define SCENE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/utf8.h"
#include "project/scenes/read/limits.h"

enum { SCENE_NOTHING = 0xffffffff };

typedef struct {
    uint32_t root, scene;  /* index of its scene; SCENE_NOTHING: it is a file of its own */
    char *id;              /* in the scene, or the file's path */
    uint32_t first, count; /* properties */
    bool broken;           /* not all of them could be read */
    /* After scene_project_link(), by scene_list; NULL: not known. */
    const struct scene_name_list *lists;
} scene_replication;

typedef struct {
    char *name;
    bool spawn;
    bool sync, watch; /* 4.0, 4.1 */
    int mode;         /* 4.2 and later: 0 never, 1 always, 2 on change; -1: not given */
} scene_property;

typedef enum {
    SCENE_SPAWNER,
    SCENE_SYNCHRONIZER,
    SCENE_UNIQUE,   /* a node that others call %Name */
    SCENE_INSTANCE, /* of another scene; as the root of this one: this one inherits it */
    SCENE_OVERRIDE, /* of an inherited or instanced node, in what concerns replication */
} scene_node_kind;

/* Properties that are set on a spawner or synchronizer. */
enum { SCENE_SETS_PLACE = 1, SCENE_SETS_SCENES = 2, SCENE_SETS_PROPERTIES = 4, SCENE_SETS_ALL = 7 };

typedef struct {
    scene_node_kind kind;
    uint32_t scene;      /* index of the scene that it is in */
    bool top;            /* the root of its scene */
    unsigned opaque;     /* properties of the node at this path that one file alone does not decide */
    char *path;          /* inside of the scene, without its root: "Player/Sync"; of the root its name */
    char *target;        /* spawner: spawn_path; synchronizer: root_path, NULL ".."; instance: the scene */
    char *instance_id;   /* the same as "uid://…" */
    bool scripted;       /* has a script */
    char *config_id;     /* synchronizer */
    bool config_is_file; /* `config_id` is the path of a .tres */
    char *scenes;        /* spawner: its list, one after the other, each with a NUL; ends with an empty one */
    uint32_t link;       /* synchronizer: its configuration; instance: its scene; SCENE_NOTHING: unknown */
} scene_node;

/* A node of any kind, with what says which script it has. */
typedef struct {
    uint32_t scene, node; /* its scene; index in `nodes` of an instance, else SCENE_NOTHING */
    char *path;           /* inside of the scene, "" for its root */
    const char *script;   /* its path; NULL: none, or that of the instance */
    bool opaque;          /* the script is not known */
    uint32_t made;        /* after scene_project_link(): the scene of an instance; SCENE_NOTHING: none */
} scene_place;

typedef struct {
    uint32_t root;
    char *path, *uid;      /* `uid` NULL: not known */
    char *name, *type;     /* of its root node; `type` NULL: it inherits a scene, or has none */
    uint32_t first, count; /* nodes */
    bool in_order;         /* nodes stand in the file in the order in which they enter the tree */
    bool replicates;       /* there is, or may be, a synchronizer in it or in a scene that it contains */
} scene;

/* A scene or node by a name; sorted by name, then by owner. */
typedef struct {
    uint32_t owner, index;
    const char *name;
} scene_name;

typedef struct {
    scene_name *entries;
    uint32_t count;
} scene_index;

/* An entry of scene_project_add_uid(). */
typedef struct {
    uint32_t root;
    char *uid, *path;
} scene_uid;

typedef struct scene_project {
    memory_pool pool; /* all texts, and what scene_project_link() makes */
    scene_uid *uids;
    uint32_t uid_count, uid_room;
    scene *scenes;
    scene_node *nodes;
    scene_place *all_nodes;
    scene_replication *configs;
    scene_property *properties;
    uint32_t scene_count, scene_room, node_count, node_room, all_count, all_room, config_count, config_room,
        property_count, property_room;
    bool incomplete; /* more than the limits allow, or no memory, or not all was read: nothing is certain */
    bool moves_spawners; /* a script sets the spawn_path of a spawner that is not known */
    bool moves_own;      /* a script sets its own spawn_path */
    char **moved;        /* names of nodes whose spawn_path a script sets */
    uint32_t moved_count, moved_room;
    bool clears_scenes;   /* a script empties a spawner's list of scenes */
    bool configures;      /* a script makes or changes synchronizers */
    scene_uid *autoloads; /* their names, as `uid`, and the paths of their scenes */
    uint32_t autoload_count, autoload_room;
    /* After scene_project_link(): */
    scene_index names;      /* scenes by path and uid; owner: the project */
    scene_index uniques;    /* nodes that others call %Name; owner: the scene */
    scene_index replicated; /* nodes that a path on the wire may mean, by path inside of the scene; owner 0 */
    scene_index places;     /* all nodes but roots, by path inside of the scene; owner: the scene */
    scene_index roots;      /* scenes by the name of the root, or of their autoload; owner 0 */
    scene_index tree;       /* all_nodes by path inside of the scene; owner: the scene */
} scene_project;

/* A copy without what a terminal would obey; NULL: no text, or no memory. */
static inline char *scene_text(scene_project *project, slice text)
{
    char *copy = text.text ? pool_text(&project->pool, text) : NULL;
    return copy ? utf8_make_visible(copy) : NULL;
}

#endif
