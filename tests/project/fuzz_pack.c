/* fuzz_pack.c
 *
 * Hostile packs, scripts as tokens and binary resources: the first byte selects the format of the rest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "project/game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *bytes;
    size_t length;
} blob;

static bool read_blob(void *context, uint64_t offset, void *bytes, size_t length)
{
    const blob *content = context;
    if (offset > content->length || length > content->length - offset) {
        abort(); /* the reader knows the size */
    }
    memcpy(bytes, content->bytes + offset, length);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"res://a.gdc", "res://a.tscn", "res://a.res", "res://a.gd"};
    game g;
    if (size == 0 || !game_open(&g)) {
        return 0;
    }
    blob content = {data + 1, size - 1};
    if (*data < 'a' || *data > 'd') {
        (void)game_add_pack(&g, 1, (pack_source){read_blob, &content, content.length});
    } else {
        game_add_file(&g, 1, paths[*data - 'a'], content.bytes, content.length);
    }
    game_link(&g);
    if (g.files > GAME_MAX_FILES || g.size > GAME_MAX_SIZE) {
        abort();
    }
    scene_project_spawned(g.scenes, &(scene_shown_node){.path = "Main/Spawner"}, 0);
    game_close(&g);
    return 0;
}
