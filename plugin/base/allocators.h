/* allocators.h
 *
 * Wireshark's memory scopes as allocators for src/.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ALLOCATORS_H
#define ALLOCATORS_H

#include "base/wireshark-compat.h"

#include "base/memory.h"

memory_allocator packet_memory(const packet_info *pinfo); /* until the packet is dissected */

/* Until the file is closed. Variables that refer to it have to be reset by then
 * (register_cleanup_routine()). */
memory_allocator file_memory(void);

/* A map that is emptied when the file is closed. While protocols are registered. */
static inline wmem_map_t *file_map(GHashFunc hash, GEqualFunc equal)
{
    return wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), hash, equal);
}

#endif
