/* text.c
 *
 * Values as text, the way Godot 4's var_to_str() prints them (VariantWriter, core/variant/variant_parser.cpp
 * of 4.6), whichever generation sent them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/internal.h"

#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/digits.h"
#include "base/utf8.h"

#ifdef HAVE_SSE2
#include <emmintrin.h>
#define SHORT_TEXT 32 /* bytes that are copied at once */
#endif

#define ELLIPSIS    "\xe2\x80\xa6"
#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, for bytes that are not UTF-8 */

/* After truncation, less space is left than any character needs. */
#define LEFT_IF_NOT_CUT 4

static void put_what_fits(variant_writer *w, const char *text)
{
    size_t length = w->room - w->length;
    w->cut = true;
    while (length > 0 && ((uint8_t)text[length] & 0xc0) == 0x80) {
        length--;
    }
    memcpy(w->text + w->length, text, length);
    w->length += length;
}

static inline void put(variant_writer *w, const char *text, size_t length)
{
    if (w->cut) {
        return;
    }
    if (length > w->room - w->length) {
        put_what_fits(w, text);
        return;
    }
    memcpy(w->text + w->length, text, length);
    w->length += length;
}

/* Inline, so that the length of a constant text is constant. */
static inline void puts_to(variant_writer *w, const char *text)
{
    put(w, text, strlen(text));
}

size_t variant_writer_end(variant_writer *w)
{
    const size_t size = sizeof ELLIPSIS - 1;
    if (w->cut && w->room >= size) {
        if (w->length > w->room - size) {
            size_t end = w->room - size;
            while (end > 0 && ((uint8_t)w->text[end] & 0xc0) == 0x80) {
                end--;
            }
            w->length = end;
        }
        memcpy(w->text + w->length, ELLIPSIS, size);
        w->length += size;
    }
    w->text[w->length] = '\0';
    return w->length;
}

/* --- numbers ------------------------------------------------------------------------------------- */

static void put_unsigned(variant_writer *w, uint64_t value)
{
    char digits[2 * DIGITS_SIZE]; /* the second half is not used, but copied */
    size_t at = digits_of(value, digits);
    if (w->room - w->length >= DIGITS_SIZE) {
        memcpy(w->text + w->length, digits + at, DIGITS_SIZE);
        w->length += DIGITS_SIZE - at;
    } else {
        put(w, digits + at, DIGITS_SIZE - at);
    }
}

static void put_signed(variant_writer *w, int64_t value)
{
    if (value < 0) {
        puts_to(w, "-");
    }
    put_unsigned(w, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void put_number(variant_writer *w, double value)
{
    char text[VARIANT_NUMBER_SIZE];
    if (w->room - w->length >= sizeof text) {
        w->length += variant_number_text(value, w->text + w->length);
    } else {
        put(w, text, variant_number_text(value, text));
    }
}

/* A float has a point or an exponent, a component need not. */
static void put_float(variant_writer *w, double value)
{
    const size_t begin = w->length;
    put_number(w, value);
    for (size_t i = begin; i < w->length; i++) {
        if (w->text[i] == '.' || w->text[i] == 'e' || w->text[i] == 'n') { /* the n of nan and inf */
            return;
        }
    }
    puts_to(w, ".0");
}

/* --- strings ------------------------------------------------------------------------------------- */

typedef enum {
    ESCAPE_LITTLE, /* String::c_escape_multiline() */
    ESCAPE_ALL,    /* String::c_escape() */
} escapes;

/* The escape sequence for a byte, NULL if it needs none. */
static inline const char *escape_of(uint8_t c, escapes which)
{
    static const char *const control[] = {"\\a", "\\b", "\\t", "\\n", "\\v", "\\f", "\\r"};
    if (c == '"') {
        return "\\\"";
    }
    if (c == '\\') {
        return "\\\\";
    }
    if (which == ESCAPE_ALL && c >= '\a' && c <= '\r') {
        return control[c - '\a'];
    }
    return which == ESCAPE_ALL && c == '\'' ? "\\'" : NULL;
}

/* The escape for a character that the engine prints unchanged although it can change how a line looks; the
 * text reads back as the same value. NULL: none. */
static const char *escape_of_deceptive(const uint8_t *p, size_t length, char escape[8])
{
    return utf8_deceptive(p, length, &(uint32_t){0}) && utf8_escape((const char *)p, length, escape, 8) > 0
               ? escape
               : NULL;
}

#define EACH_BYTE(c) ((uint64_t)(c)*0x0101010101010101u)

/* Whether all bytes of a word are ASCII that needs no escape in any text: no control characters, quotes or
 * backslashes. A subtraction from a smaller byte sets the highest bit there. */
static inline bool is_plain(uint64_t word)
{
    uint64_t quote = word ^ EACH_BYTE('"'), apostrophe = word ^ EACH_BYTE('\'');
    uint64_t backslash = word ^ EACH_BYTE('\\'), one = EACH_BYTE(1);
    uint64_t odd = word | (word - EACH_BYTE(' ')) | (quote - one) | (apostrophe - one) | (backslash - one);
    return (odd & EACH_BYTE(0x80)) == 0;
}

#ifdef SHORT_TEXT
/* A bit for each of 16 bytes that is_plain() rejects. */
static inline uint32_t odd_bytes(__m128i bytes)
{
    __m128i odd = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')); /* signed: more than ASCII, too */
    odd = _mm_or_si128(odd, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
    odd = _mm_or_si128(odd, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\'')));
    odd = _mm_or_si128(odd, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    return (uint32_t)_mm_movemask_epi8(odd);
}
#endif

/* Copies a short plain text and some bytes after it, which are overwritten later: a loop over its
 * unpredictable length would be mispredicted, and texts take 7 % longer. False if the text is not short and
 * plain. */
static inline bool put_short_text(variant_writer *w, const uint8_t *text, uint32_t length, size_t readable)
{
#ifdef SHORT_TEXT
    if (length <= SHORT_TEXT && readable >= SHORT_TEXT && w->room - w->length >= SHORT_TEXT) {
        const __m128i low = _mm_loadu_si128((const void *)text),
                      high = _mm_loadu_si128((const void *)(text + 16));
        if (((odd_bytes(low) | (uint64_t)odd_bytes(high) << 16) & (((uint64_t)1 << length) - 1)) == 0) {
            _mm_storeu_si128((void *)(w->text + w->length), low);
            _mm_storeu_si128((void *)(w->text + w->length + 16), high);
            w->length += length;
            return true;
        }
    }
#endif
    (void)w, (void)text, (void)length, (void)readable;
    return false;
}

/* Copies such text from `at` on, eight bytes at a time and then the rest. Returns the position of the first
 * other byte. */
static inline uint32_t put_plain(variant_writer *w, const uint8_t *bytes, uint32_t at, uint32_t end)
{
    for (; end - at >= 8 && w->room - w->length >= 8 && is_plain(le64(bytes + at)); at += 8) {
        memcpy(w->text + w->length, bytes + at, 8);
        w->length += 8;
    }
    uint32_t rest = end - at;
    if (rest > 0 && rest < 8 && end >= 8 && w->room - w->length >= 8) {
        uint64_t last = le64(bytes + end - 8) >> (64 - 8 * rest); /* a text has bytes before it */
        if (is_plain(last | EACH_BYTE('a') << 8 * rest)) {
            put_le64((uint8_t *)w->text + w->length, last); /* the zeros are overwritten */
            w->length += rest;
            at = end;
        }
    }
    return at;
}

static void put_any_text(variant_writer *w, const uint8_t *bytes, const variant_string *s, escapes which)
{
    uint32_t end = s->text_offset + s->text_length;
    for (uint32_t at = s->text_offset; !w->cut && (at = put_plain(w, bytes, at, end)) < end;) {
        uint32_t sequence = bytes[at] < 0x80 ? 1 : utf8_sequence(bytes + at, end - at, UTF8_STANDARD);
        char escape[8];
        const char *other = sequence == 0  ? REPLACEMENT
                            : sequence < 2 ? escape_of(bytes[at], which)
                                           : escape_of_deceptive(bytes + at, sequence, escape);
        if (other != NULL) {
            puts_to(w, other);
        } else {
            put(w, (const char *)bytes + at, sequence);
        }
        at += sequence == 0 ? 1 : sequence;
    }
}

/* Text without the quotes. */
static inline void put_text(variant_writer *w, const uint8_t *bytes, const variant_string *s, escapes which)
{
    if (w->cut || s->text_offset > w->readable ||
        !put_short_text(w, bytes + s->text_offset, s->text_length, w->readable - s->text_offset)) {
        put_any_text(w, bytes, s, which);
    }
}

static void put_quoted(variant_writer *w, const uint8_t *bytes, const variant_string *s, escapes which)
{
    puts_to(w, "\"");
    put_text(w, bytes, s, which);
    puts_to(w, "\"");
}

/* --- values -------------------------------------------------------------------------------------- */

static void put_node_path(variant_writer *w, const uint8_t *bytes, const variant_event *e)
{
    puts_to(w, "NodePath(\"");
    if (e->value.path.old_format) {
        put_text(w, bytes, &e->text, ESCAPE_ALL);
    } else {
        uint32_t position = e->data_offset;
        const uint32_t names = e->value.path.names;
        if (e->value.path.flags & 1) {
            puts_to(w, "/");
        }
        for (uint32_t i = 0; i < names + e->value.path.subnames && !w->cut; i++) {
            variant_string s = variant_next_string(bytes, e, &position);
            if (i > 0 || i >= names) {
                puts_to(w, i < names ? "/" : ":");
            }
            put_text(w, bytes, &s, ESCAPE_ALL);
        }
    }
    puts_to(w, "\")");
}

static void put_components(variant_writer *w, const uint8_t *bytes, const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);
    const uint32_t count = facts->packed ? e->count * facts->component_count : facts->component_count;
    const bool integer = facts->component_kind >= VARIANT_INT8U;
    puts_to(w, facts->name);
    puts_to(w, "(");
    for (uint32_t i = 0; i < count && !w->cut; i++) {
        if (i > 0) {
            puts_to(w, ", ");
        }
        if (integer) {
            put_signed(w, variant_component_int(bytes, e, i));
        } else {
            put_number(w, variant_component(bytes, e, i));
        }
    }
    puts_to(w, ")");
}

static void put_packed_strings(variant_writer *w, const uint8_t *bytes, const variant_event *e)
{
    uint32_t position = e->data_offset;
    puts_to(w, "PackedStringArray(");
    for (uint32_t i = 0; i < e->count && !w->cut; i++) {
        variant_string s = variant_next_string(bytes, e, &position);
        if (i > 0) {
            puts_to(w, ", ");
        }
        put_quoted(w, bytes, &s, ESCAPE_ALL);
    }
    puts_to(w, ")");
}

static void put_object_id(variant_writer *w, uint64_t id)
{
    if (id == 0) {
        puts_to(w, "null");
        return;
    }
    puts_to(w, "<Object#");
    put_signed(w, (int64_t)id);
    puts_to(w, ">");
}

static void put_rid(variant_writer *w, uint64_t id)
{
    puts_to(w, "RID(");
    if (id != 0) {
        put_unsigned(w, id);
    }
    puts_to(w, ")");
}

/* `name(first, second, …`, to be closed by the caller. */
static void put_call(variant_writer *w, const char *name, const uint32_t *arguments, size_t count)
{
    puts_to(w, name);
    puts_to(w, "(");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            puts_to(w, ", ");
        }
        put_unsigned(w, arguments[i]);
    }
}

static void put_image(variant_writer *w, const variant_event *e)
{
    const variant_image *v = &e->value.image;
    put_call(w, "Image", (uint32_t[]){v->width, v->height, v->format, v->mipmaps, e->count}, 5);
    puts_to(w, ")");
}

static void put_input_event(variant_writer *w, const variant_event *e)
{
    const variant_input_event *v = &e->value.input_event;
    const bool joystick_motion = v->type == 4;
    put_call(w, "InputEvent", (uint32_t[]){v->type, v->device, v->number[0], v->number[1]},
             2 + v->fields - (joystick_motion ? 1 : 0));
    if (joystick_motion) {
        puts_to(w, ", ");
        put_number(w, (double)v->axis_value);
    }
    puts_to(w, ")");
}

static void put_value(variant_writer *w, const uint8_t *bytes, const variant_event *e)
{
    switch (e->type) {
    case VARIANT_NIL:
        puts_to(w, "null");
        break;
    case VARIANT_BOOL:
        puts_to(w, e->value.b ? "true" : "false");
        break;
    case VARIANT_INT:
        put_signed(w, e->value.i);
        break;
    case VARIANT_FLOAT:
        put_float(w, e->value.f);
        break;
    case VARIANT_STRING:
        put_quoted(w, bytes, &e->text, ESCAPE_LITTLE);
        break;
    case VARIANT_STRING_NAME:
        puts_to(w, "&");
        put_quoted(w, bytes, &e->text, ESCAPE_ALL);
        break;
    case VARIANT_NODE_PATH:
        put_node_path(w, bytes, e);
        break;
    case VARIANT_RID:
        put_rid(w, e->value.id);
        break;
    case VARIANT_OBJECT:
        put_object_id(w, e->value.id);
        break;
    case VARIANT_CALLABLE:
    case VARIANT_SIGNAL:
        puts_to(w, variant_type_name(e->type));
        puts_to(w, "()");
        break;
    case VARIANT_PACKED_STRING_ARRAY:
        put_packed_strings(w, bytes, e);
        break;
    case VARIANT_IMAGE:
        put_image(w, e);
        break;
    case VARIANT_INPUT_EVENT:
        put_input_event(w, e);
        break;
    default:
        put_components(w, bytes, e);
        break;
    }
}

/* --- containers ---------------------------------------------------------------------------------- */

static bool is_typed(const variant_container_type *t)
{
    return t->kind != VARIANT_UNTYPED && t->type != VARIANT_NIL;
}

static void put_container_type(variant_writer *w, const uint8_t *bytes, const variant_container_type *t)
{
    if (!is_typed(t)) {
        puts_to(w, "Variant");
    } else if (t->kind == VARIANT_TYPED_BUILTIN) {
        puts_to(w, variant_type_name(t->type));
    } else if (t->kind == VARIANT_TYPED_CLASS) {
        put_text(w, bytes, &t->name, ESCAPE_ALL);
    } else {
        puts_to(w, "Resource(");
        put_quoted(w, bytes, &t->name, ESCAPE_ALL);
        puts_to(w, ")");
    }
}

/* Writes the text before the children. True if the container is typed, so that a parenthesis is open. */
static bool put_begin(variant_writer *w, const uint8_t *bytes, const variant_event *e)
{
    if (e->type == VARIANT_OBJECT) {
        puts_to(w, "Object(");
        put_text(w, bytes, &e->text, ESCAPE_LITTLE);
        return false;
    }
    const bool dictionary = e->type == VARIANT_DICTIONARY;
    const bool typed = is_typed(&e->element_type) || (dictionary && is_typed(&e->key_type));
    if (typed) {
        puts_to(w, variant_type_name(e->type));
        puts_to(w, "[");
        if (dictionary) {
            put_container_type(w, bytes, &e->key_type);
            puts_to(w, ", ");
        }
        put_container_type(w, bytes, &e->element_type);
        puts_to(w, "](");
    }
    puts_to(w, dictionary ? "{" : "[");
    return typed;
}

static void put_end(variant_writer *w, variant_type type, bool typed)
{
    puts_to(w, type == VARIANT_DICTIONARY ? "}" : type == VARIANT_ARRAY ? "]" : ")");
    if (typed) {
        puts_to(w, ")");
    }
}

/* Writes the text before a value, which depends on its place. */
static void put_separator(variant_writer *w, const uint8_t *bytes, const variant_event *e)
{
    if (e->role == VARIANT_PROPERTY) {
        puts_to(w, ",");
        put_quoted(w, bytes, &e->name, ESCAPE_LITTLE);
        puts_to(w, ":");
        return;
    }
    const char *text = e->role == VARIANT_ENTRY_VALUE ? ": " : ", ";
    size_t length = e->role != VARIANT_ENTRY_VALUE && e->index == 0 ? 0 : 2;
    if (w->room - w->length >= LEFT_IF_NOT_CUT) { /* without a branch for the first of a container */
        memcpy(w->text + w->length, text, 2);
        w->length += length;
    } else {
        put(w, text, length);
    }
}

static void put_problem(variant_writer *w, variant_problem problem)
{
    puts_to(w, "<");
    puts_to(w, variant_problems[problem].name);
    puts_to(w, ">");
}

void variant_writer_init(variant_writer *w, char *text, size_t size, size_t readable)
{
    w->text = text;
    w->room = size - 1;
    w->length = 0;
    w->readable = readable;
    w->cut = false;
    w->begun = false;
}

void variant_writer_add(variant_writer *w, const uint8_t *bytes, const variant_event *e)
{
    if (e->kind == VARIANT_END) {
        put_end(w, e->type, w->typed[e->depth]);
        return;
    }
    if (e->kind == VARIANT_FINDING && !e->fatal) {
        return;
    }
    if (w->begun) {
        put_separator(w, bytes, e);
    }
    w->begun = true;
    if (e->kind == VARIANT_VALUE) {
        put_value(w, bytes, e);
    } else if (e->kind == VARIANT_BEGIN) {
        w->typed[e->depth] = put_begin(w, bytes, e);
    } else {
        put_problem(w, e->problem);
    }
}

size_t variant_text(const uint8_t *bytes, size_t length, variant_options options, char *text, size_t size,
                    uint32_t *consumed)
{
    variant_writer w;
    variant_decoder d;
    variant_event e;
    variant_writer_init(&w, text, size, length);
    variant_init(&d, bytes, length, options);
    while ((consumed != NULL || !w.cut) && variant_next(&d, &e)) {
        variant_writer_add(&w, bytes, &e);
    }
    if (consumed != NULL) {
        *consumed = d.failed ? 0 : d.position;
    }
    return variant_writer_end(&w);
}

size_t variant_event_text(const uint8_t *bytes, const variant_event *event, char *text, size_t size)
{
    variant_writer w;
    variant_writer_init(&w, text, size, 0);
    put_value(&w, bytes, event);
    return variant_writer_end(&w);
}

size_t variant_text_cut(const char *full, char *text, size_t size)
{
    variant_writer w;
    variant_writer_init(&w, text, size, 0);
    puts_to(&w, full);
    return variant_writer_end(&w);
}
