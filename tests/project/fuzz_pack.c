/* fuzz_pack.c
 *
 * Hostile packs, scripts as tokens and binary resources: the first byte says what the rest is taken for. Of a pack with
 * "e" the directory is encrypted first, as no mutation finds bytes that fit an MD5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "project/game.h"
#ifdef HAVE_GCRYPT
#include "project/encrypt.h"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *bytes;
    size_t length;
} blob;

static bool read_blob(void *context, uint64_t offset, void *bytes, size_t length)
{
    const blob *content = context;
    if (offset > content->length || length > content->length - offset) {
        abort(); /* it was told the size */
    }
    memcpy(bytes, content->bytes + offset, length);
    return true;
}

static encryption_keys keys = {.count = 1};

/* Into `place`, which is as long as the pack and a container's header with its last block. */
static size_t encrypt_directory(const blob *pack, uint8_t *place)
{
    size_t at = pack->length >= 40 ? (size_t)pack->bytes[32] | (size_t)pack->bytes[33] << 8 : 0;
    memcpy(place, pack->bytes, pack->length);
#ifdef HAVE_GCRYPT
    if (at >= 40 && at + 4 <= pack->length) {
        size_t length = pack->length - at - 4;
        place[20] |= 1;
        encrypt_container(keys.key[0], pack->bytes + at + 4, length, place + at + 4);
        return at + 4 + (size_t)encryption_container_size(length);
    }
#else
    (void)at;
#endif
    return pack->length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"res://a.gdc", "res://a.tscn", "res://a.res", "res://a.gd"};
    game g;
    if (size == 0 || !game_open(&g)) {
        return 0;
    }
    blob content = {data + 1, size - 1};
    uint8_t *encrypted = NULL;
    memset(keys.key[0], 0x14, sizeof keys.key[0]); /* that of packs/make */
    if (*data == 'e' && (encrypted = malloc(size + ENCRYPTION_HEADER_SIZE + 16)) != NULL) {
        content.length = encrypt_directory(&content, encrypted);
        content.bytes = encrypted;
    }
    if (*data < 'a' || *data > 'd') {
        (void)game_add_pack(&g, 1, (pack_source){read_blob, &content, content.length}, &keys);
    } else {
        game_add_file(&g, 1, paths[*data - 'a'], content.bytes, content.length);
    }
    game_link(&g);
    if (g.files > GAME_MAX_FILES || g.size > GAME_MAX_SIZE) {
        abort();
    }
    scene_project_spawned(g.scenes, "Main/Spawner", 0);
    game_close(&g);
    free(encrypted);
    return 0;
}
