/* recogniser.h
 *
 * Auto-detection of the remote debugger: whether bytes are a message of it, where in a stream one begins, and
 * which other protocol may be in use on its port.
 *
 * TCP: u32 little-endian length and one Variant. Godot 4: an Array [name, thread id, [arguments]] (4.0 and
 * 4.1 without the thread id). Godot 3, editor to game: an Array [name, arguments…]; game to editor: the
 * name, the number of values and the values, each with a length of its own. Over WebSocket each message is a
 * Variant without length.
 *
 * Sources: core/debugger/remote_debugger_peer.cpp (Godot 4.6), scene/debugger/script_debugger_remote.cpp
 * (Godot 3.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DEBUGGER_RECOGNISER_H
#define DEBUGGER_RECOGNISER_H

#include "debugger/messages.h"

#define DEBUGGER_MAX_NAME 64u /* bytes of a message's name; those of engines have up to 40 */
/* longer ones: the receiver disconnects (remote_debugger_peer.cpp) */
#define DEBUGGER_MAX_FRAME    (8u << 20)
#define DEBUGGER_MIN_EVIDENCE 20u /* length, Array, count, String header, name length */

/* A message that was recognised. */
typedef struct {
    unsigned api;         /* engine generation, 3 or 4; 0: nothing recognised, the rest is not valid then */
    bool array;           /* the name is in an Array, not a Variant of its own */
    bool printed;         /* it may be a text that a game of Godot 3 prints: [text, kind] */
    uint32_t name_offset; /* of the text, from the first of the bytes given */
    uint32_t name_length;
} debugger_evidence;

/* Recognises a message by the beginning of its Variant. There are no false positives. */
debugger_evidence debugger_recognise_message(const uint8_t *bytes, size_t length);

/* The same with the length word before it. */
debugger_evidence debugger_recognise_frame(const uint8_t *bytes, size_t length);

/* The first offset at which debugger_recognise_frame() recognises a message, `length` if there is none.
 * *found is its result there. */
size_t debugger_find_frame(const uint8_t *bytes, size_t length, debugger_evidence *found);

/* True if a frame may begin here, by its length word and, with eight bytes, the Variant's header. `length` >=
 * 4. */
bool debugger_may_be_frame(const uint8_t *bytes, size_t length);

/* Which end is the editor, according to a message. */
typedef enum { DEBUGGER_EDITOR_UNKNOWN, DEBUGGER_EDITOR_SENDS, DEBUGGER_EDITOR_RECEIVES } debugger_editor;
debugger_editor debugger_find_editor(const debugger_evidence *evidence, const uint8_t *bytes);

/* Another protocol on the port, by the first bytes of a connection. */
typedef enum {
    DEBUGGER_OTHER_NONE,
    DEBUGGER_OTHER_X11,  /* displays 0 to 63 listen on TCP ports 6000 to 6063 */
    DEBUGGER_OTHER_TEXT, /* HTTP (also the handshake of a WebSocket), JSON-RPC, … or TLS */
} debugger_other;
debugger_other debugger_recognise_other(const uint8_t *bytes, size_t length);

#endif
