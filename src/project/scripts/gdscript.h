/* gdscript.h
 *
 * Finds the classes and methods of a GDScript source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GDSCRIPT_H
#define GDSCRIPT_H

#include "project/scripts/lexer.h"
#include "project/scripts/rpc_sources.h"

/* `lex` is at the beginning of the source; `path` is kept already. */
void rpc_scan_gdscript(rpc_project *project, uint32_t root, const char *path, lexer lex);

#endif
