/* file.c
 *
 * Reads scene files. One is a sequence of sections, each a header line such as
 * "[node name="Sync" type="MultiplayerSynchronizer" parent="."]" and lines "key = value".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/array.h"
#include "base/utf8.h"
#include "project/scenes/file.h"
#include "project/scenes/store.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SCENES = 16384, MAX_RESOURCES = 1024, MAX_MOVED = 256 };
/* Of a script that sets spawn_path; beyond them nothing is certain. */
enum { MAX_SETTINGS = 64, MAX_MENTIONS = 1000, MAX_LINE = 4096 };

/* [ext_resource type="PackedScene" …] */
typedef struct {
    slice id, path, uid;
    uint32_t instance; /* the first node that is one, SCENE_NOTHING: there is none yet */
} resource;

typedef enum { IN_NOTHING, IN_CONFIG, IN_NODE, IN_SCRIPT } section;

/* A file while it is being read. */
typedef struct {
    scene_project *project;
    uint32_t scene;
    section where;
    slice name, parent;       /* of the node that is being read */
    bool typed;               /* it is one of this file's own */
    uint32_t node, overrides; /* what is kept of it, SCENE_NOTHING: nothing (yet) */
    bool unique;              /* its name is kept as one that others may use */
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

static char *copy(slice text)
{
    char *result = text.text ? malloc(text.length + 1) : NULL;
    if (result) {
        memcpy(result, text.text, text.length);
        result[text.length] = 0;
        utf8_make_visible(result);
    }
    return result;
}

/* What is between the first two quotes after `from`; text NULL if there are none. */
static slice quoted(slice line, size_t from)
{
    const char *end = line.text + line.length;
    const char *open = from < line.length ? memchr(line.text + from, '"', line.length - from) : NULL;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    return close ? (slice){open + 1, (size_t)(close - open - 1)} : NO_SLICE;
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
            return quoted(line, i + 1 + length);
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

/* "properties/12/replication_mode": returns the number and sets `*key` to what is after it. */
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
    if (!array_grow((void **)&project->properties, project->property_count, &project->property_room,
                    SCENE_MAX_PROPERTIES, sizeof(scene_property), &project->incomplete)) {
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
        free(p->name);
        p->name = copy(path);
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
    if (!array_grow((void **)&project->configs, project->config_count, &project->config_room, SCENE_MAX_NODES,
                    sizeof(scene_replication), &project->incomplete)) {
        return;
    }
    project->configs[project->config_count++] = (scene_replication){
        .root = file->root, .scene = owner, .id = copy(id), .first = project->property_count};
    file->where = IN_CONFIG;
}

/* --- nodes --------------------------------------------------------------------------------------- */

/* PackedStringArray("res://a.tscn", "res://b.tscn") on one line. */
static char *read_list(slice line)
{
    char *list = malloc(line.length + 2), *end = list;
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
static char *node_path(slice name, slice parent)
{
    bool top = !parent.text || slice_equals(parent, ".");
    char *path = malloc((top ? 0 : parent.length + 1) + name.length + 1), *end = path;
    if (!path) {
        return NULL;
    }
    if (!top) {
        memcpy(end, parent.text, parent.length);
        end += parent.length;
        *end++ = '/';
    }
    memcpy(end, name.text, name.length);
    end[name.length] = 0;
    return utf8_make_visible(path);
}

/* Keeps the node that is being read; returns its index. */
static uint32_t add_node(reader *file, scene_node_kind kind)
{
    scene_project *project = file->project;
    if (!array_grow((void **)&project->nodes, project->node_count, &project->node_room, SCENE_MAX_NODES,
                    sizeof(scene_node), &project->incomplete)) {
        return SCENE_NOTHING;
    }
    project->nodes[project->node_count] = (scene_node){.kind = kind,
                                                       .scene = file->scene,
                                                       .top = !file->parent.text,
                                                       .path = node_path(file->name, file->parent),
                                                       .link = SCENE_NOTHING};
    project->scenes[file->scene].count++;
    return project->node_count++;
}

static bool is_below(slice path, slice ancestor)
{
    return path.length > ancestor.length && path.text[ancestor.length] == '/' &&
           memcmp(path.text, ancestor.text, ancestor.length) == 0;
}

/* Whether a node with this parent enters the tree after the one before it in the file: every node does so
 * before its children, and after its siblings and what is below them. */
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

/* Instances of one scene share its names: a short line may name a scene with a very long path. */
static void name_instance(reader *file, resource *of)
{
    scene_node *node = &file->project->nodes[file->node];
    node->shares = of->instance != SCENE_NOTHING;
    if (node->shares) {
        node->target = file->project->nodes[of->instance].target;
        node->instance_id = file->project->nodes[of->instance].instance_id;
        return;
    }
    node->target = copy(of->path);
    node->instance_id = copy(of->uid);
    of->instance = file->node;
}

static void add_instance(reader *file, slice id)
{
    file->node = add_node(file, SCENE_INSTANCE);
    for (uint32_t i = 0; file->node != SCENE_NOTHING && i < file->resource_count; i++) {
        if (slices_equal(file->resources[i].id, id)) {
            name_instance(file, &file->resources[i]);
            return;
        }
    }
}

static void read_node_header(reader *file, slice line)
{
    slice type = attribute(line, "type"), parent = attribute(line, "parent"),
          instance = attribute(line, "instance");
    scene *current = &file->project->scenes[file->scene];
    /* Nodes that are put between inherited ones carry their position. */
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
        current->name = copy(file->name);
        current->type = copy(type);
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
}

static void read_resource(reader *file, slice line)
{
    slice type = attribute(line, "type");
    if (file->resource_count < MAX_RESOURCES &&
        (slice_equals(type, "PackedScene") || slice_equals(type, "SceneReplicationConfig"))) {
        file->resources[file->resource_count++] =
            (resource){attribute(line, "id"), attribute(line, "path"), attribute(line, "uid"), SCENE_NOTHING};
    }
}

static void read_header(reader *file, slice line)
{
    slice id = attribute(line, "id"), uid = attribute(line, "uid");
    scene *current = &file->project->scenes[file->scene];
    file->where = IN_NOTHING;
    if (slice_begins(line, "[gd_scene")) {
        if (uid.text && !current->uid) {
            current->uid = copy(uid);
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

static void set_text(char **place, slice text)
{
    free(*place);
    *place = copy(text);
}

/* The configuration stands in the same file, or in one of its own. */
static void read_config_setting(const reader *file, scene_node *node, slice line)
{
    slice value = value_of(line), id = quoted(line, 0);
    node->config_is_file = slice_begins(value, "ExtResource(");
    for (uint32_t i = 0; node->config_is_file && i < file->resource_count; i++) {
        if (slices_equal(file->resources[i].id, id)) {
            set_text(&node->config_id, file->resources[i].path);
            return;
        }
    }
    if (slice_begins(value, "SubResource(")) {
        set_text(&node->config_id, id);
    }
}

/* Sets what a line says of a spawner or synchronizer; returns what that is, 0 if it is not about
 * replication. */
static unsigned read_setting(const reader *file, scene_node *node, slice line)
{
    if (slice_begins(line, "replication_config = ")) {
        if (node && node->kind == SCENE_SYNCHRONIZER) {
            read_config_setting(file, node, line);
        }
        return SCENE_SETS_PROPERTIES;
    }
    if (slice_begins(line, "root_path = ")) {
        if (node && node->kind == SCENE_SYNCHRONIZER) {
            set_text(&node->target, quoted(line, 0));
        }
        return SCENE_SETS_PROPERTIES;
    }
    if (slice_begins(line, "spawn_path = ")) {
        if (node && node->kind == SCENE_SPAWNER) {
            set_text(&node->target, quoted(line, 0));
        }
        return SCENE_SETS_PLACE;
    }
    if (slice_begins(line, "_spawnable_scenes = ")) {
        if (node && node->kind == SCENE_SPAWNER && !node->scenes) {
            node->scenes = read_list(line);
        }
        return SCENE_SETS_SCENES;
    }
    return 0;
}

static void read_node_line(reader *file, slice line)
{
    if (slice_begins(line, "unique_name_in_owner = true") && !file->unique) {
        file->unique = true;
        (void)add_node(file, SCENE_UNIQUE);
    }
    scene_node *node = file->node == SCENE_NOTHING ? NULL : &file->project->nodes[file->node];
    if (node && slice_begins(line, "script = ")) {
        node->scripted = true;
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
    size_t id = file->script.length, length = 0, path_length = strlen(file->path);
    char *path = malloc(path_length + id + 3), *source = malloc((size_t)(file->end - text) + 1);
    if (path && source) {
        memcpy(path, file->path, path_length);
        memcpy(path + path_length, "::", 2);
        path_length += file->script.text ? 2 : 0;
        memcpy(path + path_length, file->script.text ? file->script.text : "", id);
        path[path_length + id] = 0;
        for (; text < file->end && *text != '"'; text++) {
            bool escaped = *text == '\\' && file->end - text > 1;
            text += escaped;
            source[length++] = !escaped ? *text : *text == 'n' ? '\n' : *text == 't' ? '\t' : *text;
        }
        file->scripts->read(file->scripts->context, file->root, path, source, length);
    }
    free(path);
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

void scene_project_add(scene_project *project, uint32_t root, const char *path, const char *text,
                       size_t length, const scene_script_reader *scripts)
{
    resource *resources = malloc(MAX_RESOURCES * sizeof *resources);
    if (!resources || !array_grow((void **)&project->scenes, project->scene_count, &project->scene_room,
                                  MAX_SCENES, sizeof(scene), &project->incomplete)) {
        project->incomplete = true;
        free(resources);
        return;
    }
    reader file = {.project = project,
                   .scene = project->scene_count++,
                   .resources = resources,
                   .scripts = scripts,
                   .root = root,
                   .path = path,
                   .end = text + length};
    project->scenes[file.scene] =
        (scene){.root = root, .path = copy(slice_of(path)), .first = project->node_count, .in_order = true};
    read_lines(&file, text);
    free(resources);
}

void scene_project_add_resource(scene_project *project, uint32_t root, const char *path, const char *text,
                                size_t length, const scene_script_reader *scripts)
{
    const char *newline = memchr(text, '\n', length);
    slice type = attribute((slice){text, newline ? (size_t)(newline - text) : length}, "type");
    reader file = {.project = project,
                   .scripts = scripts,
                   .root = root,
                   .path = path,
                   .end = text + length,
                   .is_resource = true};
    if (slice_equals(type, "GDScript")) {
        file.inside = IN_SCRIPT;
        read_lines(&file, text);
    } else if (slice_equals(type, "SceneReplicationConfig")) {
        file.inside = IN_CONFIG;
        read_config_header(&file, SCENE_NOTHING, slice_of(path));
        read_lines(&file, text);
    }
}

void scene_project_add_uid(scene_project *project, uint32_t root, const char *uid, const char *path)
{
    if (array_grow((void **)&project->uids, project->uid_count, &project->uid_room, MAX_SCENES,
                   sizeof(scene_uid), &project->incomplete)) {
        project->uids[project->uid_count++] = (scene_uid){root, copy(slice_of(uid)), copy(slice_of(path))};
    }
}

void scene_project_add_unread(scene_project *project)
{
    project->incomplete = true;
}

/* --- scripts ------------------------------------------------------------------------------------- */

/* Position of the next mention of `name` from `at` on, `text.length` if there is none. */
static size_t mention(slice text, const char *name, size_t at)
{
    size_t size = strlen(name);
    while (at + size <= text.length) {
        const char *found = memchr(text.text + at, name[0], text.length - size + 1 - at);
        if (!found) {
            break;
        }
        at = (size_t)(found - text.text);
        if (memcmp(found, name, size) == 0) {
            return at;
        }
        at++;
    }
    return text.length;
}

/* What is set: "spawner.spawn_path = x" is what stands before the dot. */
typedef enum { SETS_NOTHING, SETS_OWN, SETS_OTHER, SETS_UNKNOWN } setting;

static bool is_word(char c)
{
    return is_identifier_byte((uint8_t)c, IDENTIFIER_UNICODE);
}

static size_t skip_blanks(slice text, size_t at)
{
    while (at < text.length && (text.text[at] == ' ' || text.text[at] == '\t')) {
        at++;
    }
    return at;
}

/* Whether the text from `at` on assigns something: "= x", ":= x", ": NodePath = x". Returns where the value
 * begins, 0 if it does not. */
static size_t assigned(slice text, size_t at)
{
    at = skip_blanks(text, at);
    if (at < text.length && text.text[at] == ':') {
        at = skip_blanks(text, at + 1);
        while (at < text.length && (is_word(text.text[at]) || text.text[at] == '.')) {
            at++;
        }
        at = skip_blanks(text, at);
    }
    bool sign = at + 1 < text.length && text.text[at] == '=' && text.text[at + 1] != '=';
    return sign ? skip_blanks(text, at + 1) : 0;
}

/* How the mention of the property at `[at, end)` may set it. */
static setting kind_of_setting(slice text, size_t at, size_t end)
{
    bool setter = (at >= 4 && memcmp(text.text + at - 4, "set_", 4) == 0) ||
                  (at >= 3 && memcmp(text.text + at - 3, "Set", 3) == 0);
    size_t next = skip_blanks(text, end);
    bool name = next < text.length && (text.text[next] == '"' || text.text[next] == '\'');
    if (setter || name) {
        return SETS_UNKNOWN;
    }
    if (!assigned(text, end)) {
        return SETS_NOTHING;
    }
    if (at >= 5 && memcmp(text.text + at - 5, "self.", 5) == 0) {
        return SETS_OWN;
    }
    if (at > 0 && text.text[at - 1] == '.') {
        return SETS_OTHER;
    }
    return at > 0 && is_word(text.text[at - 1]) ? SETS_NOTHING : SETS_OWN;
}

/* Whether nothing more of a value stands at `at`: "$A if x else $B" is not "$A". */
static bool value_ends(slice text, size_t at)
{
    at = skip_blanks(text, at);
    return at >= text.length || strchr("\r\n;#", text.text[at]) ||
           slice_begins((slice){text.text + at, text.length - at}, "as ");
}

/* "$A/B" or "%B" at `at`: the name of the node, B; nothing if it is something else. */
static slice node_at(slice text, size_t at)
{
    size_t name = at + 1, end = name;
    if (at >= text.length || (text.text[at] != '$' && text.text[at] != '%')) {
        return NO_SLICE;
    }
    for (; end < text.length && (is_word(text.text[end]) || strchr("/%", text.text[end])); end++) {
        if (!is_word(text.text[end])) {
            name = end + 1;
        }
    }
    return value_ends(text, end) && end > name ? (slice){text.text + name, end - name} : NO_SLICE;
}

static void add_moved(scene_project *project, slice name)
{
    for (uint32_t i = 0; i < project->moved_count; i++) {
        if (slice_equals(name, project->moved[i])) {
            return;
        }
    }
    char *kept = copy(name);
    if (kept && array_grow((void **)&project->moved, project->moved_count, &project->moved_room, MAX_MOVED,
                           sizeof(char *), &project->moves_spawners)) {
        project->moved[project->moved_count++] = kept;
    } else {
        project->moves_spawners = true;
        free(kept);
    }
}

/* Whether the name at `at` is one of a function's parameters, or what a loop counts with. */
static bool is_parameter(slice text, size_t at)
{
    if (at >= 4 && memcmp(text.text + at - 4, "for ", 4) == 0) {
        return true;
    }
    size_t line = at, before = at;
    while (before > 0 && text.text[before - 1] == ' ') {
        before--;
    }
    if (before == 0 || !strchr("(,", text.text[before - 1])) {
        return false;
    }
    for (int left = MAX_LINE; left > 0 && line > 0 && text.text[line - 1] != '\n'; left--) {
        line--;
    }
    line = skip_blanks(text, line);
    const slice rest = {text.text + line, text.length - line};
    return slice_begins(rest, "func") || slice_begins(rest, "static") || at - line >= MAX_LINE;
}

/* The spawners that a variable of this name may be, if every assignment in the script says so: it is a node
 * by its name, or a new one, which is in no scene. */
static bool add_moved_variable(scene_project *project, slice text, slice name)
{
    char variable[64];
    bool declared = false;
    if (name.length == 0 || name.length >= sizeof variable) {
        return false;
    }
    memcpy(variable, name.text, name.length);
    variable[name.length] = 0;
    uint32_t mentions = 0;
    for (size_t at = 0; (at = mention(text, variable, at)) < text.length; at += name.length) {
        if (++mentions > MAX_MENTIONS) {
            return false;
        }
        size_t end = at + name.length, value = assigned(text, end);
        bool word = (at == 0 || (!is_word(text.text[at - 1]) && text.text[at - 1] != '.')) &&
                    (end == text.length || !is_word(text.text[end]));
        if (!word || (!value && !is_parameter(text, at))) {
            continue;
        }
        static const char fresh[] = "MultiplayerSpawner.new()";
        slice node = value ? node_at(text, value) : NO_SLICE;
        bool made = value && slice_begins((slice){text.text + value, text.length - value}, fresh) &&
                    value_ends(text, value + sizeof fresh - 1);
        if (node.text) {
            add_moved(project, node);
        } else if (!made) {
            return false;
        }
        declared = true;
    }
    return declared;
}

/* What is set is the property of what stands before the dot at `dot`. */
static bool add_moved_node(scene_project *project, slice text, size_t dot)
{
    size_t begin = dot;
    while (begin > 0 && (is_word(text.text[begin - 1]) || text.text[begin - 1] == '/')) {
        begin--;
    }
    if (begin > 0 && (text.text[begin - 1] == '$' || text.text[begin - 1] == '%')) {
        begin--;
        begin -= begin > 0 && text.text[begin - 1] == '$';
        slice node = node_at((slice){text.text, dot}, begin);
        if (node.text) {
            add_moved(project, node);
        }
        return node.text;
    }
    bool first = begin == 0 || !strchr(".)]\"'", text.text[begin - 1]);
    return first && add_moved_variable(project, text, (slice){text.text + begin, dot - begin});
}

void scene_project_add_script(scene_project *project, const char *text, size_t length)
{
    static const char *const moved[] = {"spawn_path", "SpawnPath"};
    static const char *const cleared[] = {"clear_spawnable_scenes", "ClearSpawnableScenes"};
    const slice whole = {text, length};
    uint32_t settings = 0;
    for (size_t i = 0; i < 2; i++) {
        for (size_t at = 0; !project->moves_spawners && (at = mention(whole, moved[i], at)) < length; at++) {
            setting how = kind_of_setting(whole, at, at + strlen(moved[i]));
            if (how == SETS_OWN) {
                project->moves_own = true;
            } else if (how == SETS_UNKNOWN || (how == SETS_OTHER && ++settings > MAX_SETTINGS) ||
                       (how == SETS_OTHER && !add_moved_node(project, whole, at - 1))) {
                project->moves_spawners = true;
            }
        }
        if (mention(whole, cleared[i], 0) < length) {
            project->clears_scenes = true;
        }
    }
}
