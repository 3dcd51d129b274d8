/* messages.h
 *
 * Names and argument names of the messages between a running game and the editor (remote debugger), as data.
 *
 * Sources: core/debugger/remote_debugger.cpp, core/debugger/debugger_marshalls.cpp, scene/debugger,
 * servers/debugger/servers_debugger.cpp, modules/multiplayer/multiplayer_debugger.cpp (Godot 4.6) and
 * scene/debugger/script_debugger_remote.cpp, editor/script_editor_debugger.cpp (Godot 3.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DEBUGGER_MESSAGES_H
#define DEBUGGER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    DEBUGGER_FROM_GAME,   /* game to editor */
    DEBUGGER_FROM_EDITOR, /* editor to game */
} debugger_direction;

/* What a message is about, for the expert infos and the Info column. */
typedef enum {
    DEBUGGER_PLAIN,
    DEBUGGER_ERROR,  /* an error or a warning of the game */
    DEBUGGER_BREAK,  /* the game stopped in the script debugger */
    DEBUGGER_OUTPUT, /* lines the game printed */
} debugger_topic;

typedef struct {
    const char *name;
    uint8_t api; /* 3 or 4: the engine generation */
    debugger_direction direction;
    debugger_topic topic;
    /* Argument names in order, separated by blanks. `name{a b}`: an int, then that many groups of a and b.
     * `name/K{a b}`: an int n, then n / K groups of K arguments. `{a b}`: groups up to the last argument.
     * Names after the last one given are shown as numbers. */
    const char *arguments;
    /* Template of the text after the name in the Info column: `<file>` stands for the first argument of that
     * name, `<file 0|file>` for the first of the two that there is, `<#>` for the number of repetitions of
     * the outermost group. NULL: all arguments. */
    const char *summary;
} debugger_message;

/* Finds a message by its name, which need not be NUL-terminated. A message of the other direction is found,
 * too, because the caller only assumes which end is the editor. NULL if unknown: scripts may send any
 * name. */
const debugger_message *debugger_find_message(unsigned api, debugger_direction direction, const char *name,
                                              size_t length);

/* The Array that is the first value of Godot 3's message "error". */
const debugger_message *debugger_v3_error_record(void);

/* All messages, for tests and for documentation. */
const debugger_message *debugger_messages(size_t *count);

#define DEBUGGER_MAX_NESTING 3

/* Iterates over the argument names of a message. */
typedef struct {
    const char *next; /* into `arguments`; NULL when they are used up */
    unsigned depth;
    struct {
        const char *begin; /* first name of the group */
        uint64_t left;     /* repetitions after this one; UINT64_MAX: up to the end */
        uint64_t number;   /* of this repetition, from 0 */
    } group[DEBUGGER_MAX_NESTING];
    uint64_t outermost;  /* repetitions of outermost groups begun so far */
    bool counting;       /* the argument named last holds the repetitions of the group at `next` */
    uint32_t group_size; /* K of name/K{…}, 1 for name{…} */
} debugger_arguments;

/* `message` may be NULL: no argument has a name then. */
void debugger_arguments_begin(debugger_arguments *arguments, const debugger_message *message);

/* Name of the next argument: writes "name", inside a group "name 2" with the number of the repetition (from
 * 0), or "" if it has none, and NUL. `size` > 0, text is cut to it. */
void debugger_next_argument(debugger_arguments *arguments, char *name, size_t size);

/* To be called with the value of the argument just named, if it is an int, as it may be the count of a group.
 * A negative count is read as 0. */
void debugger_argument_value(debugger_arguments *arguments, int64_t value);

#endif
