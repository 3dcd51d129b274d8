/* encrypt.h
 *
 * Containers of FileAccessEncrypted as an export writes them, for what no engine would put into one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENCRYPT_H
#define ENCRYPT_H

#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

#include "common/md5.h"
#include "project/encryption.h"

/* MD5 of the content, its length, an IV of zeros, the content. `out` has room for encryption_container_size(length). */
static inline void encrypt_container(const uint8_t key[ENCRYPTION_KEY_SIZE], const uint8_t *bytes,
                                     size_t length, uint8_t *out)
{
    md5_context md5;
    char sum[33];
    gcry_cipher_hd_t cipher;
    memset(out, 0, (size_t)encryption_container_size(length));
    md5_init(&md5);
    md5_update(&md5, bytes, length);
    md5_finish(&md5, sum);
    for (size_t i = 0; i < 16; i++) {
        const char digits[3] = {sum[2 * i], sum[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    for (size_t i = 0; i < 8; i++) {
        out[16 + i] = (uint8_t)((uint64_t)length >> 8 * i);
    }
    gcry_check_version(NULL);
    gcry_cipher_open(&cipher, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_CFB, 0);
    gcry_cipher_setkey(cipher, key, ENCRYPTION_KEY_SIZE);
    gcry_cipher_setiv(cipher, out + 24, 16);
    if (length > 0) {
        gcry_cipher_encrypt(cipher, out + ENCRYPTION_HEADER_SIZE, length, bytes, length);
    }
    gcry_cipher_close(cipher);
}

#endif
