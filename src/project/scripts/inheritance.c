/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scripts/inheritance.h"

#include <string.h>

int rpc_compare_keys(const void *left, const void *right)
{
    const symbol *a = left, *b = right;
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->owner != b->owner) {
        return a->owner < b->owner ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

int rpc_compare_symbols(const void *left, const void *right)
{
    const symbol *a = left, *b = right;
    int order = rpc_compare_keys(a, b);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

const symbol *rpc_find_symbol(const rpc_project *project, symbol_kind kind, uint32_t owner, const char *name)
{
    symbol wanted = {.kind = kind, .owner = owner, .name = name};
    uint32_t at =
        lower_bound(&wanted, project->symbols, project->symbol_count, sizeof wanted, rpc_compare_keys);
    bool found = at < project->symbol_count && rpc_compare_keys(&project->symbols[at], &wanted) == 0;
    return found ? &project->symbols[at] : NULL;
}

static uint32_t find_class(const rpc_project *project, symbol_kind kind, uint32_t owner, const char *name)
{
    const symbol *found = rpc_find_symbol(project, kind, owner, name);
    return found ? found->index : NO_CLASS;
}

/* The class of a script file, named by its path or uid. */
static uint32_t find_file(const rpc_project *project, uint32_t root, const char *path)
{
    const symbol *uid = rpc_find_symbol(project, SYMBOL_UID, root, path);
    return find_class(project, SYMBOL_PATH, root, uid && uid->path ? uid->path : path);
}

enum { NAME_ROOM = 256 };

/* Copies up to the next '.'; returns the text after it, NULL at the end. */
static const char *next_part(const char *name, char part[NAME_ROOM])
{
    size_t length = strcspn(name, ".");
    size_t copied = length < NAME_ROOM ? length : NAME_ROOM - 1;
    memcpy(part, name, copied);
    part[copied] = 0;
    return name[length] ? name + length + 1 : NULL;
}

/* Inner class or preloaded script of this name, of the class or of its bases. `*steps`: classes that may
 * still be searched. */
static uint32_t find_member(rpc_project *project, uint32_t index, const char *name, uint32_t *steps)
{
    for (; index != NO_CLASS && *steps > 0; index = rpc_base_of(project, index), --*steps) {
        uint32_t inner = find_class(project, SYMBOL_INNER, index, name);
        if (inner != NO_CLASS) {
            return inner;
        }
        const symbol *alias = rpc_find_symbol(project, SYMBOL_ALIAS, index, name);
        if (alias && alias->path) {
            return find_file(project, project->classes[index].root, alias->path);
        }
    }
    return NO_CLASS;
}

/* A name as GDScript looks it up inside of class `from`: members of the class and those around it, then the
 * game's global classes. */
static uint32_t find_gdscript(rpc_project *project, uint32_t from, const char *name)
{
    uint32_t root = project->classes[from].root, steps = 4 * RPC_MAX_CHAIN;
    for (uint32_t scope = from; scope != NO_CLASS; scope = project->classes[scope].outer) {
        uint32_t found = find_member(project, scope, name, &steps);
        if (found != NO_CLASS) {
            return found;
        }
    }
    return find_class(project, SYMBOL_GLOBAL, root, name);
}

static uint32_t gdscript_base(rpc_project *project, uint32_t index)
{
    const class_info *info = &project->classes[index];
    const char *rest = info->base_name;
    char part[NAME_ROOM];
    uint32_t base, steps = 4 * RPC_MAX_CHAIN;
    if (info->base_path) {
        base = find_file(project, info->root, info->base_path);
    } else if (rest) {
        rest = next_part(rest, part);
        /* A class does not see its own inner classes in its own `extends`. */
        base = find_gdscript(project, info->outer != NO_CLASS ? info->outer : index, part);
    } else {
        return NO_CLASS;
    }
    while (rest && base != NO_CLASS) {
        rest = next_part(rest, part);
        base = find_member(project, base, part, &steps);
    }
    return base;
}

/* C#: the name in the namespace and classes around, from the inside out. */
static uint32_t csharp_base(const rpc_project *project, uint32_t index)
{
    const class_info *info = &project->classes[index];
    if (!info->base_name || !info->scope) {
        return NO_CLASS;
    }
    char full[2 * NAME_ROOM];
    size_t scope = strlen(info->scope), name = strlen(info->base_name);
    if (scope + name >= sizeof full) {
        return NO_CLASS;
    }
    memcpy(full, info->scope, scope);
    for (;;) {
        memcpy(full + scope, info->base_name, name + 1);
        uint32_t found = find_class(project, SYMBOL_GLOBAL, info->root, full);
        if (found != NO_CLASS || scope == 0) {
            return found;
        }
        scope--; /* the dot */
        while (scope > 0 && full[scope - 1] != '.') {
            scope--;
        }
    }
}

uint32_t rpc_base_of(rpc_project *project, uint32_t index)
{
    if (!project->classes[index].base_known) {
        if (project->lookups == RPC_MAX_LOOKUPS) {
            project->truncated = true;
            return NO_CLASS;
        }
        project->lookups++;
        project->classes[index].base_known = true;
        project->classes[index].base = NO_CLASS;
        if (project->classes[index].outer != NO_CLASS) {
            (void)rpc_base_of(project, project->classes[index].outer);
        }
        project->classes[index].base = project->classes[index].language == RPC_CSHARP
                                           ? csharp_base(project, index)
                                           : gdscript_base(project, index);
        project->lookups--;
    }
    return project->classes[index].base;
}

uint32_t rpc_count_functions(const rpc_project *project, const char *name)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < project->class_count; i++) {
        count += rpc_find_symbol(project, SYMBOL_FUNCTION, i, name) != NULL;
    }
    return count;
}
