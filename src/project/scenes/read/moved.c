/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/read/file.h"

#include "base/utf8.h"
#include "project/scenes/read/store.h"

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

/* The object whose property is set: in "spawner.spawn_path = x" the text before the dot. */
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

/* Whether the value ends at `at`: "$A if x else $B" is not "$A". */
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
    char *kept = scene_text(project, name);
    if (kept && project->moved_count < SCENE_MAX_MOVED &&
        pool_grow(&project->pool, &project->moved, project->moved_count, &project->moved_room,
                  SCENE_MAX_MOVED, sizeof(char *))) {
        project->moved[project->moved_count++] = kept;
    } else {
        project->moves_spawners = true;
    }
}

/* Whether the name at `at` is a parameter of a function, or the variable of a loop. */
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
    for (int left = SCENE_MAX_LINE; left > 0 && line > 0 && text.text[line - 1] != '\n'; left--) {
        line--;
    }
    line = skip_blanks(text, line);
    const slice rest = {text.text + line, text.length - line};
    return slice_begins(rest, "func") || slice_begins(rest, "static") || at - line >= SCENE_MAX_LINE;
}

/* The spawners that a variable of this name may refer to, if all assignments in the script show it: a node by
 * its name, or a new node, which is in no scene. */
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
        if (++mentions > SCENE_MAX_MENTIONS) {
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

/* The property of the object before the dot at `dot` is set. */
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

/* Whether the script may make synchronizers, or change what one sends. */
static bool configures(slice text)
{
    static const char *const settings[] = {"replication_config", "ReplicationConfig"};
    static const char *const calls[] = {"MultiplayerSynchronizer.new",
                                        "new MultiplayerSynchronizer",
                                        "add_property(",
                                        "AddProperty(",
                                        "remove_property(",
                                        "RemoveProperty(",
                                        "property_set_",
                                        "PropertySet"};
    bool found = false;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && !found; i++) {
        found = mention(text, calls[i], 0) < text.length;
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        for (size_t at = 0; !found && (at = mention(text, settings[i], at)) < text.length; at++) {
            found = kind_of_setting(text, at, at + strlen(settings[i])) != SETS_NOTHING;
        }
    }
    return found;
}

void scene_project_add_script(scene_project *project, const char *text, size_t length)
{
    static const char *const moved[] = {"spawn_path", "SpawnPath"};
    static const char *const cleared[] = {"clear_spawnable_scenes", "ClearSpawnableScenes"};
    const slice whole = {text, length};
    uint32_t settings = 0;
    project->configures |= configures(whole);
    for (size_t i = 0; i < 2; i++) {
        for (size_t at = 0; !project->moves_spawners && (at = mention(whole, moved[i], at)) < length; at++) {
            setting how = kind_of_setting(whole, at, at + strlen(moved[i]));
            if (how == SETS_OWN) {
                project->moves_own = true;
            } else if (how == SETS_UNKNOWN || (how == SETS_OTHER && ++settings > SCENE_MAX_SETTINGS) ||
                       (how == SETS_OTHER && !add_moved_node(project, whole, at - 1))) {
                project->moves_spawners = true;
            }
        }
        if (mention(whole, cleared[i], 0) < length) {
            project->clears_scenes = true;
        }
    }
}
