/* rpc_names.c
 *
 * Names of remote procedures from GDScript and C# sources; see rpc_names.h.
 *
 * The two languages have a scanner each (gdscript.c, csharp.c) that puts classes and methods into one store
 * (rpc_sources.c). Names go into one table of symbols, so that every lookup for inheritance ("inner class B
 * of class 7", "global class Player of game 0", "script res://a.gd") is one binary search.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "codec/md5.h"
#include "project/scripts/inheritance.h"
#include "project/scripts/rpc_names.h"

/* --- sources ------------------------------------------------------------------------------------- */

void rpc_project_add_source(rpc_project *project, rpc_language language, const source_file *file)
{
    const char *kept = pool_text(&project->pool, slice_of(file->path)), *text = file->text.text;
    if (!kept || file->text.length > UINT32_MAX) {
        return;
    }
    const char *begin = slice_begins(file->text, "\xef\xbb\xbf") ? text + 3 : text; /* a byte order mark */
    lexer lex = {.next = begin,
                 .end = text + file->text.length,
                 .language = language,
                 .line_start = true,
                 .counted = begin};
    if (language == RPC_GDSCRIPT) {
        rpc_scan_gdscript(project, file->root, kept, lex);
    } else {
        rpc_scan_csharp(project, file->root, kept, lex);
    }
}

void rpc_project_add_uid(rpc_project *project, uint32_t root, const char *uid, const char *path)
{
    rpc_add_symbol(project, (symbol){.kind = SYMBOL_UID,
                                     .owner = root,
                                     .name = pool_text(&project->pool, slice_of(uid)),
                                     .index = 0,
                                     .path = pool_text(&project->pool, slice_of(path))});
}

/* --- lists --------------------------------------------------------------------------------------- */

/* A method of a list that is being made. */
typedef struct {
    const char *name;
    rpc_signature signature;
    uint32_t order; /* in which it was found: those of derived classes come first */
} named;

static int compare_names(const void *left, const void *right)
{
    const named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->order < b->order ? -1 : a->order > b->order;
}

/* Names being collected for one list. */
typedef struct {
    rpc_project *project;
    named *names;
    uint32_t count, room;
} name_set;

static void collect(name_set *set, const method *list)
{
    for (; list; list = list->next) {
        if (!pool_grow(&set->project->pool, &set->names, set->count, &set->room, RPC_MAX_METHODS,
                       sizeof(named))) {
            return;
        }
        set->names[set->count] = (named){list->name, list->signature, set->count};
        set->count++;
        set->project->collected++;
    }
}

/* Sorts by code points, which for UTF-8 is the order of the bytes, and removes duplicates: the annotation of
 * the most derived class holds. */
static void sort_names(name_set *set)
{
    uint32_t kept = 0;
    if (set->count == 0) {
        return;
    }
    qsort(set->names, set->count, sizeof *set->names, compare_names);
    for (uint32_t i = 0; i < set->count; i++) {
        if (i == 0 || strcmp(set->names[i].name, set->names[kept - 1].name) != 0) {
            set->names[kept++] = set->names[i];
        }
    }
    set->count = kept;
}

static const char *const *keep_names(rpc_project *project, const name_set *set)
{
    const char **copy = set->count ? pool_take(&project->pool, set->count * sizeof *copy) : NULL;
    for (uint32_t i = 0; copy && i < set->count; i++) {
        copy[i] = set->names[i].name;
    }
    return copy;
}

/* The arguments of the function that the engine would call: that of the most derived class, which may take
 * more than the one that made it remote. */
static void count_arguments(rpc_project *project, uint32_t index, named *found)
{
    bool cut = project->function_count >= RPC_MAX_FUNCTIONS,
         script = project->classes[index].language == RPC_GDSCRIPT;
    found->signature.missing = script && !cut;
    for (uint32_t steps = 0; index != NO_CLASS && steps < RPC_MAX_CHAIN; steps++) {
        const symbol *function = rpc_find_symbol(project, SYMBOL_FUNCTION, index, found->name);
        project->collected++;
        if (function) {
            const rpc_signature declared = found->signature;
            found->signature = function->signature;
            for (const symbol *next = function + 1, *end = project->symbols + project->symbol_count;
                 next < end && rpc_compare_keys(next, function) == 0; next++) {
                rpc_join_signature(&found->signature, next->signature);
                project->collected++;
            }
            found->signature.mode = declared.mode;
            if (declared.path) { /* where it is declared as remote */
                found->signature.path = declared.path;
                found->signature.line = declared.line;
            }
            break;
        }
        index = rpc_base_of(project, index);
    }
    found->signature.counted &= !cut;
}

/* Signatures of all methods of a list, NULL if there is no memory. */
static rpc_signature *keep_signatures(rpc_project *project, uint32_t index, name_set *node, name_set *script)
{
    rpc_signature *copy = pool_take(&project->pool, ((size_t)node->count + script->count) * sizeof *copy),
                  *next = copy;
    name_set *const sets[] = {node, script};
    for (int i = 0; copy && i < 2; i++) {
        for (uint32_t j = 0; j < sets[i]->count; j++) {
            count_arguments(project, index, &sets[i]->names[j]);
            *next++ = sets[i]->names[j].signature;
        }
    }
    return copy;
}

void rpc_checksum(const char *const *node_names, uint32_t node_count, const char *const *names,
                  uint32_t count, char checksum[33])
{
    md5_context context;
    md5_init(&context);
    for (uint32_t i = 0; i < node_count; i++) {
        md5_update(&context, node_names[i], strlen(node_names[i]));
    }
    for (uint32_t i = 0; i < count; i++) {
        md5_update(&context, names[i], strlen(names[i]));
    }
    md5_finish(&context, checksum);
}

/* `index`: the class, NO_CLASS if it was made by hand. */
static void add_list(rpc_project *project, const char *label, uint32_t index, name_set *node,
                     name_set *script)
{
    sort_names(node);
    sort_names(script);
    uint64_t names = (uint64_t)node->count + script->count;
    if (names == 0) {
        return;
    }
    if (project->list_methods + names > RPC_MAX_LIST_METHODS) {
        project->truncated = true;
        return;
    }
    if (!pool_grow(&project->pool, &project->lists, project->list_count, &project->list_room, RPC_MAX_LISTS,
                   sizeof(rpc_list))) {
        return;
    }
    rpc_list list = {.label = label, .node_count = node->count, .count = script->count};
    list.node_names = keep_names(project, node);
    list.names = keep_names(project, script);
    list.signatures = index != NO_CLASS ? keep_signatures(project, index, node, script) : NULL;
    if ((list.node_count && !list.node_names) || (list.count && !list.names)) {
        return;
    }
    rpc_checksum(list.node_names, list.node_count, list.names, list.count, list.checksum);
    project->list_methods += (uint32_t)names;
    project->lists[project->list_count++] = list;
}

static void split_names(rpc_project *project, method **list, const char *names)
{
    static const char separators[] = " \t\r\n,";
    while (names && *names) {
        size_t length = strcspn(names, separators);
        rpc_add_method(project, list, (slice){names, (uint32_t)length}, (rpc_signature){.counted = false});
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
    add_list(project, pool_text(&project->pool, slice_of(label)), NO_CLASS, &node, &script);
    free(node.names);
    free(script.names);
}

/* Whether the limit allows more lists; those that are begun are finished. */
static bool may_collect(rpc_project *project)
{
    project->truncated |= project->collected >= RPC_MAX_COLLECTED;
    return project->collected < RPC_MAX_COLLECTED;
}

/* Adds the lists of one class: the methods of the class and its bases; if rpc_config() is called, also a list
 * with those names, since the call may be conditional. */
static void link_class(rpc_project *project, uint32_t index, name_set *node, name_set *script)
{
    const class_info *info = &project->classes[index];
    node->count = script->count = 0;
    for (uint32_t link = index, steps = 0; link != NO_CLASS && steps < RPC_MAX_CHAIN; steps++) {
        collect(script, project->classes[link].methods);
        collect(node, project->classes[link].node_methods);
        link = rpc_base_of(project, link);
    }
    if (node->count) {
        name_set none = {.project = project};
        add_list(project, info->label, index, node, script);
        add_list(project, info->label, index, &none, script);
    } else {
        add_list(project, info->label, index, node, script);
    }
}

/* rpc_config() called on another node: names for that node, which may have any script of the game or none. */
static void link_foreign(rpc_project *project, uint32_t index, name_set *node, name_set *script)
{
    uint32_t lists = project->list_count, classes = project->class_count;
    const class_info *info = &project->classes[index];
    node->count = script->count = 0;
    collect(node, info->other_methods);
    add_list(project, info->label, NO_CLASS, node, script);
    for (uint32_t i = 0; i < classes && project->list_count < lists + 1024 && may_collect(project); i++) {
        if (project->classes[i].root != info->root || !project->classes[i].methods) {
            continue;
        }
        script->count = 0;
        project->collected += node->count; /* sorted each time */
        for (uint32_t link = i, steps = 0; link != NO_CLASS && steps < RPC_MAX_CHAIN; steps++) {
            collect(script, project->classes[link].methods);
            link = rpc_base_of(project, link);
        }
        add_list(project, project->classes[i].label, i, node, script);
    }
}

static int compare_name_arrays(const char *const *a, uint32_t a_count, const char *const *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count && i < b_count; i++) {
        int order = strcmp(a[i], b[i]);
        if (order) {
            return order;
        }
    }
    return a_count < b_count ? -1 : a_count > b_count;
}

static int compare_lists(const void *left, const void *right)
{
    const rpc_list *a = left, *b = right;
    int order = strcmp(a->checksum, b->checksum);
    if (!order) {
        order = compare_name_arrays(a->node_names, a->node_count, b->node_names, b->node_count);
    }
    if (!order) {
        order = compare_name_arrays(a->names, a->count, b->names, b->count);
    }
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
        if (first->kind != SYMBOL_GLOBAL || rpc_compare_keys(first, next) != 0) {
            continue;
        }
        class_info *into = &project->classes[first->index], *from = &project->classes[next->index];
        if (into->language != RPC_CSHARP || from->language != RPC_CSHARP) {
            continue;
        }
        method **end = &from->methods;
        while (*end) {
            end = &(*end)->next;
        }
        *end = into->methods;
        into->methods = NULL;
        if (!from->base_name) {
            from->base_name = into->base_name;
        }
    }
    /* Now the last part has everything; make it the one that is found first. */
    for (uint32_t i = project->symbol_count; i-- > 1;) {
        symbol *last = &project->symbols[i], *before = last - 1;
        if (last->kind == SYMBOL_GLOBAL && rpc_compare_keys(last, before) == 0 &&
            project->classes[last->index].language == RPC_CSHARP) {
            before->index = last->index;
        }
    }
}

/* Reduces the signatures of a list to what also applies to another list with the same names. */
static void join_signatures(rpc_list *into, const rpc_list *other)
{
    if (!into->signatures || !other->signatures) {
        into->signatures = NULL;
        return;
    }
    for (uint32_t i = 0; i < into->node_count + into->count; i++) {
        rpc_join_signature(&into->signatures[i], other->signatures[i]);
    }
}

/* One list for all scripts with the same names. */
static void join_equal_lists(rpc_project *project)
{
    const char **labels = pool_take(&project->pool, project->list_count * sizeof *labels);
    uint32_t kept = 0, used = 0;
    if (!labels) {
        project->list_count = 0;
        return;
    }
    qsort(project->lists, project->list_count, sizeof *project->lists, compare_lists_and_labels);
    for (uint32_t i = 0; i < project->list_count; i++) {
        const rpc_list *list = &project->lists[i];
        bool equal = i > 0 && compare_lists(list, &project->lists[kept - 1]) == 0;
        if (equal) {
            join_signatures(&project->lists[kept - 1], list);
        }
        if (!equal) {
            project->lists[kept] = *list;
            project->lists[kept++].others = labels + used;
        } else if (list->label && strcmp(list->label, list[-1].label ? list[-1].label : "") != 0) {
            labels[used++] = list->label;
            project->lists[kept - 1].other_count++;
        }
    }
    project->list_count = kept;
}

/* Escapes control characters in names, after the checksums were computed from the original names. The names
 * are in the project's memory. */
static void make_names_visible(rpc_project *project)
{
    for (uint32_t i = 0; i < project->list_count; i++) {
        const rpc_list *list = &project->lists[i];
        for (uint32_t j = 0; j < list->count; j++) {
            utf8_make_visible((char *)(uintptr_t)list->names[j]);
        }
        for (uint32_t j = 0; j < list->node_count; j++) {
            utf8_make_visible((char *)(uintptr_t)list->node_names[j]);
        }
        if (list->label) {
            utf8_make_visible((char *)(uintptr_t)list->label);
        }
    }
    for (uint32_t i = 0; i < project->class_count; i++) {
        if (project->classes[i].label) {
            utf8_make_visible((char *)(uintptr_t)project->classes[i].label);
        }
        utf8_make_visible((char *)(uintptr_t)project->classes[i].path);
    }
}

void rpc_project_link(rpc_project *project)
{
    name_set node = {.project = project}, script = {.project = project};
    if (project->symbol_count) {
        qsort(project->symbols, project->symbol_count, sizeof *project->symbols, rpc_compare_symbols);
    }
    join_partial_classes(project);
    for (uint32_t i = 0; i < project->class_count && may_collect(project); i++) {
        link_class(project, i, &node, &script);
    }
    for (uint32_t i = 0; i < project->class_count && may_collect(project); i++) {
        if (project->classes[i].other_methods) {
            link_foreign(project, i, &node, &script);
        }
    }
    free(node.names);
    free(script.names);
    if (project->list_count > 0) {
        join_equal_lists(project);
    }
    make_names_visible(project);
}

static int compare_checksum(const void *list, const void *checksum)
{
    return strncmp(((const rpc_list *)list)->checksum, checksum, 32);
}

const rpc_list *rpc_project_find(const rpc_project *project, const char *checksum, const rpc_list *previous)
{
    uint32_t at = previous ? (uint32_t)(previous - project->lists) + 1
                           : lower_bound(checksum, project->lists, project->list_count,
                                         sizeof *project->lists, compare_checksum);
    bool found = at < project->list_count && compare_checksum(&project->lists[at], checksum) == 0;
    return found ? &project->lists[at] : NULL;
}

const char *rpc_list_method(const rpc_list *list, uint16_t id)
{
    uint32_t index = id & 0x7fff;
    if (id & 0x8000) {
        return index < list->node_count ? list->node_names[index] : NULL;
    }
    return index < list->count ? list->names[index] : NULL;
}

rpc_signature rpc_list_signature(const rpc_list *list, uint16_t id)
{
    uint32_t index = (id & 0x7fffu) + (id & 0x8000 ? 0 : list->node_count);
    bool known = list->signatures && rpc_list_method(list, id);
    return known ? list->signatures[index] : (rpc_signature){.counted = false};
}

rpc_signature rpc_project_signature(const rpc_project *project, const char *checksum, uint16_t id)
{
    const rpc_list *list = rpc_project_find(project, checksum, NULL);
    rpc_signature signature = {.counted = false};
    for (bool first = true; list; list = rpc_project_find(project, checksum, list), first = false) {
        rpc_signature other = rpc_list_signature(list, id);
        if (first) {
            signature = other;
        } else {
            rpc_join_signature(&signature, other);
        }
    }
    return signature;
}

/* A call that configures this method or property; NULL: there is none. */
static const symbol *find_configured(const rpc_project *project, const char *name)
{
    const symbol *found = rpc_find_symbol(project, SYMBOL_CONFIGURED, 0, name);
    return found ? found : rpc_find_symbol(project, SYMBOL_CONFIGURED, 0, "");
}

rpc_signature rpc_project_declared(const rpc_project *project, const char *name)
{
    const symbol *found = rpc_find_symbol(project, SYMBOL_LEGACY, 0, name);
    rpc_signature signature = found ? found->signature : (rpc_signature){.counted = false};
    for (const symbol *next = found ? found + 1 : NULL, *end = project->symbols + project->symbol_count;
         next && next < end && rpc_compare_keys(next, found) == 0; next++) {
        rpc_join_signature(&signature, next->signature);
    }
    return find_configured(project, name) ? (rpc_signature){.counted = false} : signature;
}

uint32_t rpc_project_declaring(const rpc_project *project, const char *name, const char **labels,
                               uint32_t room)
{
    const symbol *found = rpc_find_symbol(project, SYMBOL_LEGACY, 0, name);
    uint32_t count = 0;
    for (const symbol *at = found, *end = project->symbols + project->symbol_count;
         at && at < end && rpc_compare_keys(at, found) == 0; at++, count++) {
        if (count < room) {
            labels[count] = project->classes[at->index].label;
        }
    }
    return count;
}

bool rpc_project_has_local(const rpc_project *project, const char *name)
{
    return rpc_count_functions(project, name) > rpc_project_declaring(project, name, NULL, 0);
}

const char *rpc_project_method(const rpc_project *project, const char *checksum, uint16_t id)
{
    /* Different lists can have the same checksum ("a", "bc" and "ab", "c"): only names and signatures that
     * are the same in all of them are used. */
    const rpc_list *list = rpc_project_find(project, checksum, NULL);
    const char *name = list ? rpc_list_method(list, id) : NULL;
    while (name && (list = rpc_project_find(project, checksum, list)) != NULL) {
        const char *other = rpc_list_method(list, id);
        if (!other || strcmp(other, name) != 0) {
            name = NULL;
        }
    }
    return name;
}

const char *rpc_project_declares(const rpc_project *project, const char *name, uint32_t *others)
{
    const symbol *found = rpc_find_symbol(project, SYMBOL_LEGACY, 0, name);
    found = found ? found : find_configured(project, name);
    *others = 0;
    if (!found) {
        return NULL;
    }
    const char *label = project->classes[found->index].label;
    for (const symbol *next = found + 1, *end = project->symbols + project->symbol_count;
         next < end && rpc_compare_keys(next, found) == 0; next++) {
        ++*others;
    }
    return label;
}

rpc_summary rpc_project_summary(const rpc_project *project)
{
    return (rpc_summary){project->class_count, project->method_count, project->list_count,
                         project->truncated || project->pool.failed};
}

const char *rpc_project_path(const rpc_project *project, uint32_t root, const char *name)
{
    const symbol *uid = rpc_find_symbol(project, SYMBOL_UID, root, name);
    return uid && uid->path ? uid->path : name;
}

/* The same for one class. */
static bool class_inherits(rpc_project *project, uint32_t index, const char *base, const char *function)
{
    for (uint32_t link = index, steps = 0; link != NO_CLASS && steps < RPC_MAX_CHAIN; steps++) {
        const class_info *info = &project->classes[link];
        const char *name = function && info->language == RPC_GDSCRIPT ? info->label : info->path;
        if (strcmp(name, base) == 0 || (!function && strcmp(info->label, base) == 0)) {
            return true;
        }
        if (function &&
            (info->language == RPC_CSHARP || rpc_find_symbol(project, SYMBOL_FUNCTION, link, function))) {
            return false;
        }
        link = rpc_base_of(project, link);
    }
    return false;
}

bool rpc_project_inherits(rpc_project *project, uint32_t root, const char *script, const char *base,
                          const char *function)
{
    const symbol *found = script ? rpc_find_symbol(project, SYMBOL_PATH, root, script) : NULL;
    bool inherits = false;
    for (const symbol *at = found, *end = project->symbols + project->symbol_count;
         at && at < end && !inherits && rpc_compare_keys(at, found) == 0; at++) {
        inherits = class_inherits(project, at->index, base, function);
    }
    return inherits;
}

/* --- life ---------------------------------------------------------------------------------------- */

rpc_project *rpc_project_new(void)
{
    rpc_project *project = calloc(1, sizeof *project);
    if (project) {
        project->pool.limit = RPC_MAX_TEXT;
    }
    return project;
}

void rpc_project_free(rpc_project *project)
{
    if (!project) {
        return;
    }
    pool_free(&project->pool);
    free(project->classes);
    free(project->symbols);
    free(project->lists);
    free(project);
}
