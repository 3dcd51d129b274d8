/* rpc_sources.c
 *
 * See rpc_sources.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scripts/rpc_sources.h"

#include <stdlib.h>
#include <string.h>

/* --- memory: everything lives until the project goes --------------------------------------------- */

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    char bytes[];
} chunk;

enum { CHUNK_SIZE = 64 * 1024 };

void *rpc_take(rpc_project *project, size_t size)
{
    if (size > RPC_MAX_TEXT - project->taken) {
        project->truncated = true;
        return NULL;
    }
    project->taken += size;
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

void rpc_give_back(rpc_project *project)
{
    for (chunk *next, *current = project->chunks; current; current = next) {
        next = current->next;
        free(current);
    }
    project->chunks = NULL;
}

char *rpc_keep(rpc_project *project, slice a, slice b, slice c, slice d)
{
    const slice parts[] = {a, b, c, d};
    char *copy = rpc_take(project, (size_t)a.length + b.length + c.length + d.length + 1), *end = copy;
    if (!copy) {
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        if (parts[i].length) {
            memcpy(end, parts[i].text, parts[i].length);
        }
        end += parts[i].length;
    }
    *end = 0;
    return copy;
}

static void add_symbol(rpc_project *project, symbol added)
{
    /* One for every class, method and function at most, twice for safety. */
    if (added.name && array_grow((void **)&project->symbols, project->symbol_count, &project->symbol_room,
                                 2 * (RPC_MAX_CLASSES + RPC_MAX_METHODS + RPC_MAX_FUNCTIONS), sizeof(symbol),
                                 &project->truncated)) {
        project->symbols[project->symbol_count++] = added;
    }
}

void rpc_add_symbol(rpc_project *project, symbol_kind kind, uint32_t owner, const char *name, uint32_t index,
                    const char *path)
{
    add_symbol(project, (symbol){.kind = kind, .owner = owner, .name = name, .index = index, .path = path});
}

void rpc_add_function(rpc_project *project, symbol_kind kind, uint32_t owner, const char *name,
                      uint32_t index, rpc_signature signature)
{
    if (project->function_count >= RPC_MAX_FUNCTIONS) {
        project->truncated = true;
        return;
    }
    project->function_count++;
    add_symbol(project,
               (symbol){.kind = kind, .owner = owner, .name = name, .index = index, .signature = signature});
}

void rpc_join_signature(rpc_signature *into, rpc_signature other)
{
    into->mode = into->mode == other.mode ? into->mode : RPC_MODE_UNKNOWN;
    into->counted = into->counted && other.counted;
    into->missing = into->missing && other.missing;
    into->least = into->least < other.least ? into->least : other.least;
    into->most = into->most > other.most ? into->most : other.most;
    bool same_place =
        into->path && other.path && strcmp(into->path, other.path) == 0 && into->line == other.line;
    into->path = same_place ? into->path : NULL;
}

uint32_t rpc_add_class(rpc_project *project, class_info info)
{
    if (!array_grow((void **)&project->classes, project->class_count, &project->class_room, RPC_MAX_CLASSES,
                    sizeof(class_info), &project->truncated)) {
        return NO_CLASS;
    }
    project->classes[project->class_count] = info;
    return project->class_count++;
}

method *rpc_add_method(rpc_project *project, method **list, slice name, rpc_signature signature)
{
    if (name.length == 0) {
        return NULL;
    }
    if (project->method_count >= RPC_MAX_METHODS) {
        project->truncated = true;
        return NULL;
    }
    method *fresh = rpc_take(project, sizeof *fresh);
    const char *text = fresh ? rpc_keep(project, name, NO_SLICE, NO_SLICE, NO_SLICE) : NULL;
    if (!text) {
        return NULL;
    }
    *fresh = (method){text, signature, *list};
    *list = fresh;
    project->method_count++;
    return fresh;
}
