/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/allocators.h"

static void *resize(void *allocator, void *old, size_t size)
{
    if (size == 0) {
        wmem_free(allocator, old);
        return NULL;
    }
    return old ? wmem_realloc(allocator, old, size) : wmem_alloc(allocator, size);
}

memory_allocator packet_memory(const packet_info *pinfo)
{
    return (memory_allocator){resize, pinfo->pool};
}

memory_allocator file_memory(void)
{
    return (memory_allocator){resize, wmem_file_scope()};
}
