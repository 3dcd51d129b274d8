/* rpc_names.c
 *
 * Names of remote procedures from GDScript and C# sources; what for and how is in rpc_names.h.
 *
 * The two languages have a scanner each that calls the same few functions: begin_class(), add_method(),
 * end_class() … What they find goes into one table of symbols, so that every question that inheritance asks
 * ("inner class B of class 7", "global class Player of game 0", "script res://a.gd") is one binary search.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rpc_names.h"

#include <stdlib.h>
#include <string.h>

#include "md5.h"

/* --- memory: everything lives until the project goes ------------------------------------------------ */

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    char bytes[];
} chunk;

enum { CHUNK_SIZE = 64 * 1024, NO_CLASS = UINT32_MAX };

typedef struct method {
    const char *name;
    struct method *next;
} method;

typedef struct {
    const char *text;
    uint32_t length;
} slice;

/* A class of a source file: the file itself in GDScript, inner classes, C# classes. */
typedef struct {
    uint32_t root, outer;
    rpc_language language;
    const char *path;      /* of the file */
    const char *label;     /* for people */
    const char *base_path; /* extends "res://…"; NULL if by name or not at all */
    const char *base_name; /* extends Name.Inner; behind base_path: inner classes of it */
    const char *scope;     /* C#: namespace and outer classes, "A.B." */
    method *methods;       /* @rpc, [Rpc] */
    method *node_methods;  /* rpc_config() on itself */
    method *other_methods; /* rpc_config() on some other node */
    method *legacy;        /* Godot 3: remote, master, … */
} class_info;

typedef enum {
    SYMBOL_PATH,
    SYMBOL_GLOBAL,
    SYMBOL_INNER,
    SYMBOL_ALIAS,
    SYMBOL_UID,
    SYMBOL_LEGACY
} symbol_kind;

typedef struct {
    symbol_kind kind;
    uint32_t owner; /* root for PATH, GLOBAL, UID; class for INNER, ALIAS; 0 for LEGACY */
    const char *name;
    uint32_t index;   /* class; for the order among equals too */
    const char *path; /* ALIAS: preloaded script; UID: the file */
} symbol;

struct rpc_project {
    chunk *chunks;
    class_info *classes;
    symbol *symbols;
    rpc_list *lists;
    uint32_t class_count, class_room, symbol_count, symbol_room, list_count, list_room;
    uint32_t method_count, list_methods;
    bool truncated;
};

static void *take(rpc_project *project, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    chunk *current = project->chunks;
    if (!current || current->size - current->used < size) {
        size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        chunk *fresh = malloc(sizeof(chunk) + room);
        if (!fresh) {
            project->truncated = true;
            return NULL;
        }
        *fresh = (chunk){.next = current, .size = room};
        project->chunks = current = fresh;
    }
    void *place = current->bytes + current->used;
    current->used += size;
    return place;
}

/* A copy of up to four pieces of text, one after the other. NULL if there is no memory. */
static char *keep(rpc_project *project, slice a, slice b, slice c, slice d)
{
    const slice parts[] = {a, b, c, d};
    char *copy = take(project, (size_t)a.length + b.length + c.length + d.length + 1), *end = copy;
    if (!copy)
        return NULL;
    for (int i = 0; i < 4; i++) {
        if (parts[i].length)
            memcpy(end, parts[i].text, parts[i].length);
        end += parts[i].length;
    }
    *end = 0;
    return copy;
}

static slice whole(const char *text)
{
    return (slice){text, text ? (uint32_t)strlen(text) : 0};
}

#define NOTHING ((slice){NULL, 0})

static bool same(slice a, const char *b)
{
    return strlen(b) == a.length && memcmp(a.text, b, a.length) == 0;
}

/* Makes room for one more element of `size`. */
static bool grow(rpc_project *project, void **array, uint32_t count, uint32_t *room, uint32_t limit,
                 size_t size)
{
    if (count < *room)
        return true;
    uint32_t wanted = *room ? *room * 2 : 64;
    void *bigger = count < limit ? realloc(*array, wanted * size) : NULL;
    if (!bigger) {
        project->truncated = true;
        return false;
    }
    *array = bigger;
    *room = wanted;
    return true;
}

static void add_symbol(rpc_project *project, symbol_kind kind, uint32_t owner, const char *name,
                       uint32_t index, const char *path)
{
    /* One for every class and method at most, twice for safety. */
    if (name && grow(project, (void **)&project->symbols, project->symbol_count, &project->symbol_room,
                     2 * (RPC_MAX_CLASSES + RPC_MAX_METHODS), sizeof(symbol)))
        project->symbols[project->symbol_count++] = (symbol){kind, owner, name, index, path};
}

/* Index of the new class, NO_CLASS at the limit. */
static uint32_t add_class(rpc_project *project, class_info info)
{
    if (!grow(project, (void **)&project->classes, project->class_count, &project->class_room,
              RPC_MAX_CLASSES, sizeof(class_info)))
        return NO_CLASS;
    project->classes[project->class_count] = info;
    return project->class_count++;
}

static void add_method(rpc_project *project, method **list, slice name)
{
    if (name.length == 0)
        return;
    if (project->method_count >= RPC_MAX_METHODS) {
        project->truncated = true;
        return;
    }
    method *fresh = take(project, sizeof *fresh);
    const char *text = fresh ? keep(project, name, NOTHING, NOTHING, NOTHING) : NULL;
    if (!text)
        return;
    *fresh = (method){text, *list};
    *list = fresh;
    project->method_count++;
}

/* --- tokens ------------------------------------------------------------------------------------------ */

typedef enum { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_MARK, TOKEN_NEWLINE } token_kind;

typedef struct {
    token_kind kind;
    slice text; /* STRING: without quotes, escapes as they are written */
    char mark;
    uint32_t column; /* of the line's first token: its indentation */
} token;

typedef struct {
    const char *next, *end;
    rpc_language language;
    uint32_t brackets; /* GDScript: inside of them newlines do not count */
    uint32_t column;
    bool line_start;
} lexer;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool looking_at(const lexer *lex, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(lex->end - lex->next) >= length && memcmp(lex->next, text, length) == 0;
}

static void skip_line(lexer *lex)
{
    const char *newline = memchr(lex->next, '\n', (size_t)(lex->end - lex->next));
    lex->next = newline ? newline : lex->end;
}

/* Skips past `close`, or to the end. */
static slice skip_past(lexer *lex, const char *close, bool escapes, bool one_line)
{
    slice content = {lex->next, 0};
    while (lex->next < lex->end) {
        content.length = (uint32_t)(lex->next - content.text);
        if (looking_at(lex, close)) {
            lex->next += strlen(close);
            return content;
        }
        if (one_line && *lex->next == '\n')
            return content;
        lex->next += escapes && *lex->next == '\\' && lex->end - lex->next > 1 ? 2 : 1;
    }
    content.length = (uint32_t)(lex->end - content.text);
    return content;
}

/* At a quote: GDScript's "…", '…', triple quotes; C#'s "…", """…""", '…'. `verbatim`: r"…" or @"…". */
static token read_string(lexer *lex, bool verbatim)
{
    char quote = *lex->next;
    char triple[4] = {quote, quote, quote, 0}, single[2] = {quote, 0};
    token result = {.kind = TOKEN_STRING};
    if (looking_at(lex, triple) && (lex->language == RPC_GDSCRIPT || quote == '"')) {
        lex->next += 3;
        result.text = skip_past(lex, triple, lex->language == RPC_GDSCRIPT, false);
    } else {
        lex->next++;
        /* GDScript: a backslash keeps a raw string's quote from ending it, too. C#: a verbatim string ends
         * at a quote; a doubled one begins a new string right there, which comes to the same. */
        bool csharp_verbatim = verbatim && lex->language == RPC_CSHARP;
        result.text = skip_past(lex, single, !csharp_verbatim, lex->language == RPC_CSHARP && !verbatim);
    }
    return result;
}

/* Spaces, comments, continued lines. Returns true at a newline that ends a statement. */
static bool skip_blank(lexer *lex)
{
    while (lex->next < lex->end) {
        char c = *lex->next;
        if (c == '\n') {
            lex->next++;
            if (lex->language == RPC_GDSCRIPT && lex->brackets == 0 && !lex->line_start)
                return lex->line_start = true;
            lex->line_start = true;
            lex->column = 0;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            if (lex->line_start)
                lex->column += c == '\t' ? 4 : 1;
            lex->next++;
        } else if (lex->language == RPC_GDSCRIPT && c == '#') {
            skip_line(lex);
        } else if (lex->language == RPC_GDSCRIPT && c == '\\') { /* the line goes on in the next one */
            skip_line(lex);
            lex->next += lex->next < lex->end;
        } else if (lex->language == RPC_CSHARP && (looking_at(lex, "//") || (c == '#' && lex->line_start))) {
            skip_line(lex);
        } else if (lex->language == RPC_CSHARP && looking_at(lex, "/*")) {
            lex->next += 2;
            skip_past(lex, "*/", false, false);
        } else {
            break;
        }
    }
    return false;
}

static token next_token(lexer *lex)
{
    token result = {.kind = TOKEN_NEWLINE};
    bool first = lex->line_start;
    if (first)
        lex->column = 0;
    if (skip_blank(lex)) {
        lex->column = 0;
        return result;
    }
    first |= lex->line_start;
    lex->line_start = false;
    if (lex->next >= lex->end) {
        result.kind = TOKEN_END;
        return result;
    }
    const char *start = lex->next;
    char c = *start;
    if (c == '"' || c == '\'') {
        result = read_string(lex, false);
    } else if (is_word(c)) {
        while (lex->next < lex->end && is_word(*lex->next))
            lex->next++;
        result.text = (slice){start, (uint32_t)(lex->next - start)};
        if (lex->language == RPC_GDSCRIPT && same(result.text, "r") && lex->next < lex->end &&
            (*lex->next == '"' || *lex->next == '\''))
            result = read_string(lex, true);
        else
            result.kind = TOKEN_WORD;
    } else if (lex->language == RPC_CSHARP &&
               (looking_at(lex, "@\"") || looking_at(lex, "$@\"") || looking_at(lex, "@$\""))) {
        lex->next = memchr(start, '"', 3);
        result = read_string(lex, true);
    } else {
        lex->next++;
        result.kind = TOKEN_MARK;
        result.mark = c;
        if ((c == '(' || c == '[' || c == '{') && lex->brackets < UINT32_MAX)
            lex->brackets++;
        else if ((c == ')' || c == ']' || c == '}') && lex->brackets > 0)
            lex->brackets--;
    }
    result.column = lex->column;
    return result;
}

static bool is_mark(const token *t, char mark)
{
    return t->kind == TOKEN_MARK && t->mark == mark;
}

static bool is_name(const token *t, const char *word)
{
    return t->kind == TOKEN_WORD && same(t->text, word);
}

/* "A.B.C" beginning at `*t`; leaves `*t` at the token behind. Generic arguments in C# are passed over. */
static slice read_dotted(lexer *lex, token *t)
{
    slice name = {t->text.text, 0};
    while (t->kind == TOKEN_WORD) {
        name.length = (uint32_t)(t->text.text + t->text.length - name.text);
        *t = next_token(lex);
        if (!is_mark(t, '.'))
            break;
        *t = next_token(lex);
    }
    return name;
}

/* --- GDScript ---------------------------------------------------------------------------------------- */

/* Path of a script as another one names it: absolute, or relative to the directory of `from`. */
static const char *resolve_path(rpc_project *project, const char *from, slice path)
{
    slice directory = NOTHING;
    bool absolute = path.length >= 6 && memcmp(path.text, "res://", 6) == 0;
    if (path.length >= 6 && memcmp(path.text, "uid://", 6) == 0) /* see rpc_project_add_uid() */
        return keep(project, path, NOTHING, NOTHING, NOTHING);
    if (!absolute) {
        const char *slash = strrchr(from, '/');
        directory = (slice){from, slash ? (uint32_t)(slash - from) + 1 : 0};
    }
    char *full = keep(project, directory, path, NOTHING, NOTHING);
    if (!full)
        return NULL;
    /* Takes out "./" and "x/../". The result is never longer, so it is made in place. */
    char *write = full + (strncmp(full, "res://", 6) == 0 ? 6 : 0), *floor = write;
    for (const char *read = write; *read;) {
        const char *slash = strchr(read, '/');
        size_t length = slash ? (size_t)(slash - read) : strlen(read);
        if (length == 2 && read[0] == '.' && read[1] == '.') {
            if (write > floor)
                write--;
            while (write > floor && write[-1] != '/')
                write--;
        } else if (length > 0 && !(length == 1 && read[0] == '.')) {
            memmove(write, read, length);
            write += length;
            if (slash)
                *write++ = '/';
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
    slice name = NOTHING;
    *t = next_token(&script->lex);
    const char *path = NULL;
    if (t->kind == TOKEN_STRING) {
        path = resolve_path(script->project, script->path, t->text);
        *t = next_token(&script->lex);
        if (is_mark(t, '.')) {
            *t = next_token(&script->lex);
            name = read_dotted(&script->lex, t);
        }
    } else {
        name = read_dotted(&script->lex, t);
    }
    info->base_path = path;
    info->base_name = name.length ? keep(script->project, name, NOTHING, NOTHING, NOTHING) : NULL;
}

/* class Name [extends …]: */
static void read_class(gdscript *script, token *t, uint32_t column)
{
    rpc_project *project = script->project;
    *t = next_token(&script->lex);
    if (t->kind != TOKEN_WORD)
        return;
    const class_info *outer = current_class(script);
    bool nested = script->depth > 0;
    class_info info = {.root = script->root,
                       .outer = script->open[script->depth],
                       .language = RPC_GDSCRIPT,
                       .path = script->path};
    info.label = keep(project, whole(outer->label), whole(nested ? "." : ":"), t->text, NOTHING);
    const char *name = keep(project, t->text, NOTHING, NOTHING, NOTHING);
    *t = next_token(&script->lex);
    if (script->depth + 1 >= RPC_MAX_NESTING || !info.label) {
        project->truncated = true;
        return;
    }
    uint32_t index = add_class(project, info);
    if (index == NO_CLASS)
        return;
    add_symbol(project, SYMBOL_INNER, info.outer, name, index, NULL);
    script->depth++;
    script->open[script->depth] = index;
    script->columns[script->depth] = column;
    if (is_name(t, "extends"))
        read_extends(script, t);
}

/* const Name = preload("path") */
static void read_const(gdscript *script, token *t)
{
    *t = next_token(&script->lex);
    if (t->kind != TOKEN_WORD)
        return;
    slice name = t->text;
    for (*t = next_token(&script->lex); t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END;
         *t = next_token(&script->lex)) {
        if (!is_name(t, "preload") && !is_name(t, "load"))
            continue;
        *t = next_token(&script->lex);
        if (is_mark(t, '('))
            *t = next_token(&script->lex);
        if (t->kind == TOKEN_STRING)
            add_symbol(script->project, SYMBOL_ALIAS, script->open[script->depth],
                       keep(script->project, name, NOTHING, NOTHING, NOTHING), 0,
                       resolve_path(script->project, script->path, t->text));
        return;
    }
}

/* Keywords that made a method or property callable in Godot 3. */
static bool is_legacy_keyword(const token *t)
{
    static const char *const words[] = {"remote", "remotesync", "sync",  "master",   "mastersync",
                                        "puppet", "puppetsync", "slave", "slavesync"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_name(t, words[i]))
            return true;
    return false;
}

static void add_legacy(gdscript *script, slice name)
{
    add_method(script->project, &current_class(script)->legacy, name);
    method *added = current_class(script)->legacy;
    if (added)
        add_symbol(script->project, SYMBOL_LEGACY, 0, added->name, script->open[script->depth], NULL);
}

/* One statement, as far as its beginning matters. `t` is its first token; leaves `t` where it stopped. */
static void read_statement(gdscript *script, token *t)
{
    uint32_t column = t->column;
    bool legacy = false;
    while (script->depth > 0 && column <= script->columns[script->depth])
        script->depth--;
    while (is_mark(t, '@')) { /* annotations, possibly on lines of their own */
        *t = next_token(&script->lex);
        bool known = is_name(t, "rpc");
        script->rpc_pending |= known;
        if (t->kind == TOKEN_WORD)
            *t = next_token(&script->lex);
        if (is_mark(t, '(')) {
            uint32_t inside = script->lex.brackets;
            while (t->kind != TOKEN_END && script->lex.brackets >= inside)
                *t = next_token(&script->lex);
            *t = next_token(&script->lex);
        }
        if (t->kind == TOKEN_NEWLINE)
            return; /* what it belongs to comes in the next line */
    }
    bool callable = script->rpc_pending;
    script->rpc_pending = false;
    if (is_name(t, "static"))
        *t = next_token(&script->lex);
    if (is_legacy_keyword(t)) {
        legacy = true;
        *t = next_token(&script->lex);
    }
    if (is_name(t, "func") || (legacy && is_name(t, "var"))) {
        *t = next_token(&script->lex);
        if (t->kind == TOKEN_WORD && callable)
            add_method(script->project, &current_class(script)->methods, t->text);
        if (t->kind == TOKEN_WORD && legacy)
            add_legacy(script, t->text);
    } else if (is_name(t, "class")) {
        read_class(script, t, column);
    } else if (is_name(t, "class_name")) {
        *t = next_token(&script->lex);
        if (t->kind == TOKEN_WORD) {
            add_symbol(script->project, SYMBOL_GLOBAL, script->root,
                       keep(script->project, t->text, NOTHING, NOTHING, NOTHING), script->open[0], NULL);
            *t = next_token(&script->lex);
        }
        if (is_name(t, "extends")) /* on the same line */
            read_extends(script, t);
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
            *t = next_token(&script->lex);
            if (is_mark(t, '('))
                *t = next_token(&script->lex);
            if (is_mark(t, '&'))
                *t = next_token(&script->lex);
            class_info *info = current_class(script);
            if (t->kind == TOKEN_STRING)
                add_method(script->project, on_self ? &info->node_methods : &info->other_methods, t->text);
            after_dot = false;
            if (t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END)
                return;
        } else {
            after_dot = false;
        }
        previous = *t;
        *t = next_token(&script->lex);
    }
}

static void scan_gdscript(rpc_project *project, uint32_t root, const char *path, lexer lex)
{
    class_info info = {
        .root = root, .outer = NO_CLASS, .language = RPC_GDSCRIPT, .path = path, .label = path};
    gdscript script = {.project = project, .lex = lex, .path = path, .root = root};
    script.open[0] = add_class(project, info);
    if (script.open[0] == NO_CLASS)
        return;
    add_symbol(project, SYMBOL_PATH, root, path, script.open[0], NULL);
    for (token t = next_token(&script.lex); t.kind != TOKEN_END; t = next_token(&script.lex)) {
        if (t.kind == TOKEN_NEWLINE)
            continue;
        uint32_t depth = script.depth;
        read_statement(&script, &t);
        /* class Name: statement, on one line */
        if (script.depth > depth && is_mark(&t, ':')) {
            t = next_token(&script.lex);
            if (is_name(&t, "extends"))
                read_extends(&script, &t);
        }
        read_rest(&script, &t);
        if (t.kind == TOKEN_END)
            break;
    }
}

/* --- C# ---------------------------------------------------------------------------------------------- */

typedef struct {
    uint32_t class_index; /* NO_CLASS: namespace, method body, … */
    const char *scope;    /* what names inside of it begin with: "Game.Player." */
    bool members;         /* a class or namespace body: declarations stand directly in it */
} csharp_scope;

typedef struct {
    rpc_project *project;
    lexer lex;
    const char *path;
    uint32_t root;
    csharp_scope scopes[RPC_MAX_NESTING];
    uint32_t depth;
    uint32_t too_deep; /* braces beyond RPC_MAX_NESTING */
} csharp;

static void open_scope(csharp *file, csharp_scope scope)
{
    if (file->depth + 1 < RPC_MAX_NESTING)
        file->scopes[++file->depth] = scope;
    else
        file->too_deep++;
}

static void close_scope(csharp *file)
{
    if (file->too_deep)
        file->too_deep--;
    else if (file->depth > 0)
        file->depth--;
}

/* At '[': attributes of a declaration. Returns whether one of them is Rpc. */
static bool read_attributes(csharp *file, token *t)
{
    bool rpc = false, at_name = true;
    uint32_t inside = file->lex.brackets;
    *t = next_token(&file->lex);
    while (t->kind != TOKEN_END && file->lex.brackets >= inside) {
        if (at_name && t->kind == TOKEN_WORD) {
            slice name = read_dotted(&file->lex, t);
            const char *last = name.text;
            for (uint32_t i = 0; i < name.length; i++)
                if (name.text[i] == '.')
                    last = name.text + i + 1;
            slice simple = {last, name.length - (uint32_t)(last - name.text)};
            rpc |= same(simple, "Rpc") || same(simple, "RpcAttribute");
            at_name = false;
            continue;
        }
        at_name = is_mark(t, ',') && file->lex.brackets == inside;
        *t = next_token(&file->lex);
    }
    *t = next_token(&file->lex);
    return rpc;
}

/* At the first token behind a class's name: type parameters, bases, constraints; up to '{' or ';'. */
static slice read_bases(csharp *file, token *t)
{
    slice base = NOTHING;
    uint32_t generic = 0;
    while (t->kind != TOKEN_END && !is_mark(t, '{') && !is_mark(t, ';')) {
        if (is_mark(t, '<')) {
            generic++;
        } else if (is_mark(t, '>') && generic > 0) {
            generic--;
        } else if (is_mark(t, ':') && generic == 0 && base.length == 0) {
            *t = next_token(&file->lex);
            base = read_dotted(&file->lex, t);
            continue;
        }
        *t = next_token(&file->lex);
    }
    return base;
}

/* At "class": the declaration up to its '{', which is opened. Parts of a partial class are one class. */
static void read_csharp_class(csharp *file, token *t)
{
    rpc_project *project = file->project;
    const char *outer = file->scopes[file->depth].scope;
    *t = next_token(&file->lex);
    if (t->kind != TOKEN_WORD)
        return;
    slice simple = t->text;
    *t = next_token(&file->lex);
    slice base = read_bases(file, t);
    if (!is_mark(t, '{'))
        return;
    class_info info = {.root = file->root, .outer = NO_CLASS, .language = RPC_CSHARP, .path = file->path};
    info.scope = outer;
    info.label = keep(project, whole(file->path), whole(":"), whole(outer), simple);
    if (base.length)
        info.base_name = keep(project, base, NOTHING, NOTHING, NOTHING);
    uint32_t index = add_class(project, info);
    csharp_scope scope = {index, keep(project, whole(outer), simple, whole("."), NOTHING), true};
    if (!scope.scope)
        scope.scope = "";
    if (index != NO_CLASS) {
        const char *full = keep(project, whole(outer), simple, NOTHING, NOTHING);
        add_symbol(project, SYMBOL_GLOBAL, file->root, full, index, NULL);
    }
    open_scope(file, scope);
}

static void read_namespace(csharp *file, token *t)
{
    *t = next_token(&file->lex);
    slice name = read_dotted(&file->lex, t);
    const char *scope =
        keep(file->project, whole(file->scopes[file->depth].scope), name, whole("."), NOTHING);
    csharp_scope body = {NO_CLASS, scope ? scope : "", true};
    if (is_mark(t, '{'))
        open_scope(file, body);
    else if (is_mark(t, ';')) /* for the rest of the file */
        file->scopes[file->depth].scope = body.scope;
}

/* A member of a class from behind its attributes: finds the name in front of '(', stops at '{', ';', '='. */
static void read_member(csharp *file, token *t, bool rpc)
{
    token previous = {.kind = TOKEN_NEWLINE};
    bool named = false;
    while (t->kind != TOKEN_END && !is_mark(t, '{') && !is_mark(t, '}') && !is_mark(t, ';')) {
        if (!named && (is_name(t, "class") || is_name(t, "record") || is_name(t, "struct") ||
                       is_name(t, "interface"))) {
            read_csharp_class(file, t);
            return;
        }
        if (!named && is_name(t, "namespace")) {
            read_namespace(file, t);
            return;
        }
        if (!named && (is_mark(t, '(') || is_mark(t, '='))) {
            uint32_t index = file->scopes[file->depth].class_index;
            named = true;
            if (is_mark(t, '(') && rpc && index != NO_CLASS && previous.kind == TOKEN_WORD && !file->too_deep)
                add_method(file->project, &file->project->classes[index].methods, previous.text);
        }
        previous = *t;
        *t = next_token(&file->lex);
    }
    if (is_mark(t, '{'))
        open_scope(file, (csharp_scope){NO_CLASS, file->scopes[file->depth].scope, false});
    else if (is_mark(t, '}'))
        close_scope(file);
}

static void scan_csharp(rpc_project *project, uint32_t root, const char *path, lexer lex)
{
    csharp file = {.project = project, .lex = lex, .path = path, .root = root};
    file.scopes[0] = (csharp_scope){NO_CLASS, "", true};
    bool rpc = false;
    for (token t = next_token(&file.lex); t.kind != TOKEN_END; t = next_token(&file.lex)) {
        if (is_mark(&t, '{')) {
            open_scope(&file, (csharp_scope){NO_CLASS, file.scopes[file.depth].scope, false});
        } else if (is_mark(&t, '}')) {
            close_scope(&file);
        } else if (file.scopes[file.depth].members && !file.too_deep) {
            rpc = false;
            while (is_mark(&t, '['))
                rpc |= read_attributes(&file, &t);
            read_member(&file, &t, rpc);
            if (t.kind == TOKEN_END)
                break;
        }
    }
}

void rpc_project_add_source(rpc_project *project, uint32_t root, rpc_language language, const char *path,
                            const char *text, size_t length)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const char *kept = keep(project, whole(path), NOTHING, NOTHING, NOTHING);
    if (!kept || length > UINT32_MAX)
        return;
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    lexer lex = {.next = text, .end = text + length, .language = language, .line_start = true};
    if (language == RPC_GDSCRIPT)
        scan_gdscript(project, root, kept, lex);
    else
        scan_csharp(project, root, kept, lex);
}

void rpc_project_add_uid(rpc_project *project, uint32_t root, const char *uid, const char *path)
{
    add_symbol(project, SYMBOL_UID, root, keep(project, whole(uid), NOTHING, NOTHING, NOTHING), 0,
               keep(project, whole(path), NOTHING, NOTHING, NOTHING));
}

/* --- inheritance -------------------------------------------------------------------------------------- */

static int compare_keys(const symbol *a, const symbol *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_symbols(const void *left, const void *right)
{
    const symbol *a = left, *b = right;
    int order = compare_keys(a, b);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* The first symbol with this key, NULL if there is none. */
static const symbol *find_symbol(const rpc_project *project, symbol_kind kind, uint32_t owner,
                                 const char *name)
{
    symbol wanted = {.kind = kind, .owner = owner, .name = name};
    uint32_t low = 0, high = project->symbol_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_keys(&project->symbols[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < project->symbol_count && compare_keys(&project->symbols[low], &wanted) == 0;
    return found ? &project->symbols[low] : NULL;
}

static uint32_t find_class(const rpc_project *project, symbol_kind kind, uint32_t owner, const char *name)
{
    const symbol *found = find_symbol(project, kind, owner, name);
    return found ? found->index : NO_CLASS;
}

/* The class of a script file, named by its path or uid. */
static uint32_t find_file(const rpc_project *project, uint32_t root, const char *path)
{
    const symbol *uid = find_symbol(project, SYMBOL_UID, root, path);
    return find_class(project, SYMBOL_PATH, root, uid && uid->path ? uid->path : path);
}

enum { NAME_ROOM = 256 };

/* Copies up to the next '.'; returns what is behind it, NULL at the end. */
static const char *next_part(const char *name, char part[NAME_ROOM])
{
    size_t length = strcspn(name, ".");
    size_t copied = length < NAME_ROOM ? length : NAME_ROOM - 1;
    memcpy(part, name, copied);
    part[copied] = 0;
    return name[length] ? name + length + 1 : NULL;
}

/* A name as GDScript looks it up inside of class `from`: inner classes and preloaded scripts of the class
 * and those around it, then the game's global classes. */
static uint32_t find_gdscript(const rpc_project *project, uint32_t from, const char *name)
{
    uint32_t root = project->classes[from].root;
    for (uint32_t scope = from, steps = 0; scope != NO_CLASS && steps < RPC_MAX_NESTING;
         scope = project->classes[scope].outer, steps++) {
        uint32_t inner = find_class(project, SYMBOL_INNER, scope, name);
        if (inner != NO_CLASS)
            return inner;
        const symbol *alias = find_symbol(project, SYMBOL_ALIAS, scope, name);
        if (alias && alias->path)
            return find_file(project, root, alias->path);
    }
    return find_class(project, SYMBOL_GLOBAL, root, name);
}

static uint32_t gdscript_base(const rpc_project *project, uint32_t index)
{
    const class_info *info = &project->classes[index];
    const char *rest = info->base_name;
    char part[NAME_ROOM];
    uint32_t base;
    if (info->base_path) {
        base = find_file(project, info->root, info->base_path);
    } else if (rest) {
        rest = next_part(rest, part);
        /* A class does not see its own inner classes in its own `extends`. */
        base = find_gdscript(project, info->outer != NO_CLASS ? info->outer : index, part);
    } else {
        return NO_CLASS;
    }
    for (uint32_t steps = 0; rest && base != NO_CLASS && steps < RPC_MAX_NESTING; steps++) {
        rest = next_part(rest, part);
        uint32_t inner = find_class(project, SYMBOL_INNER, base, part);
        const symbol *alias = inner == NO_CLASS ? find_symbol(project, SYMBOL_ALIAS, base, part) : NULL;
        base = alias && alias->path ? find_file(project, info->root, alias->path) : inner;
    }
    return base;
}

/* C#: the name in the namespace and classes around, from the inside out. */
static uint32_t csharp_base(const rpc_project *project, uint32_t index)
{
    const class_info *info = &project->classes[index];
    if (!info->base_name || !info->scope)
        return NO_CLASS;
    char full[2 * NAME_ROOM];
    size_t scope = strlen(info->scope), name = strlen(info->base_name);
    if (scope + name >= sizeof full)
        return NO_CLASS;
    memcpy(full, info->scope, scope);
    for (;;) {
        memcpy(full + scope, info->base_name, name + 1);
        uint32_t found = find_class(project, SYMBOL_GLOBAL, info->root, full);
        if (found != NO_CLASS || scope == 0)
            return found;
        scope--; /* the dot */
        while (scope > 0 && full[scope - 1] != '.')
            scope--;
    }
}

static uint32_t base_of(const rpc_project *project, uint32_t index)
{
    return project->classes[index].language == RPC_CSHARP ? csharp_base(project, index)
                                                          : gdscript_base(project, index);
}

/* --- lists --------------------------------------------------------------------------------------------- */

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Names being collected for one list. */
typedef struct {
    rpc_project *project;
    const char **names;
    uint32_t count, room;
} name_set;

static void collect(name_set *set, const method *list)
{
    for (; list; list = list->next) {
        if (!grow(set->project, (void **)&set->names, set->count, &set->room, RPC_MAX_METHODS,
                  sizeof(char *)))
            return;
        set->names[set->count++] = list->name;
    }
}

/* Sorts by code points, which for UTF-8 is the order of the bytes, and takes out what is double. */
static void sort_names(name_set *set)
{
    uint32_t kept = 0;
    if (set->count == 0)
        return;
    qsort(set->names, set->count, sizeof *set->names, compare_names);
    for (uint32_t i = 0; i < set->count; i++)
        if (i == 0 || strcmp(set->names[i], set->names[kept - 1]) != 0)
            set->names[kept++] = set->names[i];
    set->count = kept;
}

static const char *const *keep_names(rpc_project *project, const name_set *set)
{
    const char **copy = set->count ? take(project, set->count * sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, set->names, set->count * sizeof *copy);
    return copy;
}

void rpc_checksum(const char *const *node_names, uint32_t node_count, const char *const *names,
                  uint32_t count, char checksum[33])
{
    md5_context context;
    md5_init(&context);
    for (uint32_t i = 0; i < node_count; i++)
        md5_update(&context, node_names[i], strlen(node_names[i]));
    for (uint32_t i = 0; i < count; i++)
        md5_update(&context, names[i], strlen(names[i]));
    md5_finish(&context, checksum);
}

static void add_list(rpc_project *project, const char *label, name_set *node, name_set *script)
{
    sort_names(node);
    sort_names(script);
    uint64_t names = (uint64_t)node->count + script->count;
    if (names == 0)
        return;
    if (project->list_methods + names > RPC_MAX_LIST_METHODS) {
        project->truncated = true;
        return;
    }
    if (!grow(project, (void **)&project->lists, project->list_count, &project->list_room, RPC_MAX_LISTS,
              sizeof(rpc_list)))
        return;
    rpc_list list = {.label = label, .node_count = node->count, .count = script->count};
    list.node_names = keep_names(project, node);
    list.names = keep_names(project, script);
    if ((list.node_count && !list.node_names) || (list.count && !list.names))
        return;
    rpc_checksum(list.node_names, list.node_count, list.names, list.count, list.checksum);
    project->list_methods += (uint32_t)names;
    project->lists[project->list_count++] = list;
}

static void split_names(rpc_project *project, method **list, const char *names)
{
    static const char separators[] = " \t\r\n,";
    while (names && *names) {
        size_t length = strcspn(names, separators);
        add_method(project, list, (slice){names, (uint32_t)length});
        names += length;
        names += strspn(names, separators);
    }
}

void rpc_project_add_list(rpc_project *project, const char *label, const char *node_names, const char *names)
{
    method *node_methods = NULL, *methods = NULL;
    name_set node = {.project = project}, script = {.project = project};
    split_names(project, &node_methods, node_names);
    split_names(project, &methods, names);
    collect(&node, node_methods);
    collect(&script, methods);
    add_list(project, keep(project, whole(label), NOTHING, NOTHING, NOTHING), &node, &script);
    free(node.names);
    free(script.names);
}

/* Adds the lists of one class: its own and its bases' methods; if rpc_config() is called, with those names
 * as well, for that may happen or not. */
static void link_class(rpc_project *project, uint32_t index, name_set *node, name_set *script)
{
    const class_info *info = &project->classes[index];
    node->count = script->count = 0;
    for (uint32_t steps = 0; index != NO_CLASS && steps < RPC_MAX_CHAIN; steps++) {
        const class_info *link = &project->classes[index];
        collect(script, link->methods);
        collect(node, link->node_methods);
        index = base_of(project, index);
    }
    if (node->count) {
        name_set none = {.project = project};
        add_list(project, info->label, node, script);
        add_list(project, info->label, &none, script);
    } else {
        add_list(project, info->label, node, script);
    }
}

/* rpc_config() called on another node: names for that node, which may have any script of the game or none. */
static void link_foreign(rpc_project *project, uint32_t index, name_set *node, name_set *script)
{
    uint32_t lists = project->list_count, classes = project->class_count;
    const class_info *info = &project->classes[index];
    node->count = script->count = 0;
    collect(node, info->other_methods);
    add_list(project, info->label, node, script);
    for (uint32_t i = 0; i < classes && project->list_count < lists + 1024; i++) {
        if (project->classes[i].root != info->root || !project->classes[i].methods)
            continue;
        script->count = 0;
        for (uint32_t link = i, steps = 0; link != NO_CLASS && steps < RPC_MAX_CHAIN; steps++) {
            collect(script, project->classes[link].methods);
            link = base_of(project, link);
        }
        add_list(project, project->classes[i].label, node, script);
    }
}

static int compare_name_arrays(const char *const *a, uint32_t a_count, const char *const *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count && i < b_count; i++) {
        int order = strcmp(a[i], b[i]);
        if (order)
            return order;
    }
    return a_count < b_count ? -1 : a_count > b_count;
}

static int compare_lists(const void *left, const void *right)
{
    const rpc_list *a = left, *b = right;
    int order = strcmp(a->checksum, b->checksum);
    if (!order)
        order = compare_name_arrays(a->node_names, a->node_count, b->node_names, b->node_count);
    if (!order)
        order = compare_name_arrays(a->names, a->count, b->names, b->count);
    return order;
}

static int compare_lists_and_labels(const void *left, const void *right)
{
    const rpc_list *a = left, *b = right;
    int order = compare_lists(a, b);
    return order ? order : strcmp(a->label ? a->label : "", b->label ? b->label : "");
}

/* Partial classes of C#: methods and base of all parts belong to the first. */
static void join_partial_classes(rpc_project *project)
{
    for (uint32_t i = 0; i + 1 < project->symbol_count; i++) {
        const symbol *first = &project->symbols[i], *next = first + 1;
        if (first->kind != SYMBOL_GLOBAL || compare_keys(first, next) != 0)
            continue;
        class_info *into = &project->classes[first->index], *from = &project->classes[next->index];
        if (into->language != RPC_CSHARP || from->language != RPC_CSHARP)
            continue;
        method **end = &from->methods;
        while (*end)
            end = &(*end)->next;
        *end = into->methods;
        into->methods = NULL;
        if (!from->base_name)
            from->base_name = into->base_name;
    }
    /* Now the last part has everything; make it the one that is found first. */
    for (uint32_t i = project->symbol_count; i-- > 1;) {
        symbol *last = &project->symbols[i], *before = last - 1;
        if (last->kind == SYMBOL_GLOBAL && compare_keys(last, before) == 0 &&
            project->classes[last->index].language == RPC_CSHARP)
            before->index = last->index;
    }
}

void rpc_project_link(rpc_project *project)
{
    name_set node = {.project = project}, script = {.project = project};
    if (project->symbol_count)
        qsort(project->symbols, project->symbol_count, sizeof *project->symbols, compare_symbols);
    join_partial_classes(project);
    for (uint32_t i = 0; i < project->class_count; i++)
        link_class(project, i, &node, &script);
    for (uint32_t i = 0; i < project->class_count; i++)
        if (project->classes[i].other_methods)
            link_foreign(project, i, &node, &script);
    free(node.names);
    free(script.names);
    if (project->list_count == 0)
        return;
    qsort(project->lists, project->list_count, sizeof *project->lists, compare_lists_and_labels);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < project->list_count; i++)
        if (i == 0 || compare_lists(&project->lists[i], &project->lists[kept - 1]) != 0)
            project->lists[kept++] = project->lists[i];
    project->list_count = kept;
}

const rpc_list *rpc_project_find(const rpc_project *project, const char *checksum, const rpc_list *previous)
{
    uint32_t low = 0, high = project->list_count;
    if (previous) {
        low = (uint32_t)(previous - project->lists) + 1;
    } else {
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (strncmp(project->lists[middle].checksum, checksum, 32) < 0)
                low = middle + 1;
            else
                high = middle;
        }
    }
    bool found = low < project->list_count && strncmp(project->lists[low].checksum, checksum, 32) == 0;
    return found ? &project->lists[low] : NULL;
}

static const char *list_method(const rpc_list *list, uint16_t id)
{
    uint32_t index = id & 0x7fff;
    if (id & 0x8000)
        return index < list->node_count ? list->node_names[index] : NULL;
    return index < list->count ? list->names[index] : NULL;
}

const char *rpc_project_method(const rpc_project *project, const char *checksum, uint16_t id)
{
    /* Different lists can have one checksum ("a", "bc" and "ab", "c"): then only what all agree on counts. */
    const rpc_list *list = rpc_project_find(project, checksum, NULL);
    const char *name = list ? list_method(list, id) : NULL;
    while (name && (list = rpc_project_find(project, checksum, list)) != NULL) {
        const char *other = list_method(list, id);
        if (!other || strcmp(other, name) != 0)
            name = NULL;
    }
    return name;
}

const char *rpc_project_declares(const rpc_project *project, const char *name, uint32_t *others)
{
    const symbol *found = find_symbol(project, SYMBOL_LEGACY, 0, name);
    *others = 0;
    if (!found)
        return NULL;
    const char *label = project->classes[found->index].label;
    for (const symbol *next = found + 1, *end = project->symbols + project->symbol_count;
         next < end && compare_keys(next, found) == 0; next++)
        ++*others;
    return label;
}

rpc_summary rpc_project_summary(const rpc_project *project)
{
    return (rpc_summary){project->class_count, project->method_count, project->list_count,
                         project->truncated};
}

rpc_project *rpc_project_new(void)
{
    return calloc(1, sizeof(rpc_project));
}

void rpc_project_free(rpc_project *project)
{
    if (!project)
        return;
    for (chunk *next, *current = project->chunks; current; current = next) {
        next = current->next;
        free(current);
    }
    free(project->classes);
    free(project->symbols);
    free(project->lists);
    free(project);
}
