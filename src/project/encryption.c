/* encryption.c
 *
 * See encryption.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/encryption.h"

#include <stdio.h>
#include <string.h>

#include "common/bytes.h"
#include "common/md5.h"

enum { MD5_SIZE = 16, BLOCK = 16, LENGTH_AT = 16, IV_AT = 24 };

static const char separators[] = " \t\r\n,;";

/* Value of a hexadecimal digit, -1 if it is none. */
static int hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = digit ? strchr(digits, digit) : NULL;
    return found ? (int)((found - digits) % 16) : -1;
}

static encryption_keys_result read_key(const char *text, size_t length, uint8_t key[ENCRYPTION_KEY_SIZE])
{
    if (length != 2 * ENCRYPTION_KEY_SIZE) {
        return KEYS_WRONG_LENGTH;
    }
    for (size_t i = 0; i < ENCRYPTION_KEY_SIZE; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return KEYS_NOT_HEXADECIMAL;
        }
        key[i] = (uint8_t)(high << 4 | low);
    }
    return KEYS_OK;
}

encryption_keys_result encryption_keys_read(const char *text, encryption_keys *keys, uint32_t *which)
{
    encryption_keys_result first = KEYS_OK;
    uint8_t key[ENCRYPTION_KEY_SIZE];
    keys->count = *which = 0;
    for (uint32_t number = 1; *(text += strspn(text, separators)); number++) {
        size_t length = strcspn(text, separators);
        encryption_keys_result result = read_key(text, length, key);
        if (result == KEYS_OK && keys->count < ENCRYPTION_MAX_KEYS) {
            memcpy(keys->key[keys->count++], key, sizeof key);
        } else if (first == KEYS_OK) {
            first = result == KEYS_OK ? KEYS_TOO_MANY : result;
            *which = number;
        }
        text += length;
    }
    return first;
}

uint64_t encryption_content_size(const uint8_t header[ENCRYPTION_HEADER_SIZE])
{
    return le64(header + LENGTH_AT);
}

uint64_t encryption_container_size(uint64_t content_size)
{
    uint64_t last = content_size % BLOCK;
    return content_size > UINT64_MAX - ENCRYPTION_HEADER_SIZE - BLOCK
               ? UINT64_MAX
               : ENCRYPTION_HEADER_SIZE + content_size + (last ? BLOCK - last : 0);
}

#ifdef HAVE_GCRYPT
#include <gcrypt.h>

bool encryption_available(void)
{
    return true;
}

static bool is_content(const uint8_t header[ENCRYPTION_HEADER_SIZE], const uint8_t *bytes, size_t length)
{
    md5_context md5;
    char sum[2 * MD5_SIZE + 1], wanted[2 * MD5_SIZE + 1];
    md5_init(&md5);
    md5_update(&md5, bytes, length);
    md5_finish(&md5, sum);
    for (size_t i = 0; i < MD5_SIZE; i++) {
        snprintf(wanted + 2 * i, 3, "%02x", header[i]);
    }
    return strcmp(sum, wanted) == 0;
}

/* Wireshark has done this already; other programs have not. */
static void prepare_library(void)
{
    if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) {
        gcry_check_version(NULL);
        gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    }
}

uint32_t encryption_decrypt(const encryption_keys *keys, const uint8_t header[ENCRYPTION_HEADER_SIZE],
                            const uint8_t *bytes, size_t length, uint8_t *out)
{
    gcry_cipher_hd_t cipher;
    uint32_t found = 0;
    prepare_library();
    if (gcry_cipher_open(&cipher, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_CFB, 0)) {
        return 0;
    }
    for (uint32_t i = 0; i < keys->count && !found; i++) {
        bool fits = !gcry_cipher_setkey(cipher, keys->key[i], ENCRYPTION_KEY_SIZE) &&
                    !gcry_cipher_setiv(cipher, header + IV_AT, BLOCK) &&
                    (length == 0 || !gcry_cipher_decrypt(cipher, out, length, bytes, length)) &&
                    is_content(header, out, length);
        found = fits ? i + 1 : 0;
    }
    gcry_cipher_close(cipher);
    return found;
}
#else
bool encryption_available(void)
{
    return false;
}

uint32_t encryption_decrypt(const encryption_keys *keys, const uint8_t header[ENCRYPTION_HEADER_SIZE],
                            const uint8_t *bytes, size_t length, uint8_t *out)
{
    (void)keys, (void)header, (void)bytes, (void)length, (void)out;
    return 0;
}
#endif
