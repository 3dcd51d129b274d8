/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scripts/rpc_sources.h"

#include <string.h>

void rpc_add_symbol(rpc_project *project, symbol added)
{
    /* At most one for every class, method and function, doubled for safety. */
    if (added.name &&
        pool_grow(&project->pool, &project->symbols, project->symbol_count, &project->symbol_room,
                  2 * (RPC_MAX_CLASSES + RPC_MAX_METHODS + RPC_MAX_FUNCTIONS), sizeof(symbol))) {
        project->symbols[project->symbol_count++] = added;
    }
}

void rpc_add_function(rpc_project *project, symbol added)
{
    if (project->function_count >= RPC_MAX_FUNCTIONS) {
        project->truncated = true;
        return;
    }
    project->function_count++;
    rpc_add_symbol(project, added);
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
    for (unsigned i = 0; i < RPC_TYPED_ARGUMENTS; i++) {
        into->types[i] = into->types[i] == other.types[i] ? into->types[i] : 0;
    }
}

uint32_t rpc_add_class(rpc_project *project, class_info info)
{
    if (!pool_grow(&project->pool, &project->classes, project->class_count, &project->class_room,
                   RPC_MAX_CLASSES, sizeof(class_info))) {
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
    method *fresh = pool_take(&project->pool, sizeof *fresh);
    const char *text = pool_text(&project->pool, name);
    if (!fresh || !text) {
        return NULL;
    }
    *fresh = (method){text, signature, *list};
    *list = fresh;
    project->method_count++;
    return fresh;
}
