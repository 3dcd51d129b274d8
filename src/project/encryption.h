/* encryption.h
 *
 * What the export of Godot 4 encrypts: the directory of a .pck or single files in it, with AES-256 in CFB mode and the key
 * that is built into the export template. Needs libgcrypt; a build without it recognises such containers and reads none.
 *
 * Source: core/io/file_access_encrypted.cpp, without the magic number that other encrypted files begin with.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENCRYPTION_H
#define ENCRYPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENCRYPTION_KEY_SIZE    32u
#define ENCRYPTION_MAX_KEYS    8u
#define ENCRYPTION_HEADER_SIZE 40u

/* Keys of games. Which one belongs to which pack is not said: a container tells whether a key is its own. */
typedef struct {
    uint8_t key[ENCRYPTION_MAX_KEYS][ENCRYPTION_KEY_SIZE];
    uint32_t count;
} encryption_keys;

/* What is wrong with a list of keys. */
typedef enum { KEYS_OK, KEYS_NOT_HEXADECIMAL, KEYS_WRONG_LENGTH, KEYS_TOO_MANY } encryption_keys_result;

/* Reads keys of 64 hexadecimal digits, separated by blanks, commas or semicolons. Keys that are wrong are left out;
 * `*which` is the number of the first such one, from 1 on. */
encryption_keys_result encryption_keys_read(const char *text, encryption_keys *keys, uint32_t *which);

/* Content bytes, as the container's header says. */
uint64_t encryption_content_size(const uint8_t header[ENCRYPTION_HEADER_SIZE]);

/* Bytes of the container of so much content, the header included: whole blocks. */
uint64_t encryption_container_size(uint64_t content_size);

/* Whether this build can decrypt. */
bool encryption_available(void);

/* Decrypts `length` bytes, which stand after the header, into `out`, of the same size. Returns the number of the key, from 1 on;
 * 0 if none is the right one by the container's MD5, or if something in it is damaged. */
uint32_t encryption_decrypt(const encryption_keys *keys, const uint8_t header[ENCRYPTION_HEADER_SIZE],
                            const uint8_t *bytes, size_t length, uint8_t *out);

#endif
