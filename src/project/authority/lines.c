/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/authority/lines.h"

#include <stdlib.h>

#include "project/authority/targets.h"

static const char *const setters[] = {"set_multiplayer_authority", "SetMultiplayerAuthority",
                                      "set_network_master", "SetNetworkMaster", NULL};

/* `quoted`: as a text, with the closing quote. */
static bool names_setter(slice text, bool quoted)
{
    const char *end = text.text + text.length;
    for (const char *const *name = setters; *name; name++) {
        size_t size = strlen(*name);
        const char *at = text.text;
        while ((size_t)(end - at) >= size &&
               (at = memchr(at, **name, (size_t)(end - at) - size + 1)) != NULL) {
            if (memcmp(at, *name, size) == 0 && (!quoted || (at + size < end && at[size] == '"'))) {
                return true;
            }
            at++;
        }
    }
    return false;
}

/* --- lines --------------------------------------------------------------------------------------- */

static bool ends_argument(const token *t)
{
    return is_mark(t, ')') || is_mark(t, ',') || t->kind == TOKEN_NEWLINE;
}

/* The new authority, the argument from `i` on. */
static int32_t new_authority(const authority_script *s, size_t i)
{
    static const char *const names[] = {
        "name.to_int()",           "str(name).to_int()",     "int(name)",
        "int(str(name))",          "String(name).to_int()",  "int(String(name))",
        "Name.ToString().ToInt()", "int.Parse(Name)",        "int.Parse(Name.ToString())",
        "Convert.ToInt32(Name)",   "((string)Name).ToInt()", NULL};
    static const char *const servers[] = {"1", "MultiplayerPeer.TARGET_PEER_SERVER", NULL};
    char text[64];
    size_t length = 0;
    uint32_t depth = 0;
    bool word = s->t[i].kind == TOKEN_WORD && (is_mark(&s->t[i + 1], ')') || is_mark(&s->t[i + 1], ','));
    size_t value = word ? authority_only_value(s, i) : 0;
    for (i = value ? value : i; i + 1 < s->count && (depth > 0 || !ends_argument(&s->t[i])); i++) {
        const token *t = &s->t[i];
        slice piece = t->kind == TOKEN_MARK ? (slice){&t->mark, 1} : t->text;
        if ((is_name(t, "self") || is_name(t, "this")) && is_mark(&s->t[i + 1], '.')) {
            i++;
            continue;
        }
        if (t->kind == TOKEN_STRING || length + piece.length > sizeof text) {
            return AUTHORITY_UNKNOWN;
        }
        memcpy(text + length, piece.text, piece.length);
        length += piece.length;
        depth += authority_opens(t);
        depth -= authority_closes(t) && depth > 0;
    }
    int32_t number = 0;
    for (size_t digit = 0; digit < length && number >= 0; digit++) {
        bool more = text[digit] >= '0' && text[digit] <= '9' && number < INT32_MAX / 10;
        number = more ? number * 10 + (text[digit] - '0') : -1;
    }
    slice argument = {text, length};
    return authority_is_one_of(argument, names)     ? AUTHORITY_IN_NAME
           : authority_is_one_of(argument, servers) ? AUTHORITY_SERVER
           : number > 0                             ? number
                                                    : AUTHORITY_UNKNOWN;
}

static void add_line(authority_lines *a, authority_line line)
{
    if (!line.path ||
        !pool_grow(&a->pool, &a->lines, a->line_count, &a->line_room, AUTHORITY_MAX_LINES, sizeof line)) {
        return;
    }
    a->lines[a->line_count++] = line;
}

static const char *keep(authority_lines *a, slice text)
{
    return text.text ? pool_text(&a->pool, text) : NULL;
}

/* The function of the engine that always executes the statement at `i`, NULL if it may not be executed. */
static const char *always_executed(const authority_script *s, size_t i)
{
    static const char *const functions[] = {"_enter_tree", "_ready", "_EnterTree", "_Ready", NULL};
    static const char *const leaves[] = {"return", "await", "yield", "func", "Task", NULL};
    size_t name = 0, body = 0;
    bool gdscript = s->language == RPC_GDSCRIPT;
    const token *before = &s->t[i - 1];
    if (!(gdscript ? before->kind == TOKEN_NEWLINE && before->mark != ';'
                   : is_mark(before, ';') || is_mark(before, '{'))) {
        return NULL;
    }
    for (size_t at = i; at > 1 && !name; at--) {
        if (authority_is_word(&s->t[at], leaves) || i - at > AUTHORITY_MAX_DISTANCE) {
            return NULL;
        }
        body = s->t[at - 1].kind == TOKEN_NEWLINE && s->t[at].column > 0 ? at : body;
        if (gdscript) {
            bool function =
                is_mark(&s->t[at], '(') && is_name(&s->t[at - 2], "func") && s->t[at - 2].column == 0;
            name = function ? at - 1 : 0;
        } else if (is_mark(&s->t[at], '}')) {
            at = authority_match(s, at);
            if (at == 0) {
                return NULL;
            }
        } else if (is_mark(&s->t[at], '{')) {
            size_t open = is_mark(&s->t[at - 1], ')') ? authority_match(s, at - 1) : 0;
            name = open ? open - 1 : 1;
        }
    }
    bool direct = !gdscript || (body > 0 && s->t[body].column == s->t[i].column);
    for (const char *const *function = functions; direct && *function; function++) {
        if (is_name(&s->t[name], *function)) {
            return *function;
        }
    }
    return NULL;
}

/* Whether the tokens from `i` on are those from `value` to before `end`, and nothing more. */
static bool is_same_value(const authority_script *s, size_t i, size_t value, size_t end)
{
    for (; value < end; value++, i++) {
        const token *a = &s->t[i], *b = &s->t[value];
        if (a->kind != b->kind ||
            (a->kind == TOKEN_MARK ? a->mark != b->mark : !slices_equal(a->text, b->text))) {
            return false;
        }
    }
    return s->t[i].kind == TOKEN_NEWLINE || is_mark(&s->t[i], ')') || is_mark(&s->t[i], ';');
}

/* What is before the peer in the name that a node gets at `i`, as in "x.name = ": "" for str(id), "Tank" for
 * "Tank%d" % id. `*peer`: where the peer's tokens begin. NO_SLICE: it gets another name, or none. */
static slice name_before_peer(const authority_script *s, size_t i, size_t *peer)
{
    static const char *const texts[] = {"str", "String", NULL};
    const token *t = &s->t[i];
    bool assigned = (is_name(t, "name") || is_name(t, "Name")) && is_mark(t + 1, '=');
    bool called = (is_name(t, "set_name") || is_name(t, "SetName")) && is_mark(t + 1, '(');
    if (t[-1].kind != TOKEN_MARK || t[-1].mark != '.' || (!assigned && !called)) {
        return NO_SLICE;
    }
    size_t format = t[2].kind == TOKEN_STRING ? t[2].text.length : 0;
    *peer = i + 4;
    if (authority_is_word(t + 2, texts) && is_mark(t + 3, '(')) {
        return slice_of("");
    }
    bool number = format >= 2 && is_mark(t + 3, '%') &&
                  memchr(t[2].text.text, '%', format) == t[2].text.text + format - 2;
    return number ? (slice){t[2].text.text, format - 2} : NO_SLICE;
}

/* The same for the variable `made`, whose authority becomes the value from `value` to before `end`: if the
 * value is in its name. `*same`: it gets its name at the same indentation as at `i`. */
static slice name_of_made(const authority_script *s, slice made, size_t i, size_t value, size_t end,
                          bool *same)
{
    slice result = NO_SLICE;
    size_t at, stop, peer;
    authority_find_function(s, i, &at, &stop);
    for (; made.text && at < stop; at++) {
        bool variable = s->t[at].kind == TOKEN_WORD && slices_equal(s->t[at].text, made);
        slice before =
            variable && is_mark(&s->t[at + 1], '.') ? name_before_peer(s, at + 2, &peer) : NO_SLICE;
        if (before.text && is_same_value(s, peer, value, end)) {
            result = before;
            *same = s->t[at].column == s->t[i].column && s->t[at - 1].kind == TOKEN_NEWLINE;
        }
    }
    return result;
}

/* Whether the function around `i` is one that a spawner calls at all peers. */
static bool is_spawn_function(const authority_script *s, size_t i)
{
    static const char *const names[] = {"spawn_function", "SpawnFunction", NULL};
    size_t begin, end;
    bool found = false;
    authority_find_function(s, i, &begin, &end);
    for (size_t at = 1; at < s->count && !found; at++) {
        found = authority_is_word(&s->t[at], names) && is_mark(&s->t[at + 1], '=') &&
                slices_equal(s->t[at + 2].text, s->t[begin].text);
    }
    s->all->steps += (uint32_t)s->count;
    return found;
}

/* When the line at `i` is executed: see authority_line. `same`: see name_of_made(). */
static const char *executed(const authority_script *s, size_t i, slice made, bool same)
{
    if (!made.text) {
        return always_executed(s, i);
    }
    bool statement = s->t[i - 1].kind == TOKEN_NEWLINE && s->t[i - 1].mark != ';';
    return !same || !statement ? NULL : is_spawn_function(s, i) ? "spawn_function" : "";
}

/* The name of a setter at `i`: it is called, or passed on as a Callable or by its name. */
static void read_setter(authority_script *s, size_t i)
{
    static const char *const callers[] = {"call", "call_deferred", "callv", "Call", "CallDeferred", NULL};
    bool text = s->t[i].kind == TOKEN_STRING, called = is_mark(&s->t[i + 1], '(');
    size_t first = i, value = i + 2, object_at;
    uint32_t number = rpc_line_of(&s->lines, s->t[i].text.text);
    s->all->pool.failed |= s->all->line_count == AUTHORITY_MAX_LINES;
    if (is_name(&s->t[i - 1], "func") || s->all->pool.failed) {
        return;
    }
    bool direct = !text && called;
    if (text || (s->language == RPC_CSHARP && !called)) { /* call("set_…", id), Call(MethodName.Set…, id) */
        first = authority_object_begin(s, i);
        first -= is_mark(&s->t[first - 1], '&');
        called = is_mark(&s->t[first - 1], '(') && authority_is_word(&s->t[first - 2], callers);
        first = called ? first - 2 : 0;
    } else if (!called && is_mark(&s->t[i + 1], '.') && authority_is_word(&s->t[i + 2], callers)) {
        called = true; /* set_….call_deferred(id) */
        value = i + 4;
    }
    authority_object found = {.target = AUTHORITY_OF_ANY};
    object_at = first ? authority_object_begin(s, first) : 0;
    if (object_at) {
        found = authority_find_object(s, object_at, first - (object_at < first), 0);
    }
    size_t after = value;
    while (after < s->count && !is_mark(&s->t[after], ',') && !is_mark(&s->t[after], ')')) {
        after = authority_opens(&s->t[after]) ? authority_match(s, after) + 1 : after + 1;
        if (after == 1) {
            break;
        }
    }
    bool only_it =
        after > 1 && after + 1 < s->count && is_mark(&s->t[after], ',') && is_name(&s->t[after + 1], "false");
    bool same = false;
    slice made = direct && after > 1 ? name_of_made(s, found.made, object_at, value, after, &same) : NO_SLICE;
    add_line(s->all, (authority_line){.target = found.target,
                                      .root = s->root,
                                      .path = s->path,
                                      .line = number,
                                      .name = keep(s->all, found.name),
                                      .made = keep(s->all, made),
                                      .variable = keep(s->all, found.variable),
                                      .peer = made.text ? AUTHORITY_IN_NAME
                                              : called  ? new_authority(s, value)
                                                        : AUTHORITY_UNKNOWN,
                                      .recursive = !only_it,
                                      .function = direct ? executed(s, object_at, made, same) : NULL});
}

/* --- what else matters --------------------------------------------------------------------------- */

static uint32_t hash_of(slice name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.length; i++) {
        hash = (hash ^ (uint8_t)name.text[i]) * 16777619u;
    }
    return hash;
}

/* Whether one of these words is at most four tokens before `i`. */
static bool comes_after(const authority_script *s, size_t i, const char *const *words)
{
    for (size_t at = i; at > 0 && at + 4 > i; at--) {
        if (authority_is_word(&s->t[at - 1], words)) {
            return true;
        }
    }
    return false;
}

/* A use of an autoload other than "Name.member": it may be the node that a function gets. */
static void read_autoload(const authority_script *s, size_t i)
{
    const token *t = &s->t[i];
    bool text = t->kind == TOKEN_STRING;
    const token *next = &s->t[i + 1 + (text && is_mark(&s->t[i + 1], ')') && i + 2 < s->count)];
    slice name = t->text;
    for (size_t at = 0; text && at < t->text.length; at++) {
        if (t->text.text[at] == '/') {
            name = (slice){t->text.text + at + 1, t->text.length - at - 1};
        }
    }
    bool value = !is_mark(next, '.') && (text || !is_mark(&s->t[i - 1], '.'));
    for (uint32_t k = 0; value && k < s->all->autoload_count; k++) {
        s->all->autoloads[k].passed_on |= slice_equals(name, s->all->autoloads[k].name);
    }
}

/* `self` as a value; not the receiver of a signal. */
static void read_self(const authority_script *s, size_t i)
{
    static const char *const signals[] = {"connect", "disconnect", "is_connected", "yield", "Callable", NULL};
    authority_lines *a = s->all;
    size_t open = i;
    while (open > 1 && i - open < 64 && !is_mark(&s->t[open], '(') && s->t[open].kind != TOKEN_NEWLINE) {
        open = authority_closes(&s->t[open]) ? authority_match(s, open) : open;
        open -= open > 0;
    }
    if (is_mark(&s->t[i + 1], '.') || (open > 1 && authority_is_word(&s->t[open - 1], signals)) ||
        (a->own_count > 0 && a->own_passed_on[a->own_count - 1] == s->path)) {
        return;
    }
    if (pool_grow(&a->pool, &a->own_passed_on, a->own_count, &a->own_room, AUTHORITY_MAX_NAMES,
                  sizeof *a->own_passed_on)) {
        a->own_passed_on[a->own_count++] = s->path;
    }
}

static void read_token(authority_script *s, size_t i)
{
    static const char *const scripts[] = {"set_script", "SetScript", NULL};
    static const char *const adds[] = {"add_child",   "AddChild",   "add_child_below_node",
                                       "add_sibling", "AddSibling", "reparent",
                                       "Reparent",    NULL};
    static const char *const children[] = {"get_children", "GetChildren", "get_child", "GetChild", NULL};
    static const char *const roots[] = {"root", "Root", "get_root", "GetRoot", NULL};
    static const char *const spawners[] = {"MultiplayerSpawner", NULL};
    authority_lines *a = s->all;
    const token *t = &s->t[i];
    size_t peer;
    if (authority_is_one_of(t->text, setters)) {
        read_setter(s, i);
    }
    a->sets_scripts |= authority_is_one_of(t->text, scripts);
    a->adds_to_root |= authority_is_one_of(t->text, adds) && comes_after(s, i, roots);
    a->autoloads_passed_on |= authority_is_word(t, children) && comes_after(s, i, roots);
    if (is_name(t, "self") || is_name(t, "this")) {
        read_self(s, i);
    }
    read_autoload(s, i);
    slice before = name_before_peer(s, i, &peer);
    if (before.text &&
        pool_grow(&a->pool, &a->names, a->name_count, &a->name_room, AUTHORITY_MAX_NAMES, sizeof *a->names)) {
        a->names[a->name_count++] = hash_of(before);
    }
    a->spawns |= authority_is_one_of(t->text, spawners);
    if (t->kind == TOKEN_WORD && is_mark(&s->t[i - 1], '.') && authority_assigned_value(s, i) &&
        !is_name(&s->t[i - 2], "self") && !is_name(&s->t[i - 2], "this")) {
        uint32_t bit = hash_of(t->text) % AUTHORITY_NAME_BITS;
        a->assigned[bit / 8] |= (uint8_t)(1 << bit % 8);
    }
}

/* --- scripts ------------------------------------------------------------------------------------- */

void authority_add_autoload(authority_lines *a, uint32_t root, slice name, slice path)
{
    if (pool_grow(&a->pool, &a->autoloads, a->autoload_count, &a->autoload_room, AUTHORITY_MAX_AUTOLOADS,
                  sizeof *a->autoloads)) {
        const char *kept = keep(a, name), *kept_path = keep(a, path);
        a->autoloads[a->autoload_count] = (authority_autoload){root, kept, kept_path, false};
        a->autoload_count += kept && kept_path;
    }
}

/* All tokens of the script. False: there are too many, or no memory. */
static bool read_tokens(authority_script *s, lexer lex)
{
    size_t length = (size_t)(lex.end - lex.next), most = AUTHORITY_MAX_TOKENS;
    s->t = malloc(((length < most ? length + 2 : most) + 4) * sizeof *s->t);
    if (!s->t) {
        return false;
    }
    s->t[s->count++] = (token){.kind = TOKEN_NEWLINE};
    for (token t = rpc_next_token(&lex); t.kind != TOKEN_END && s->count < AUTHORITY_MAX_TOKENS;
         t = rpc_next_token(&lex)) {
        if (t.kind == TOKEN_NEWLINE && lex.next[-1] == ';') {
            t.mark = ';'; /* another statement on the same line */
        }
        s->t[s->count++] = t;
    }
    for (int i = 0; i < 4; i++) {
        s->t[s->count + (size_t)i] = (token){.kind = TOKEN_NEWLINE};
    }
    return s->count < AUTHORITY_MAX_TOKENS;
}

/* A line that reaches every node, if there is one. */
static void add_everything(const authority_script *s, bool there)
{
    if (there) {
        add_line(s->all, (authority_line){.target = AUTHORITY_OF_ANY,
                                          .root = s->root,
                                          .path = keep(s->all, slice_of(s->path)),
                                          .recursive = true});
    }
}

void authority_add_script(authority_lines *a, rpc_language language, const source_file *file)
{
    const char *text = file->text.text;
    lexer lex = {.next = text,
                 .end = text + file->text.length,
                 .language = language,
                 .line_start = true,
                 .counted = text};
    authority_script s = {.all = a,
                          .root = file->root,
                          .language = language,
                          .path = keep(a, slice_of(file->path)),
                          .lines = lex};
    if (read_tokens(&s, lex)) {
        for (size_t i = 1; i < s.count; i++) {
            if (s.t[i].kind == TOKEN_WORD || s.t[i].kind == TOKEN_STRING) {
                read_token(&s, i);
            }
        }
    } else {
        a->autoloads_passed_on = a->sets_scripts = a->adds_to_root = true;
        add_everything(&s, names_setter(file->text, false));
    }
    free(s.t);
}

void authority_add_scene(authority_lines *a, const source_file *file)
{
    authority_script s = {.all = a, .root = file->root, .path = file->path};
    add_everything(&s, names_setter(file->text, true));
}

void authority_link(authority_lines *a)
{
    for (uint32_t i = 0; i < a->line_count; i++) {
        authority_line *line = &a->lines[i];
        uint32_t bit = hash_of(slice_of(line->variable)) % AUTHORITY_NAME_BITS;
        bool other = line->variable && a->assigned[bit / 8] >> bit % 8 & 1;
        uint32_t named = 0, lines = 0, made = hash_of(slice_of(line->made));
        for (uint32_t k = 0; line->made && k < a->name_count; k++) {
            named += a->names[k] == made;
        }
        for (uint32_t k = 0; line->made && k < a->line_count; k++) {
            lines += a->lines[k].made && strcmp(a->lines[k].made, line->made) == 0;
        }
        if (named > lines) { /* other nodes get such names, too */
            line->function = NULL;
        }
        if (other && line->target < AUTHORITY_OF_VALUE) { /* another script may set it */
            line->target = AUTHORITY_OF_VALUE;
            line->name = NULL;
        }
    }
}

void authority_free(authority_lines *a)
{
    pool_free(&a->pool);
    free(a->lines);
    free(a->autoloads);
    free(a->own_passed_on);
    free(a->names);
}
