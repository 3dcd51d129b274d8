/* paged-array.c
 *
 * See paged-array.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/paged-array.h"

void *paged_array_make(paged_array *array, uint32_t number)
{
    uint32_t page = number / PAGED_ARRAY_PAGE;

    if (page >= array->count) {
        uint32_t wanted = MAX(page + 1, 2 * array->count);
        array->pages = wmem_realloc(wmem_file_scope(), array->pages, wanted * sizeof *array->pages);
        memset(array->pages + array->count, 0, (wanted - array->count) * sizeof *array->pages);
        array->count = wanted;
    }
    if (!array->pages[page]) {
        array->pages[page] = wmem_alloc0(wmem_file_scope(), PAGED_ARRAY_PAGE * array->size);
    }
    return paged_array_at(array, number);
}
