/* allocators.h
 *
 * Memory of Wireshark's scopes for what src/ keeps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ALLOCATORS_H
#define ALLOCATORS_H

#include "base/wireshark-compat.h"

#include "base/memory.h"

memory_allocator packet_memory(const packet_info *pinfo); /* until the packet is dissected */

/* Until the file is closed; then the owner sets what has it back to its first value
 * (register_cleanup_routine()). */
memory_allocator file_memory(void);

#endif
