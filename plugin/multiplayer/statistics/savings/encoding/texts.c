/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/texts.h"

#include "multiplayer/statistics/savings/encoding/json-texts.h"

enum { MAX_NUMBER_TEXT = 512 /* bytes of a text with numbers, and a NUL */ };
/* Shorter texts of such letters may be names. */
enum { LEAST_BYTES_TEXT = 32, DIGITS_OF_INT = 9 };

/* JSON as what it describes: without keys, if these are always the same; or a number for each text. */
bool set_json(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    json_sizes sizes;
    const char first = value->data_length ? (char)bytes[value->data_offset] : '\0';
    if ((first != '{' && first != '[') ||
        !json_sizes_of(bytes + value->data_offset, value->data_length, &sizes)) {
        return false;
    }
    encoded_part_set(part, ENCODING_JSON, ENCODED_SHORT, value->length, sizes.values);
    encoded_part_set(part, ENCODING_JSON, ENCODED_LONG, value->length, sizes.with_keys);
    encoded_part_set(part, ENCODING_JSON, ENCODED_BYTES, value->length, encoded_int_length(value, 8));
    part->keys = sizes.keys;
    encoded_part_count_text(part, bytes, value);
    return true;
}

/* Numbers in a text, between which there are only such signs; 0: something else is in it. */
static uint32_t count_numbers(const char *text, uint32_t length)
{
    char copy[MAX_NUMBER_TEXT];
    uint32_t count = 0;
    if (length >= sizeof copy) {
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (const char *at = copy; *at;) {
        size_t signs = strspn(at, " ,;|:()");
        const char *number = at + signs;
        size_t digits = strspn(number, "+-.0123456789eE");
        char *end;
        (void)g_ascii_strtod(number, &end);
        if (digits ? end != number + digits || (count && !signs) : *number || !signs) {
            return 0;
        }
        count += digits > 0;
        at = number + digits;
    }
    return count;
}

/* One number takes up to 12 bytes, up to four are a vector, more a PackedFloat32Array. */
uint32_t bytes_of_numbers(uint32_t count)
{
    enum { HEAD = 4, FLOAT32 = 4, FLOAT64 = 8, VECTOR = 4 };
    return count == 1 ? HEAD + FLOAT64 : (count > VECTOR ? PACKED_HEAD : HEAD) + FLOAT32 * count;
}

static bool set_numbers(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    uint32_t count = count_numbers((const char *)bytes + value->data_offset, value->data_length);
    if (count) {
        encoded_part_set(part, ENCODING_NUMBERS, ENCODED_SHORT, value->length, bytes_of_numbers(count));
    }
    return count > 0;
}

/* Whether the text has nothing but what Base64 has, with digits and both cases; in names and paths nearly all
 * letters are small, in Base64 three of five signs are none. */
static bool is_base64(const char *text, uint32_t length)
{
    uint32_t digits = 0, upper = 0, lower = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (!g_ascii_isalnum(text[i]) && text[i] != '+' && text[i] != '/') {
            return false;
        }
        digits += g_ascii_isdigit(text[i]) != 0;
        upper += g_ascii_isupper(text[i]) != 0;
        lower += g_ascii_islower(text[i]) != 0;
    }
    return digits && upper && lower && digits + upper >= length / 3;
}

/* Whether there is a hyphen here in a UUID, 8-4-4-4-12 digits. */
static bool is_hyphen(uint32_t length, uint32_t at)
{
    enum { UUID = 36 };
    return length == UUID && (at == 8 || at == 13 || at == 18 || at == 23);
}

/* Returns the number of digits; 0: there is something else, or the letters are of either case. */
static uint32_t hex_digits(const char *text, uint32_t length)
{
    bool upper = false, lower = false;
    uint32_t digits = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (is_hyphen(length, i) ? text[i] != '-' : !g_ascii_isxdigit(text[i])) {
            return 0;
        }
        digits += text[i] != '-';
        upper |= g_ascii_isupper(text[i]) != 0;
        lower |= g_ascii_islower(text[i]) != 0;
    }
    return digits % 2 == 0 && upper != lower ? digits : 0;
}

static uint32_t base64_padding(const char *text, uint32_t length)
{
    return (text[length - 1] == '=') + (text[length - 1] == '=' && text[length - 2] == '=');
}

/* What hex_encode() or Marshalls.raw_to_base64() makes of bytes. */
static bool set_bytes(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { GROUP = 4, BYTES_OF_GROUP = 3 };
    const char *text = (const char *)bytes + value->data_offset;
    uint32_t length = value->data_length;
    if (length < LEAST_BYTES_TEXT) {
        return false;
    }
    uint32_t padding = base64_padding(text, length), digits = hex_digits(text, length);
    bool base64 = !digits && length % GROUP == 0 && is_base64(text, length - padding);
    uint32_t count = digits ? digits / 2 : length / GROUP * BYTES_OF_GROUP - padding;
    if (digits || base64) {
        encoding_kind kind = base64 ? ENCODING_BASE64 : ENCODING_HEX;
        encoded_part_set(part, kind, ENCODED_LONG, value->length, encoded_int_length(value, 8));
        encoded_part_set(part, kind, ENCODED_SHORT, value->length, PACKED_HEAD + (count + 3) / 4 * 4);
        encoded_part_count_text(part, bytes, value);
    }
    return digits || base64;
}

/* Color.to_html(): eight digits, or with a # before six or eight. Digits alone can be another number. */
static bool set_color(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { DIGITS = 8, DIGITS_WITHOUT_ALPHA = 6 };
    const char *text = (const char *)bytes + value->data_offset;
    uint32_t marked = value->data_length > 0 && text[0] == '#', digits = value->data_length - marked;
    bool hex = digits == DIGITS || (marked && digits == DIGITS_WITHOUT_ALPHA), letters = marked;
    for (uint32_t i = 0; hex && i < digits; i++) {
        hex = g_ascii_isdigit(text[marked + i]) || (text[marked + i] >= 'a' && text[marked + i] <= 'f');
        letters |= g_ascii_isalpha(text[marked + i]) != 0;
    }
    if (hex && letters) {
        bool wide = g_ascii_isalpha(text[marked]) || text[marked] >= '8'; /* red, in the highest bits */
        encoded_part_set(part, ENCODING_COLOR_TEXT, ENCODED_SHORT, value->length,
                         encoded_int_length(value, wide ? 64 : 32));
    }
    return hex && letters;
}

static bool set_date(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    static const char form[] = "0000-00-00T00:00:00";
    const char *text = (const char *)bytes + value->data_offset;
    bool date = value->data_length == sizeof form - 1;
    for (uint32_t i = 0; date && i < value->data_length; i++) {
        date = form[i] == '0'   ? g_ascii_isdigit(text[i])
               : form[i] == 'T' ? text[i] == 'T' || text[i] == ' '
                                : text[i] == form[i];
    }
    if (date) {
        encoded_part_set(part, ENCODING_DATE, ENCODED_SHORT, value->length, encoded_int_length(value, 32));
    }
    return date;
}

/* Length of a number at the beginning; 0: there is none. `*point`: it has one. */
static uint32_t number_length(const char *text, uint32_t length, bool *point)
{
    uint32_t at = length > 1 && text[0] == '-' ? 1 : 0, begin = at;
    *point = false;
    while (at < length && (g_ascii_isdigit(text[at]) || (text[at] == '.' && !*point && at > begin))) {
        *point |= text[at++] == '.';
    }
    *point &= text[at - (at > 0)] != '.';
    return at > begin ? at : 0;
}

/* Length of a number here that is no part of a word; 0: there is none. */
static uint32_t number_at(const char *text, uint32_t length, uint32_t at, bool *point)
{
    uint32_t number = at && g_ascii_isalnum(text[at - 1]) ? 0 : number_length(text + at, length - at, point);
    return at + number < length && g_ascii_isalpha(text[at + number]) ? 0 : number;
}

/* Words with numbers between them, not in them: "MOVE 12.5 3", not "Npc3". One number may be part of a name,
 * a path or a title, but in a text with marks like those of BBCode. */
static bool set_sentence(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    const char *text = (const char *)bytes + value->data_offset;
    uint32_t length = value->data_length, numbers = 0, words = 0, longest = 0;
    bool points = false, point;
    for (uint32_t i = 0; i < MIN(length, MAX_NUMBER_TEXT);) {
        uint32_t number = number_at(text, length, i, &point);
        if (number) {
            points |= point;
            longest = MAX(longest, number);
            numbers++;
            i += number;
        } else {
            words = words * 31 + (uint8_t)text[i++];
        }
    }
    bool whole = numbers == 1 && !points;
    bool marked = memchr(text, '[', length) != NULL;
    bool sentence =
        words && numbers && length < MAX_NUMBER_TEXT && (!whole || (marked && longest <= DIGITS_OF_INT));
    if (sentence) {
        encoded_part_set(part, ENCODING_SENTENCE, ENCODED_LONG, value->length,
                         encoded_int_length(value, 8) +
                             (whole ? encoded_int_length(value, 32) : bytes_of_numbers(numbers)));
        part->texts = 1;
        encoded_part_add_key(part, words);
    }
    return sentence;
}

uint32_t sentence_numbers(const uint8_t *text, uint32_t length, uint32_t *hashes, uint32_t most)
{
    uint32_t count = 0;
    bool point;
    for (uint32_t i = 0; i < length;) {
        uint32_t number = number_at((const char *)text, length, i, &point);
        if (number && count++ < most) {
            hashes[count - 1] = wmem_strong_hash(text + i, number);
        }
        i += MAX(1, number);
    }
    return count;
}

bool set_written_value(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    return set_json(part, bytes, value) || set_color(part, bytes, value) || set_date(part, bytes, value) ||
           set_numbers(part, bytes, value) || set_bytes(part, bytes, value) ||
           set_sentence(part, bytes, value);
}
