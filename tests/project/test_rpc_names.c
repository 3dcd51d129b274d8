/* test_rpc_names.c
 *
 * RPC names from sources: declared and inherited methods of GDScript and C#, and checksums sent by engines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "codec/md5.h"
#include "project/scripts/argument_types.h"
#include "project/scripts/rpc_names.h"

static rpc_project *project;

static void add(rpc_language language, const char *path, const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1); /* no NUL: the scanner must not need one */
    memcpy(copy, text, length);
    rpc_project_add_source(project, language, &(source_file){0, path, {copy, length}});
    free(copy);
}

/* MD5 of the joined names, which is the engine's checksum; for their order see node_names_first(). */
static const char *sum_of(const char *names)
{
    static char checksum[33];
    md5_context context;
    md5_init(&context);
    for (; *names; names++) {
        md5_update(&context, names, *names != ' ');
    }
    md5_finish(&context, checksum);
    return checksum;
}

/* Names of the script whose list has the same checksum as these names. */
static const char *names_of(const char *names)
{
    static char text[1024];
    const rpc_list *found = rpc_project_find(project, sum_of(names), NULL);
    text[0] = 0;
    for (uint32_t i = 0; found && i < found->count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, found->names[i]);
    }
    return text;
}

#define ASSERT_LIST(names) assert_string_equal(names_of(names), names)

static int set_up(void **state)
{
    (void)state;
    project = rpc_project_new();
    return project == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    rpc_project_free(project);
    return 0;
}

static void md5_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sum;
    } vectors[] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"hitmove", "b1f08bf167e442c58f2b4851bb1ea2e3"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        char text[33];
        md5_context context;
        md5_init(&context);
        for (const char *c = vectors[i].text; *c; c++) { /* in pieces, to cross a block boundary */
            md5_update(&context, c, 1);
        }
        md5_finish(&context, text);
        assert_string_equal(text, vectors[i].sum);
    }
}

/* The script of a captured checksum: `acbd8e…` was sent by an engine that ran a script like this. */
static void as_the_engine(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://main.gd",
        "extends Node\n"
        "const PORT = 19001 # @rpc func not_this():\n"
        "@rpc(\"any_peer\", \"call_remote\", \"reliable\")\nfunc hello():\n\tpass\n"
        "@rpc(\"any_peer\") func say(text: String): answer.rpc_id(1, text, 2)\n"
        "@rpc(\n\t\"any_peer\",\n\t\"unreliable\"\n)\nfunc move(to: Vector3, speed := 0.5):\n\tpass\n"
        "@rpc(\"authority\")\n# a comment between\n\n@warning_ignore(\"unused_parameter\")\nfunc answer(a, "
        "b):\n\tpass\n"
        "@rpc(\"any_peer\", \"unreliable_ordered\") func ordered(n): pass\n"
        "@rpc func any(v): pass\n"
        "@rpc func many(a, b, c, d, e): pass\n"
        "@rpc func blob(b): pass\n"
        "@rpc(\"unreliable\") func ublob(b): pass\n"
        "@rpc(\"any_peer\", \"call_remote\", \"reliable\", 3) func channel3(t): pass\n"
        "func local(): # no RPC\n\tvar s = \"@rpc\\nfunc nope():\"\n\tvar t = \"\"\"\n@rpc\nfunc "
        "nope2():\n\"\"\"\n");
    rpc_project_link(project);
    const char *sum = "acbd8eddcece1cfd8f1c5c8060f76dd0";
    const rpc_list *list = rpc_project_find(project, sum, NULL);
    assert_non_null(list);
    assert_null(rpc_project_find(project, sum, list));
    assert_string_equal(list->label, "res://main.gd");
    assert_string_equal(rpc_project_method(project, sum, 6), "move");
    assert_string_equal(rpc_project_method(project, sum, 8), "say");
    assert_string_equal(rpc_project_method(project, sum, 9), "ublob");
    assert_null(rpc_project_method(project, sum, 10));
}

static void inheritance(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://base.gd",
        "class_name Base\nextends Node\n@rpc func b1(): pass\n@rpc func b2(): pass\n");
    add(RPC_GDSCRIPT, "res://units/a.gd",
        "extends \"res://base.gd\"\n@rpc func a1(): pass\nfunc b1(): pass\n");
    add(RPC_GDSCRIPT, "res://units/b.gd", "extends '../base.gd'\n@rpc func c1(): pass\n");
    add(RPC_GDSCRIPT, "res://units/c.gd", "class_name Third extends Base\n@rpc func d1(): pass\n");
    add(RPC_GDSCRIPT, "res://e.gd", "extends Third\n@rpc func e1(): pass\n");
    add(RPC_GDSCRIPT, "res://f.gd",
        "const Parent = preload(\"./units/../base.gd\")\nextends Parent\n@rpc func f1(): pass\n");
    add(RPC_GDSCRIPT, "res://g.gd", "extends \"uid://abc123\"\n@rpc func g1(): pass\n");
    rpc_project_add_uid(project, 0, "uid://abc123", "res://base.gd");
    rpc_project_link(project);
    ASSERT_LIST("b1 b2");
    ASSERT_LIST("a1 b1 b2");
    ASSERT_LIST("b1 b2 c1");
    ASSERT_LIST("b1 b2 d1");
    ASSERT_LIST("b1 b2 d1 e1");
    ASSERT_LIST("b1 b2 f1");
    ASSERT_LIST("b1 b2 g1");
}

static void inner_classes(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://m.gd",
        "@rpc func top(): pass\n"
        "class Weapon extends Node:\n"
        "\t@rpc(\"any_peer\")\n"
        "\tfunc fire(): pass\n"
        "\tclass Part:\n"
        "\t\textends Node\n"
        "\t\t@rpc func part(): pass\n"
        "\t@rpc func reload(): pass\n"
        "class Gun extends Weapon:\n"
        "\t@rpc func aim(): pass\n"
        "class Short: extends Weapon\n"
        "@rpc func last(): pass\n");
    add(RPC_GDSCRIPT, "res://n.gd", "extends \"res://m.gd\".Gun\n@rpc func n(): pass\n");
    add(RPC_GDSCRIPT, "res://o.gd", "class_name O\nclass In:\n\tclass Deep:\n\t\t@rpc func deep(): pass\n");
    add(RPC_GDSCRIPT, "res://p.gd", "extends O.In.Deep\n@rpc func p(): pass\n");
    rpc_project_link(project);
    ASSERT_LIST("last top");
    ASSERT_LIST("fire reload");
    ASSERT_LIST("part");
    ASSERT_LIST("aim fire reload");
    ASSERT_LIST("aim fire n reload");
    ASSERT_LIST("deep p");
    assert_string_equal(rpc_project_find(project, sum_of("aim fire reload"), NULL)->label, "res://m.gd:Gun");
}

static void order(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://o.gd",
        "@rpc func b(): pass\n@rpc func _a(): pass\n@rpc func B(): pass\n"
        "@rpc func \xc3\xa4(): pass\n@rpc func a1(): pass\n@rpc func b(): pass\n");
    rpc_project_link(project);
    ASSERT_LIST("B _a a1 b \xc3\xa4");
}

static void node_level(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://n.gd",
        "extends Node\n@rpc func scripted(): pass\nfunc _ready():\n"
        "\trpc_config(\"late\", {\"rpc_mode\": 1})\n\tself.rpc_config(&\"early\", {})\n"
        "\t$Child.rpc_config(\"child\", {})\n");
    rpc_project_link(project);
    const char *sum = sum_of("early late scripted");
    assert_string_equal(rpc_project_method(project, sum, 0x8000), "early");
    assert_string_equal(rpc_project_method(project, sum, 0x8001), "late");
    assert_string_equal(rpc_project_method(project, sum, 0), "scripted");
    assert_null(rpc_project_method(project, sum, 1));
    sum = sum_of("scripted"); /* before _ready() */
    assert_string_equal(rpc_project_method(project, sum, 0), "scripted");
    assert_null(rpc_project_method(project, sum, 0x8000));
    assert_string_equal(rpc_project_method(project, sum_of("child"), 0x8000), "child");
}

/* What Godot 4.6 announced for Main/Configured of test-captures/projects/rpc4 (godot-4.6-enet-calls.pcap): the names
 * of the node come first, although "scripted" is before "zeta". */
static void node_names_first(void **state)
{
    (void)state;
    const char *sum = "1d7540c7eba830101d70c3758d778186";
    add(RPC_GDSCRIPT, "res://configured.gd",
        "extends Node\nfunc _ready() -> void:\n\trpc_config(&\"zeta\", {\"channel\": 0})\n"
        "\trpc_config(&\"alpha\", {\"channel\": 6})\n\trpc_config(&\"disabled\", {})\n"
        "@rpc(\"any_peer\")\nfunc scripted(value: Variant) -> void:\n\tpass\n");
    rpc_project_link(project);
    assert_string_equal(rpc_project_method(project, sum, 0x8000), "alpha");
    assert_string_equal(rpc_project_method(project, sum, 0x8001), "disabled");
    assert_string_equal(rpc_project_method(project, sum, 0x8002), "zeta");
    assert_string_equal(rpc_project_method(project, sum, 0), "scripted");
    assert_null(rpc_project_method(project, sum, 1));
}

/* Names are printed on terminals: their control characters are escaped, after the checksum of the original
 * names. */
static void names_that_attack(void **state)
{
    (void)state;
    const char *name = "m\x1b[31m\xff";
    char sum[33];
    rpc_checksum(&name, 1, NULL, 0, sum);
    add(RPC_GDSCRIPT, "res://b\x1b.gd", "func _ready() -> void:\n\trpc_config(\"m\x1b[31m\xff\", {})\n");
    rpc_project_link(project);
    assert_string_equal(rpc_project_method(project, sum, 0x8000), "m?[31m?");
    assert_string_equal(rpc_project_find(project, sum, NULL)->label, "res://b?.gd");
}

static void never_wrong(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://a.gd", "@rpc func a(): pass\n@rpc func bc(): pass\n@rpc func z(): pass\n");
    add(RPC_GDSCRIPT, "res://b.gd", "@rpc func ab(): pass\n@rpc func c(): pass\n@rpc func z(): pass\n");
    add(RPC_GDSCRIPT, "res://c.gd", "@rpc func bc(): pass\n@rpc func a(): pass\n@rpc func z(): pass\n");
    rpc_project_link(project);
    const char *sum = sum_of("a bc z");
    const rpc_list *first = rpc_project_find(project, sum, NULL);
    const rpc_list *second = rpc_project_find(project, sum, first);
    assert_non_null(second); /* "abcz" twice, a.gd and c.gd are the same */
    assert_null(rpc_project_find(project, sum, second));
    assert_null(rpc_project_method(project, sum, 0));
    assert_null(rpc_project_method(project, sum, 1));
    assert_string_equal(rpc_project_method(project, sum, 2), "z");
    assert_null(rpc_project_method(project, "00000000000000000000000000000000", 0));
}

static void by_hand(void **state)
{
    (void)state;
    rpc_project_add_list(project, "mine", "", " move, hit\tfire ");
    rpc_project_add_list(project, "other", "nodely", "");
    rpc_project_link(project);
    assert_string_equal(rpc_project_find(project, sum_of("fire hit move"), NULL)->label, "mine");
    assert_string_equal(rpc_project_method(project, sum_of("nodely"), 0x8000), "nodely");
}

/* Two lists with the same checksum; the node's names in one are the first names of the other. Each is found
 * once, in whatever order and number they are added. */
static void equal_lists_are_joined(void **state)
{
    (void)state;
    enum { LISTS = 4 };
    for (unsigned which = 0; which < 1u << LISTS; which++) {
        rpc_project *lists = rpc_project_new();
        for (unsigned i = 0; i < LISTS; i++) {
            bool longer = which >> i & 1;
            rpc_project_add_list(lists, "label", longer ? "a b" : "a", longer ? "" : "b");
        }
        rpc_project_link(lists);
        const rpc_list *list = rpc_project_find(lists, sum_of("a b"), NULL);
        assert_non_null(list);
        list = rpc_project_find(lists, sum_of("a b"), list);
        if (which == 0 || which == (1u << LISTS) - 1) {
            assert_null(list);
        } else {
            assert_non_null(list);
            assert_null(rpc_project_find(lists, sum_of("a b"), list));
        }
        rpc_project_free(lists);
    }
}

static void csharp(void **state)
{
    (void)state;
    add(RPC_CSHARP, "res://Base.cs",
        "\xef\xbb\xbfusing Godot;\n#region [Rpc] void No();\nnamespace Game.Units;\n"
        "public abstract partial class Unit<T> : Node3D, IThing where T : class\n{\n"
        "  [Export] public int Health { get; set; } = 3;\n"
        "  [Rpc(MultiplayerApi.RpcMode.AnyPeer, CallLocal = true)]\n"
        "  public void Hit(int amount, [System.Obsolete] string by) { if (amount > 0) { Hit(1, \"[Rpc]\"); } "
        "}\n"
        "  /* [Rpc] void Commented() {} */ // [Rpc]\n"
        "  [Rpc] [Obsolete(\"a, Rpc\")] private async Task Move() => await X();\n"
        "  string s = @\"\\\"; string v = $\"{x} [Rpc]\"; char c = '\"';\n"
        "  class Nested { [Godot.Rpc] void Inside() {} }\n}\n");
    add(RPC_CSHARP, "res://Player.cs",
        "namespace Game.Units { public partial class Player : Unit<int> { [Rpc] void Jump() {}\n } }\n"
        "namespace Game { partial class Late : Units.Player { [RpcAttribute] void Over(){} } }\n");
    add(RPC_CSHARP, "res://Player2.cs",
        "namespace Game.Units { public partial class Player { [Export, Rpc] public void Duck() { } int[] a = "
        "{1}; } }\n");
    rpc_project_link(project);
    ASSERT_LIST("Hit Move");
    ASSERT_LIST("Inside");
    ASSERT_LIST("Duck Hit Jump Move");
    ASSERT_LIST("Duck Hit Jump Move Over");
}

static void godot3(void **state)
{
    (void)state;
    uint32_t others;
    add(RPC_GDSCRIPT, "res://old.gd",
        "extends Node\nremote func a(): pass\nremotesync func b(): pass\nmaster func c(): pass\n"
        "puppet var d = 1\nsync func e(): pass\nslave func f(): pass\nmastersync func g(): pass\n"
        "puppetsync func h(): pass\nfunc plain(): pass\n");
    add(RPC_GDSCRIPT, "res://old2.gd", "remote func a(): pass\n");
    rpc_project_link(project);
    for (const char *name = "abcdefgh"; *name; name++) {
        char text[2] = {*name, 0};
        assert_string_equal(rpc_project_declares(project, text, &others), "res://old.gd");
        assert_int_equal(others, *name == 'a');
    }
    assert_null(rpc_project_declares(project, "plain", &others));
}

/* Sources that are unlikely in practice. The work has to be bounded. */
static void hostile(void **state)
{
    (void)state;
    static char text[1 << 20];
    add(RPC_GDSCRIPT, "res://loop.gd", "extends \"res://loop.gd\"\n@rpc func l(): pass\n");
    add(RPC_GDSCRIPT, "res://loop2.gd", "class_name L2 extends L3\n@rpc func l2(): pass\n");
    add(RPC_GDSCRIPT, "res://loop3.gd", "class_name L3 extends L2\n@rpc func l3(): pass\n");
    add(RPC_CSHARP, "res://Loop.cs", "class A : A { [Rpc] void X() {} } class B : B.B.B {");
    add(RPC_GDSCRIPT, "res://cut.gd", "@rpc(");
    add(RPC_GDSCRIPT, "res://cut2.gd", "@rpc func");
    add(RPC_GDSCRIPT, "res://cut3.gd", "extends \"");
    add(RPC_GDSCRIPT, "res://cut4.gd", "class");
    add(RPC_GDSCRIPT, "res://cut5.gd", "\\");
    add(RPC_GDSCRIPT, "../../etc", "extends \"../../../../../x\"\n@rpc func up(): pass\n");
    add(RPC_CSHARP, "res://Cut.cs", "class X { [Rpc(");
    add(RPC_CSHARP, "res://Cut2.cs", "/* class");
    rpc_project_add_source(project, RPC_GDSCRIPT,
                           &(source_file){0, "res://nul.gd", {"@rpc\0func a()\n(\0", 17}});
    memset(text, '(', sizeof text);
    rpc_project_add_source(project, RPC_GDSCRIPT, &(source_file){0, "res://b.gd", {text, sizeof text}});
    memset(text, '{', sizeof text);
    rpc_project_add_source(project, RPC_CSHARP, &(source_file){0, "res://b.cs", {text, sizeof text}});
    size_t used = 0;
    for (int i = 0; i < 200; i++) { /* nested deeper and deeper */
        used += (size_t)sprintf(text + used, "%*sclass C%d:\n", i, "", i);
    }
    rpc_project_add_source(project, RPC_GDSCRIPT, &(source_file){0, "res://deep.gd", {text, used}});
    for (int file = 0; file < 20; file++) {
        used = 0;
        for (int i = 0; i < 12000; i++) {
            used += (size_t)sprintf(text + used, "class C%d extends C%d:\n\t@rpc func m%d(): pass\n", i,
                                    i - 1, i);
        }
        rpc_project_add_source(project, RPC_GDSCRIPT, &(source_file){0, "res://many.gd", {text, used}});
    }
    rpc_project_link(project);
    rpc_summary summary = rpc_project_summary(project);
    assert_true(summary.truncated);
    assert_true(summary.classes <= RPC_MAX_CLASSES);
    assert_true(summary.lists <= RPC_MAX_LISTS);
    ASSERT_LIST("l");
    ASSERT_LIST("l2 l3");
}

/* Without its limit, each of these would need gigabytes, minutes or the whole stack. */
static void limits(void **state)
{
    (void)state;
    enum { SIZE = 4 << 20, CLASSES = 16000, METHODS = 100000, NAME = 200000 };
    char *text = malloc(SIZE), *end = text;
    assert_non_null(text);
    for (int i = 0; i < CLASSES; i++) { /* a base that is found through another base, and so on */
        end += sprintf(end, "class S%d extends S%d.X:\n\tpass\n", i, i + 1);
    }
    rpc_project_add_source(project, RPC_GDSCRIPT,
                           &(source_file){0, "res://deep.gd", {text, (size_t)(end - text)}});
    assert_false(rpc_project_summary(project).truncated);
    rpc_project_link(project);
    assert_true(rpc_project_summary(project).truncated);

    rpc_project *methods = rpc_project_new(); /* names that are searched again for each class */
    end = text;
    for (int i = 0; i < METHODS; i++) {
        end += sprintf(end, "@rpc func a(): pass\n");
    }
    for (int i = 0; i < 300; i++) {
        end += sprintf(end, "class C%d extends \"res://many.gd\":\n\tpass\n", i);
    }
    rpc_project_add_source(methods, RPC_GDSCRIPT,
                           &(source_file){0, "res://many.gd", {text, (size_t)(end - text)}});
    assert_false(rpc_project_summary(methods).truncated);
    rpc_project_link(methods);
    assert_true(rpc_project_summary(methods).truncated);
    rpc_project_free(methods);

    rpc_project *functions = rpc_project_new(); /* functions with the same name, joined again for each
                                                 * class */
    end = text + sprintf(text, "@rpc func a(): pass\n");
    for (int i = 0; i < METHODS; i++) {
        end += sprintf(end, "func a(): pass\n");
    }
    for (int i = 0; i < 300; i++) {
        end += sprintf(end, "class C%d extends \"res://many.gd\":\n\tpass\n", i);
    }
    rpc_project_add_source(functions, RPC_GDSCRIPT,
                           &(source_file){0, "res://many.gd", {text, (size_t)(end - text)}});
    assert_false(rpc_project_summary(functions).truncated);
    rpc_project_link(functions);
    assert_true(rpc_project_summary(functions).truncated);
    rpc_project_free(functions);

    end = text + sprintf(text, "class "); /* labels that all contain the same long name */
    memset(end, 'x', NAME);
    end += NAME;
    end += sprintf(end, ":\n");
    for (int i = 0; i < 1000; i++) {
        end += sprintf(end, "\tclass C%d:\n\t\tpass\n", i);
    }
    rpc_project *labels = rpc_project_new();
    rpc_project_add_source(labels, RPC_GDSCRIPT,
                           &(source_file){0, "res://label.gd", {text, (size_t)(end - text)}});
    assert_true(rpc_project_summary(labels).truncated);
    rpc_project_free(labels);
    free(text);
}

static rpc_signature signature_of(const char *names, uint16_t method)
{
    return rpc_project_signature(project, sum_of(names), method);
}

#define ASSERT_SIGNATURE(found, the_mode, is_counted, the_least, the_most)                                   \
    do {                                                                                                     \
        rpc_signature signature = found;                                                                     \
        assert_int_equal(signature.mode, the_mode);                                                          \
        assert_int_equal(signature.counted, is_counted);                                                     \
        if (is_counted) {                                                                                    \
            assert_int_equal(signature.least, the_least);                                                    \
            assert_int_equal(signature.most, the_most);                                                      \
        }                                                                                                    \
    } while (0)

static void signatures(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://base.gd", "@rpc(\"any_peer\") func over(a):\n\tpass\n");
    add(RPC_GDSCRIPT, "res://a.gd",
        "extends \"base.gd\"\n"
        "const MODE = \"any_peer\"\n"
        "@rpc func a(): pass\n"
        "@rpc(\"any_peer\", \"unreliable\", 3) func b(x: Array[int], y := [1, (2)], z = func(p, q = 1): "
        "return p,\n"
        "\t\tw = \"a, b\",) -> void:\n\tpass\n"
        "@rpc(\"call_local\", \"authority\") func c(x, ...rest: Array): pass\n"
        "@rpc(MODE)\nfunc d(x = {\"k\": 1, \"l\": 2}): pass\n"
        "func over(a, b = 1): pass\n"
        "func _ready():\n"
        "\trpc_config(\"n\", {\"rpc_mode\": MultiplayerAPI.RPC_MODE_AUTHORITY})\n"
        "\trpc_config(\"o\", config)\n"
        "func n(x, y): pass\n"
        "@rpc func rest(...r = 1): pass\n"); /* not accepted by any engine */
    rpc_project_link(project);
    const char *all = "n o a b c d over rest";
    ASSERT_SIGNATURE(signature_of(all, 0x8000), RPC_MODE_AUTHORITY, true, 2, 2);
    assert_false(signature_of(all, 0x8000).missing);
    ASSERT_SIGNATURE(signature_of(all, 0x8001), RPC_MODE_UNKNOWN, false, 0, 0);
    assert_true(signature_of(all, 0x8001).missing);
    ASSERT_SIGNATURE(signature_of(all, 0), RPC_MODE_AUTHORITY, true, 0, 0);
    ASSERT_SIGNATURE(signature_of(all, 1), RPC_MODE_ANY_PEER, true, 1, 4);
    ASSERT_SIGNATURE(signature_of(all, 2), RPC_MODE_AUTHORITY, true, 1, RPC_MANY_ARGUMENTS);
    ASSERT_SIGNATURE(signature_of(all, 3), RPC_MODE_UNKNOWN, true, 0, 1);
    ASSERT_SIGNATURE(signature_of(all, 4), RPC_MODE_ANY_PEER, true, 1,
                     2); /* the function of the derived class */
    ASSERT_SIGNATURE(signature_of(all, 5), RPC_MODE_AUTHORITY, true, 0, RPC_MANY_ARGUMENTS);
    ASSERT_SIGNATURE(signature_of(all, 6), RPC_MODE_UNKNOWN, false, 0, 0);
    ASSERT_SIGNATURE(signature_of("over", 0), RPC_MODE_ANY_PEER, true, 1, 1);
}

static void assert_place(const char *names, uint16_t method, const char *path, uint32_t line)
{
    rpc_signature found = signature_of(names, method);
    if (path) {
        assert_string_equal(found.path, path);
        assert_int_equal(found.line, line);
    } else {
        assert_null(found.path);
    }
}

/* Lines with strings, brackets, comments and continued lines between them. */
static void places(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://base.gd",
        "extends Node\n# a comment\n\n@rpc\nfunc one(x = [1,\n\t2],\n\ty = 3): pass\n"
        "var text = \"\"\"\nfunc no():\n\"\"\"\nvar sum = 1 + \\\n\t2\r\n@rpc func two():\n\tpass\n");
    add(RPC_GDSCRIPT, "res://a.gd",
        "extends \"base.gd\"\nfunc _ready():\n\trpc_config(\"free\", {})\nfunc one(): pass\nfunc free(): "
        "pass\n");
    add(RPC_GDSCRIPT, "res://b.gd", "@rpc func same(): pass\n");
    add(RPC_GDSCRIPT, "res://c.gd", "@rpc func same(): pass\n");
    add(RPC_CSHARP, "res://D.cs",
        "/* two\nlines */ class D : Node {\n\tstring s = @\"a\nb\";\n\t[Rpc]\n\tvoid Ask() { }\n}\n");
    rpc_project_link(project);
    assert_place("one two", 0, "res://base.gd", 5);
    assert_place("one two", 1, "res://base.gd", 13);
    assert_place("free one two", 0x8000, "res://a.gd", 5); /* configured in code: the line of the function */
    assert_place("free one two", 0, "res://base.gd", 5);   /* the line of the annotation */
    assert_place("same", 0, NULL, 0);
    assert_place("Ask", 0, "res://D.cs", 6);
}

#define TYPE(name) rpc_argument_type(slice_of(name))

/* As declared; of two scripts with the same names only those that are the same in both. */
static void types_of_parameters(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://a.gd",
        "@rpc func x(a: int, b: float = 1.5, c := 1, d: Array[int] = [], e: A.B = 1, f: String, g: int): "
        "pass\n"
        "@rpc func y(a: int, b: Color, ...rest: Array): pass\n");
    add(RPC_GDSCRIPT, "res://b.gd",
        "@rpc func x(a: int, b: float, c, d: Array, e: int, f: String,\n\tg: int): pass\n"
        "@rpc func y(a: bool, b: Color): pass\n");
    add(RPC_CSHARP, "res://C.cs", "class C : Node {\n[Rpc] void Ask(int a, string b) { }\n}\n");
    rpc_project_link(project);
    const uint8_t x[RPC_TYPED_ARGUMENTS] = {TYPE("int"), TYPE("float"), 0, 0, 0, TYPE("String")},
                  y[RPC_TYPED_ARGUMENTS] = {0, TYPE("Color")}, none[RPC_TYPED_ARGUMENTS] = {0};
    assert_memory_equal(signature_of("x y", 0).types, x, sizeof x);
    assert_memory_equal(signature_of("x y", 1).types, y, sizeof y);
    assert_memory_equal(signature_of("Ask", 0).types, none, sizeof none);
    assert_int_equal(TYPE("Player"), 0);
    assert_true(rpc_argument_fits(0, "Nil", 4));
    assert_true(rpc_argument_fits(TYPE("int"), "float", 4));
    assert_false(rpc_argument_fits(TYPE("int"), "Nil", 4));
    assert_false(rpc_argument_fits(TYPE("int"), "in", 4));
    assert_false(rpc_argument_fits(TYPE("String"), "Name", 4));
    assert_true(rpc_argument_fits(TYPE("Node"), "int", 3));
    assert_false(rpc_argument_fits(TYPE("Node"), "int", 4));
    assert_true(rpc_argument_fits(rpc_typed_argument(TYPE("Array")), "Array", 4));
    assert_false(rpc_argument_fits(rpc_typed_argument(TYPE("Array")), "int", 4));
    assert_int_equal(rpc_typed_argument(TYPE("int")), 0);
    assert_string_equal(rpc_value_type_name("PackedFloat32Array", 3), "PoolRealArray");
    assert_string_equal(rpc_value_type_name("PackedFloat32Array", 4), "PackedFloat32Array");
}

/* Two scripts with the same names: only what is the same in both. */
static void signatures_of_equal_lists(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://a.gd", "@rpc func x(a): pass\n@rpc func y(): pass\n");
    add(RPC_GDSCRIPT, "res://b.gd",
        "@rpc(\"any_peer\") func x(a, b, c = 1): pass\n@rpc func y(): pass\n"
        "func z(n):\n\tset_multiplayer_authority(n)\n");
    rpc_project_add_list(project, "by hand", "", "p");
    rpc_project_link(project);
    ASSERT_SIGNATURE(signature_of("x y", 0), RPC_MODE_UNKNOWN, true, 1, 3);
    ASSERT_SIGNATURE(signature_of("x y", 1), RPC_MODE_AUTHORITY, true, 0, 0);
    ASSERT_SIGNATURE(signature_of("p", 0), RPC_MODE_UNKNOWN, false, 0, 0);
    ASSERT_SIGNATURE(signature_of("nothing", 0), RPC_MODE_UNKNOWN, false, 0, 0);
}

static void signatures_of_csharp(void **state)
{
    (void)state;
    add(RPC_CSHARP, "res://A.cs",
        "public partial class A : Node {\n"
        "[Rpc(MultiplayerApi.RpcMode.AnyPeer, CallLocal = true, TransferChannel = 2)]\n"
        "private void Ask(Godot.Collections.Dictionary<int, string> d, [X(1, 2)] int n, string s = \"a, b\") "
        "{}\n"
        "[Rpc] void Bid() {}\n"
        "[Rpc(Mode)] void Cut(int a, params int[] rest) => Bid();\n"
        "}\n");
    rpc_project_link(project);
    ASSERT_SIGNATURE(signature_of("Ask Bid Cut", 0), RPC_MODE_ANY_PEER, true, 2, 3);
    ASSERT_SIGNATURE(signature_of("Ask Bid Cut", 1), RPC_MODE_AUTHORITY, true, 0, 0);
    ASSERT_SIGNATURE(signature_of("Ask Bid Cut", 2), RPC_MODE_UNKNOWN, true, 1, RPC_MANY_ARGUMENTS);
}

static void signatures_of_godot3(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://a.gd",
        "remote var v = 1\nmaster func m(a, b = [1, 2]):\n\tpass\npuppetsync func p(): pass\n");
    add(RPC_GDSCRIPT, "res://b.gd", "remote func m(): pass\n");
    rpc_project_link(project);
    ASSERT_SIGNATURE(rpc_project_declared(project, "v"), RPC_MODE_ANY_PEER, false, 0, 0);
    ASSERT_SIGNATURE(rpc_project_declared(project, "m"), RPC_MODE_UNKNOWN, true, 0, 2);
    ASSERT_SIGNATURE(rpc_project_declared(project, "p"), RPC_MODE_PUPPETSYNC, true, 0, 0);
    ASSERT_SIGNATURE(rpc_project_declared(project, "q"), RPC_MODE_UNKNOWN, false, 0, 0);
}

static void keywords_of_godot3(void **state)
{
    static const struct {
        const char *word;
        rpc_mode mode;
    } words[] = {
        {"remote", RPC_MODE_ANY_PEER},       {"remotesync", RPC_MODE_ANY_PEER},
        {"sync", RPC_MODE_ANY_PEER},         {"master", RPC_MODE_MASTER},
        {"mastersync", RPC_MODE_MASTERSYNC}, {"puppet", RPC_MODE_PUPPET},
        {"slave", RPC_MODE_PUPPET},          {"puppetsync", RPC_MODE_PUPPETSYNC},
        {"slavesync", RPC_MODE_PUPPETSYNC},
    };
    char text[512] = "";
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        sprintf(text + strlen(text), "%s func f_%s(): pass\n", words[i].word, words[i].word);
    }
    add(RPC_GDSCRIPT, "res://a.gd", text);
    rpc_project_link(project);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        sprintf(text, "f_%s", words[i].word);
        ASSERT_SIGNATURE(rpc_project_declared(project, text), words[i].mode, true, 0, 0);
    }
}

/* In another script, for nodes of its own. */
static void configured_in_godot3(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://a.gd", "puppet var v = 1\nmaster func m(): pass\npuppet func p(): pass\n");
    add(RPC_GDSCRIPT, "res://b.gd",
        "func _ready():\n\trpc_config(\"m\", MultiplayerAPI.RPC_MODE_REMOTE)\n\tx.rset_config(\"v\", 1)\n");
    rpc_project_link(project);
    ASSERT_SIGNATURE(rpc_project_declared(project, "v"), RPC_MODE_UNKNOWN, false, 0, 0);
    ASSERT_SIGNATURE(rpc_project_declared(project, "m"), RPC_MODE_UNKNOWN, false, 0, 0);
    ASSERT_SIGNATURE(rpc_project_declared(project, "p"), RPC_MODE_PUPPET, true, 0, 0);
}

static void configured_by_variable(void **state)
{
    (void)state;
    add(RPC_GDSCRIPT, "res://a.gd", "puppet func p(): pass\nfunc c(name):\n\trpc_config(name, 1)\n");
    rpc_project_link(project);
    ASSERT_SIGNATURE(rpc_project_declared(project, "p"), RPC_MODE_UNKNOWN, false, 0, 0);
}

/* Too many functions: no signatures, since an overriding function may be missing. */
static void too_many_functions(void **state)
{
    (void)state;
    size_t room = 0, size = (size_t)(RPC_MAX_FUNCTIONS + 16) * 24;
    char *text = malloc(size);
    assert_non_null(text);
    room += (size_t)sprintf(text, "@rpc func a(x): pass\n");
    for (uint32_t i = 0; i < RPC_MAX_FUNCTIONS; i++) {
        room += (size_t)sprintf(text + room, "func f%u(): pass\n", i);
    }
    rpc_project_add_source(project, RPC_GDSCRIPT, &(source_file){0, "res://a.gd", {text, room}});
    free(text);
    rpc_project_link(project);
    assert_true(rpc_project_summary(project).truncated);
    ASSERT_LIST("a");
    ASSERT_SIGNATURE(signature_of("a", 0), RPC_MODE_AUTHORITY, false, 0, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(md5_vectors),
        TEST(as_the_engine),
        TEST(inheritance),
        TEST(inner_classes),
        TEST(order),
        TEST(node_level),
        TEST(node_names_first),
        TEST(names_that_attack),
        TEST(never_wrong),
        TEST(by_hand),
        TEST(equal_lists_are_joined),
        TEST(csharp),
        TEST(godot3),
        TEST(hostile),
        TEST(limits),
        TEST(signatures),
        TEST(places),
        TEST(types_of_parameters),
        TEST(signatures_of_equal_lists),
        TEST(signatures_of_csharp),
        TEST(signatures_of_godot3),
        TEST(keywords_of_godot3),
        TEST(configured_in_godot3),
        TEST(configured_by_variable),
        TEST(too_many_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
