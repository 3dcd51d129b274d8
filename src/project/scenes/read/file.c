/* file.c
 *
 * Reads scene files. One is a sequence of sections, each a header line such as
 * "[node name="Sync" type="MultiplayerSynchronizer" parent="."]" and lines "key = value".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/utf8.h"
#include "project/scenes/read/file.h"
#include "project/scenes/read/store.h"

#include <stdlib.h>
#include <string.h>

/* [ext_resource type="PackedScene" …] */
typedef struct {
    slice id, path, uid;
    char *kept_path, *kept_uid; /* copies; NULL until a node has them */
} resource;

typedef enum { IN_NOTHING, IN_CONFIG, IN_NODE, IN_SCRIPT } section;

/* A file while it is being read. */
typedef struct {
    scene_project *project;
    uint32_t scene;
    section where;
    slice name, parent;       /* of the node that is being read */
    bool typed;               /* it is in this file */
    uint32_t node, overrides; /* index of its kept data, SCENE_NOTHING: none (yet) */
    bool unique;              /* its name is kept for other nodes */
    bool has_place;           /* it is the last of `all_nodes` */
    bool quoted;              /* inside of a string of several lines */
    resource *resources;
    uint32_t resource_count;
    const scene_script_reader *scripts; /* NULL: they are not read */
    uint32_t root;
    const char *path, *end;
    bool is_resource; /* no scene; its section [resource] is `inside` */
    section inside;
    slice script; /* id of the script that is being read; none: it is the file itself */
} reader;

/* --- text ---------------------------------------------------------------------------------------- */

/* The text between the first two quotes after `from`; NO_SLICE if there are none. */
static slice quoted(slice line, size_t from)
{
    const char *end = line.text + line.length;
    const char *open = from < line.length ? memchr(line.text + from, '"', line.length - from) : NULL;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    return close ? (slice){open + 1, (size_t)(close - open - 1)} : NO_SLICE;
}

/* The text in the quotes of "value" or Type("value") at `from`; in Godot 3 also the number of an id, of
 * Type( 1 ). NO_SLICE if there is none. */
static slice reference(slice line, size_t from)
{
    while (from < line.length &&
           (line.text[from] == ' ' || line.text[from] == '(' ||
            is_identifier_byte((uint8_t)line.text[from], IDENTIFIER_ASCII)) &&
           !(line.text[from] >= '0' && line.text[from] <= '9')) {
        from++;
    }
    slice digits = {line.text + from, 0};
    while (from + digits.length < line.length && digits.text[digits.length] >= '0' &&
           digits.text[digits.length] <= '9') {
        digits.length++;
    }
    bool open = from < line.length && line.text[from] == '"';
    return open ? quoted(line, from) : digits.length ? digits : NO_SLICE;
}

/* Attribute of a section's header: name="value" or name=Type("value"). */
static slice attribute(slice line, const char *name)
{
    size_t length = strlen(name);
    bool inside = false;
    for (size_t i = 0; i + length + 2 < line.length; i++) {
        inside ^= line.text[i] == '"';
        if (!inside && line.text[i] == ' ' && memcmp(line.text + i + 1, name, length) == 0 &&
            line.text[i + 1 + length] == '=') {
            return reference(line, i + 2 + length);
        }
    }
    return NO_SLICE;
}

static slice value_of(slice line)
{
    const char *sign = memchr(line.text, '=', line.length);
    slice value = {line.text + line.length, 0};
    if (sign) {
        value = (slice){sign + 1, (size_t)(line.text + line.length - sign - 1)};
        while (value.length && *value.text == ' ') {
            value = (slice){value.text + 1, value.length - 1};
        }
    }
    return value;
}

/* Whether a string that is open at the beginning of the line, or not, is at its end. */
static bool open_string(slice line, bool open)
{
    for (size_t i = 0; i < line.length; i++) {
        if (open && line.text[i] == '\\') {
            i++;
        } else {
            open ^= line.text[i] == '"';
        }
    }
    return open;
}

/* --- replication configurations ------------------------------------------------------------------ */

/* Splits "properties/12/replication_mode": returns the number and sets `*key` to the part after it. */
static uint32_t property_number(slice line, slice *key)
{
    uint32_t number = 0;
    size_t i = strlen("properties/");
    for (; i < line.length && line.text[i] >= '0' && line.text[i] <= '9' && number < 100000; i++) {
        number = number * 10 + (uint32_t)(line.text[i] - '0');
    }
    *key = (slice){line.text + i, line.length - i};
    return number;
}

static bool add_property(scene_project *project, scene_replication *current)
{
    if (!pool_grow(&project->pool, &project->properties, project->property_count, &project->property_room,
                   SCENE_MAX_PROPERTIES, sizeof(scene_property))) {
        return false;
    }
    project->properties[project->property_count++] = (scene_property){.mode = -1};
    current->count++;
    return true;
}

/* A property of the configuration that is being read. They are written in order, all keys of one together. */
static void read_property(scene_project *project, scene_replication *current, slice line)
{
    slice key, value = value_of(line);
    uint32_t number = property_number(line, &key);
    if (number > current->count || (number == current->count && !add_property(project, current))) {
        current->broken = true;
        return;
    }
    scene_property *p = &project->properties[current->first + number];
    if (slice_begins(key, "/path")) {
        slice path = quoted(line, 0);
        if (path.text && path.length > 2 && memcmp(path.text, ".:", 2) == 0) {
            path = (slice){path.text + 2, path.length - 2};
        }
        p->name = scene_text(project, path);
    } else if (slice_begins(key, "/spawn")) {
        p->spawn = slice_begins(value, "true");
    } else if (slice_begins(key, "/sync")) {
        p->sync = slice_begins(value, "true");
    } else if (slice_begins(key, "/watch")) {
        p->watch = slice_begins(value, "true");
    } else if (slice_begins(key, "/replication_mode")) {
        p->mode = value.length && *value.text >= '0' && *value.text <= '2' ? *value.text - '0' : 0;
    }
}

/* `owner`: the scene, SCENE_NOTHING for a configuration that is a file of its own; `id` is its path then. */
static void read_config_header(reader *file, uint32_t owner, slice id)
{
    scene_project *project = file->project;
    if (!pool_grow(&project->pool, &project->configs, project->config_count, &project->config_room,
                   SCENE_MAX_NODES, sizeof(scene_replication))) {
        return;
    }
    project->configs[project->config_count++] = (scene_replication){
        .root = file->root, .scene = owner, .id = scene_text(project, id), .first = project->property_count};
    file->where = IN_CONFIG;
}

/* --- nodes --------------------------------------------------------------------------------------- */

/* PackedStringArray("res://a.tscn", "res://b.tscn") on one line. */
static char *read_list(scene_project *project, slice line)
{
    char *list = pool_take(&project->pool, line.length + 2), *end = list;
    if (!list) {
        return NULL;
    }
    for (slice item = quoted(line, 0); item.text;
         item = quoted(line, (size_t)(item.text + item.length + 1 - line.text))) {
        memcpy(end, item.text, item.length);
        end[item.length] = 0;
        utf8_make_visible(end);
        end += item.length + 1;
    }
    *end = 0;
    return list;
}

/* Path of a node without the scene's root. */
static char *node_path(scene_project *project, slice name, slice parent)
{
    bool top = !parent.text || slice_equals(parent, ".");
    char *path = top ? pool_text(&project->pool, name)
                     : pool_join(&project->pool, parent, slice_of("/"), name, NO_SLICE);
    return path ? utf8_make_visible(path) : NULL;
}

/* Keeps the node that is being read; returns its index. */
static uint32_t add_node(reader *file, scene_node_kind kind)
{
    scene_project *project = file->project;
    if (!pool_grow(&project->pool, &project->nodes, project->node_count, &project->node_room, SCENE_MAX_NODES,
                   sizeof(scene_node))) {
        return SCENE_NOTHING;
    }
    project->nodes[project->node_count] = (scene_node){.kind = kind,
                                                       .scene = file->scene,
                                                       .top = !file->parent.text,
                                                       .path = node_path(project, file->name, file->parent),
                                                       .link = SCENE_NOTHING};
    project->scenes[file->scene].count++;
    return project->node_count++;
}

static bool is_below(slice path, slice ancestor)
{
    return path.length > ancestor.length && path.text[ancestor.length] == '/' &&
           memcmp(path.text, ancestor.text, ancestor.length) == 0;
}

/* Whether a node with this parent enters the tree after the previous one in the file: each node enters before
 * its children, and after its earlier siblings and their descendants. */
static bool follows(const reader *file, slice parent)
{
    if (!file->name.text || !parent.text) {
        return !file->name.text && !parent.text;
    }
    if (!file->parent.text || slice_equals(parent, ".")) {
        return slice_equals(parent, ".");
    }
    if (slices_equal(parent, file->parent) || is_below(file->parent, parent)) {
        return true;
    }
    if (slice_equals(file->parent, ".")) {
        return slices_equal(parent, file->name);
    }
    return is_below(parent, file->parent) && slices_equal((slice){parent.text + file->parent.length + 1,
                                                                  parent.length - file->parent.length - 1},
                                                          file->name);
}

/* The resource with this id, NULL if there is none. All nodes share its names: a short line may name one with
 * a very long path. */
static const resource *find_resource(const reader *file, slice id)
{
    for (uint32_t i = 0; i < file->resource_count; i++) {
        resource *found = &file->resources[i];
        if (slices_equal(found->id, id)) {
            if (!found->kept_path && !found->kept_uid) {
                found->kept_path = scene_text(file->project, found->path);
                found->kept_uid = scene_text(file->project, found->uid);
            }
            return found;
        }
    }
    return NULL;
}

static void add_instance(reader *file, slice id)
{
    const resource *of = find_resource(file, id);
    file->node = add_node(file, SCENE_INSTANCE);
    if (of && file->node != SCENE_NOTHING) {
        file->project->nodes[file->node].target = of->kept_path;
        file->project->nodes[file->node].instance_id = of->kept_uid;
    }
}

/* Keeps where the node is, of any kind. */
static void add_place(reader *file, uint32_t instance)
{
    scene_project *project = file->project;
    file->has_place = pool_grow(&project->pool, &project->all_nodes, project->all_count, &project->all_room,
                                SCENE_MAX_NODES, sizeof(scene_place));
    if (file->has_place) {
        char *path = file->parent.text ? node_path(project, file->name, file->parent)
                                       : pool_text(&project->pool, slice_of(""));
        project->all_nodes[project->all_count++] =
            (scene_place){file->scene, instance, path, NULL, false, SCENE_NOTHING};
    }
}

/* script = ExtResource("1_abc"), SubResource("GDScript_abc"). */
static void read_script_setting(const reader *file, scene_place *place, slice line)
{
    slice value = value_of(line), id = reference(value, 0);
    const resource *of = NULL;
    if (slice_begins(value, "ExtResource(") && (of = find_resource(file, id)) != NULL) {
        place->script = of->kept_path;
    } else if (slice_begins(value, "SubResource(")) {
        place->script = pool_join(&file->project->pool, slice_of(file->path), slice_of("::"), id, NO_SLICE);
    }
    place->opaque = !place->script && !slice_begins(value, "null");
}

static void read_node_header(reader *file, slice line)
{
    slice type = attribute(line, "type"), parent = attribute(line, "parent"),
          instance = attribute(line, "instance");
    scene *current = &file->project->scenes[file->scene];
    /* Nodes between inherited ones have an index. */
    if (!follows(file, parent) || attribute(line, "index").text) {
        current->in_order = false;
    }
    file->name = attribute(line, "name");
    file->parent = parent;
    file->typed = type.text != NULL;
    file->node = file->overrides = SCENE_NOTHING;
    file->unique = false;
    file->where = file->name.text ? IN_NODE : IN_NOTHING;
    if (!parent.text && !current->name && file->name.text) {
        current->name = scene_text(file->project, file->name);
        current->type = scene_text(file->project, type);
    }
    if (file->where == IN_NOTHING) {
        return;
    }
    if (instance.text) {
        add_instance(file, instance);
    } else if (slice_equals(type, "MultiplayerSpawner")) {
        file->node = add_node(file, SCENE_SPAWNER);
    } else if (slice_equals(type, "MultiplayerSynchronizer")) {
        file->node = add_node(file, SCENE_SYNCHRONIZER);
    }
    add_place(file, instance.text ? file->node : SCENE_NOTHING);
}

static void read_resource(reader *file, slice line)
{
    static const char *const types[] = {"PackedScene", "SceneReplicationConfig", "Script", "GDScript",
                                        "CSharpScript"};
    slice type = attribute(line, "type");
    size_t i = 0;
    while (i < sizeof types / sizeof *types && !slice_equals(type, types[i])) {
        i++;
    }
    if (file->resource_count < SCENE_MAX_RESOURCES && i < sizeof types / sizeof *types) {
        file->resources[file->resource_count++] =
            (resource){attribute(line, "id"), attribute(line, "path"), attribute(line, "uid"), NULL, NULL};
    }
}

static void read_header(reader *file, slice line)
{
    slice id = attribute(line, "id"), uid = attribute(line, "uid");
    scene *current = &file->project->scenes[file->scene];
    file->where = IN_NOTHING;
    if (slice_begins(line, "[gd_scene")) {
        if (uid.text && !current->uid) {
            current->uid = scene_text(file->project, uid);
        }
    } else if (slice_begins(line, "[ext_resource ")) {
        read_resource(file, line);
    } else if (slice_begins(line, "[sub_resource ")) {
        if (id.text && slice_equals(attribute(line, "type"), "SceneReplicationConfig")) {
            read_config_header(file, file->scene, id);
        } else if (id.text && slice_equals(attribute(line, "type"), "GDScript")) {
            file->script = id;
            file->where = IN_SCRIPT;
        }
    } else if (slice_begins(line, "[node ")) {
        read_node_header(file, line);
    }
}

/* The configuration is in the same file or in a separate one. */
static void read_config_setting(const reader *file, scene_node *node, slice line)
{
    slice value = value_of(line), id = quoted(line, 0);
    node->config_is_file = slice_begins(value, "ExtResource(");
    const resource *of = node->config_is_file ? find_resource(file, id) : NULL;
    if (of) {
        node->config_id = of->kept_path;
    } else if (slice_begins(value, "SubResource(")) {
        node->config_id = scene_text(file->project, id);
    }
}

/* Sets a property of a spawner or synchronizer from a line; returns which one, 0 if it is not about
 * replication. */
static unsigned read_setting(const reader *file, scene_node *node, slice line)
{
    static const struct {
        const char *begin;
        scene_node_kind kind;
        unsigned sets;
    } settings[] = {{"replication_config = ", SCENE_SYNCHRONIZER, SCENE_SETS_PROPERTIES},
                    {"root_path = ", SCENE_SYNCHRONIZER, SCENE_SETS_PROPERTIES},
                    {"spawn_path = ", SCENE_SPAWNER, SCENE_SETS_PLACE},
                    {"_spawnable_scenes = ", SCENE_SPAWNER, SCENE_SETS_SCENES}};
    enum { CONFIG, COUNT = sizeof settings / sizeof *settings };
    size_t i = 0;
    while (i < COUNT && !slice_begins(line, settings[i].begin)) {
        i++;
    }
    if (i == COUNT || !node || node->kind != settings[i].kind) {
        return i < COUNT ? settings[i].sets : 0;
    }
    if (i == CONFIG) {
        read_config_setting(file, node, line);
    } else if (settings[i].sets != SCENE_SETS_SCENES) {
        node->target = scene_text(file->project, quoted(line, 0));
    } else if (!node->scenes) {
        node->scenes = read_list(file->project, line);
    }
    return settings[i].sets;
}

static void read_node_line(reader *file, slice line)
{
    if (slice_begins(line, "unique_name_in_owner = true") && !file->unique) {
        file->unique = true;
        (void)add_node(file, SCENE_UNIQUE);
    }
    scene_node *node = file->node == SCENE_NOTHING ? NULL : &file->project->nodes[file->node];
    if (slice_begins(line, "script = ")) {
        if (node) {
            node->scripted = true;
        }
        if (file->has_place) {
            read_script_setting(file, &file->project->all_nodes[file->project->all_count - 1], line);
        }
    }
    unsigned set = read_setting(file, node, line);
    if (set && !file->typed && file->overrides == SCENE_NOTHING) {
        file->overrides = add_node(file, SCENE_OVERRIDE);
    }
    if (file->overrides != SCENE_NOTHING) {
        file->project->nodes[file->overrides].opaque |= set;
    }
}

/* A script whose text begins at `text`, in a string of several lines. */
static void read_script(const reader *file, const char *text)
{
    size_t length = 0;
    const char *path = pool_join(&file->project->pool, slice_of(file->path),
                                 slice_of(file->script.text ? "::" : ""), file->script, NO_SLICE);
    char *source = malloc((size_t)(file->end - text) + 1);
    if (path && source) {
        for (; text < file->end && *text != '"'; text++) {
            bool escaped = *text == '\\' && file->end - text > 1;
            text += escaped;
            source[length++] = !escaped ? *text : *text == 'n' ? '\n' : *text == 't' ? '\t' : *text;
        }
        file->scripts->read(file->scripts->context, &(source_file){file->root, path, {source, length}});
    }
    free(source);
}

static void read_line(reader *file, slice line)
{
    static const char source[] = "script/source = \"";
    scene_project *project = file->project;
    if (file->is_resource) {
        if (slice_begins(line, "[")) {
            file->where = slice_begins(line, "[resource]") ? file->inside : IN_NOTHING;
        }
    } else if (slice_begins(line, "[")) {
        read_header(file, line);
    }
    if (file->where == IN_SCRIPT && file->scripts && slice_begins(line, source)) {
        read_script(file, line.text + sizeof source - 1);
        file->where = IN_NOTHING; /* a script has one source */
    } else if (file->where == IN_CONFIG && slice_begins(line, "properties/")) {
        read_property(project, &project->configs[project->config_count - 1], line);
    } else if (file->where == IN_NODE) {
        read_node_line(file, line);
    }
}

static void read_lines(reader *file, const char *text)
{
    while (text < file->end) {
        const char *newline = memchr(text, '\n', (size_t)(file->end - text));
        slice line = {text, (size_t)((newline ? newline : file->end) - text)};
        bool continued = file->quoted, comment = !continued && slice_begins(line, ";");
        file->quoted = !comment && open_string(line, file->quoted);
        if (!continued && !comment) {
            read_line(file, line);
        }
        text = newline ? newline + 1 : file->end;
    }
}

void scene_project_add(scene_project *project, const source_file *source, const scene_script_reader *scripts)
{
    resource *resources = malloc(SCENE_MAX_RESOURCES * sizeof *resources);
    if (!resources || !pool_grow(&project->pool, &project->scenes, project->scene_count, &project->scene_room,
                                 SCENE_MAX_SCENES, sizeof(scene))) {
        project->incomplete = true;
        free(resources);
        return;
    }
    reader file = {.project = project,
                   .scene = project->scene_count++,
                   .resources = resources,
                   .scripts = scripts,
                   .root = source->root,
                   .path = source->path,
                   .end = source->text.text + source->text.length};
    project->scenes[file.scene] = (scene){.root = source->root,
                                          .path = scene_text(project, slice_of(source->path)),
                                          .first = project->node_count,
                                          .in_order = true};
    read_lines(&file, source->text.text);
    free(resources);
}

void scene_project_add_resource(scene_project *project, const source_file *source,
                                const scene_script_reader *scripts)
{
    const char *text = source->text.text, *newline = memchr(text, '\n', source->text.length);
    slice type = attribute((slice){text, newline ? (size_t)(newline - text) : source->text.length}, "type");
    reader file = {.project = project,
                   .scripts = scripts,
                   .root = source->root,
                   .path = source->path,
                   .end = text + source->text.length,
                   .is_resource = true};
    if (slice_equals(type, "GDScript")) {
        file.inside = IN_SCRIPT;
        read_lines(&file, text);
    } else if (slice_equals(type, "SceneReplicationConfig")) {
        file.inside = IN_CONFIG;
        read_config_header(&file, SCENE_NOTHING, slice_of(source->path));
        read_lines(&file, text);
    }
}

void scene_project_add_uid(scene_project *project, uint32_t root, const char *uid, const char *path)
{
    if (pool_grow(&project->pool, &project->uids, project->uid_count, &project->uid_room, SCENE_MAX_SCENES,
                  sizeof(scene_uid))) {
        project->uids[project->uid_count++] =
            (scene_uid){root, scene_text(project, slice_of(uid)), scene_text(project, slice_of(path))};
    }
}

void scene_project_add_autoload(scene_project *project, uint32_t root, const char *name, const char *path)
{
    if (pool_grow(&project->pool, &project->autoloads, project->autoload_count, &project->autoload_room,
                  SCENE_MAX_SCENES, sizeof(scene_uid))) {
        project->autoloads[project->autoload_count++] =
            (scene_uid){root, scene_text(project, slice_of(name)), scene_text(project, slice_of(path))};
    }
}

void scene_project_add_unread(scene_project *project)
{
    project->incomplete = true;
}
