/* start-once.c
 *
 * Preloaded into tshark by start_once.py: one start for many runs. A run's time is mostly Wireshark's start,
 * which is the same for all of them: plugins, dissectors, preferences. After the start, this library waits
 * for requests and forks for each of them; the child continues as tshark with the options of the request.
 *
 * A request on the standard input: its length (32 bits of this machine), then texts, each with its NUL: the files
 * for the standard output and errors, the options. An answer on the standard output: two lines, the process id and,
 * when it has ended, the status as waitpid() has it.
 *
 * Options that tshark reads before its start (-G, -O, -P, -V, -x) have to be those of the process itself. So would
 * -r, but its file is opened after it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORT        __attribute__((visibility("default")))
#define MAX_ARGUMENTS 4096
#define MAX_REQUEST   (1u << 20)

/* From Wireshark; its headers would need its types. */
EXPORT void *epan_load_settings(void);
EXPORT void *wtap_open_offline(const char *path, unsigned type, int *error, char **text, int random);
EXPORT void epan_cleanup(void);
EXPORT int ws_getopt_long(int count, char *const *values, const char *letters, const void *names, int *at);

/* The options of the request, which replace those of the process, and the one after -r; none before the first
 * request. */
static char *arguments[MAX_ARGUMENTS + 1];
static int argument_count;
static const char *capture;

static int read_all(void *to, size_t length)
{
    for (size_t have = 0; have < length;) {
        ssize_t part = read(STDIN_FILENO, (char *)to + have, length - have);
        if (part <= 0) {
            return 0;
        }
        have += (size_t)part;
    }
    return 1;
}

static void replace(int descriptor, const char *path, int flags)
{
    int file = open(path, flags);
    if (file < 0 || dup2(file, descriptor) < 0) {
        _exit(126);
    }
    close(file);
}

/* In the child: `text` is the request. */
static void become(char *text, uint32_t length)
{
    const char *files[2] = {"", ""};
    int count = 0;

    arguments[argument_count++] = (char *)"tshark";
    for (char *next = text; next < text + length; next += strlen(next) + 1, count++) {
        if (count < 2) {
            files[count] = next;
        } else if (argument_count < MAX_ARGUMENTS) {
            capture = strcmp(arguments[argument_count - 1], "-r") == 0 ? next : capture;
            arguments[argument_count++] = next;
        } else {
            _exit(126);
        }
    }
    replace(STDIN_FILENO, "/dev/null", O_RDONLY);
    replace(STDOUT_FILENO, files[0], O_WRONLY | O_TRUNC);
    replace(STDERR_FILENO, files[1], O_WRONLY | O_TRUNC);
}

/* Returns in the children only. */
static void answer_requests(void)
{
    uint32_t length;

    while (read_all(&length, sizeof length) && length > 0 && length <= MAX_REQUEST) {
        char *text = calloc(1, length + 1);
        int status = 0;
        if (!text || !read_all(text, length)) {
            break;
        }
        pid_t child = fork();
        if (child == 0) {
            become(text, length);
            return; /* the text is not freed: the options point into it */
        }
        free(text);
        dprintf(STDOUT_FILENO, "%d\n", (int)child);
        waitpid(child, &status, 0);
        dprintf(STDOUT_FILENO, "%d\n", status);
    }
    _exit(0);
}

/* The last function that tshark calls before it reads the rest of its options. */
void *epan_load_settings(void)
{
    void *(*next)(void);
    *(void **)&next = dlsym(RTLD_NEXT, "epan_load_settings");
    void *preferences = next();
    answer_requests();
    return preferences;
}

int ws_getopt_long(int count, char *const *values, const char *letters, const void *names, int *at)
{
    int (*next)(int, char *const *, const char *, const void *, int *);
    *(void **)&next = dlsym(RTLD_NEXT, "ws_getopt_long");
    return argument_count ? next(argument_count, arguments, letters, names, at)
                          : next(count, values, letters, names, at);
}

void *wtap_open_offline(const char *path, unsigned type, int *error, char **text, int random)
{
    void *(*next)(const char *, unsigned, int *, char **, int);
    *(void **)&next = dlsym(RTLD_NEXT, "wtap_open_offline");
    return next(capture ? capture : path, type, error, text, random);
}

/* Not needed before the process ends: freeing the memory of the start piece by piece would make the fork copy
 * it first. */
void epan_cleanup(void)
{
}
