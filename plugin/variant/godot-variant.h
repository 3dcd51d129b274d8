/* godot-variant.h
 *
 * Variants for other dissectors: RPC arguments, replicated state, debugger messages, streams.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_VARIANT_H
#define GODOT_VARIANT_H

#include "common/wireshark-compat.h"
#include "variant/variant.h"

typedef struct {
    uint32_t consumed; /* bytes of the value; 0 if it cannot be read to its end */
    variant_type type;
    variant_verdict error; /* VARIANT_IGNORED, or why the engine would refuse it */
} godot_variant_result;

/* Adds one value to `tree`: the item, its children, expert infos, `godot.variant.text`. `label` is shown
 * before the value ("Argument 0"), NULL for "Value". Reads at most `length` bytes from `offset` and never
 * throws for what it finds there; bytes cut off by the capture's snap length throw as usual. If `text` is not
 * NULL the value's text (allocated from pinfo->pool, at most `text_size` bytes) is returned in *text. */
godot_variant_result godot_variant_add(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, unsigned offset,
                                       unsigned length, variant_options options, const char *label,
                                       const char **text, size_t text_size);

/* Shows a packet (or the payload of a frame) that is one value: protocol item, value, what is after it. With
 * `info` the text is appended to the Info column. `session` as below. */
godot_variant_result godot_variant_dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                                           variant_dialect session, bool info);

/* Dialect by the preference `godot.variant.dialect`, else `session`'s (VARIANT_DIALECT_COUNT: not known),
 * else what the conversation used before, else the bytes themselves. */
variant_dialect godot_variant_choose_dialect(packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                                             unsigned length, variant_dialect session);

#endif
