/* csharp.h
 *
 * Finds the classes and methods of a C# source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CSHARP_H
#define CSHARP_H

#include "project/scripts/lexer.h"
#include "project/scripts/rpc_sources.h"

/* `lex` is at the beginning of the source; `path` is kept already. */
void rpc_scan_csharp(rpc_project *project, uint32_t root, const char *path, lexer lex);

#endif
