/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/authority/targets.h"

/* Variables that are variables' values; tokens that are looked at to find the values of variables, in all
 * scripts. Beyond them a target is not known. */
enum { MAX_VARIABLES = 4, MAX_STEPS = 1 << 26 };

/* --- tokens -------------------------------------------------------------------------------------- */

bool authority_is_one_of(slice text, const char *const *words)
{
    while (*words && !slice_equals(text, *words)) {
        words++;
    }
    return *words;
}

bool authority_is_word(const token *t, const char *const *words)
{
    return t->kind == TOKEN_WORD && authority_is_one_of(t->text, words);
}

static const char brackets[] = "([{<)]}>";

bool authority_opens(const token *t)
{
    return t->kind == TOKEN_MARK && memchr(brackets, t->mark, 4);
}

bool authority_closes(const token *t)
{
    return t->kind == TOKEN_MARK && memchr(brackets + 4, t->mark, 4);
}

size_t authority_match(const authority_script *s, size_t i)
{
    const char *found = strchr(brackets, s->t[i].mark);
    bool forward = found < brackets + 4;
    char other = forward ? found[4] : found[-4];
    size_t depth = 0, left = AUTHORITY_MAX_DISTANCE;
    for (; i > 0 && i < s->count && left > 0; i += forward ? 1 : (size_t)-1, left--) {
        depth += is_mark(&s->t[i], *found);
        depth -= is_mark(&s->t[i], other);
        if (depth == 0) {
            return i;
        }
    }
    return 0;
}

/* Whether the node path's marks or the word at `i` are before a part of a path: $A/B, %C. */
static bool in_path(const token *t)
{
    return is_mark(t, '$') || is_mark(t, '%') || is_mark(t, '/');
}

size_t authority_object_begin(const authority_script *s, size_t i)
{
    while (i > 1 && is_mark(&s->t[i - 1], '.')) {
        size_t at = i - 2;
        while (at > 0 && authority_closes(&s->t[at])) {
            size_t open = authority_match(s, at);
            at = open ? open - 1 : 0;
        }
        bool element = s->t[at].kind == TOKEN_WORD || s->t[at].kind == TOKEN_STRING;
        at += !element; /* the object is in parentheses */
        while (at > 1 && in_path(&s->t[at - 1])) {
            at--;
            at -= is_mark(&s->t[at], '/') && (s->t[at - 1].kind == TOKEN_WORD || is_mark(&s->t[at - 1], '.'));
        }
        i = at;
    }
    return i;
}

/* The token after a value "$A/B", "a.b(c)[d].e()" that begins at `i`. */
static size_t value_end(const authority_script *s, size_t i)
{
    while (in_path(&s->t[i])) {
        i++;
    }
    while (i < s->count &&
           (s->t[i].kind == TOKEN_WORD || s->t[i].kind == TOKEN_STRING || authority_opens(&s->t[i]))) {
        i += !authority_opens(&s->t[i]);
        while (authority_opens(&s->t[i]) && !is_mark(&s->t[i], '{')) {
            size_t close = authority_match(s, i);
            if (close == 0) {
                return i;
            }
            i = close + 1;
        }
        if (!is_mark(&s->t[i], '.') && !is_mark(&s->t[i], '/')) {
            break;
        }
        i++;
    }
    return i;
}

/* --- targets ------------------------------------------------------------------------------------- */

/* `below`: the path is relative to the node that has the script. */
static authority_object named(slice path, bool below)
{
    slice name = {path.text, 0};
    bool unique = false, up = path.length > 0 && *path.text == '/';
    for (size_t i = 0; i <= path.length; i++) {
        if (i < path.length && path.text[i] != '/' && path.text[i] != '%') {
            name.length++;
            continue;
        }
        up |= slice_equals(name, "..");
        unique |= i < path.length && path.text[i] == '%';
        if (i < path.length) {
            name = (slice){path.text + i + 1, 0};
        }
    }
    bool place = name.length == 0 || *name.text == '.' || memchr(name.text, '*', name.length) ||
                 memchr(name.text, '?', name.length);
    return place ? (authority_object){.target = AUTHORITY_OF_ANY}
                 : (authority_object){.target =
                                          below && !up && !unique ? AUTHORITY_OF_BELOW : AUTHORITY_OF_NAMED,
                                      .name = name};
}

/* The object `inner`, looked up from `outer`. */
static authority_object below(authority_object outer, authority_object inner)
{
    bool known = inner.target == AUTHORITY_OF_BELOW && !outer.variable.text;
    if (known && outer.target == AUTHORITY_OF_CREATED && !outer.name.text) {
        outer.name = inner.name;
        return outer;
    }
    if (inner.target == AUTHORITY_OF_BELOW && (!known || outer.target > AUTHORITY_OF_BELOW)) {
        inner.target = AUTHORITY_OF_NAMED;
    }
    return inner;
}

/* A call at the end of an object: "….get_node("A")", "….instantiate()". */
static bool call_at_end(const authority_script *s, size_t begin, size_t end, int level,
                        authority_object *result)
{
    static const char *const creates[] = {"instantiate", "instance",  "new",      "Instantiate",
                                          "Duplicate",   "duplicate", "Instance", NULL};
    static const char *const finds[] = {"get_node",      "get_node_or_null", "GetNode",
                                        "GetNodeOrNull", "find_child",       "FindChild",
                                        "find_node",     "FindNode",         NULL};
    size_t open = is_mark(&s->t[end - 1], ')') ? authority_match(s, end - 1) : 0;
    size_t name = open ? open - 1 : 0;
    if (name > begin && is_mark(&s->t[name], '>')) { /* GetNode<Node2D> */
        name = authority_match(s, name);
        name -= name > 0;
    }
    if (name >= begin && authority_is_word(&s->t[name], creates)) {
        *result = (authority_object){.target = AUTHORITY_OF_CREATED};
        return true;
    }
    size_t path = open + 1 + (is_mark(&s->t[open + 1], '^') || is_mark(&s->t[open + 1], '&'));
    bool literal = name >= begin && authority_is_word(&s->t[name], finds) &&
                   s->t[path].kind == TOKEN_STRING && (path + 2 == end || is_mark(&s->t[path + 1], ','));
    if (literal && name > begin + 1) {
        *result = below(authority_find_object(s, begin, name - 1, level), named(s->t[path].text, true));
    } else if (literal) {
        *result = named(s->t[path].text, true);
    }
    return literal;
}

/* "$A/B", "%C", "$"../D"". */
static authority_object node_path(const authority_script *s, size_t begin, size_t end)
{
    size_t first = begin;
    while (first + 1 < end && !s->t[first].text.text) {
        first++;
    }
    slice from = s->t[first].text, to = s->t[end - 1].text;
    if (!from.text || !to.text) {
        return (authority_object){.target = AUTHORITY_OF_ANY};
    }
    bool below = first == begin + 1 && is_mark(&s->t[begin], '$');
    return named((slice){from.text, (size_t)(to.text + to.length - from.text)}, below);
}

/* Whether the word at `i` is declared there without a value: parameters, variables of loops. `*list`: where
 * the only value of a loop begins, as in "for x in [$A]". */
static bool is_given(const authority_script *s, size_t i, size_t *list)
{
    const token *before = &s->t[i - 1], *after = &s->t[i + 1];
    if (is_name(before, "for")) {
        bool literal = is_name(after, "in") && is_mark(&s->t[i + 2], '[');
        size_t end = literal ? value_end(s, i + 3) : 0;
        *list = literal && end > i + 3 && is_mark(&s->t[end], ']') ? i + 3 : 0;
        return !*list;
    }
    if (s->language == RPC_CSHARP) {
        bool typed = before->kind == TOKEN_WORD || is_mark(before, '>') || is_mark(before, ']');
        return typed && (is_mark(after, ',') || is_mark(after, ')') || is_name(after, "in"));
    }
    /* In the parentheses of "func name(" or "func(". */
    for (size_t at = i - 1; at > 1 && i - at < AUTHORITY_MAX_DISTANCE && s->t[at].kind != TOKEN_NEWLINE;
         at--) {
        if (authority_closes(&s->t[at])) {
            at = authority_match(s, at);
            if (at == 0) {
                break;
            }
        } else if (authority_opens(&s->t[at])) {
            return is_name(&s->t[at - 1], "func") || is_name(&s->t[at - 2], "func");
        }
    }
    return false;
}

size_t authority_assigned_value(const authority_script *s, size_t i)
{
    size_t at = i + 1;
    if (is_mark(&s->t[at], ':') && s->language == RPC_GDSCRIPT) {
        for (at++; s->t[at].kind == TOKEN_WORD || is_mark(&s->t[at], '.'); at++) {
        }
    }
    return is_mark(&s->t[at], '=') && !is_mark(&s->t[at + 1], '=') && !is_mark(&s->t[at + 1], '>') ? at + 1
                                                                                                   : 0;
}

/* Whether the value that is a variable's ends at `i`: "$A if x else $B" is not "$A". */
static bool value_ends(const token *t)
{
    static const char *const operators[] = {"if", "and", "or", "is", "in", NULL};
    return !authority_is_word(t, operators) && (t->kind != TOKEN_MARK || is_mark(t, ')') || is_mark(t, ';') ||
                                                is_mark(t, ',') || is_mark(t, '}') || is_mark(t, '@'));
}

/* Adds what the words before a declaration, or the column of it, mean: `*member`, and whether the editor can
 * set it. */
static bool is_exported(const authority_script *s, size_t i, bool *member)
{
    bool exported = false;
    size_t at = i;
    for (; at > 0 && i - at < AUTHORITY_MAX_DISTANCE && s->t[at - 1].kind != TOKEN_NEWLINE &&
           !is_mark(&s->t[at - 1], ';') && !is_mark(&s->t[at - 1], '{') && !is_mark(&s->t[at - 1], '}');
         at--) {
        slice word = s->t[at - 1].kind == TOKEN_WORD ? s->t[at - 1].text : NO_SLICE;
        exported |= word.text && (slice_begins(word, "export") || slice_begins(word, "Export"));
        *member |= slice_equals(word, "var") && s->t[at - 1].column == 0;
        *member |= slice_equals(word, "private") || slice_equals(word, "public");
    }
    return exported;
}

void authority_find_function(const authority_script *s, size_t i, size_t *begin, size_t *end)
{
    bool gdscript = s->language == RPC_GDSCRIPT;
    *begin = gdscript ? i : 1;
    *end = gdscript ? i : s->count;
    while (gdscript && *begin > 1 &&
           !(is_name(&s->t[*begin - 1], "func") && s->t[*begin].kind == TOKEN_WORD)) {
        --*begin;
    }
    while (gdscript && *end < s->count &&
           !(is_name(&s->t[*end], "func") && s->t[*end + 1].kind == TOKEN_WORD)) {
        ++*end;
    }
    s->all->steps += (uint32_t)(*end - *begin);
}

/* The node that the value from `value` on is. False: it is not known. */
static bool read_value(const authority_script *s, size_t value, int level, authority_object *result)
{
    if (s->language == RPC_CSHARP && is_name(&s->t[value], "new")) {
        *result = (authority_object){.target = AUTHORITY_OF_CREATED};
        return true;
    }
    size_t end = value_end(s, value);
    if (end == value || !(value_ends(&s->t[end]) || is_mark(&s->t[end], ']'))) {
        return false;
    }
    *result = authority_find_object(s, value, end, level + 1);
    return true;
}

/* The node that the variable at `use` has, if all that is assigned to it in the script is known; of a local
 * variable, in the function. */
static authority_object variable(const authority_script *s, size_t use, int level)
{
    slice name = s->t[use].text;
    const authority_object unknown = {.target = AUTHORITY_OF_VALUE, .name = name};
    authority_object result = unknown, one;
    bool known = false, member = s->language == RPC_CSHARP;
    size_t begin, end, local = use;
    authority_find_function(s, use, &begin, &end);
    while (local > begin && !((is_name(&s->t[local - 1], "var") || is_name(&s->t[local - 1], "for")) &&
                              s->t[local].column > 0 && slices_equal(s->t[local].text, name))) {
        local--;
    }
    bool is_local = local > begin && s->language == RPC_GDSCRIPT;
    for (size_t i = is_local ? local : 1; i + 2 < (is_local ? end : s->count); i++) {
        bool own = is_mark(&s->t[i - 1], '.') && is_name(&s->t[i - 2], "self");
        if (++s->all->steps > MAX_STEPS) {
            return unknown;
        }
        if (s->t[i].kind != TOKEN_WORD || !slices_equal(s->t[i].text, name) ||
            (is_mark(&s->t[i - 1], '.') && !own)) {
            continue;
        }
        size_t list = 0, value = authority_assigned_value(s, i);
        s->all->steps += AUTHORITY_MAX_DISTANCE;
        if (is_given(s, i, &list) || is_exported(s, i, &member)) {
            return unknown;
        }
        value = list ? list : value;
        if (!value || is_name(&s->t[value], "null")) {
            continue;
        }
        if (!read_value(s, value, level, &one)) {
            return unknown;
        }
        if (known &&
            (one.target != result.target || (one.name.text && !slices_equal(one.name, result.name)))) {
            return one.target == AUTHORITY_OF_ANY ? one : unknown;
        }
        result = one;
        known = true;
    }
    result.variable = known && member ? name : result.variable;
    result.made = result.target == AUTHORITY_OF_CREATED ? name : NO_SLICE;
    return result;
}

/* Whether "x += " or the like is at `i`; not a comparison. */
static bool is_changed(const token *t)
{
    bool compared = is_mark(t + 1, '!') || is_mark(t + 1, '<') || is_mark(t + 1, '>') || is_mark(t + 1, '=');
    return t[1].kind == TOKEN_MARK &&
           ((is_mark(t + 2, '=') && !compared) || (is_mark(t + 2, t[1].mark) && is_mark(t + 3, '=')));
}

size_t authority_only_value(const authority_script *s, size_t use)
{
    size_t begin, end, value = 0, list = 0;
    authority_find_function(s, use, &begin, &end);
    for (size_t i = begin; s->language == RPC_GDSCRIPT && i < end; i++) {
        if (s->t[i].kind != TOKEN_WORD || !slices_equal(s->t[i].text, s->t[use].text) ||
            is_mark(&s->t[i - 1], '.')) {
            continue;
        }
        s->all->steps += AUTHORITY_MAX_DISTANCE;
        size_t assigned = authority_assigned_value(s, i);
        bool declared = is_name(&s->t[i - 1], "var"), set = declared || assigned || is_changed(&s->t[i]);
        if (is_given(s, i, &list) || list || (set && (value || !declared || i > use)) ||
            s->all->steps > MAX_STEPS) {
            return 0;
        }
        value = declared ? assigned : value;
    }
    return value;
}

authority_object authority_find_object(const authority_script *s, size_t begin, size_t end, int level)
{
    static const char *const own[] = {"self", "this", "super", "base", NULL};
    static const char *const around[] = {
        "get_parent", "GetParent",    "owner",       "Owner",    "get_owner", "get_tree", "GetTree",
        "root",       "get_children", "GetChildren", "get_root", "GetOwner",  "GetRoot",  NULL};
    authority_object result = {.target = AUTHORITY_OF_ANY};
    while (begin < end && authority_is_word(&s->t[begin], own)) {
        begin += begin + 1 < end && is_mark(&s->t[begin + 1], '.') ? 2 : 1;
    }
    if (begin == end) {
        return (authority_object){.target = AUTHORITY_OF_OWN};
    }
    if (call_at_end(s, begin, end, level, &result)) {
        return result;
    }
    size_t path = begin;
    while (in_path(&s->t[begin]) && path < end && !is_mark(&s->t[path], '.') &&
           !authority_opens(&s->t[path])) {
        path++;
    }
    if (path == end) {
        return node_path(s, begin, end);
    }
    if (begin + 1 == end && s->t[begin].kind == TOKEN_WORD) {
        return level < MAX_VARIABLES ? variable(s, begin, level) : result;
    }
    for (size_t i = begin; i < end; i++) {
        bool up = s->t[i].kind == TOKEN_STRING && s->t[i].text.length > 0 && strchr("./", *s->t[i].text.text);
        if (up || authority_is_word(&s->t[i], around)) {
            return result;
        }
    }
    return (authority_object){.target = AUTHORITY_OF_VALUE};
}
