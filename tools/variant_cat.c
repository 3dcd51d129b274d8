/* variant_cat.c
 *
 * variant-cat: prints Godot's binary Variants, from files of store_var(), raw values and hex dumps, as
 * GDScript text or JSON. Uses only src/. See docs/variant.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include "base/utf8.h"
#include "framing/store_file.h"
#include "pcap_writer.h"
#include "variant/variant.h"
#include "variant/json.h"

#define MAX_INPUT ((size_t)1 << 30)

enum { EXIT_REFUSED = 1, EXIT_TROUBLE = 2 }; /* a value the engine refuses; nothing could be read at all */

typedef enum { FORM_AUTO, FORM_VALUE, FORM_STORED } input_form;

typedef struct {
    const char *name; /* of the input, for messages */
    input_form form;
    variant_options options;
    bool automatic; /* find the generation out */
    bool big_endian;
    bool hex;
    bool json;
    bool pcap;
    bool raw;          /* text as the engine prints it, control characters and all */
    uint32_t *written; /* packets of the capture so far */
} settings;

static const char usage[] =
    "usage: variant-cat [OPTION]... [FILE]...\n"
    "Prints the Godot Variants in each FILE (or standard input, also \"-\"), one per line.\n"
    "\n"
    "  -j, --json              JSON as Godot's JSON.from_native() writes it, instead of GDScript text\n"
    "  -p, --pcap              a capture for Wireshark, in which each value is a packet\n"
    "  -r, --raw               control characters in text as they are, not as escapes: a value may take "
    "several "
    "lines\n"
    "  -x, --hex               the input is hexadecimal text; blanks, line breaks, commas, colons and 0x are "
    "skipped\n"
    "  -g, --generation NAME   auto (default), godot4, godot4-manual, godot3, godot2\n"
    "  -v, --value             the input is one value (var_to_bytes(), a put_var() datagram)\n"
    "  -s, --stored            the input is a sequence of length and value (store_var(), put_var() on a "
    "stream)\n"
    "  -b, --big-endian        lengths of a sequence are big-endian\n"
    "  -c, --compact           the compact form of RPC arguments; values follow each other without lengths\n"
    "  -o, --objects           take full objects for allowed, as allow_objects does\n"
    "  -h, --help, -V, --version\n"
    "\n"
    "Exit status: 0 all values printed, 1 the engine would refuse one of them, 2 an input could not be "
    "read.\n";

/* --- input ------------------------------------------------------------------------------------------ */

/* Reads a stream to its end. NULL (and a message) on errors; the caller frees. */
static uint8_t *read_all(FILE *stream, const char *name, size_t *length)
{
    size_t size = 0, capacity = 65536;
    uint8_t *bytes = malloc(capacity);

    while (bytes) {
        size += fread(bytes + size, 1, capacity - size, stream);
        if (size < capacity) {
            break;
        }
        uint8_t *grown = capacity < MAX_INPUT ? realloc(bytes, capacity *= 2) : NULL;
        if (!grown) {
            free(bytes);
        }
        bytes = grown;
    }
    if (!bytes) {
        (void)fprintf(stderr, "variant-cat: %s: too large\n", name);
    } else if (ferror(stream)) {
        (void)fprintf(stderr, "variant-cat: %s: %s\n", name, strerror(errno));
        free(bytes);
        bytes = NULL;
    }
    *length = size;
    return bytes;
}

static uint8_t *read_input(const char *name, size_t *length)
{
    if (strcmp(name, "-") == 0) {
        return read_all(stdin, "standard input", length);
    }
    FILE *file = fopen(name, "rb");
    if (!file) {
        (void)fprintf(stderr, "variant-cat: %s: %s\n", name, strerror(errno));
        return NULL;
    }
    uint8_t *bytes = read_all(file, name, length);
    (void)fclose(file);
    return bytes;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Turns hexadecimal text into bytes, in place. false (and a message) if it is none. */
static bool decode_hex(uint8_t *bytes, size_t *length, const char *name)
{
    size_t written = 0, i = 0;
    while (i < *length) {
        uint8_t c = bytes[i];
        if (c == '0' && i + 1 < *length && (bytes[i + 1] | 0x20) == 'x') {
            i += 2;
        } else if (strchr(" \t\r\n,:;", c)) { /* a NUL byte counts as white space */
            i++;
        } else if (hex_digit(c) < 0 || i + 1 == *length || hex_digit(bytes[i + 1]) < 0) {
            (void)fprintf(stderr,
                          "variant-cat: %s: character %zu is not part of a pair of hexadecimal digits\n",
                          name, i + 1);
            return false;
        } else {
            bytes[written++] = (uint8_t)(hex_digit(c) << 4 | hex_digit(bytes[i + 1]));
            i += 2;
        }
    }
    *length = written;
    return true;
}

/* --- output ----------------------------------------------------------------------------------------- */

static void to_stdout(void *context, const char *text, size_t length)
{
    (void)context;
    (void)fwrite(text, 1, length, stdout);
}

/* The value on one line, without control characters. */
static void print_line(const char *text, size_t length)
{
    size_t needed = utf8_escape(text, length, NULL, 0) + 1;
    char *line = malloc(needed);
    if (!line) {
        (void)fputs("variant-cat: out of memory\n", stderr);
        exit(EXIT_TROUBLE);
    }
    (void)fwrite(line, 1, utf8_escape(text, length, line, needed), stdout);
    free(line);
}

/* variant_text() cuts a text that does not fit: the buffer grows until it does. */
static void print_text(const uint8_t *bytes, size_t length, variant_options options, bool raw)
{
    for (size_t size = 4096 + 2 * length;; size *= 4) {
        char *text = malloc(size);
        if (!text) {
            (void)fputs("variant-cat: out of memory\n", stderr);
            exit(EXIT_TROUBLE);
        }
        size_t written = variant_text(bytes, length, options, text, size, NULL);
        if (written + 8 <
            size) { /* cut text stops short of the end by one character and the ellipsis at most */
            if (raw) {
                (void)fwrite(text, 1, written, stdout);
            } else {
                print_line(text, written);
            }
            free(text);
            return;
        }
        free(text);
    }
}

/* Lists the problems of a value. Returns the bytes it takes, 0 if it cannot be read to its end. */
static uint32_t report_problems(const settings *s, const uint8_t *bytes, size_t length, size_t offset,
                                variant_options options, bool *refused)
{
    variant_decoder decoder;
    variant_event event;
    bool complete = true;

    variant_init(&decoder, bytes, length, options);
    while (variant_next(&decoder, &event)) {
        if (event.kind != VARIANT_FINDING) {
            continue;
        }
        complete = complete && !event.fatal;
        if (VARIANT_REJECTS(event.verdict)) {
            (void)fprintf(stderr, "variant-cat: %s: offset %zu: %s (%s)\n", s->name, offset + event.offset,
                          variant_problems[event.problem].text, variant_verdict_name(event.verdict));
            *refused = true;
        }
    }
    return complete ? decoder.position : 0;
}

/* Prints the value at `bytes`; `offset` is its place in the input, for messages. */
static uint32_t print_value(const settings *s, const uint8_t *bytes, size_t length, size_t offset,
                            variant_dialect dialect, bool *refused)
{
    variant_options options = s->options;
    options.dialect = dialect;
    if (s->pcap) {
        uint32_t taken = variant_skip(bytes, length, options, NULL);
        if (!pcap_value(stdout, bytes, taken > 0 ? taken : length, (*s->written)++)) {
            (void)fprintf(stderr,
                          "variant-cat: %s: offset %zu: the value is cut: packets are up to 256 KiB\n",
                          s->name, offset);
        }
        return report_problems(s, bytes, length, offset, options, refused);
    }
    if (s->json) {
        (void)variant_json(bytes, length, options, to_stdout, NULL, NULL);
    } else {
        print_text(bytes, length, options, s->raw);
    }
    (void)putchar('\n');
    return report_problems(s, bytes, length, offset, options, refused);
}

static variant_dialect choose_dialect(const settings *s, const uint8_t *bytes, size_t length)
{
    if (!s->automatic || s->options.compact) { /* the compact form is Godot 4's */
        return s->options.dialect;
    }
    variant_guess guess = variant_detect(bytes, length, VARIANT_DIALECT_COUNT);
    return guess.score > 0 ? guess.dialect : VARIANT_GODOT4;
}

/* --- forms of input --------------------------------------------------------------------------------- */

static int print_values(const settings *s, const uint8_t *bytes, size_t length)
{
    bool refused = false;
    size_t offset = 0;
    do {
        variant_dialect dialect = choose_dialect(s, bytes + offset, length - offset);
        uint32_t taken = print_value(s, bytes + offset, length - offset, offset, dialect, &refused);
        if (taken == 0) {
            return EXIT_REFUSED;
        }
        offset += taken;
    } while (s->options.compact && offset < length);
    if (offset < length) {
        (void)fprintf(stderr,
                      "variant-cat: %s: offset %zu: %zu bytes after the value; the engine ignores them\n",
                      s->name, offset, length - offset);
    }
    return refused ? EXIT_REFUSED : EXIT_SUCCESS;
}

static int print_stored(const settings *s, const store_file *file, const uint8_t *bytes, size_t length)
{
    bool refused = false;
    size_t offset = 0;
    while (offset < length) {
        uint32_t record = store_file_record(file, bytes, length, offset);
        if (record == 0) {
            (void)fprintf(stderr, "variant-cat: %s: offset %zu: no length of a value that fits the input\n",
                          s->name, offset);
            return EXIT_REFUSED;
        }
        (void)print_value(s, bytes + offset + 4, record - 4, offset + 4, file->dialect, &refused);
        offset += record;
    }
    return refused ? EXIT_REFUSED : EXIT_SUCCESS;
}

static int print_bytes(const settings *s, const uint8_t *bytes, size_t length);

static int print_compressed(const settings *s, const store_file *file, const uint8_t *bytes, size_t length)
{
    int status = EXIT_TROUBLE;
    uint8_t *content = malloc(file->content.unpacked_size + 1u);
    if (content && compressed_file_unpack(&file->content, bytes, length, content)) {
        status = print_bytes(s, content, file->content.unpacked_size);
    } else {
        (void)fprintf(stderr, "variant-cat: %s: compressed file (GCPF, %s) that cannot be unpacked\n",
                      s->name, store_file_mode_name(file->content.mode));
    }
    free(content);
    return status;
}

static int print_bytes(const settings *s, const uint8_t *bytes, size_t length)
{
    store_file file = store_file_judge(bytes, length, true);
    if (file.kind == STORE_FILE_ENCRYPTED) {
        (void)fprintf(stderr,
                      "variant-cat: %s: encrypted file (GDEC); its content cannot be read without the key\n",
                      s->name);
        return EXIT_TROUBLE;
    }
    if (file.kind == STORE_FILE_COMPRESSED) {
        return print_compressed(s, &file, bytes, length);
    }
    if (s->form == FORM_VALUE || (s->form == FORM_AUTO && file.kind == STORE_FILE_NONE)) {
        return print_values(s, bytes, length);
    }
    if (file.kind == STORE_FILE_NONE) {
        file = (store_file){.kind = STORE_FILE_PLAIN, .big_endian = s->big_endian};
    }
    if (!s->automatic || file.records == 0) {
        file.dialect = s->options.dialect;
    }
    return print_stored(s, &file, bytes, length);
}

static int print_input(const settings *s)
{
    size_t length;
    int status = EXIT_TROUBLE;
    uint8_t *bytes = read_input(s->name, &length);
    if (bytes && (!s->hex || decode_hex(bytes, &length, s->name))) {
        status = print_bytes(s, bytes, length);
    }
    free(bytes);
    return status;
}

/* --- command line ----------------------------------------------------------------------------------- */

static bool set_generation(settings *s, const char *name)
{
    static const char *const names[VARIANT_DIALECT_COUNT] = {
        [VARIANT_GODOT4] = "godot4",
        [VARIANT_GODOT4_MANUAL] = "godot4-manual",
        [VARIANT_GODOT3] = "godot3",
        [VARIANT_GODOT2] = "godot2",
    };
    s->automatic = strcmp(name, "auto") == 0;
    for (unsigned i = 0; i < VARIANT_DIALECT_COUNT; i++) {
        if (strcmp(name, names[i]) == 0) {
            s->options.dialect = (variant_dialect)i;
            return true;
        }
    }
    return s->automatic;
}

static void parse_options(settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        {"pcap", no_argument, NULL, 'p'},
        {"hex", no_argument, NULL, 'x'},
        {"generation", required_argument, NULL, 'g'},
        {"value", no_argument, NULL, 'v'},
        {"stored", no_argument, NULL, 's'},
        {"big-endian", no_argument, NULL, 'b'},
        {"compact", no_argument, NULL, 'c'},
        {"objects", no_argument, NULL, 'o'},
        {"raw", no_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "jprxg:vsbcohV", options, NULL)) != -1) {
        bool good = true;
        switch (option) {
        case 'j':
            s->json = true;
            break;
        case 'p':
            s->pcap = true;
            break;
        case 'r':
            s->raw = true;
            break;
        case 'x':
            s->hex = true;
            break;
        case 'g':
            good = set_generation(s, optarg);
            break;
        case 'v':
            s->form = FORM_VALUE;
            break;
        case 's':
            s->form = FORM_STORED;
            break;
        case 'b':
            s->big_endian = true;
            s->form = FORM_STORED;
            break;
        case 'c':
            s->options.compact = true;
            s->form = FORM_VALUE;
            break;
        case 'o':
            s->options.objects_allowed = true;
            break;
        case 'h':
            (void)fputs(usage, stdout);
            exit(EXIT_SUCCESS);
        case 'V':
            (void)puts("variant-cat " PROJECT_VERSION);
            exit(EXIT_SUCCESS);
        default:
            good = false;
        }
        if (!good) {
            (void)fputs(usage, stderr);
            exit(EXIT_TROUBLE);
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t written = 0;
    settings s = {.name = "-", .automatic = true, .written = &written};
    int status = EXIT_SUCCESS;

#ifdef _WIN32 /* values and packets are bytes; Windows would take 0x1a for the end */
    (void)_setmode(_fileno(stdin), _O_BINARY);
    (void)_setmode(_fileno(stdout), _O_BINARY);
#endif
    parse_options(&s, argc, argv);
    if (s.pcap) {
        if (s.options.compact || s.json) { /* packets of the dissector are whole values */
            (void)fputs("variant-cat: --pcap cannot be combined with --compact or --json\n", stderr);
            return EXIT_TROUBLE;
        }
        pcap_begin(stdout);
    }
    if (optind == argc) {
        status = print_input(&s);
    }
    for (int i = optind; i < argc; i++) {
        s.name = argv[i];
        int one = print_input(&s);
        if (one > status) {
            status = one;
        }
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "variant-cat: standard output: %s\n", strerror(errno));
        status = EXIT_TROUBLE;
    }
    return status;
}
