/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include "multiplayer/statistics/savings/forms/forms.h"

/* Different keys of a Dictionary that can be an enum: more are data. */
enum { MOST_KEYS = 32 };
/* How often each text comes, on average, that can be one of an enum. */
enum { TEXT_USES = 5 };

/* --- encodings ----------------------------------------------------------------------------------- */

/* A type to use instead, and what that costs the game. */
typedef struct {
    const char *what, *but;
} other_type;

#define BYTES  "PackedByteArray: every number is from 0 to 255"
#define INT32  "PackedInt32Array: every number fits"
#define FLOATS "PackedFloat32Array: every number has the same value in 32 bits"
#define WHOLE  "PackedByteArray: all are whole numbers from 0 to 255"
#define INT16  "PackedByteArray with encode_s16() of each number, which fits"
#define HALVES                                                                                               \
    {                                                                                                        \
        "PackedByteArray with encode_half() of each number: all are from -1 to 1",                           \
            "Three digits are left; receivers have to decode them"                                           \
    }
#define SEVEN    "Numbers have 32 bits then, about seven digits"
#define DECODED  "Receivers have to decode them"
#define ROWS     " with all numbers, one after the other, not an Array of Arrays"
#define TOGETHER "Receivers have to put them together"
#define NUMBERED                                                                                             \
    {                                                                                                        \
        "A number (an enum), not a text", "Both ends need the same list of texts"                            \
    }
#define OTHER "Methods and properties with a type need the other one"
static const other_type types_instead[ENCODING_KINDS][ENCODED_FORMS] = {
    [ENCODING_INTS] = {{BYTES, OTHER}, {INT32, OTHER}, {"PackedInt64Array, not Array", OTHER}},
    [ENCODING_BOOLS] = {{"PackedByteArray: 0 or 1 for each bool", OTHER}},
    [ENCODING_FLOATS] =
        {[ENCODED_SHORT] = {FLOATS, OTHER}, [ENCODED_LONG] = {"PackedFloat32Array, not Array", SEVEN}},
    [ENCODING_INT32] = {{BYTES, OTHER}, {INT16, DECODED}},
    [ENCODING_INT64] = {{BYTES, OTHER}, {INT32, OTHER}},
    [ENCODING_FLOAT32] = {{WHOLE, OTHER}, {INT16 " and is whole", DECODED}, HALVES},
    [ENCODING_FLOAT64] = {{WHOLE, OTHER},
                          [ENCODED_SHORT] = {FLOATS, OTHER},
                          [ENCODED_LONG] = {"PackedFloat32Array, not PackedFloat64Array", SEVEN}},
    [ENCODING_VECTOR2] = {[ENCODED_SHORT] = {"PackedVector2Array, not Array", OTHER}},
    [ENCODING_VECTOR3] = {[ENCODED_SHORT] = {"PackedVector3Array, not Array", OTHER}},
    [ENCODING_VECTORI] = {{"PackedByteArray with the components of each vector: all are from 0 to 255",
                           TOGETHER},
                          [ENCODED_SHORT] = {"PackedInt32Array with the components of each vector, not Array",
                                             TOGETHER}},
    [ENCODING_COLOR] = {[ENCODED_SHORT] = {"PackedColorArray, not Array", OTHER}},
    [ENCODING_COMPONENTS] = {[ENCODED_SHORT] = {"PackedFloat32Array with the components of each value, not "
                                                "Array",
                                                TOGETHER}},
    [ENCODING_POSES] = {[ENCODED_SHORT] = {"PackedFloat32Array with position and quaternion of each "
                                           "Transform3D, not Array",
                                           "Scale and shear are not sent; receivers have to put them "
                                           "together"}},
    [ENCODING_POSES2D] = {[ENCODED_SHORT] = {"PackedFloat32Array with position and rotation of each "
                                             "Transform2D, not Array",
                                             "Scale and skew are not sent; receivers have to put them "
                                             "together"}},
    [ENCODING_COLUMNS] = {[ENCODED_SHORT] = {"A packed array for each column (PackedInt32Array, "
                                             "PackedVector2Array), not an Array of Arrays",
                                             TOGETHER}},
    [ENCODING_PAIRS] = {[ENCODED_SHORT] = {"Packed arrays of the keys and of the values, not Dictionary",
                                           TOGETHER}},
    [ENCODING_BITS] = {{"Bits of the PackedByteArray: every byte is 0 or 1", DECODED},
                       {"4 bits each, two in a byte of the PackedByteArray: every byte is at most 15",
                        DECODED}},
    [ENCODING_KEYS] = {{"Packed array of the values", "Both ends have to agree on the order of the keys"},
                       [ENCODED_SHORT] = {"values() of the Dictionary, an Array: the keys are always the "
                                          "same",
                                          "Both ends have to agree on the order of the keys"},
                       [ENCODED_LONG] = {"Numbers (an enum) as keys of the Dictionary, not texts",
                                         "Both ends need the same numbers"}},
    [ENCODING_TEXT] = {[ENCODED_LONG] = NUMBERED},
    [ENCODING_NODE_PATH] = {[ENCODED_LONG] = {"A number (an enum), not a NodePath",
                                              "Both ends need the same list of nodes"}},
    [ENCODING_NUMBER] = {[ENCODED_LONG] = {"A small number, as a place in a list, not a large one",
                                           "Both ends need the same list of numbers"}},
    [ENCODING_COLOR8] = {[ENCODED_SHORT] = {"to_rgba32() of the Color, an int: every channel has 8 bits",
                                            "Receivers have to make the Color again"}},
    [ENCODING_COLORS8] = {[ENCODED_SHORT] = {"PackedInt32Array with to_rgba32() of each Color: every "
                                             "channel has 8 bits",
                                             "Receivers have to make the Colors again"}},
    [ENCODING_VECTORS] = {{WHOLE, TOGETHER}, {INT16 " and is whole", DECODED}, HALVES},
    [ENCODING_VARIANT] = {[ENCODED_LONG] = {"The value itself, not var_to_bytes() of it", OTHER}},
    [ENCODING_ROTATION] =
        {[ENCODED_SHORT] = {"position (Vector3) and quaternion (Quaternion), not a Transform3D",
                            "Scale and shear are not sent"}},
    [ENCODING_ROTATION2D] = {[ENCODED_SHORT] = {"position (Vector2) and rotation (float), not a "
                                                "Transform2D",
                                                "Scale and skew are not sent"}},
    [ENCODING_BASIS] = {[ENCODED_SHORT] = {"Quaternion, not Basis", "Scale and shear are not sent"}},
    [ENCODING_JSON] = {{"A number (an enum), not JSON", "Both ends need the same list of texts"},
                       [ENCODED_SHORT] = {"Arrays of the values, not JSON: the keys are always the same",
                                          "Both ends have to agree on the order of the values"},
                       [ENCODED_LONG] = {"The Dictionary or Array itself, not JSON", OTHER}},
    [ENCODING_NUMBERS] = {[ENCODED_SHORT] = {"The number, Vector2, Vector3, Vector4 or "
                                             "PackedFloat32Array, not a text",
                                             "Several numbers have 32 bits each then, about seven digits"}},
    [ENCODING_SENTENCE] = {[ENCODED_LONG] = {"A number (an enum) for the words, and the numbers, not a text",
                                             "Both ends need the same list of texts; several numbers have "
                                             "32 bits each, about seven digits"}},
    [ENCODING_COLOR_TEXT] = {[ENCODED_SHORT] = {"to_rgba32() of the Color, an int, not a text",
                                                "Receivers have to make the Color again"}},
    [ENCODING_DATE] = {[ENCODED_SHORT] = {"The Unix time, an int, not a text",
                                          "Receivers have to make the date again"}},
    [ENCODING_HEX] =
        {[ENCODED_SHORT] = {"PackedByteArray, not its hexadecimal digits", OTHER}, [ENCODED_LONG] = NUMBERED},
    [ENCODING_BASE64] =
        {[ENCODED_SHORT] = {"PackedByteArray, not its Base64", OTHER}, [ENCODED_LONG] = NUMBERED},
    [ENCODING_TEXTS] = {[ENCODED_LONG] = {"PackedByteArray: a number (an enum) for each text",
                                          "Both ends need the same list of texts"}},
    [ENCODING_INT_ROWS] = {{"PackedByteArray" ROWS, TOGETHER},
                           {"PackedInt32Array" ROWS, TOGETHER},
                           {"PackedInt64Array" ROWS, TOGETHER}},
    [ENCODING_FLOAT_ROWS] = {[ENCODED_SHORT] = {"PackedFloat32Array" ROWS, TOGETHER},
                             [ENCODED_LONG] = {"PackedFloat32Array" ROWS, SEVEN}},
    [ENCODING_PLACES] = {[ENCODED_SHORT] = {"PackedInt32Array with the numbers of each key and its value, "
                                            "not Dictionary",
                                            TOGETHER}},
};

/* Whether texts, or large numbers, come again, and no new ones for as long as it took to know all of them. */
static bool come_again(const encoded_part *values)
{
    return values->key_count <= ENCODED_KEYS && values->texts >= TEXT_USES * values->key_count &&
           values->texts >= 2 * values->newest;
}

/* Whether there are few of them, between which those who send them choose. */
static bool are_few(const encoded_place *of)
{
    return of->values.key_count > 1 && come_again(&of->values) && of->varies >= of->values.key_count;
}

/* Whether there are few enough keys, or texts, to number them. */
static bool can_be_numbered(const encoded_place *of)
{
    const encoded_part *values = &of->values;
    switch (values->kind) {
    case ENCODING_SENTENCE:
        return come_again(values);
    case ENCODING_TEXT:
    case ENCODING_TEXTS:
    case ENCODING_NODE_PATH:
    case ENCODING_NUMBER:
        return are_few(of);
    case ENCODING_KEYS:
        return values->key_count <= MOST_KEYS || encoded_part_form(values) != ENCODED_LONG;
    default:
        return true;
    }
}

/* The shortest form that is worth it; ENCODED_FORMS: none. */
static unsigned form_instead(const encoded_place *of)
{
    const encoded_part *values = &of->values;
    encoded_part others = *values;
    if (values->kind == ENCODING_JSON && !are_few(of)) {
        others.forms &= ~(1u << ENCODED_BYTES);
    } else if ((values->kind == ENCODING_HEX || values->kind == ENCODING_BASE64) && are_few(of)) {
        others.forms &= 1u << ENCODED_LONG;
    }
    return can_be_numbered(of) ? encoded_part_form(&others) : ENCODED_FORMS;
}

/* Types as Godot 3 calls them; NULL: it has none that large. */
static char *type_name(const savings *all, const char *what)
{
    static const char *const names[][2] = {{"PackedInt32", "PoolInt"},   {"PackedFloat32", "PoolReal"},
                                           {"Packed", "Pool"},           {"Quaternion", "Quat"},
                                           {"Transform3D", "Transform"}, {", Vector4", ""},
                                           {"var_to_bytes", "var2bytes"}};
    GString *text = g_string_new(what);
    for (size_t i = 0; all->api == 3 && i < array_length(names); i++) {
        g_string_replace(text, names[i][0], names[i][1], 0);
    }
    bool missing = all->api == 3 && (strstr(what, "64Array") || strstr(what, "encode_"));
    return g_string_free(text, missing);
}

/* "PackedVector2Array", of "PackedVector2Array, not Array", for the values of a Dictionary. */
static char *type_of_values(const encoded_part *values)
{
    const other_type *forms = types_instead[values->values];
    const char *what = forms[ENCODED_SHORT].what ? forms[ENCODED_SHORT].what : forms[ENCODED_LONG].what;
    const char *end = strpbrk(what, ":,");
    return g_strdup_printf("%.*s, not Dictionary: the keys are always the same",
                           (int)(end ? (size_t)(end - what) : strlen(what)), what);
}

/* What only types that lose something cost; else what a Dictionary without keys costs. */
static const char *cost_of_values(const encoded_part *values, const char *of_keys)
{
    const other_type *forms = types_instead[values->values];
    const char *but = forms[ENCODED_SHORT].what ? forms[ENCODED_SHORT].but : forms[ENCODED_LONG].but;
    return strcmp(but, OTHER) == 0 || strcmp(but, TOGETHER) == 0 ? of_keys : but;
}

/* Names in sentences of which there are more than words: these come in other orders. */
static void advise_words(const savings *all, GPtrArray *rows, const encoded_place *of)
{
    if (of->values.count < SAVINGS_LEAST || of->values.key_count <= of->words.count ||
        !text_words_are_few(&of->words, TEXT_USES) ||
        (of->values.kind != ENCODING_TEXT && of->values.kind != ENCODING_SENTENCE)) {
        return;
    }
    savings_row found = {.bytes = of->numbered.bytes + (double)text_words_fixed(&of->words),
                         .what = g_strdup("Numbers (an enum) of the names in it, not a text"),
                         .where = savings_place_text(of),
                         .why = g_strdup_printf("%u texts, in which there are %u different words",
                                                of->words.messages, of->words.count),
                         .but = "Both ends need the same list of words, and receivers make the text",
                         .evidence = &of->numbered};
    savings_add_row(all, rows, found);
}

void savings_advise_encoding(const savings *all, GPtrArray *rows, const encoded_place *of)
{
    const encoded_part *values = &of->values;
    unsigned form = form_instead(of);
    const other_type *instead = form < ENCODED_FORMS ? &types_instead[values->kind][form] : NULL;
    if (!instead || !instead->what || values->count < SAVINGS_LEAST) {
        advise_words(all, rows, of);
        return;
    }
    bool of_dictionary = values->kind == ENCODING_KEYS && form == ENCODED_BYTES;
    bool numbered = strncmp(instead->what, "A ", 2) == 0 || values->kind == ENCODING_TEXTS;
    const saved_bytes *saved = &of->shorter[form];
    char *type = of_dictionary ? type_of_values(values) : g_strdup(instead->what);
    char *what = type_name(all, type);
    g_free(type);
    if (!what) {
        return;
    }
    GString *why = g_string_new(NULL);
    g_string_append_printf(why, "True of all %u values in the capture", values->count);
    if (form == ENCODED_LONG && values->kind == ENCODING_KEYS) {
        g_string_append_printf(why, ", which have %u different keys", values->key_count);
    } else if (values->texts && numbered) {
        g_string_assign(why, "");
        g_string_append_printf(why,
                               values->key_count > 1 ? "%u values, of which %u are different"
                                                     : "%u values with the same words",
                               of->texts, values->key_count);
    }
    double fixed = values->kind == ENCODING_SENTENCE && of->sentences ? sentences_fixed(of->sentences) : 0;
    savings_row found = {.bytes = saved->bytes + fixed,
                         .what = what,
                         .where = savings_place_text(of),
                         .why = g_string_free(why, FALSE),
                         .but = of_dictionary ? cost_of_values(values, instead->but) : instead->but,
                         .evidence = saved};
    savings_add_row(all, rows, found);
}
