/* fuzz_engine_text.c
 *
 * Reads any text as an error message of an engine: what it names is inside of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "multiplayer/reports/engine_text.h"

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void require_inside(slice part, const char *text, size_t length)
{
    require(!part.text || (part.text >= text && part.length > 0 && part.text + part.length <= text + length));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    engine_text names;
    memcpy(text, data, size);
    text[size] = '\0';
    if (engine_text_read(text, &names)) {
        size_t length = strlen(text);
        require_inside(names.node, text, length);
        require_inside(names.method, text, length);
        require(names.sender >= 0 && names.arguments >= -1 && names.kinds != 0);
        if (names.node.text) {
            engine_text_names_node(names.node, text);
        }
    }
    free(text);
    return 0;
}
