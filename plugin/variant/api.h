/* api.h
 *
 * Variants for other dissectors: RPC arguments, replicated state, debugger messages, streams. A value is
 * decoded once, by godot_variant_read(); its tree and its text are built from the result.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_VARIANT_H
#define GODOT_VARIANT_H

#include "base/wireshark-compat.h"
#include "variant/variant.h"

/* Events of a value that are kept: enough for an argument as games send them. The rest of a larger value is
 * decoded again when it is needed, so that memory does not grow with the value. */
#define GODOT_VARIANT_EVENTS 32

/* One value, as it was read. About 35 KiB, meant for the stack. */
typedef struct {
    uint32_t consumed;     /* bytes of the value; 0 if it cannot be read to its end */
    variant_type type;     /* VARIANT_INVALID if it cannot be read */
    variant_verdict error; /* VARIANT_IGNORED, or the engine's error */

    /* Its bytes. */
    tvbuff_t *tvb;
    packet_info *pinfo;
    const uint8_t *bytes;
    unsigned offset; /* of `bytes` in the tvb */
    uint32_t length; /* bytes that it may take and that were captured; at most VARIANT_MAX_LENGTH */
    unsigned wanted; /* bytes that it may take */
    variant_options options;

    /* For the files of this folder. */
    bool guessed;      /* its problems depend on its dialect, which nothing shows */
    bool cut;          /* by the capture's snap length, before its end */
    bool noteworthy;   /* there are problems, or full objects: expert infos, even without a tree */
    const char *whole; /* its text, if the tree shows it; up to 1 MiB; else NULL */
    uint32_t count;    /* of `events` */
    bool more;         /* there may be further events: from `rest` on */
    variant_event events[GODOT_VARIANT_EVENTS];
    variant_decoder rest; /* valid if `more` */
} godot_variant;

/* Reads at most `length` bytes from `offset`. Never throws for what it finds there, nor for bytes cut off by
 * the capture's snap length. */
void godot_variant_read(godot_variant *value, tvbuff_t *tvb, packet_info *pinfo, unsigned offset,
                        unsigned length, variant_options options);

/* Adds the value to `tree`: the item, its children, expert infos, `godot.variant.text`. `label` is shown
 * before the value ("Argument 0"), NULL for "Value". Returns the item, a tree, or NULL if it is not needed.
 * Bytes that the snap length cut off throw as usual. */
proto_item *godot_variant_add(godot_variant *value, proto_tree *tree, const char *label);

/* The value on one line, from pinfo->pool: at most `size` bytes with the NUL, see variant_text(). */
const char *godot_variant_text(const godot_variant *value, size_t size);

/* The first event: of a value without children the VALUE with what it is; a FINDING if it cannot be read. Its
 * offsets are relative to `bytes`. */
static inline const variant_event *godot_variant_first(const godot_variant *value)
{
    return &value->events[0];
}

/* Dissects a packet (or the payload of a frame) that is one value: protocol item, value, bytes after it. With
 * `info` the text is appended to the Info column. `session`: as below. */
void godot_variant_dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, variant_dialect session,
                           bool info);

/* The dialect of a value. `guessed`: no other values of the conversation show it. */
typedef struct {
    variant_dialect dialect;
    bool guessed;
} godot_variant_generation;

/* Dialect by the preference `godot.variant.dialect`, else `session`'s (VARIANT_DIALECT_COUNT: not known),
 * else what the conversation used before, else the bytes themselves. */
godot_variant_generation godot_variant_choose_dialect(packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                                                      unsigned length, variant_dialect session);

/* Notes that the dialect of a value with problems is a guess, if they are others in another generation. */
void godot_variant_note_guess(godot_variant *value, godot_variant_generation chosen);

/* What follows a sentence about a problem: nothing, or that the generation is a guess. */
const char *godot_variant_doubt(const godot_variant *value);

#endif
