/* gdscript_tokens.h
 *
 * GDScript as an exported game of Godot 4.3 and later has it: a .gdc file, the tokens of the script in binary
 * form. They are converted back to text, so that one scanner reads both. Comments, blank lines and the layout
 * inside of a line are lost; indentation is kept.
 *
 * Source: modules/gdscript/gdscript_tokenizer_buffer.cpp; tried with exports of 4.3.0, 4.5.1, 4.6.3 and
 * 4.7.2. Compiled scripts of Godot 3 (version 13) are another format, which is not read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GDSCRIPT_TOKENS_H
#define GDSCRIPT_TOKENS_H

#include "base/output.h"

#define GDSCRIPT_TOKENS_MAX (16u << 20) /* bytes after decompression, and of the text */

/* Writes the script's text to `out`, whose limit it sets. False: damaged, or a version that is not known. */
bool gdscript_tokens_text(const uint8_t *bytes, size_t length, output *out);

#endif
