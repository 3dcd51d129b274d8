/* project/gdscript.c
 *
 * Classes of a GDScript source and their methods with @rpc, rpc_config() or Godot 3's keywords. Only the
 * beginnings of statements matter, and their indentation. See gdscript.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/gdscript.h"

/* Path of a script as another one names it: absolute, or relative to the directory of `from`. */
static const char *resolve_path(rpc_project *project, const char *from, slice path)
{
    slice directory = NO_SLICE;
    bool absolute = path.length >= 6 && memcmp(path.text, "res://", 6) == 0;
    if (path.length >= 6 && memcmp(path.text, "uid://", 6) == 0) { /* see rpc_project_add_uid() */
        return rpc_keep(project, path, NO_SLICE, NO_SLICE, NO_SLICE);
    }
    if (!absolute) {
        const char *slash = strrchr(from, '/');
        directory = (slice){from, slash ? (uint32_t)(slash - from) + 1 : 0};
    }
    char *full = rpc_keep(project, directory, path, NO_SLICE, NO_SLICE);
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
    bool rpc_pending; /* @rpc was read, its func has not come yet */
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
    info->base_name = name.length ? rpc_keep(script->project, name, NO_SLICE, NO_SLICE, NO_SLICE) : NULL;
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
    info.label = rpc_keep(project, slice_of(outer->label), slice_of(nested ? "." : ":"), t->text, NO_SLICE);
    const char *name = rpc_keep(project, t->text, NO_SLICE, NO_SLICE, NO_SLICE);
    *t = rpc_next_token(&script->lex);
    if (script->depth + 1 >= RPC_MAX_NESTING || !info.label) {
        project->truncated = true;
        return;
    }
    uint32_t index = rpc_add_class(project, info);
    if (index == NO_CLASS) {
        return;
    }
    rpc_add_symbol(project, SYMBOL_INNER, info.outer, name, index, NULL);
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
            rpc_add_symbol(script->project, SYMBOL_ALIAS, script->open[script->depth],
                           rpc_keep(script->project, name, NO_SLICE, NO_SLICE, NO_SLICE), 0,
                           resolve_path(script->project, script->path, t->text));
        }
        return;
    }
}

/* Keywords that made a method or property callable in Godot 3. */
static bool is_legacy_keyword(const token *t)
{
    static const char *const words[] = {"remote", "remotesync", "sync",  "master",   "mastersync",
                                        "puppet", "puppetsync", "slave", "slavesync"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_name(t, words[i])) {
            return true;
        }
    }
    return false;
}

static void add_legacy(gdscript *script, slice name)
{
    rpc_add_method(script->project, &current_class(script)->legacy, name);
    method *added = current_class(script)->legacy;
    if (added) {
        rpc_add_symbol(script->project, SYMBOL_LEGACY, 0, added->name, script->open[script->depth], NULL);
    }
}

/* Annotations, possibly on lines of their own. Returns false if what they belong to comes in the next line. */
static bool read_annotations(gdscript *script, token *t)
{
    while (is_mark(t, '@')) {
        *t = rpc_next_token(&script->lex);
        bool known = is_name(t, "rpc");
        script->rpc_pending |= known;
        if (t->kind == TOKEN_WORD) {
            *t = rpc_next_token(&script->lex);
        }
        if (is_mark(t, '(')) {
            uint32_t inside = script->lex.brackets;
            while (t->kind != TOKEN_END && script->lex.brackets >= inside) {
                *t = rpc_next_token(&script->lex);
            }
            *t = rpc_next_token(&script->lex);
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
        rpc_add_symbol(script->project, SYMBOL_GLOBAL, script->root,
                       rpc_keep(script->project, t->text, NO_SLICE, NO_SLICE, NO_SLICE), script->open[0],
                       NULL);
        *t = rpc_next_token(&script->lex);
    }
    if (is_name(t, "extends")) {
        read_extends(script, t);
    }
}

/* One statement, as far as its beginning matters. `t` is its first token; leaves `t` where it stopped. */
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
    bool legacy = is_legacy_keyword(t);
    if (legacy) {
        *t = rpc_next_token(&script->lex);
    }
    if (is_name(t, "func") || (legacy && is_name(t, "var"))) {
        *t = rpc_next_token(&script->lex);
        if (t->kind == TOKEN_WORD && callable) {
            rpc_add_method(script->project, &current_class(script)->methods, t->text);
        }
        if (t->kind == TOKEN_WORD && legacy) {
            add_legacy(script, t->text);
        }
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
    while (t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END) {
        if (is_mark(t, '.')) {
            own = is_name(&previous, "self");
            after_dot = true;
        } else if (is_name(t, "rpc_config")) {
            bool on_self = !after_dot || own;
            *t = rpc_next_token(&script->lex);
            if (is_mark(t, '(')) {
                *t = rpc_next_token(&script->lex);
            }
            if (is_mark(t, '&')) {
                *t = rpc_next_token(&script->lex);
            }
            class_info *info = current_class(script);
            if (t->kind == TOKEN_STRING) {
                rpc_add_method(script->project, on_self ? &info->node_methods : &info->other_methods,
                               t->text);
            }
            after_dot = false;
            if (t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END) {
                return;
            }
        } else {
            after_dot = false;
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
    rpc_add_symbol(project, SYMBOL_PATH, root, path, script.open[0], NULL);
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
