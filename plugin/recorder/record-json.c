/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/record-json.h"

#include "base/columns.h"

/* Whether brackets are nested too deeply: libwsutil's functions call themselves for each level. */
static bool is_too_deep(const uint8_t *bytes, uint32_t length)
{
    uint32_t depth = 0;
    bool in_string = false;
    for (uint32_t i = 0; i < length; i++) {
        if (in_string) {
            in_string = bytes[i] != '"';
            i += bytes[i] == '\\'; /* an escaped quote does not end the text */
        } else if (bytes[i] == '"') {
            in_string = true;
        } else if (bytes[i] == '{' || bytes[i] == '[') {
            if (++depth > RECORDER_JSON_MAX_NESTING) {
                return true;
            }
        } else if ((bytes[i] == '}' || bytes[i] == ']') && depth > 0) {
            depth--;
        }
    }
    return false;
}

const char *recorder_json_open(wmem_allocator_t *scope, const uint8_t *bytes, uint32_t length,
                               recorder_json *json)
{
    if (length > RECORDER_JSON_MAX_LENGTH) {
        return "The text is longer than 65536 bytes";
    }
    if (is_too_deep(bytes, length)) {
        return "Brackets are nested more than 8 levels deep";
    }
    if (memchr(bytes, 0, length)) {
        return "The text is not JSON (it has a NUL)";
    }
    json->scope = scope;
    json->text = wmem_strndup(scope, (const char *)bytes, length);
    /* An additional token without a type ends a search after the last one. */
    json->root = wmem_alloc0_array(scope, jsmntok_t, RECORDER_JSON_MAX_TOKENS + 1);
    int count = json_parse(json->text, json->root, RECORDER_JSON_MAX_TOKENS);
    if (count < 0) {
        return "The text is not JSON or has more than 4096 values";
    }
    if (count == 0 || json->root->type != JSMN_OBJECT) {
        return "The text is not a JSON object";
    }
    return NULL;
}

/* The content of the file is not trusted: names are escaped like those from packets. */
static const char *name_of(wmem_allocator_t *scope, const char *text)
{
    return info_column_text(scope, text, strlen(text), RECORDER_JSON_MAX_LENGTH);
}

const char *recorder_json_text(recorder_json *json, jsmntok_t *object, const char *name)
{
    char *text = json_get_string(json->text, object, name);
    return text ? name_of(json->scope, text) : NULL;
}

bool recorder_json_number(recorder_json *json, jsmntok_t *object, const char *name, int64_t *number)
{
    enum { EXACT = 53 }; /* bits of a double */
    double value;
    if (!json_get_double(json->text, object, name, &value) || !(value > -(double)((int64_t)1 << EXACT)) ||
        !(value < (double)((int64_t)1 << EXACT))) {
        return false;
    }
    *number = (int64_t)value;
    return true;
}

bool recorder_json_is_true(const recorder_json *json, const char *name)
{
    const jsmntok_t *end = json->root + RECORDER_JSON_MAX_TOKENS, *token = json->root + 1;
    size_t length = strlen(name);
    for (int i = 0; i < json->root->size && token + 1 < end; i++) {
        const jsmntok_t *value = token + 1;
        if ((size_t)(token->end - token->start) == length &&
            memcmp(json->text + token->start, name, length) == 0) {
            return value->type == JSMN_PRIMITIVE && json->text[value->start] == 't';
        }
        for (token = value + 1; token < end && token->type && token->start < value->end; token++) {
        }
    }
    return false;
}

/* --- names --------------------------------------------------------------------------------------- */

static const char *copy_text(wmem_allocator_t *scope, recorder_json *json, jsmntok_t *object,
                             const char *name)
{
    const char *text = recorder_json_text(json, object, name);
    return text ? wmem_strdup(scope, text) : NULL;
}

/* An array of texts; the tokens of values without children follow one another. */
static scene_name_list copy_texts(wmem_allocator_t *scope, recorder_json *json, jsmntok_t *object,
                                  const char *name)
{
    scene_name_list list = {NULL, 0};
    jsmntok_t *array = json_get_array(json->text, object, name);
    int length = array ? json_get_array_len(array) : 0;
    if (length <= 0) {
        return list;
    }
    const char **names = wmem_alloc_array(scope, const char *, (size_t)length);
    for (int i = 0; i < length; i++) {
        const jsmntok_t *token = &array[1 + i];
        if (token->type != JSMN_STRING) {
            return list;
        }
        char *text = json->text + token->start;
        json->text[token->end] = 0;
        if (!json_decode_string_inplace(text)) {
            return list;
        }
        names[i] = name_of(scope, text);
    }
    list.names = names;
    list.count = (uint32_t)length;
    return list;
}

/* The names in an array of objects: [{"name": "move", …}, …]. */
static scene_name_list copy_names(wmem_allocator_t *scope, recorder_json *json, const char *name)
{
    scene_name_list list = {NULL, 0};
    jsmntok_t *array = json_get_array(json->text, json->root, name);
    int length = array ? json_get_array_len(array) : 0;
    if (length <= 0) {
        return list;
    }
    const char **names = wmem_alloc_array(scope, const char *, (size_t)length);
    for (int i = 0; i < length; i++) {
        jsmntok_t *method = json_get_array_index(array, i);
        bool object = method && method->type == JSMN_OBJECT;
        names[i] = object ? copy_text(scope, json, method, "name") : NULL;
        if (!names[i]) {
            return list;
        }
    }
    list.names = names;
    list.count = (uint32_t)length;
    return list;
}

/* The modes of the methods in such an array. */
static void copy_modes(wmem_allocator_t *scope, recorder_json *json, const char *name, uint32_t count,
                       rpc_signature *signatures)
{
    static const struct {
        const char *text;
        rpc_mode mode;
    } modes[] = {
        {"disabled", RPC_MODE_DISABLED}, {"any_peer", RPC_MODE_ANY_PEER}, {"authority", RPC_MODE_AUTHORITY}};
    jsmntok_t *array = json_get_array(json->text, json->root, name);
    for (uint32_t i = 0; array && i < count; i++) {
        jsmntok_t *method = json_get_array_index(array, (int)i);
        const char *text = method ? copy_text(scope, json, method, "mode") : NULL;
        for (size_t j = 0; text && j < array_length(modes); j++) {
            if (strcmp(text, modes[j].text) == 0) {
                signatures[i].mode = (uint8_t)modes[j].mode;
            }
        }
    }
}

/* The lists of a synchronizer, by scene_list. */
static const scene_name_list *read_lists(wmem_allocator_t *scope, recorder_json *json, jsmntok_t *object)
{
    static const char *const keys[SCENE_LISTS] = {
        [SCENE_SPAWN] = "spawn", [SCENE_ALWAYS] = "always", [SCENE_ON_CHANGE] = "on_change"};
    scene_name_list *lists = wmem_alloc_array(scope, scene_name_list, SCENE_LISTS);
    for (int i = 0; i < SCENE_LISTS; i++) {
        lists[i] = copy_texts(scope, json, object, keys[i]);
    }
    return lists;
}

godot_node_names *recorder_json_node(wmem_allocator_t *scope, recorder_json *json)
{
    const char *path = copy_text(scope, json, json->root, "path");
    if (!path) {
        return NULL;
    }
    godot_node_names *node = wmem_new0(scope, godot_node_names);
    const char *script = copy_text(scope, json, json->root, "script");
    node->path = path;
    node->script = script ? script : "";
    node->methods = copy_names(scope, json, "methods");
    node->node_methods = copy_names(scope, json, "node_methods");
    uint32_t of_node = node->node_methods.count, of_script = node->methods.count;
    node->signatures = wmem_alloc0_array(scope, rpc_signature, (size_t)of_node + of_script + 1);
    copy_modes(scope, json, "node_methods", of_node, node->signatures);
    copy_modes(scope, json, "methods", of_script, node->signatures + of_node);
    jsmntok_t *synchronizer = json_get_object(json->text, json->root, "synchronizer");
    jsmntok_t *spawner = json_get_object(json->text, json->root, "spawner");
    if (synchronizer) {
        node->lists = read_lists(scope, json, synchronizer);
    }
    if (spawner) {
        node->spawn_parent = copy_text(scope, json, spawner, "parent");
        node->scenes = copy_texts(scope, json, spawner, "scenes");
    }
    return node;
}

godot_scene_names *recorder_json_scene(wmem_allocator_t *scope, recorder_json *json)
{
    const char *scene_name = copy_text(scope, json, json->root, "scene");
    const char *name = scene_name ? scene_name : copy_text(scope, json, json->root, "spawned");
    jsmntok_t *array = name ? json_get_array(json->text, json->root, "synchronizers") : NULL;
    int length = array ? json_get_array_len(array) : 0;
    if (!array || length < 0) {
        return NULL;
    }
    godot_scene_names *scene = wmem_new0(scope, godot_scene_names);
    scene_synchronizer *list = wmem_alloc0_array(scope, scene_synchronizer, (size_t)length);
    scene->scene = name;
    scene->synchronizers = list;
    for (int i = 0; i < length; i++) {
        jsmntok_t *object = json_get_array_index(array, i);
        if (!object || object->type != JSMN_OBJECT) {
            return NULL;
        }
        const char *path = copy_text(scope, json, object, "path");
        list[i] = (scene_synchronizer){path ? path : "", read_lists(scope, json, object)};
    }
    scene->count = (uint32_t)length;
    return scene;
}
