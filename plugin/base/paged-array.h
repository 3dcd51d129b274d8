/* paged-array.h
 *
 * What is kept of each frame or message of a file: elements of one size that are found by their number, 0 at
 * first. A number costs its element and nothing else if its neighbours are used, too, and nothing if they are
 * not; p_add_proto_data() takes 50 to 60 bytes more for each frame. Elements stay where they are until the
 * file is closed, which frees all of them: then the owner sets the array back to its first value
 * (register_cleanup_routine()).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PAGED_ARRAY_H
#define PAGED_ARRAY_H

#include "base/wireshark-compat.h"

#define PAGED_ARRAY_PAGE 256u /* elements */

/* First value: all zeroes but the size of an element in bytes. */
typedef struct {
    size_t size;
    char **pages; /* NULL where no element was made */
    uint32_t count;
} paged_array;

/* NULL: this one and its neighbours were not made. */
static inline void *paged_array_at(const paged_array *array, uint32_t number)
{
    uint32_t page = number / PAGED_ARRAY_PAGE;

    return page < array->count && array->pages[page]
               ? array->pages[page] + number % PAGED_ARRAY_PAGE * array->size
               : NULL;
}

/* The same; makes it if need be. */
void *paged_array_make(paged_array *array, uint32_t number);

#endif
