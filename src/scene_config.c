/* scene_config.c
 *
 * Replication as scene files describe it; see scene_config.h. A scene file is a sequence of sections, each a
 * header line "[node name="Sync" type="MultiplayerSynchronizer" parent="."]" and lines "key = value".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "scene_config.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t root, scene; /* of which scene */
    char *id;
    uint32_t first, count; /* properties */
} config;

typedef struct {
    char *name;
    bool spawn;
    bool sync, watch; /* 4.0, 4.1 */
    int mode;         /* 4.2 and later: 0 never, 1 always, 2 on change; -1: not given */
} property;

typedef struct {
    uint32_t scene;
    bool spawner;
    char *path;      /* inside of the scene, without its root: "Player/Sync" */
    char *config_id; /* synchronizer */
    uint32_t config; /* found by scene_project_link(), UINT32_MAX: none */
    char *scenes;    /* spawner: its list, one after the other, each with a NUL; ends with an empty one */
} node;

typedef struct {
    uint32_t root;
    char *path, *uid;
} scene;

struct scene_project {
    scene *scenes;
    node *nodes;
    config *configs;
    property *properties;
    uint32_t scene_count, scene_room, node_count, node_room, config_count, config_room, property_count,
        property_room;
};

enum { MAX_SCENES = 16384, NOTHING = 0xffffffff };

typedef struct {
    const char *text;
    size_t length;
} slice;

static bool grow(void **array, uint32_t count, uint32_t *room, uint32_t limit, size_t size)
{
    if (count < *room)
        return true;
    uint32_t wanted = *room ? *room * 2 : 16;
    void *bigger = count < limit ? realloc(*array, wanted * size) : NULL;
    if (!bigger)
        return false;
    *array = bigger;
    *room = wanted;
    return true;
}

static char *copy(slice text)
{
    char *result = malloc(text.length + 1);
    if (result) {
        if (text.length)
            memcpy(result, text.text, text.length);
        result[text.length] = 0;
    }
    return result;
}

static bool starts(slice text, const char *beginning)
{
    size_t length = strlen(beginning);
    return text.length >= length && memcmp(text.text, beginning, length) == 0;
}

/* What is between the first two quotes behind `from`; text NULL if there are none. */
static slice quoted(slice line, size_t from)
{
    slice none = {NULL, 0};
    const char *end = line.text + line.length;
    const char *open = from < line.length ? memchr(line.text + from, '"', line.length - from) : NULL;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    return close ? (slice){open + 1, (size_t)(close - open - 1)} : none;
}

/* Attribute of a section's header: name="value". */
static slice attribute(slice line, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + length + 2 < line.length; i++)
        if (line.text[i] == ' ' && memcmp(line.text + i + 1, name, length) == 0 &&
            line.text[i + 1 + length] == '=')
            return quoted(line, i + 1 + length);
    return (slice){NULL, 0};
}

static bool equals(slice text, const char *other)
{
    return text.text && strlen(other) == text.length && memcmp(text.text, other, text.length) == 0;
}

/* "properties/12/replication_mode": returns the number and sets `*key` to what is behind it. */
static uint32_t property_number(slice line, slice *key)
{
    uint32_t number = 0;
    size_t i = strlen("properties/");
    for (; i < line.length && line.text[i] >= '0' && line.text[i] <= '9' && number < 100000; i++)
        number = number * 10 + (uint32_t)(line.text[i] - '0');
    *key = (slice){line.text + i, line.length - i};
    return number;
}

static slice value_of(slice line)
{
    const char *sign = memchr(line.text, '=', line.length);
    slice value = {line.text + line.length, 0};
    if (sign) {
        value = (slice){sign + 1, (size_t)(line.text + line.length - sign - 1)};
        while (value.length && *value.text == ' ')
            value = (slice){value.text + 1, value.length - 1};
    }
    return value;
}

/* A property of the configuration that is being read. They are written in order, all keys of one together. */
static void read_property(scene_project *project, config *current, slice line)
{
    slice key, value = value_of(line);
    uint32_t number = property_number(line, &key);
    if (number > current->count || current->first + current->count != project->property_count)
        return;
    if (number == current->count) {
        if (!grow((void **)&project->properties, project->property_count, &project->property_room,
                  SCENE_MAX_PROPERTIES, sizeof(property)))
            return;
        project->properties[project->property_count++] = (property){.mode = -1};
        current->count++;
    }
    property *p = &project->properties[current->first + number];
    if (starts(key, "/path")) {
        slice path = quoted(line, 0);
        if (path.text && path.length > 2 && memcmp(path.text, ".:", 2) == 0)
            path = (slice){path.text + 2, path.length - 2};
        free(p->name);
        p->name = path.text ? copy(path) : NULL;
    } else if (starts(key, "/spawn")) {
        p->spawn = starts(value, "true");
    } else if (starts(key, "/sync")) {
        p->sync = starts(value, "true");
    } else if (starts(key, "/watch")) {
        p->watch = starts(value, "true");
    } else if (starts(key, "/replication_mode")) {
        p->mode = value.length && *value.text >= '0' && *value.text <= '2' ? *value.text - '0' : 0;
    }
}

/* PackedStringArray("res://a.tscn", "res://b.tscn") on one line. */
static char *read_list(slice line)
{
    char *list = malloc(line.length + 2), *end = list;
    if (!list)
        return NULL;
    for (slice item = quoted(line, 0); item.text;
         item = quoted(line, (size_t)(item.text + item.length + 1 - line.text))) {
        memcpy(end, item.text, item.length);
        end += item.length;
        *end++ = 0;
    }
    *end = 0;
    return list;
}

/* Path of a node without the scene's root. */
static char *node_path(slice name, slice parent)
{
    bool top = !parent.text || equals(parent, ".");
    char *path = malloc((top ? 0 : parent.length + 1) + name.length + 1), *end = path;
    if (!path)
        return NULL;
    if (!top) {
        memcpy(end, parent.text, parent.length);
        end += parent.length;
        *end++ = '/';
    }
    memcpy(end, name.text, name.length);
    end[name.length] = 0;
    return path;
}

typedef enum { IN_NOTHING, IN_CONFIG, IN_NODE } section;

static section read_header(scene_project *project, uint32_t scene_index, slice line)
{
    slice type = attribute(line, "type"), name = attribute(line, "name"), id = attribute(line, "id");
    scene *current = &project->scenes[scene_index];
    if (starts(line, "[gd_scene") || starts(line, "[gd_resource")) {
        slice uid = attribute(line, "uid");
        if (uid.text && !current->uid)
            current->uid = copy(uid);
    } else if (starts(line, "[sub_resource") && equals(type, "SceneReplicationConfig") && id.text) {
        if (!grow((void **)&project->configs, project->config_count, &project->config_room, SCENE_MAX_NODES,
                  sizeof(config)))
            return IN_NOTHING;
        project->configs[project->config_count++] =
            (config){current->root, scene_index, copy(id), project->property_count, 0};
        return IN_CONFIG;
    } else if (starts(line, "[node") && name.text) {
        bool spawner = equals(type, "MultiplayerSpawner");
        if ((!spawner && !equals(type, "MultiplayerSynchronizer")) ||
            !grow((void **)&project->nodes, project->node_count, &project->node_room, SCENE_MAX_NODES,
                  sizeof(node)))
            return IN_NOTHING;
        project->nodes[project->node_count++] = (node){.scene = scene_index,
                                                       .spawner = spawner,
                                                       .path = node_path(name, attribute(line, "parent")),
                                                       .config = NOTHING};
        return IN_NODE;
    }
    return IN_NOTHING;
}

static void read_node_line(node *current, slice line)
{
    if (starts(line, "replication_config = SubResource(") && !current->config_id) {
        slice id = quoted(line, 0);
        current->config_id = id.text ? copy(id) : NULL;
    } else if (starts(line, "_spawnable_scenes = ") && !current->scenes) {
        current->scenes = read_list(line);
    }
}

void scene_project_add(scene_project *project, uint32_t root, const char *path, const char *text,
                       size_t length)
{
    section where = IN_NOTHING;
    if (!grow((void **)&project->scenes, project->scene_count, &project->scene_room, MAX_SCENES,
              sizeof(scene)))
        return;
    uint32_t index = project->scene_count++;
    project->scenes[index] = (scene){root, copy((slice){path, strlen(path)}), NULL};
    for (const char *end = text + length; text < end;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        slice line = {text, (size_t)((newline ? newline : end) - text)};
        if (line.length && *line.text == '[')
            where = read_header(project, index, line);
        else if (where == IN_CONFIG && starts(line, "properties/"))
            read_property(project, &project->configs[project->config_count - 1], line);
        else if (where == IN_NODE)
            read_node_line(&project->nodes[project->node_count - 1], line);
        text = newline ? newline + 1 : end;
    }
}

/* --- questions
 * ---------------------------------------------------------------------------------------------- */

static int compare_configs(const void *left, const void *right)
{
    const config *a = left, *b = right;
    if (a->scene != b->scene)
        return a->scene < b->scene ? -1 : 1;
    return strcmp(a->id ? a->id : "", b->id ? b->id : "");
}

void scene_project_link(scene_project *project)
{
    if (project->config_count)
        qsort(project->configs, project->config_count, sizeof *project->configs, compare_configs);
    for (uint32_t i = 0; i < project->node_count; i++) {
        node *n = &project->nodes[i];
        config wanted = {.scene = n->scene, .id = n->config_id};
        if (!n->config_id || project->config_count == 0)
            continue;
        const config *found = bsearch(&wanted, project->configs, project->config_count,
                                      sizeof *project->configs, compare_configs);
        n->config = found ? (uint32_t)(found - project->configs) : NOTHING;
    }
}

/* Whether the wire's path can be this node's: it ends with the path inside of the scene, behind the name of
 * the scene's root (which is whatever the instance was called). */
static bool may_be(const node *n, const char *path)
{
    size_t inside = n->path ? strlen(n->path) : 0, whole = strlen(path);
    return inside && whole > inside + 1 && path[whole - inside - 1] == '/' &&
           strcmp(path + whole - inside, n->path) == 0;
}

static bool in_list(const property *p, scene_list list)
{
    switch (list) {
    case SCENE_SPAWN:
        return p->spawn;
    case SCENE_ALWAYS:
        return p->mode < 0 ? p->sync : p->mode == 1;
    case SCENE_ON_CHANGE:
        return p->mode < 0 ? p->watch : p->mode == 2;
    }
    return false;
}

static uint32_t list_names(const scene_project *project, uint32_t index, scene_list list, const char **names,
                           uint32_t room)
{
    uint32_t count = 0;
    if (index == NOTHING)
        return 0;
    const config *c = &project->configs[index];
    for (uint32_t i = 0; i < c->count; i++) {
        const property *p = &project->properties[c->first + i];
        if (!in_list(p, list))
            continue;
        if (!p->name)
            return 0;
        if (count < room)
            names[count] = p->name;
        count++;
    }
    return count;
}

/* Whether one more candidate agrees with what is in `names` already. */
static bool agrees(const scene_project *project, uint32_t index, scene_list list, const char **names,
                   uint32_t count, uint32_t room)
{
    const char *others[64];
    uint32_t limit = room < 64 ? room : 64;
    if (list_names(project, index, list, others, limit) != count)
        return false;
    for (uint32_t i = 0; i < count && i < limit; i++)
        if (strcmp(names[i], others[i]) != 0)
            return false;
    return count <= limit;
}

uint32_t scene_project_properties(const scene_project *project, const char *path, scene_list list,
                                  const char **names, uint32_t room)
{
    uint32_t count = 0;
    bool found = false;
    for (uint32_t i = 0; i < project->node_count; i++) {
        const node *n = &project->nodes[i];
        if (n->spawner || !may_be(n, path))
            continue;
        if (!found)
            count = list_names(project, n->config, list, names, room);
        else if (!agrees(project, n->config, list, names, count, room))
            return 0;
        found = true;
    }
    return count;
}

static bool is_scene(const scene *s, const char *name)
{
    return (s->path && strcmp(s->path, name) == 0) || (s->uid && strcmp(s->uid, name) == 0);
}

uint32_t scene_project_spawned_properties(const scene_project *project, const char *name, scene_list list,
                                          const char **names, uint32_t room)
{
    uint32_t only = NOTHING;
    for (uint32_t i = 0; i < project->node_count; i++) {
        const node *n = &project->nodes[i];
        if (n->spawner || !is_scene(&project->scenes[n->scene], name))
            continue;
        if (only != NOTHING)
            return 0; /* which of several has which net id is not certain */
        only = i;
    }
    return only == NOTHING ? 0 : list_names(project, project->nodes[only].config, list, names, room);
}

static const char *listed_scene(const node *n, uint32_t index)
{
    const char *item = n->scenes;
    while (item && *item && index-- > 0)
        item += strlen(item) + 1;
    return item && *item ? item : NULL;
}

const char *scene_project_spawned(const scene_project *project, const char *path, uint32_t index)
{
    const char *result = NULL;
    for (uint32_t i = 0; i < project->node_count; i++) {
        const node *n = &project->nodes[i];
        if (!n->spawner || !may_be(n, path))
            continue;
        const char *listed = listed_scene(n, index);
        if (!listed || (result && strcmp(result, listed) != 0))
            return NULL;
        result = listed;
    }
    for (uint32_t i = 0; result && i < project->scene_count; i++)
        if (project->scenes[i].uid && strcmp(project->scenes[i].uid, result) == 0)
            return project->scenes[i].path;
    return result;
}

scene_project *scene_project_new(void)
{
    return calloc(1, sizeof(scene_project));
}

void scene_project_free(scene_project *project)
{
    if (!project)
        return;
    for (uint32_t i = 0; i < project->scene_count; i++) {
        free(project->scenes[i].path);
        free(project->scenes[i].uid);
    }
    for (uint32_t i = 0; i < project->node_count; i++) {
        free(project->nodes[i].path);
        free(project->nodes[i].config_id);
        free(project->nodes[i].scenes);
    }
    for (uint32_t i = 0; i < project->config_count; i++)
        free(project->configs[i].id);
    for (uint32_t i = 0; i < project->property_count; i++)
        free(project->properties[i].name);
    free(project->scenes);
    free(project->nodes);
    free(project->configs);
    free(project->properties);
    free(project);
}
