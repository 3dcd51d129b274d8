/* shrink.c
 *
 * Preloaded into tshark: a file becomes shorter while it is being read, as a pack does when the game is
 * exported again. SHRINK_FILE is the file; after its SHRINK_AFTERth part has been read, or it has been
 * mapped, SHRINK_SIZE bytes are left of it. SHRINK_SIZE may be missing: then that read and all later ones
 * fail with an I/O error.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT size_t fread(void *bytes, size_t size, size_t count, FILE *stream);
EXPORT void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset);

static int is_the_file(int descriptor)
{
    char link[64], path[PATH_MAX];
    const char *wanted = getenv("SHRINK_FILE");
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = descriptor >= 0 && wanted ? readlink(link, path, sizeof path - 1) : -1;
    return length > 0 && (size_t)length == strlen(wanted) && memcmp(path, wanted, (size_t)length) == 0;
}

/* Whether to shrink the file now; if so, truncates it. */
static int shrink(void)
{
    static int parts;
    const char *after = getenv("SHRINK_AFTER"), *size = getenv("SHRINK_SIZE");
    int now = ++parts > atoi(after ? after : "0");
    return now && (!size || truncate(getenv("SHRINK_FILE"), atol(size)) != 0);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream)
{
    size_t (*read)(void *, size_t, size_t, FILE *) =
        (size_t(*)(void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fread");
    if (is_the_file(fileno(stream)) && shrink()) {
        errno = EIO;
        return 0;
    }
    return read(bytes, size, count, stream);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    void *(*map)(void *, size_t, int, int, int, off_t) =
        (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    void *place = map(address, length, protection, flags, descriptor, offset);
    if (is_the_file(descriptor)) {
        shrink();
    }
    return place;
}
