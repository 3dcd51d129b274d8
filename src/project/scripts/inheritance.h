/* inheritance.h
 *
 * Base classes, and lookups in the table of symbols (rpc_sources.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RPC_INHERITANCE_H
#define RPC_INHERITANCE_H

#include "project/scripts/rpc_sources.h"

/* Order of symbols by kind, owner and name; the second function also distinguishes equal names. */
int rpc_compare_keys(const void *left, const void *right);
int rpc_compare_symbols(const void *left, const void *right);

/* The first symbol with this key, NULL if there is none. */
const symbol *rpc_find_symbol(const rpc_project *project, symbol_kind kind, uint32_t owner, const char *name);

/* How many classes have a function of this name themselves. Looks at each. */
uint32_t rpc_count_functions(const rpc_project *project, const char *name);

/* Index of the base of a class, NO_CLASS if none is known. Names are looked up in outer classes first. During
 * the lookup the class has no base, as in the engine, which prevents endless recursion. A lookup may need the
 * bases of other classes; RPC_MAX_LOOKUPS limits the depth of this recursion. */
uint32_t rpc_base_of(rpc_project *project, uint32_t index);

#endif
