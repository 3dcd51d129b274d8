/* gdscript.c
 *
 * Classes of a GDScript source and their methods with @rpc, rpc_config() or Godot 3's keywords. Only the
 * beginnings of statements matter, and their indentation. See gdscript.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scripts/rpc_sources.h"

/* Path of a script as another one names it: absolute, or relative to the directory of `from`. */
static const char *resolve_path(rpc_project *project, const char *from, slice path)
{
    slice directory = NO_SLICE;
    bool absolute = path.length >= 6 && memcmp(path.text, "res://", 6) == 0;
    if (path.length >= 6 && memcmp(path.text, "uid://", 6) == 0) { /* see rpc_project_add_uid() */
        return pool_text(&project->pool, path);
    }
    if (!absolute) {
        const char *slash = strrchr(from, '/');
        directory = (slice){from, slash ? (uint32_t)(slash - from) + 1 : 0};
    }
    char *full = pool_join(&project->pool, directory, path, NO_SLICE, NO_SLICE);
    if (!full) {
        return NULL;
    }
    /* Takes out "./" and "x/../". The result is never longer, so it is made in place. */
    char *write = full + (strncmp(full, "res://", 6) == 0 ? 6 : 0), *floor = write;
    for (const char *read = write; *read;) {
        const char *slash = strchr(read, '/');
        size_t length = slash ? (size_t)(slash - read) : strlen(read);
        if (length == 2 && read[0] == '.' && read[1] == '.') {
            if (write > floor) {
                write--;
            }
            while (write > floor && write[-1] != '/') {
                write--;
            }
        } else if (length > 0 && !(length == 1 && read[0] == '.')) {
            memmove(write, read, length);
            write += length;
            if (slash) {
                *write++ = '/';
            }
        }
        read += length + (slash != NULL);
    }
    *write = 0;
    return full;
}

typedef struct {
    rpc_project *project;
    lexer lex;
    const char *path;
    uint32_t root;
    uint32_t open[RPC_MAX_NESTING]; /* classes that the current line is in; 0: the file's */
    uint32_t columns[RPC_MAX_NESTING];
    uint32_t depth;
    bool rpc_pending; /* @rpc was read, its func has not come yet: */
    rpc_mode mode;    /* of it */
} gdscript;

static class_info *current_class(gdscript *script)
{
    return &script->project->classes[script->open[script->depth]];
}

/* extends "path".Inner, extends Name.Inner */
static void read_extends(gdscript *script, token *t)
{
    class_info *info = current_class(script);
    slice name = NO_SLICE;
    *t = rpc_next_token(&script->lex);
    const char *path = NULL;
    if (t->kind == TOKEN_STRING) {
        path = resolve_path(script->project, script->path, t->text);
        *t = rpc_next_token(&script->lex);
        if (is_mark(t, '.')) {
            *t = rpc_next_token(&script->lex);
            name = rpc_read_dotted(&script->lex, t);
        }
    } else {
        name = rpc_read_dotted(&script->lex, t);
    }
    info->base_path = path;
    info->base_name = name.length ? pool_text(&script->project->pool, name) : NULL;
}

/* class Name [extends …]: */
static void read_class(gdscript *script, token *t, uint32_t column)
{
    rpc_project *project = script->project;
    *t = rpc_next_token(&script->lex);
    if (t->kind != TOKEN_WORD) {
        return;
    }
    const class_info *outer = current_class(script);
    bool nested = script->depth > 0;
    class_info info = {.root = script->root,
                       .outer = script->open[script->depth],
                       .language = RPC_GDSCRIPT,
                       .path = script->path};
    info.label =
        pool_join(&project->pool, slice_of(outer->label), slice_of(nested ? "." : ":"), t->text, NO_SLICE);
    const char *name = pool_text(&project->pool, t->text);
    *t = rpc_next_token(&script->lex);
    if (script->depth + 1 >= RPC_MAX_NESTING || !info.label) {
        project->truncated = true;
        return;
    }
    uint32_t index = rpc_add_class(project, info);
    if (index == NO_CLASS) {
        return;
    }
    rpc_add_symbol(project,
                   (symbol){.kind = SYMBOL_INNER, .owner = info.outer, .name = name, .index = index});
    rpc_add_symbol(project,
                   (symbol){.kind = SYMBOL_PATH, .owner = script->root, .name = info.label, .index = index});
    script->depth++;
    script->open[script->depth] = index;
    script->columns[script->depth] = column;
    if (is_name(t, "extends")) {
        read_extends(script, t);
    }
    if (is_mark(t, ':')) { /* and a statement on the same line? */
        *t = rpc_next_token(&script->lex);
        if (is_name(t, "extends")) {
            read_extends(script, t);
        }
    }
}

/* const Name = preload("path") */
static void read_const(gdscript *script, token *t)
{
    *t = rpc_next_token(&script->lex);
    if (t->kind != TOKEN_WORD) {
        return;
    }
    slice name = t->text;
    for (*t = rpc_next_token(&script->lex); t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END;
         *t = rpc_next_token(&script->lex)) {
        if (!is_name(t, "preload") && !is_name(t, "load")) {
            continue;
        }
        *t = rpc_next_token(&script->lex);
        if (is_mark(t, '(')) {
            *t = rpc_next_token(&script->lex);
        }
        if (t->kind == TOKEN_STRING) {
            rpc_add_symbol(script->project,
                           (symbol){.kind = SYMBOL_ALIAS,
                                    .owner = script->open[script->depth],
                                    .name = pool_text(&script->project->pool, name),
                                    .index = 0,
                                    .path = resolve_path(script->project, script->path, t->text)});
        }
        return;
    }
}

typedef struct {
    const char *word;
    rpc_mode mode;
} mode_word;

/* The mode with this name, RPC_MODE_UNKNOWN if there is none. */
static rpc_mode find_mode(const mode_word *words, size_t count, slice word)
{
    for (size_t i = 0; i < count; i++) {
        if (slice_equals(word, words[i].word)) {
            return words[i].mode;
        }
    }
    return RPC_MODE_UNKNOWN;
}

#define FIND_MODE(words, word) find_mode(words, sizeof(words) / sizeof *(words), word)

/* Keywords that made a method or property callable in Godot 3. */
static const mode_word keywords[] = {
    {"remote", RPC_MODE_ANY_PEER}, {"remotesync", RPC_MODE_ANY_PEER},   {"sync", RPC_MODE_ANY_PEER},
    {"master", RPC_MODE_MASTER},   {"mastersync", RPC_MODE_MASTERSYNC}, {"puppet", RPC_MODE_PUPPET},
    {"slave", RPC_MODE_PUPPET},    {"puppetsync", RPC_MODE_PUPPETSYNC}, {"slavesync", RPC_MODE_PUPPETSYNC},
};

/* Arguments of @rpc. */
static const mode_word annotations[] = {{"any_peer", RPC_MODE_ANY_PEER}, {"authority", RPC_MODE_AUTHORITY}};

/* In the configuration that rpc_config() gets. */
static const mode_word constants[] = {{"RPC_MODE_DISABLED", RPC_MODE_DISABLED},
                                      {"RPC_MODE_ANY_PEER", RPC_MODE_ANY_PEER},
                                      {"RPC_MODE_AUTHORITY", RPC_MODE_AUTHORITY}};

/* Reads the arguments of @rpc or another annotation from '(' on; `t` becomes the token after ')'. Returns the
 * mode of @rpc; a constant may be any. */
static rpc_mode read_annotation_arguments(gdscript *script, token *t)
{
    rpc_mode mode = RPC_MODE_AUTHORITY;
    bool certain = true;
    uint32_t inside = script->lex.brackets;
    while (t->kind != TOKEN_END && script->lex.brackets >= inside) {
        rpc_mode found = t->kind == TOKEN_STRING ? FIND_MODE(annotations, t->text) : RPC_MODE_UNKNOWN;
        mode = found ? found : mode;
        certain = certain && (t->kind != TOKEN_WORD || (*t->text.text >= '0' && *t->text.text <= '9'));
        *t = rpc_next_token(&script->lex);
    }
    *t = rpc_next_token(&script->lex);
    return certain ? mode : RPC_MODE_UNKNOWN;
}

/* Reads annotations, possibly on lines of their own. False if the annotated statement is on the next line. */
static bool read_annotations(gdscript *script, token *t)
{
    while (is_mark(t, '@')) {
        *t = rpc_next_token(&script->lex);
        bool rpc = is_name(t, "rpc");
        rpc_mode mode = RPC_MODE_AUTHORITY;
        if (t->kind == TOKEN_WORD) {
            *t = rpc_next_token(&script->lex);
        }
        if (is_mark(t, '(')) {
            mode = read_annotation_arguments(script, t);
        }
        if (rpc) {
            script->rpc_pending = true;
            script->mode = mode;
        }
        if (t->kind == TOKEN_NEWLINE) {
            return false;
        }
    }
    return true;
}

/* class_name Name [extends …] */
static void read_class_name(gdscript *script, token *t)
{
    *t = rpc_next_token(&script->lex);
    if (t->kind == TOKEN_WORD) {
        rpc_add_symbol(script->project, (symbol){.kind = SYMBOL_GLOBAL,
                                                 .owner = script->root,
                                                 .name = pool_text(&script->project->pool, t->text),
                                                 .index = script->open[0]});
        *t = rpc_next_token(&script->lex);
    }
    if (is_name(t, "extends")) {
        read_extends(script, t);
    }
}

/* At the name of a function, or of a property that Godot 3 sets from elsewhere. `remote`: by @rpc; `legacy`:
 * by a keyword, RPC_MODE_UNKNOWN if there is none. */
static void read_function(gdscript *script, token *t, bool remote, rpc_mode legacy, bool is_function)
{
    rpc_project *project = script->project;
    uint32_t index = script->open[script->depth];
    slice name = t->text;
    if (t->kind != TOKEN_WORD) {
        return;
    }
    uint32_t line = rpc_line_of(&script->lex, name.text);
    *t = rpc_next_token(&script->lex);
    rpc_signature signature = {.counted = false};
    if (is_function) {
        signature = rpc_read_parameters(&script->lex, t);
    }
    signature.path = script->path;
    signature.line = line;
    if (is_function) {
        rpc_add_function(project, (symbol){.kind = SYMBOL_FUNCTION,
                                           .owner = index,
                                           .name = pool_text(&project->pool, name),
                                           .index = 0,
                                           .signature = signature});
    }
    if (remote && is_function) {
        signature.mode = (uint8_t)script->mode;
        rpc_add_method(project, &current_class(script)->methods, name, signature);
    }
    if (legacy) {
        signature.mode = (uint8_t)legacy;
        method *added = rpc_add_method(project, &current_class(script)->legacy, name, signature);
        if (added) {
            rpc_add_function(project, (symbol){.kind = SYMBOL_LEGACY,
                                               .owner = 0,
                                               .name = added->name,
                                               .index = index,
                                               .signature = signature});
        }
    }
}

/* Reads the beginning of a statement. `t` is its first token and becomes the token after the part that was
 * read. */
static void read_statement(gdscript *script, token *t)
{
    uint32_t column = t->column;
    while (script->depth > 0 && column <= script->columns[script->depth]) {
        script->depth--;
    }
    if (!read_annotations(script, t)) {
        return;
    }

    bool callable = script->rpc_pending;
    script->rpc_pending = false;
    if (is_name(t, "static")) {
        *t = rpc_next_token(&script->lex);
    }
    rpc_mode legacy = t->kind == TOKEN_WORD ? FIND_MODE(keywords, t->text) : RPC_MODE_UNKNOWN;
    if (legacy) {
        *t = rpc_next_token(&script->lex);
    }
    bool is_function = is_name(t, "func");
    if (is_function || (legacy && is_name(t, "var"))) {
        *t = rpc_next_token(&script->lex);
        read_function(script, t, callable, legacy, is_function);
    } else if (is_name(t, "class")) {
        read_class(script, t, column);
    } else if (is_name(t, "class_name")) {
        read_class_name(script, t);
    } else if (is_name(t, "extends")) {
        read_extends(script, t);
    } else if (is_name(t, "const")) {
        read_const(script, t);
    }
}

/* The rest of a statement: rpc_config("name", …) may be anywhere in it. */
static void read_rest(gdscript *script, token *t)
{
    bool own = true, after_dot = false;
    token previous = {.kind = TOKEN_NEWLINE};
    method *configured = NULL;
    while (t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END) {
        if (is_mark(t, '.')) {
            own = is_name(&previous, "self");
            after_dot = true;
        } else if (is_name(t, "rpc_config") || is_name(t, "rset_config")) {
            bool on_self = !after_dot || own, of_property = is_name(t, "rset_config");
            *t = rpc_next_token(&script->lex);
            if (is_mark(t, '(')) {
                *t = rpc_next_token(&script->lex);
            }
            if (is_mark(t, '&')) {
                *t = rpc_next_token(&script->lex);
            }
            class_info *info = current_class(script);
            rpc_add_symbol(script->project,
                           (symbol){.kind = SYMBOL_CONFIGURED,
                                    .owner = 0,
                                    .name = pool_text(&script->project->pool,
                                                      t->kind == TOKEN_STRING ? t->text : slice_of("")),
                                    .index = script->open[script->depth]});
            if (t->kind == TOKEN_STRING && !of_property) {
                configured =
                    rpc_add_method(script->project, on_self ? &info->node_methods : &info->other_methods,
                                   t->text, (rpc_signature){.counted = false});
            }
            after_dot = false;
            if (t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END) {
                return;
            }
        } else {
            after_dot = false;
            rpc_mode mode =
                configured && t->kind == TOKEN_WORD ? FIND_MODE(constants, t->text) : RPC_MODE_UNKNOWN;
            if (mode) {
                configured->signature.mode = (uint8_t)mode;
            }
        }
        previous = *t;
        *t = rpc_next_token(&script->lex);
    }
}

void rpc_scan_gdscript(rpc_project *project, uint32_t root, const char *path, lexer lex)
{
    class_info info = {
        .root = root, .outer = NO_CLASS, .language = RPC_GDSCRIPT, .path = path, .label = path};
    gdscript script = {.project = project, .lex = lex, .path = path, .root = root};
    script.open[0] = rpc_add_class(project, info);
    if (script.open[0] == NO_CLASS) {
        return;
    }
    rpc_add_symbol(project,
                   (symbol){.kind = SYMBOL_PATH, .owner = root, .name = path, .index = script.open[0]});
    for (token t = rpc_next_token(&script.lex); t.kind != TOKEN_END; t = rpc_next_token(&script.lex)) {
        if (t.kind == TOKEN_NEWLINE) {
            continue;
        }
        read_statement(&script, &t);
        read_rest(&script, &t);
        if (t.kind == TOKEN_END) {
            break;
        }
    }
}
