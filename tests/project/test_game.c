/* test_game.c
 *
 * Games from folders and packs: scripts of an exported project compared with the engine's output, damaged and
 * hostile packs, scripts as tokens, binary scenes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codec/md5.h"
#include "project/blob.h"
#include "project/game.h"
#include "project/scripts/gdscript_tokens.h"
#include "project/pack/resource_binary.h"
#include "project/pack/resource_reader.h"

static pack_result add_blob(game *g, blob content)
{
    return game_add_pack(g, 1, source_of(&content));
}

static void put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static void put64(uint8_t *at, uint64_t value)
{
    put32(at, (uint32_t)value);
    put32(at + 4, (uint32_t)(value >> 32));
}

/* --- output of the engine ---------------------------------------------------------------------------- */

static bool has_label(const rpc_list *list, const char *label)
{
    bool found = strcmp(list->label, label) == 0;
    for (uint32_t i = 0; i < list->other_count; i++) {
        found |= strcmp(list->others[i], label) == 0;
    }
    return found;
}

#define NAMES TEST_DATA_DIR "/names4.jsonl"

/* The text between quotes at `at`; its end is after the second one. */
static char *next_text(char *at, char **text)
{
    char *begin = strchr(at, '"') + 1, *end = strchr(begin, '"');
    *text = begin;
    *end = 0;
    return end + 1;
}

/* {"methods":["a","b"],"script":"res://…"} of every script: a list with these names belongs to this
 * script. */
static uint32_t compare_with_engine(const game *g, const char *file)
{
    blob log = load(file);
    uint32_t scripts = 0;
    for (char *line = strtok((char *)log.bytes, "\n"); line; line = strtok(NULL, "\n")) {
        char *names[32], *at = strchr(line, '[') + 1, *label, sum[33];
        uint32_t count = 0;
        md5_context context;
        md5_init(&context);
        while (*at != ']') {
            at = next_text(at, &names[count]);
            md5_update(&context, names[count], strlen(names[count]));
            count++;
            at += *at == ',';
        }
        next_text(next_text(at, &label), &label); /* "script", then its path */
        if (count == 0) {
            continue;
        }
        md5_finish(&context, sum);
        const rpc_list *list = rpc_project_find(g->names, sum, NULL);
        if (!list || !has_label(list, label)) {
            fail_msg("%s of %s", names[0], label);
        }
        assert_int_equal(list->count, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_string_equal(list->names[i], names[i]);
        }
        scripts++;
    }
    free(log.bytes);
    return scripts;
}

static const char *const packs[] = {"text.zip", "tokens.pck", "compressed.pck"};

static void scripts_of_a_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"base.gd",     "consts.gd", "one.gd",     "two.gd",
                                        "script.tres", "main.tscn", "other.tscn", "heir.tscn"};
    game g;
    assert_true(game_open(&g));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256], name[64];
        snprintf(path, sizeof path, CAPTURES "projects/names4/%s", files[i]);
        snprintf(name, sizeof name, "res://%s", files[i]);
        blob content = load(path);
        assert_true(game_takes(&g, name, content.length));
        game_add_file(&g, 1, name, content.bytes, content.length);
        free(content.bytes);
    }
    game_link(&g);
    assert_int_equal(compare_with_engine(&g, NAMES), 14);
    game_close(&g);
}

/* Syntax added in 4.4 to 4.6: abstract classes and methods, any number of arguments, typed dictionaries,
 * annotations. */
static void newer_syntax(void **state)
{
    (void)state;
    static const char *const files[] = {"shape.gd", "square.gd", "semicolons.gd"};
    game g;
    assert_true(game_open(&g));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256], name[64];
        snprintf(path, sizeof path, CAPTURES "projects/syntax4/%s", files[i]);
        snprintf(name, sizeof name, "res://%s", files[i]);
        blob content = load(path);
        game_add_file(&g, 1, name, content.bytes, content.length);
        free(content.bytes);
    }
    game_link(&g);
    assert_int_equal(compare_with_engine(&g, TEST_DATA_DIR "/syntax4.jsonl"), 7);
    game_close(&g);
    for (size_t i = 0; i < sizeof packs / sizeof *packs; i++) {
        char path[256];
        assert_true(game_open(&g));
        snprintf(path, sizeof path, CAPTURES "packs/syntax4.%s", packs[i]);
        blob content = load(path);
        assert_int_equal(add_blob(&g, content), PACK_OK);
        game_link(&g);
        assert_int_equal(compare_with_engine(&g, TEST_DATA_DIR "/syntax4.jsonl"), 7);
        assert_int_equal(g.damaged + g.encrypted + g.left_out, 0);
        game_close(&g);
        free(content.bytes);
    }
}

static void scripts_of_packs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof packs / sizeof *packs; i++) {
        char path[256];
        game g;
        assert_true(game_open(&g));
        snprintf(path, sizeof path, CAPTURES "packs/names4.%s", packs[i]);
        blob content = load(path);
        assert_int_equal(add_blob(&g, content), PACK_OK);
        game_link(&g);
        assert_int_equal(compare_with_engine(&g, NAMES), 14);
        assert_int_equal(g.damaged + g.encrypted + g.left_out, 0);
        /* By its uid, which is only in the cache. */
        assert_string_equal(
            scene_project_spawned(g.scenes, &(scene_shown_node){.path = "Other/Deep/Spawner"}, 1),
            "res://heir.tscn");
        game_close(&g);
        free(content.bytes);
    }
}

/* --- packs ------------------------------------------------------------------------------------------------ */

static pack_result read_game(blob content, game *g)
{
    assert_true(game_open(g));
    pack_result result = add_blob(g, content);
    game_link(g);
    return result;
}

/* The number of the pack's files that are damaged or encrypted. */
static void assert_result(blob content, pack_result wanted, uint32_t damaged, uint32_t encrypted)
{
    game g;
    assert_int_equal(read_game(content, &g), wanted);
    assert_int_equal(g.damaged, damaged);
    assert_int_equal(g.encrypted, encrypted);
    game_close(&g);
}

static uint8_t *find(blob content, const char *text, size_t from)
{
    for (size_t at = from; at + strlen(text) <= content.length; at++) {
        if (memcmp(content.bytes + at, text, strlen(text)) == 0) {
            return content.bytes + at;
        }
    }
    fail_msg("no %s", text);
    return NULL;
}

static void refused_packs(void **state)
{
    (void)state;
    blob content = load(CAPTURES "packs/names4.tokens.pck");
    uint8_t *flags = content.bytes + 20;
    size_t directory = (size_t)content.bytes[32] | (size_t)content.bytes[33] << 8;
    uint8_t *name = find(content, "one.gdc", directory);
    assert_result(content, PACK_OK, 0, 0);
    name[8 + 32] |= 1; /* the name is padded to eight bytes; then offset, size, MD5, flags */
    assert_result(content, PACK_OK, 0, 1);
    name[8 + 32] = 4;
    assert_result(content, PACK_OK, 1, 0);
    name[8 + 32] = 0;
    uint8_t size[8];
    memcpy(size, name + 16, sizeof size);
    put64(name + 16, content.length); /* the size of the pack from its middle on */
    assert_result(content, PACK_OK, 1, 0);
    memcpy(name + 16, size, sizeof size);
    put64(name + 8, content.length - 1);
    assert_result(content, PACK_OK, 1, 0);
    put64(name + 8, UINT64_MAX);
    assert_result(content, PACK_OK, 1, 0);
    *flags |= 1;
    assert_result(content, PACK_ENCRYPTED, 0, 0);
    *flags = 4;
    assert_result(content, PACK_UNSUPPORTED, 0, 0);
    *flags = 2;
    put64(content.bytes + 32, UINT64_MAX - 8);
    assert_result(content, PACK_DAMAGED, 0, 0);
    memcpy(content.bytes, "GDSC", 4);
    assert_result(content, PACK_NO_PACK, 0, 0);
    assert_result((blob){content.bytes, 3}, PACK_NO_PACK, 0, 0);
    free(content.bytes);
}

/* Format 4, of Godot 4.7, is format 3 except for bundles. Newer formats are read like it. */
static void formats_of_packs(void **state)
{
    (void)state;
    game g;
    blob content = load(CAPTURES "packs/names4.tokens.pck");
    uint8_t *format = content.bytes + 4;
    size_t directory = (size_t)content.bytes[32] | (size_t)content.bytes[33] << 8;
    uint8_t *name = find(content, "one.gdc", directory);
    for (*format = 3; *format <= 5; (*format)++) {
        assert_int_equal(read_game(content, &g), *format == 5 ? PACK_NEWER : PACK_OK);
        assert_int_equal(compare_with_engine(&g, NAMES), 14);
        assert_int_equal(g.damaged + g.encrypted + g.left_out, 0);
        game_close(&g);
    }
    *format = 0;
    assert_result(content, PACK_UNSUPPORTED, 0, 0);
    *format = 5;
    size_t left = content.length - content.bytes[24]; /* from where offsets count on */
    const struct {
        size_t offset, size;
        pack_result result;
    } places[] = {{content.length, 0, PACK_UNSUPPORTED},
                  {left + 1, 0, PACK_UNSUPPORTED},
                  {left, 0, PACK_NEWER},
                  {left, 1, PACK_UNSUPPORTED},
                  {left - 1, 2, PACK_UNSUPPORTED},
                  {0, left + 1, PACK_UNSUPPORTED},
                  {0, SIZE_MAX, PACK_UNSUPPORTED},
                  {0, 8, PACK_NEWER}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        put64(name + 8, places[i].offset);
        put64(name + 16, places[i].size);
        assert_int_equal(read_game(content, &g), places[i].result);
        game_close(&g);
    }
    /* A name of NULs; no files; a name beyond the end */
    memset(name, 0, 8);
    assert_result(content, PACK_UNSUPPORTED, 0, 0);
    put32(content.bytes + directory, 0);
    assert_result(content, PACK_UNSUPPORTED, 0, 0);
    put32(content.bytes + directory, UINT32_MAX);
    assert_result(content, PACK_UNSUPPORTED, 0, 0);
    *format = 4;
    assert_result(content, PACK_DAMAGED, 0, 0);
    free(content.bytes);
}

/* Encrypted by the engine: everything, and one script. */
static void encrypted_packs(void **state)
{
    (void)state;
    blob content = load(CAPTURES "packs/mismatch4-client.encrypted.pck");
    assert_result(content, PACK_ENCRYPTED, 0, 0);
    free(content.bytes);
    content = load(CAPTURES "packs/mismatch4-client.encrypted-one.pck");
    assert_result(content, PACK_OK, 0, 1);
    free(content.bytes);
}

/* After a program: at the end, or in a section of a Windows program that was signed afterwards. */
static void packs_in_executables(void **state)
{
    (void)state;
    enum { PROGRAM = 512, SIGNATURE = 100 };
    blob inner = load(CAPTURES "packs/names4.compressed.pck");
    blob whole = {calloc(1, PROGRAM + inner.length + 12 + SIGNATURE), PROGRAM + inner.length + 12};
    memcpy(whole.bytes + PROGRAM, inner.bytes, inner.length);
    put64(whole.bytes + PROGRAM + inner.length, inner.length);
    memcpy(whole.bytes + PROGRAM + inner.length + 8, "GDPC", 4);
    memcpy(whole.bytes, "MZ", 2);
    assert_result(whole, PACK_OK, 0, 0);
    put64(whole.bytes + PROGRAM + inner.length, UINT64_MAX);
    assert_result(whole, PACK_NO_PACK, 0, 0);
    whole.length += SIGNATURE;
    assert_result(whole, PACK_NO_PACK, 0, 0);
    put32(whole.bytes + 0x3c, 0x80); /* PE header with two sections */
    memcpy(whole.bytes + 0x80, "PE\0\0", 4);
    whole.bytes[0x80 + 6] = 2;
    memcpy(whole.bytes + 0x80 + 24 + 40, "pck\0\0\0\0\0", 8);
    put32(whole.bytes + 0x80 + 24 + 40 + 20, PROGRAM - 3); /* the pack is aligned inside of it */
    assert_result(whole, PACK_OK, 0, 0);
    put32(whole.bytes + 0x80 + 24 + 40 + 20, UINT32_MAX);
    assert_result(whole, PACK_NO_PACK, 0, 0);
    free(whole.bytes);
    free(inner.bytes);
}

/* Each part missing or damaged: it is reported, or has no effect. */
static void damaged_packs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof packs / sizeof *packs; i++) {
        char path[256];
        snprintf(path, sizeof path, CAPTURES "packs/names4.%s", packs[i]);
        blob content = load(path);
        for (size_t length = 0; length < content.length; length += 97) {
            game g;
            assert_int_not_equal(read_game((blob){content.bytes, length}, &g), PACK_OK);
            game_close(&g);
        }
        for (size_t at = 0; at < content.length; at += 13) {
            game g;
            content.bytes[at] ^= 0xff;
            (void)read_game(content, &g);
            game_close(&g);
            content.bytes[at] ^= 0xff;
        }
        free(content.bytes);
    }
}

/* More files than a pack may have, and names longer than allowed. */
static void limits_of_packs(void **state)
{
    (void)state;
    enum { ENTRY = 40, COUNT = PACK_MAX_FILES + 1 };
    blob content = {calloc(COUNT, ENTRY), (size_t)COUNT * ENTRY};
    pack_result result;
    memcpy(content.bytes, "GDPC", 4);
    put32(content.bytes + 4, 2);
    put32(content.bytes + 96, COUNT - 10);
    pack *p = pack_open(source_of(&content), &result);
    assert_non_null(p);
    assert_int_equal(pack_count(p), COUNT - 10);
    pack_close(p);
    content.bytes = realloc(content.bytes, content.length + 1000);
    memset(content.bytes + content.length, 0, 1000);
    content.length += 1000;
    put32(content.bytes + 96, COUNT);
    assert_null(pack_open(source_of(&content), &result));
    assert_int_equal(result, PACK_TOO_LARGE);
    put32(content.bytes + 100, 4097);
    assert_null(pack_open(source_of(&content), &result));
    assert_int_equal(result, PACK_DAMAGED);
    free(content.bytes);
}

/* A .zip of a whole folder, as of an Android package: the project is the folder with the project file. */
static void folders_in_packs(void **state)
{
    (void)state;
    static const char *const names[] = {"res://assets/project.binary", "res://assets/a.gd", "res://b.gd"};
    uint8_t bytes[512] = {'G', 'D', 'P', 'C', 1};
    size_t at = 88;
    pack_result result;
    put32(bytes + 84, 3); /* as Godot 3 writes it */
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(names[i]);
        put32(bytes + at, (uint32_t)length);
        memcpy(bytes + at + 4, names[i], length);
        put64(bytes + at + 4 + length, 4);
        put64(bytes + at + 12 + length, 2);
        at += 4 + length + 32;
    }
    pack *p = pack_open((pack_source){read_blob, &(blob){bytes, sizeof bytes}, sizeof bytes}, &result);
    assert_non_null(p);
    assert_int_equal(pack_count(p), 2);
    assert_string_equal(pack_at(p, 1)->name, "a.gd");
    uint8_t *content = pack_read(p, pack_at(p, 1), 1, &result);
    assert_null(content);
    assert_int_equal(result, PACK_TOO_LARGE);
    content = NULL;
    pack_close(p);
}

/* A file's local header can have extra bytes that are not in the directory of the .zip, for example padding
 * by zipalign. The last file is the project's, whose first letters are those of every project.binary. */
static void local_extra_in_zips(void **state)
{
    (void)state;
    static const char name[] = "project.binary";
    enum { LOCAL_EXTRA = 28, LOCAL_NAME = 30, END = 22, END_DIRECTORY = 16, PADDING = 4 };
    blob zip = load(CAPTURES "packs/names4.text.zip");
    size_t local = (size_t)(find(zip, name, 0) - zip.bytes) - LOCAL_NAME,
           after = local + LOCAL_NAME + strlen(name);
    blob padded = {calloc(1, zip.length + PADDING), zip.length + PADDING};
    pack_result result;
    assert_non_null(padded.bytes);
    memcpy(padded.bytes, zip.bytes, after);
    memcpy(padded.bytes + after + PADDING, zip.bytes + after, zip.length - after);
    padded.bytes[local + LOCAL_EXTRA] = PADDING;
    uint8_t *directory = padded.bytes + padded.length - END + END_DIRECTORY;
    put32(directory, (uint32_t)(find(padded, "PK\1\2", 0) - padded.bytes));
    pack *p = pack_open(source_of(&padded), &result);
    assert_non_null(p);
    const pack_file *file = pack_at(p, pack_count(p) - 1);
    assert_string_equal(file->name, name);
    uint8_t *content = pack_read(p, file, (size_t)file->size, &result);
    assert_int_equal(result, PACK_OK);
    assert_memory_equal(content, "ECFG", 4);
    free(content);
    pack_close(p);
    free(padded.bytes);
    free(zip.bytes);
}

static void limits_of_games(void **state)
{
    (void)state;
    game g;
    assert_true(game_open(&g));
    assert_false(game_takes(&g, "res://a.tscn", GAME_MAX_SCENE + 1));
    assert_true(game_takes(&g, "res://a.tscn", GAME_MAX_SCENE));
    for (int i = 1; i < 4; i++) {
        assert_true(game_takes(&g, "res://a.tscn", GAME_MAX_SCENE));
    }
    assert_int_equal(g.size, GAME_MAX_SIZE);
    assert_false(game_takes(&g, "res://a.gd", 1));
    while (g.files < GAME_MAX_FILES) {
        assert_true(game_takes(&g, "res://a.gd", 0));
    }
    assert_false(game_takes(&g, "res://a.gd", 0));
    assert_int_equal(g.left_out, 3);
    assert_int_equal(game_file_kind("res://icon.png"), GAME_NOTHING);
    game_close(&g);
}

/* --- tokens ------------------------------------------------------------------------------------------------ */

static output text_of(blob tokens)
{
    output text = {.text = NULL};
    if (!gdscript_tokens_text(tokens.bytes, tokens.length, &text)) {
        free(text.text);
        text = (output){.text = NULL};
    }
    return text;
}

/* one.gd as Godot 4.6 exports it; without comments, with indentation, and each line with its number except
 * the first, which is not in the table of lines. */
static void tokens_become_text(void **state)
{
    (void)state;
    static const char wanted[] = "extends Base;class_name OneLine"
                                 "\n\n\n\n\n@rpc func one():pass"
                                 "\n\n\nclass A extends In:"
                                 "\n    @rpc func a():pass"
                                 "\n\n\nclass B extends Other:"
                                 "\n    @rpc func b():pass"
                                 "\n\n\nclass C:extends Other;@rpc func c():pass\n";
    blob content = load(CAPTURES "packs/names4.tokens.pck");
    pack_result result;
    pack *p = pack_open(source_of(&content), &result);
    for (uint32_t i = 0; i < pack_count(p); i++) {
        const pack_file *file = pack_at(p, i);
        if (strcmp(file->name, "one.gdc") != 0) {
            continue;
        }
        blob tokens = {pack_read(p, file, GAME_MAX_SCRIPT, &result), (size_t)file->size};
        output text = text_of(tokens);
        assert_int_equal(text.length, sizeof wanted - 1);
        assert_memory_equal(text.text, wanted, text.length);
        free(text.text);
        put32(tokens.bytes + 4, 102); /* an unknown version */
        assert_null(text_of(tokens).text);
        put32(tokens.bytes + 4, 101);
        for (size_t length = 0; length < tokens.length; length++) {
            assert_null(text_of((blob){tokens.bytes, length}).text);
        }
        for (int count = 0; count < 4; count++) { /* counts beyond the end */
            blob copy = {malloc(tokens.length), tokens.length};
            memcpy(copy.bytes, tokens.bytes, tokens.length);
            put32(copy.bytes + 12 + 4 * count, UINT32_MAX);
            assert_null(text_of(copy).text);
            free(copy.bytes);
        }
        put32(tokens.bytes + 8, GDSCRIPT_TOKENS_MAX + 1);
        assert_null(text_of(tokens).text);
        free(tokens.bytes);
    }
    pack_close(p);
    free(content.bytes);
}

/* A script of two tokens. Version 100, of Godot 4.3 and 4.4, has four more unused bytes before the number of
 * tokens (coin.gdc of an export by 4.3.0 has the same layout), and no "..." before the colon: "class:" is 55
 * and 83 there, 55 and 84 in 101. */
static void versions_of_tokens(void **state)
{
    (void)state;
    for (uint32_t version = 100; version <= 101; version++) {
        size_t counts = version == 100 ? 20 : 16;
        uint8_t bytes[12 + 20 + 10] = {'G', 'D', 'S', 'C'};
        put32(bytes + 4, version);
        put32(bytes + 12 + 12, 0xdeadbeef);
        put32(bytes + 12 + counts - 4, 2);
        bytes[12 + counts] = 55;
        bytes[12 + counts + 5] = (uint8_t)(83 + version - 100);
        for (size_t length = 0; length < 12 + counts + 10; length++) {
            assert_null(text_of((blob){bytes, length}).text);
        }
        output text = text_of((blob){bytes, 12 + counts + 10});
        assert_int_equal(text.length, 7);
        assert_memory_equal(text.text, "class:\n", 7);
        free(text.text);
    }
}

/* Tokens of two lines from the table; a line number beyond that of any script would only make the text
 * long. */
static void lines_of_tokens(void **state)
{
    (void)state;
    enum { LINES = 12 + 16, TOKENS = LINES + 4 * 8, LENGTH = TOKENS + 2 * 5 };
    uint8_t bytes[LENGTH] = {'G', 'D', 'S', 'C', 101};
    bytes[12 + 8] = bytes[12 + 12] = 2; /* lines, tokens */
    put32(bytes + LINES + 4, 3);        /* of token 0 */
    put32(bytes + LINES + 8, 1);
    put32(bytes + LINES + 12, 5); /* of token 1 */
    bytes[TOKENS] = 55;
    bytes[TOKENS + 5] = 84;
    static const char wanted[] = "\n\nclass\n\n:\n";
    output text = text_of((blob){bytes, LENGTH});
    assert_int_equal(text.length, sizeof wanted - 1);
    assert_memory_equal(text.text, wanted, text.length);
    free(text.text);
    put32(bytes + LINES + 12, (1 << 20) + 1);
    assert_null(text_of((blob){bytes, LENGTH}).text);
}

/* One long name, used many times: the text ends at its limit. */
/* A script of `count` tokens, each the same name of 64 Ki characters. */
static blob long_tokens(uint32_t count)
{
    enum { NAME = 1 << 16 };
    size_t length = 12 + 16 + 4 + 4 * NAME + 8 * (size_t)count;
    blob content = {calloc(1, length), length};
    uint8_t *at = content.bytes + 12;
    memcpy(content.bytes, "GDSC", 4);
    put32(content.bytes + 4, 101);
    put32(at, 1);
    put32(at + 12, count);
    put32(at + 16, NAME);
    for (uint32_t i = 0; i < NAME; i++) {
        put32(at + 20 + 4 * i, 'a' ^ 0xb6b6b6b6u);
    }
    for (uint32_t i = 0; i < count; i++) {
        put32(at + 20 + 4 * NAME + 8 * i, 2 | 0x80);
    }
    return content;
}

static void limit_of_text(void **state)
{
    (void)state;
    blob too_many = long_tokens(1000), many = long_tokens(200);
    assert_null(text_of(too_many).text);
    output text = text_of(many);
    assert_int_equal(text.length, 200 * ((1 << 16) + 1));
    free(text.text);
    /* All files of a game together: the scripts and scenes of a pack become longer than the pack. */
    game g;
    uint64_t size = text.length;
    uint32_t read = GAME_MAX_UNPACKED / size + 1;
    assert_true(game_open(&g));
    for (uint32_t i = 0; i < read + 3; i++) {
        game_add_file(&g, 0, "res://a.gdc", many.bytes, many.length);
    }
    assert_int_equal(g.left_out, 3);
    assert_int_equal(g.unpacked, read * size);
    game_close(&g);
    free(too_many.bytes);
    free(many.bytes);
}

/* --- binary scenes ------------------------------------------------------------------------------------------- */

static void uids(void **state)
{
    (void)state;
    char text[RESOURCE_UID_SIZE];
    resource_uid_text(0x239e0df99df61f9a, text); /* of player.gd in game4's uid_cache.bin, and its .uid */
    assert_string_equal(text, "uid://bcth7jlw68feg");
    resource_uid_text(INT64_MAX, text);
    assert_int_equal(strlen(text), 19);
    resource_uid_text(UINT64_MAX, text);
    assert_string_equal(text, "");
}

/* Saved by Godot 4.6 with ResourceSaver.FLAG_COMPRESS: main.scn of names4. */
static void compressed_scenes(void **state)
{
    (void)state;
    blob content = load(CAPTURES "packs/names4-main-compressed.scn");
    output text = {.text = NULL};
    assert_true(resource_binary_text(content.bytes, content.length, &text));
    find((blob){(uint8_t *)text.text, text.length}, "replication_config = SubResource(\"SRC_1\")", 0);
    free(text.text);
    for (size_t length = 0; length < content.length - 4; length++) { /* the magic number again */
        text = (output){.text = NULL};
        assert_false(resource_binary_text(content.bytes, length, &text));
        free(text.text);
    }
    text = (output){.text = NULL};
    put32(content.bytes + 12, RESOURCE_TEXT_MAX + 1);
    assert_false(resource_binary_text(content.bytes, content.length, &text));
    free(text.text);
    free(content.bytes);
}

/* A scene with one more level of nodes than the limit: magic, header, one string, one resource with
 * "_bundled". */
static void depth_of_scenes(void **state)
{
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        uint32_t nodes = RESOURCE_MAX_DEPTH + 2 + more;
        uint8_t *bytes = calloc(1, 1024 + 28 * (size_t)nodes), *at = bytes + 20;
        memcpy(bytes, "RSRC", 4);
        put32(at, 6);
        put32(at + 4, 12);
        memcpy(at + 8, "PackedScene", 12);
        at += 20 + 8 + 4 + 8 + 44; /* offset of import settings, flags, uid, reserved */
        put32(at, 1);
        put32(at + 4, 9);
        memcpy(at + 8, "_bundled", 9);
        at += 17;
        put32(at + 4, 1);
        put32(at + 8, 1);
        put64(at + 13, (uint64_t)(at + 21 - bytes));
        at += 21;
        put32(at, 12);
        memcpy(at + 4, "PackedScene", 12);
        put32(at + 16, 1);
        put32(at + 24, 26); /* Dictionary */
        put32(at + 28, 4);
        at += 32;
        static const char *const keys[] = {"names", "variants", "node_count", "nodes"};
        for (int key = 0; key < 4; key++) {
            size_t length = strlen(keys[key]) + 1;
            put32(at, 5);
            put32(at + 4, (uint32_t)length);
            memcpy(at + 8, keys[key], length);
            at += 8 + length;
            put32(at, (uint32_t[]){34, 30, 3, 32}[key]);
            put32(at + 4, (uint32_t[]){1, 0, nodes, 7 * nodes}[key]);
            at += 8;
            if (key == 0) {
                put32(at, 2);
                memcpy(at + 4, "N", 2);
                at += 6;
            }
        }
        for (uint32_t i = 0; i < nodes; i++, at += 28) {
            put32(at, i - 1); /* parent */
            put32(at + 16, UINT32_MAX);
        }
        output text = {.text = NULL};
        assert_int_equal(resource_binary_text(bytes, (size_t)(at - bytes), &text), !more);
        free(text.text);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_of_a_folder),  cmocka_unit_test(newer_syntax),
        cmocka_unit_test(scripts_of_packs),     cmocka_unit_test(refused_packs),
        cmocka_unit_test(formats_of_packs),     cmocka_unit_test(encrypted_packs),
        cmocka_unit_test(packs_in_executables), cmocka_unit_test(damaged_packs),
        cmocka_unit_test(limits_of_packs),      cmocka_unit_test(folders_in_packs),
        cmocka_unit_test(limits_of_games),      cmocka_unit_test(tokens_become_text),
        cmocka_unit_test(versions_of_tokens),   cmocka_unit_test(lines_of_tokens),
        cmocka_unit_test(limit_of_text),        cmocka_unit_test(uids),
        cmocka_unit_test(compressed_scenes),    cmocka_unit_test(depth_of_scenes),
        cmocka_unit_test(local_extra_in_zips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
