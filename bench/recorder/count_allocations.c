/* count_allocations.c
 *
 * Preloaded into an engine: counts calls of malloc(), calloc() and realloc(). A script gets the number from
 * the environment variable ALLOCATIONS.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_ulong calls;

void *malloc(size_t size)
{
    calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    calls++;
    return __libc_realloc(memory, size);
}

char *getenv(const char *name)
{
    static char text[32];
    static char *(*real)(const char *);
    if (strcmp(name, "ALLOCATIONS") == 0) {
        snprintf(text, sizeof text, "%lu", (unsigned long)calls);
        return text;
    }
    if (!real) {
        real = (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
    }
    return real(name);
}
