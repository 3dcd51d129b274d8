/* authority.c
 *
 * Two steps: which scripts each node on the way to the wanted one can have, then which lines can reach one of
 * them. A name that no scene has below its parent is that of a node that a script or a spawner has created:
 * the root of any scene whose contents fit the rest of the path, else anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/authority/authority.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "project/scenes/link.h"

/* Beyond them nothing is known about the nodes. */
enum { MAX_ELEMENTS = 24, MAX_SCRIPTS = 8, MAX_CONTEXTS = 16, MAX_WORK = 20000 };

/* What a node of the path can be. */
typedef struct {
    const char *scripts[MAX_SCRIPTS];
    uint32_t count;
    bool any;     /* another script, too */
    bool created; /* by a script or a spawner */
} element;

/* A scene whose root is the node number `at`. */
typedef struct {
    uint32_t scene, at;
} context;

typedef struct {
    context list[MAX_CONTEXTS];
    uint32_t count;
} contexts;

typedef struct {
    authority_game g;
    uint32_t root;
    node_scripts scripts; /* of the last node */
    char *names[MAX_ELEMENTS];
    uint32_t count;
    element elements[MAX_ELEMENTS];
    uint32_t work;
    const authority_autoload *autoload; /* the first node is this one; NULL: it is none */
} walk;

/* --- scripts ------------------------------------------------------------------------------------- */

static void add_script(element *e, const char *script)
{
    for (uint32_t i = 0; i < e->count; i++) {
        if (strcmp(e->scripts[i], script) == 0) {
            return;
        }
    }
    if (e->count < MAX_SCRIPTS) {
        e->scripts[e->count++] = script;
    } else {
        e->any = true;
    }
}

static bool inherits(const walk *w, const char *script, const char *base)
{
    return rpc_project_inherits(w->g.names, w->root, script, base, NULL);
}

/* Whether a node with this script can be the last one. */
static bool is_wanted(const walk *w, const char *script)
{
    for (uint32_t i = 0; i < w->scripts.count; i++) {
        if (inherits(w, script, w->scripts.labels[i])) {
            return true;
        }
    }
    return false;
}

static void add_wanted(walk *w)
{
    element *last = &w->elements[w->count - 1];
    last->any = false;
    for (uint32_t i = 0; i < w->scripts.count; i++) {
        add_script(last, w->scripts.labels[i]);
    }
}

/* --- nodes of the path --------------------------------------------------------------------------- */

/* The node can be the root of this scene. `scripted`: it has another script than the scene's root. */
static void enter(walk *w, contexts *c, context root, bool scripted, int level)
{
    const scene_project *scenes = w->g.scenes;
    element *e = &w->elements[root.at];
    uint32_t count;
    if (c->count == MAX_CONTEXTS || level == SCENE_MAX_LEVELS) {
        w->work = MAX_WORK;
        return;
    }
    c->list[c->count++] = root;
    const scene_name *found = scene_names_of(&scenes->tree, root.scene, "", &count);
    const scene_place *top = count > 0 ? &scenes->all_nodes[found->index] : NULL;
    if (top && !scripted && top->script) {
        add_script(e, top->script);
    }
    e->any |= top && !scripted && top->opaque;
    if (top && top->made != SCENE_NOTHING) {
        enter(w, c, (context){top->made, root.at}, scripted || top->script || top->opaque, level + 1);
    }
}

/* Whether a scene has the node `i` below its root. */
static bool find_in_scenes(walk *w, contexts *c, uint32_t i)
{
    const scene_project *scenes = w->g.scenes;
    bool known = false;
    for (uint32_t k = 0, before = c->count; k < before; k++) {
        char path[SCENE_MAX_PATH];
        size_t used = 0;
        uint32_t count;
        bool fits = true;
        for (uint32_t part = c->list[k].at + 1; fits && part <= i; part++) {
            fits = strlen(w->names[part]) + used + 1 < sizeof path;
            used += fits ? (size_t)snprintf(path + used, sizeof path - used, "%s%s", used ? "/" : "",
                                            w->names[part])
                         : 0;
        }
        const scene_name *found = fits ? scene_names_of(&scenes->tree, c->list[k].scene, path, &count) : NULL;
        for (uint32_t n = 0; found && n < count; n++) {
            const scene_place *place = &scenes->all_nodes[found[n].index];
            known = true;
            if (place->script) {
                add_script(&w->elements[i], place->script);
            }
            w->elements[i].any |= place->opaque;
            if (place->made != SCENE_NOTHING) {
                enter(w, c, (context){place->made, i}, place->script || place->opaque, 0);
            }
        }
    }
    return known;
}

static bool solve(walk *w, contexts c, uint32_t i);

/* Scenes that inherit this one may be at `i` as well. */
static void add_heirs(walk *w, uint32_t made, uint32_t i, int level)
{
    const scene_project *scenes = w->g.scenes;
    w->work += scenes->all_count / 1024 + 1;
    for (uint32_t n = 0; n < scenes->all_count && level < SCENE_MAX_LEVELS && w->work < MAX_WORK; n++) {
        const scene_place *place = &scenes->all_nodes[n];
        if (place->made == made && place->path && !*place->path) {
            if (place->script) {
                add_script(&w->elements[i], place->script);
            }
            add_heirs(w, place->scene, i, level + 1);
        }
    }
}

static int compare_name(const void *element_, const void *name)
{
    return strcmp(((const scene_name *)element_)->name, name);
}

/* A node that no scene has: the root of one that has the rest of the path, if there are such scenes. */
static bool solve_created(walk *w, uint32_t i)
{
    const scene_index *tree = &w->g.scenes->tree;
    bool solved = false;
    element saved[MAX_ELEMENTS], roots = w->elements[i];
    roots.created = true;
    w->elements[i].created = w->elements[i].any = true;
    if (i + 1 == w->count) {
        add_wanted(w);
        return true;
    }
    uint32_t at =
        lower_bound(w->names[i + 1], tree->entries, tree->count, sizeof *tree->entries, compare_name);
    for (; at < tree->count && strcmp(tree->entries[at].name, w->names[i + 1]) == 0; at++) {
        uint32_t made = tree->entries[at].owner;
        contexts c = {.count = 0};
        if (w->g.scenes->scenes[made].root != w->root || w->work >= MAX_WORK) {
            continue;
        }
        memcpy(saved, w->elements, sizeof saved);
        w->elements[i] = roots;
        enter(w, &c, (context){made, i}, false, 0);
        add_heirs(w, made, i, 0);
        if (solve(w, c, i + 1)) {
            roots = w->elements[i];
            solved = true;
        } else {
            memcpy(w->elements, saved, sizeof saved);
        }
    }
    if (!solved) {
        solved = solve(w, (contexts){.count = 0}, i + 1);
    }
    return solved;
}

/* Finds out what the nodes from number `i` on can be. False: not a node with the wanted script. */
static bool solve(walk *w, contexts c, uint32_t i)
{
    if (++w->work >= MAX_WORK) {
        return false;
    }
    if (!find_in_scenes(w, &c, i)) {
        return solve_created(w, i);
    }
    element *e = &w->elements[i];
    if (i + 1 < w->count) {
        return solve(w, c, i + 1);
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; k < e->count; k++) {
        if (is_wanted(w, e->scripts[k])) {
            e->scripts[kept++] = e->scripts[k];
        }
    }
    bool fits = kept > 0 || e->any;
    e->count = kept;
    if (kept == 0) {
        add_wanted(w);
    }
    e->any = false;
    return fits;
}

static const authority_autoload *find_autoload(const walk *w, const char *name)
{
    const authority_autoload *found = NULL;
    for (uint32_t i = 0; name && i < w->g.lines->autoload_count && !found; i++) {
        const authority_autoload *a = &w->g.lines->autoloads[i];
        found = a->root == w->root && strcmp(a->name, name) == 0 ? a : NULL;
    }
    return found;
}

/* The first node: an autoload, the root of the main scene, or of another one. */
static bool solve_first(walk *w)
{
    const scene_project *scenes = w->g.scenes;
    contexts c = {.count = 0};
    uint32_t called = 0;
    w->autoload = find_autoload(w, w->names[0]);
    uint32_t made = w->autoload ? scene_find(scenes, w->root, w->autoload->path) : SCENE_NOTHING;
    if (made != SCENE_NOTHING) {
        enter(w, &c, (context){made, 0}, false, 0);
    } else if (w->autoload) {
        add_script(&w->elements[0], rpc_project_path(w->g.names, w->root, w->autoload->path));
    } else {
        const scene_name *roots = scene_names_of(&scenes->roots, 0, w->names[0], &called);
        for (uint32_t i = 0; i < called; i++) {
            if (scenes->scenes[roots[i].index].root == w->root) {
                enter(w, &c, (context){roots[i].index, 0}, false, 0);
            }
        }
        if (c.count == 0) {
            return solve_created(w, 0);
        }
        w->elements[0].created = w->g.lines->adds_to_root;
    }
    if (w->count > 1) {
        return solve(w, c, 1);
    }
    bool fits = false;
    for (uint32_t i = 0; i < w->elements[0].count; i++) {
        fits |= is_wanted(w, w->elements[0].scripts[i]);
    }
    return fits;
}

/* --- lines --------------------------------------------------------------------------------------- */

/* Whether the node `i` can have this script. */
static bool may_have(const walk *w, uint32_t i, const char *script)
{
    const element *e = &w->elements[i];
    bool last = i + 1 == w->count;
    bool found = e->any || (w->g.lines->sets_scripts && !last && !(i == 0 && w->autoload));
    for (uint32_t k = 0; !found && k < e->count; k++) {
        found = inherits(w, e->scripts[k], script) ||
                (last && !w->scripts.exact && inherits(w, script, e->scripts[k]));
    }
    return found;
}

/* Whether an autoload is a value somewhere, so that it may be what a variable has. */
static bool is_passed_on(const walk *w)
{
    const authority_lines *a = w->g.lines;
    bool found = a->autoloads_passed_on || w->autoload->passed_on;
    for (uint32_t i = 0; !found && i < a->own_count; i++) {
        found = may_have(w, 0, a->own_passed_on[i]);
    }
    return found;
}

/* The number in the name of node `i` after these characters; 0: there is none, or more. */
static int32_t number_in_name(const walk *w, uint32_t i, const char *before)
{
    size_t length = strlen(before);
    const char *digits = strncmp(w->names[i], before, length) == 0 ? w->names[i] + length : "";
    char *end;
    unsigned long long number = *digits >= '1' && *digits <= '9' ? strtoull(digits, &end, 10) : 0;
    return number > 0 && number <= INT32_MAX && !*end ? (int32_t)number : 0;
}

/* Whether node `i` can be the one that the script of the line has created. */
static bool is_made(const walk *w, const authority_line *line, uint32_t i)
{
    return w->elements[i].created && (!line->made || number_in_name(w, i, line->made) > 0);
}

/* Whether the line can set the authority of node `i`. `*own`: the node that has the script, if it decides. */
static bool can_be_target(const walk *w, const authority_line *line, uint32_t i, uint32_t *own)
{
    bool named = line->name && strcmp(line->name, w->names[i]) == 0;
    *own = i;
    switch (line->target) {
    case AUTHORITY_OF_OWN:
        return may_have(w, i, line->path);
    case AUTHORITY_OF_BELOW:
        for (uint32_t above = i; named && above-- > 0;) {
            if (may_have(w, above, line->path)) {
                *own = above;
                return true;
            }
        }
        return false;
    case AUTHORITY_OF_NAMED:
        return named;
    case AUTHORITY_OF_CREATED:
        for (*own = i; named && *own > 0 && !is_made(w, line, *own - 1); --*own) {
        }
        *own -= named && *own > 0;
        return line->name ? named && is_made(w, line, *own) && *own < i : is_made(w, line, i);
    case AUTHORITY_OF_VALUE:
        return find_autoload(w, line->name) ? i == 0 && named : i > 0 || !w->autoload || is_passed_on(w);
    case AUTHORITY_OF_ANY:
        break;
    }
    return true;
}

/* Nodes of a spawner are made by the engine at all peers but one. */
static bool has_spawners(const walk *w)
{
    bool found = w->g.lines->spawns;
    for (uint32_t i = 0; i < w->g.scenes->node_count && !found; i++) {
        found = w->g.scenes->nodes[i].kind == SCENE_SPAWNER;
    }
    return found;
}

/* The authority that the line gives for sure; `own`: the node that has its script, or that it has created. */
static int32_t certain_peer(const walk *w, const authority_line *line, uint32_t own)
{
    enum { LEAST_RANDOM = 1000000 }; /* ids of clients are random; smaller numbers may be of something else */
    const element *e = &w->elements[own];
    if (line->made) {
        if (!line->function || (!*line->function && has_spawners(w))) {
            return AUTHORITY_UNKNOWN;
        }
        int32_t peer = number_in_name(w, own, line->made);
        return peer == AUTHORITY_SERVER || peer >= LEAST_RANDOM ? peer : AUTHORITY_UNKNOWN;
    }
    bool certain = line->function && line->target <= AUTHORITY_OF_BELOW && !e->any && e->count > 0 &&
                   !w->g.lines->sets_scripts;
    for (uint32_t k = 0; certain && k < e->count; k++) {
        certain = rpc_project_inherits(w->g.names, w->root, e->scripts[k], line->path, line->function);
    }
    return !certain                          ? AUTHORITY_UNKNOWN
           : line->peer == AUTHORITY_IN_NAME ? number_in_name(w, own, "")
                                             : line->peer;
}

static node_authority apply_lines(const walk *w)
{
    node_authority result = {.peer = AUTHORITY_SERVER};
    bool set = false;
    for (uint32_t l = 0; l < w->g.lines->line_count; l++) {
        const authority_line *line = &w->g.lines->lines[l];
        uint32_t own;
        if (line->root != w->root) {
            continue;
        }
        for (uint32_t i = line->recursive ? 0 : w->count - 1; i < w->count; i++) {
            if (!can_be_target(w, line, i, &own)) {
                continue;
            }
            int32_t peer = line->peer == AUTHORITY_SERVER ? AUTHORITY_SERVER : certain_peer(w, line, own);
            if (peer != AUTHORITY_SERVER || result.path) {
                result = (node_authority){!set || peer == result.peer ? peer : AUTHORITY_UNKNOWN, line->path,
                                          line->line};
            }
            set = true;
            if (result.peer == AUTHORITY_UNKNOWN) {
                return result;
            }
        }
    }
    return result;
}

/* In one of the projects. */
static node_authority authority_in(authority_game g, uint32_t root, char *path, node_scripts scripts)
{
    walk w = {.g = g, .root = root, .scripts = scripts};
    for (char *at = path; at && w.count < MAX_ELEMENTS; w.count++) {
        char *slash = strchr(at, '/');
        if (slash) {
            *slash = 0;
        }
        w.names[w.count] = at;
        at = slash ? slash + 1 : NULL;
        if (at && w.count + 1 == MAX_ELEMENTS) {
            return (node_authority){.peer = AUTHORITY_UNKNOWN};
        }
    }
    if (!solve_first(&w) || w.work >= MAX_WORK) { /* the scenes do not explain the node */
        for (uint32_t i = 0; i < w.count; i++) {
            w.elements[i] = (element){.any = true, .created = true};
        }
        add_wanted(&w);
    }
    return apply_lines(&w);
}

node_authority authority_of(authority_game g, const char *path, node_scripts scripts)
{
    node_authority result = {.peer = AUTHORITY_UNKNOWN};
    bool first = true, whole = !g.lines->pool.failed && !g.scenes->incomplete;
    for (uint32_t root = 0; whole && *path && root <= g.last_root; root++) {
        bool there = false;
        for (uint32_t i = 0; i < scripts.count; i++) {
            there |= rpc_project_inherits(g.names, root, scripts.labels[i], scripts.labels[i], NULL);
        }
        char text[SCENE_MAX_PATH];
        if (!there || strlen(path) >= sizeof text) {
            continue;
        }
        strcpy(text, path);
        node_authority one = authority_in(g, root, text, scripts);
        bool same = first || (one.peer == result.peer);
        result = same && one.peer != AUTHORITY_UNKNOWN
                     ? one
                     : (node_authority){AUTHORITY_UNKNOWN, one.path ? one.path : result.path,
                                        one.path ? one.line : result.line};
        first = false;
        if (result.peer == AUTHORITY_UNKNOWN) {
            break;
        }
    }
    return result;
}
