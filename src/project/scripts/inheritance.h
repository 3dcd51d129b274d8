/* inheritance.h
 *
 * What a class of a source extends, and the table of symbols in which that is looked up (rpc_sources.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RPC_INHERITANCE_H
#define RPC_INHERITANCE_H

#include "project/scripts/rpc_sources.h"

/* Of symbols: without what tells equal names apart, and with it. */
int rpc_compare_keys(const void *left, const void *right);
int rpc_compare_symbols(const void *left, const void *right);

/* The first symbol with this key, NULL if there is none. */
const symbol *rpc_find_symbol(const rpc_project *project, symbol_kind kind, uint32_t owner, const char *name);

/* What a class extends. While that is looked up the class has no base, as in the engine, so that nothing goes
 * in circles; a class around it is asked first. A base may be looked up through the base of another class:
 * RPC_MAX_LOOKUPS keeps the depth of that within any stack. */
uint32_t rpc_base_of(rpc_project *project, uint32_t index);

#endif
