/* md5.h
 *
 * MD5 (RFC 1321), for the checksum of RPC names. Not for anything that needs security.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MD5_H
#define MD5_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t state[4];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
} md5_context;

void md5_init(md5_context *context);
void md5_update(md5_context *context, const void *bytes, size_t length);
/* Writes 32 lower-case hexadecimal digits and a NUL. The context cannot be used further. */
void md5_finish(md5_context *context, char text[33]);

#endif
