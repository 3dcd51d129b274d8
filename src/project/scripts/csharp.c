/* csharp.c
 *
 * Classes of a C# source and their methods with [Rpc]. Only what stands directly in a namespace or class is
 * read, bodies of methods are passed over. See csharp.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scripts/rpc_sources.h"

typedef struct {
    uint32_t class_index; /* NO_CLASS: namespace, method body, … */
    const char *scope;    /* prefix of names inside of it: "Game.Player." */
    bool members;         /* a class or namespace body, which contains declarations */
} csharp_scope;

typedef struct {
    rpc_project *project;
    lexer lex;
    const char *path;
    uint32_t root;
    csharp_scope scopes[RPC_MAX_NESTING];
    uint32_t depth;
    uint32_t too_deep; /* braces beyond RPC_MAX_NESTING */
    rpc_mode mode;     /* of the latest [Rpc] */
} csharp;

static void open_scope(csharp *file, csharp_scope scope)
{
    if (file->depth + 1 < RPC_MAX_NESTING) {
        file->scopes[++file->depth] = scope;
    } else {
        file->too_deep++;
    }
}

static void close_scope(csharp *file)
{
    if (file->too_deep) {
        file->too_deep--;
    } else if (file->depth > 0) {
        file->depth--;
    }
}

/* One word of the arguments of [Rpc]; the default is Authority. A constant may be any mode. */
static rpc_mode read_mode(rpc_mode mode, slice word)
{
    static const char *const others[] = {"Godot",
                                         "MultiplayerApi",
                                         "RpcMode",
                                         "RpcModeEnum",
                                         "mode",
                                         "CallLocal",
                                         "true",
                                         "false",
                                         "TransferMode",
                                         "MultiplayerPeer",
                                         "TransferModeEnum",
                                         "Reliable",
                                         "Unreliable",
                                         "UnreliableOrdered",
                                         "TransferChannel"};
    static const struct {
        const char *word;
        rpc_mode mode;
    } modes[] = {
        {"AnyPeer", RPC_MODE_ANY_PEER}, {"Authority", RPC_MODE_AUTHORITY}, {"Disabled", RPC_MODE_DISABLED}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (slice_equals(word, modes[i].word)) {
            return modes[i].mode;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (slice_equals(word, others[i])) {
            return mode;
        }
    }
    return word.length && *word.text >= '0' && *word.text <= '9' ? mode : RPC_MODE_UNKNOWN;
}

/* At '[': attributes of a declaration. Returns whether one of them is Rpc. */
static bool read_attributes(csharp *file, token *t)
{
    bool rpc = false, of_rpc = false, at_name = true;
    uint32_t inside = file->lex.brackets;
    *t = rpc_next_token(&file->lex);
    while (t->kind != TOKEN_END && file->lex.brackets >= inside) {
        if (at_name && t->kind == TOKEN_WORD) {
            slice name = rpc_read_dotted(&file->lex, t);
            const char *last = name.text;
            for (uint32_t i = 0; i < name.length; i++) {
                if (name.text[i] == '.') {
                    last = name.text + i + 1;
                }
            }
            slice simple = {last, name.length - (uint32_t)(last - name.text)};
            of_rpc = slice_equals(simple, "Rpc") || slice_equals(simple, "RpcAttribute");
            rpc |= of_rpc;
            file->mode = of_rpc ? RPC_MODE_AUTHORITY : file->mode;
            at_name = false;
            continue;
        }
        if (of_rpc && t->kind == TOKEN_WORD) {
            file->mode = read_mode(file->mode, t->text);
        }
        at_name = is_mark(t, ',') && file->lex.brackets == inside;
        *t = rpc_next_token(&file->lex);
    }
    *t = rpc_next_token(&file->lex);
    return rpc;
}

/* At the first token after a class's name: type parameters, bases, constraints; up to '{' or ';'. */
static slice read_bases(csharp *file, token *t)
{
    slice base = NO_SLICE;
    uint32_t generic = 0;
    while (t->kind != TOKEN_END && !is_mark(t, '{') && !is_mark(t, ';')) {
        if (is_mark(t, '<')) {
            generic++;
        } else if (is_mark(t, '>') && generic > 0) {
            generic--;
        } else if (is_mark(t, ':') && generic == 0 && base.length == 0) {
            *t = rpc_next_token(&file->lex);
            base = rpc_read_dotted(&file->lex, t);
            continue;
        }
        *t = rpc_next_token(&file->lex);
    }
    return base;
}

/* At "class": the declaration up to its '{', which is opened. Parts of a partial class are one class. */
static void read_csharp_class(csharp *file, token *t)
{
    rpc_project *project = file->project;
    const char *outer = file->scopes[file->depth].scope;
    *t = rpc_next_token(&file->lex);
    if (t->kind != TOKEN_WORD) {
        return;
    }
    slice simple = t->text;
    *t = rpc_next_token(&file->lex);
    slice base = read_bases(file, t);
    if (!is_mark(t, '{')) {
        return;
    }
    class_info info = {.root = file->root, .outer = NO_CLASS, .language = RPC_CSHARP, .path = file->path};
    info.scope = outer;
    info.label = pool_join(&project->pool, slice_of(file->path), slice_of(":"), slice_of(outer), simple);
    if (base.length) {
        info.base_name = pool_text(&project->pool, base);
    }
    uint32_t index = rpc_add_class(project, info);
    csharp_scope scope = {index, pool_join(&project->pool, slice_of(outer), simple, slice_of("."), NO_SLICE),
                          true};
    if (!scope.scope) {
        scope.scope = "";
    }
    if (index != NO_CLASS) {
        const char *full = pool_join(&project->pool, slice_of(outer), simple, NO_SLICE, NO_SLICE);
        rpc_add_symbol(project,
                       (symbol){.kind = SYMBOL_GLOBAL, .owner = file->root, .name = full, .index = index});
        rpc_add_symbol(
            project, (symbol){.kind = SYMBOL_PATH, .owner = file->root, .name = file->path, .index = index});
        rpc_add_symbol(
            project, (symbol){.kind = SYMBOL_PATH, .owner = file->root, .name = info.label, .index = index});
    }
    open_scope(file, scope);
}

static void read_namespace(csharp *file, token *t)
{
    *t = rpc_next_token(&file->lex);
    slice name = rpc_read_dotted(&file->lex, t);
    const char *scope = pool_join(&file->project->pool, slice_of(file->scopes[file->depth].scope), name,
                                  slice_of("."), NO_SLICE);
    csharp_scope body = {NO_CLASS, scope ? scope : "", true};
    if (is_mark(t, '{')) {
        open_scope(file, body);
    } else if (is_mark(t, ';')) { /* for the rest of the file */
        file->scopes[file->depth].scope = body.scope;
    }
}

/* A member of a class, after its attributes: finds the name before '(', stops at '{', ';', '='. */
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
            if (is_mark(t, '(') && rpc && index != NO_CLASS && previous.kind == TOKEN_WORD &&
                !file->too_deep) {
                rpc_signature signature = rpc_read_parameters(&file->lex, t);
                signature.mode = (uint8_t)file->mode;
                signature.path = file->path;
                signature.line = rpc_line_of(&file->lex, previous.text.text);
                rpc_add_method(file->project, &file->project->classes[index].methods, previous.text,
                               signature);
                previous = *t;
                continue;
            }
        }
        previous = *t;
        *t = rpc_next_token(&file->lex);
    }
    if (is_mark(t, '{')) {
        open_scope(file, (csharp_scope){NO_CLASS, file->scopes[file->depth].scope, false});
    } else if (is_mark(t, '}')) {
        close_scope(file);
    }
}

void rpc_scan_csharp(rpc_project *project, uint32_t root, const char *path, lexer lex)
{
    csharp file = {.project = project, .lex = lex, .path = path, .root = root};
    file.scopes[0] = (csharp_scope){NO_CLASS, "", true};
    bool rpc = false;
    for (token t = rpc_next_token(&file.lex); t.kind != TOKEN_END; t = rpc_next_token(&file.lex)) {
        if (is_mark(&t, '{')) {
            open_scope(&file, (csharp_scope){NO_CLASS, file.scopes[file.depth].scope, false});
        } else if (is_mark(&t, '}')) {
            close_scope(&file);
        } else if (file.scopes[file.depth].members && !file.too_deep) {
            rpc = false;
            while (is_mark(&t, '[')) {
                rpc |= read_attributes(&file, &t);
            }
            read_member(&file, &t, rpc);
            if (t.kind == TOKEN_END) {
                break;
            }
        }
    }
}
