/* test_authority.c
 *
 * The authority of nodes, from the texts of scripts, scenes and settings.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "project/game.h"

static game g;
static char why[128];

static void add(const char *path, const char *text)
{
    game_add_file(&g, 1, path, (const uint8_t *)text, strlen(text));
}

/* Authority of a node with this script; `why` says where it is set. */
static int32_t authority(const char *path, const char *script)
{
    node_authority found = game_authority(&g, path, (node_scripts){&script, 1, true});
    snprintf(why, sizeof why, "%s:%u", found.path ? found.path : "", found.line);
    return found.peer;
}

#define NET_GD                                                                                               \
    "extends Node\n@rpc(\"authority\") func kick_everyone(): pass\n"                                         \
    "func _ready():\n\tmultiplayer.peer_connected.connect(joined)\n"

/* A game like those of tutorials: an autoload, a level, players that a spawner creates. */
static void add_game(const char *player_lines, const char *main_lines)
{
    char text[2048];
    assert_true(game_open(&g));
    add("res://project.godot", "config_version=5\n[application]\nrun/main_scene=\"res://main.tscn\"\n"
                               "[autoload]\nNet=\"*res://net.gd\"\nHud=\"*res://hud.tscn\"\n");
    add("res://net.gd", NET_GD);
    snprintf(text, sizeof text, "extends Node\n%s", main_lines);
    add("res://main.gd", text);
    snprintf(text, sizeof text, "class_name Player\nextends CharacterBody2D\n%s", player_lines);
    add("res://player.gd", text);
    add("res://input.gd", "extends MultiplayerSynchronizer\n");
    add("res://door.gd", "extends Node2D\n");
    add("res://hud.gd", "extends CanvasLayer\n");
    add("res://hud.tscn",
        "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://hud.gd\" id=\"1\"]\n"
        "[node name=\"Hud\" type=\"CanvasLayer\"]\nscript = ExtResource(\"1\")\n"
        "[node name=\"Chat\" type=\"Node\" parent=\".\"]\n");
    add("res://level.tscn",
        "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://door.gd\" id=\"1\"]\n"
        "[node name=\"Level\" type=\"Node2D\"]\n"
        "[node name=\"Door\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"1\")\n"
        "[node name=\"Input\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"1\")\n");
    add("res://main.tscn",
        "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://main.gd\" id=\"1\"]\n"
        "[ext_resource type=\"PackedScene\" path=\"res://level.tscn\" id=\"2\"]\n"
        "[node name=\"Main\" type=\"Node\"]\nscript = ExtResource(\"1\")\n"
        "[node name=\"Players\" type=\"Node\" parent=\".\"]\n"
        "[node name=\"Level\" parent=\".\" instance=ExtResource(\"2\")]\n");
    add("res://player.tscn",
        "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://player.gd\" id=\"1_a\"]\n"
        "[ext_resource type=\"Script\" path=\"res://input.gd\" id=\"2_b\"]\n"
        "[node name=\"Player\" type=\"CharacterBody2D\"]\nscript = ExtResource(\"1_a\")\n"
        "[node name=\"Body\" type=\"Node\" parent=\".\"]\n"
        "[node name=\"Input\" type=\"MultiplayerSynchronizer\" parent=\"Body\"]\nscript = "
        "ExtResource(\"2_b\")\n");
    game_link(&g);
}

typedef struct {
    const char *player, *main;
    /* of /root/Net, Main, Main/Level/Door, Main/Level/Input, Main/Players/7, Main/Players/7/Body/Input */
    int32_t net, main_node, door, level_input, player_node, input;
} game_case;

#define S   1 /* the server */
#define U   0 /* not known */
#define OWN 7 /* player 7 */

static const game_case cases[] = {
    {"", "", S, S, S, S, S, S},
    {"func _enter_tree():\n\tset_multiplayer_authority(name.to_int())\n", "", S, S, S, S, OWN, OWN},
    {"func _enter_tree() -> void:\n\t# first\n\tself.set_multiplayer_authority(str(self.name).to_int()) # "
     "own\n",
     "", S, S, S, S, OWN, OWN},
    {"func _ready():\n\tvisible = true\n\tset_multiplayer_authority(int(str(name)), false)\n", "", S, S, S, S,
     OWN, S},
    /* through a variable that has nothing else */
    {"func _ready():\n\tvar id = name.to_int()\n\tif id != 1: "
     "pass\n\t$Body/Input.set_multiplayer_authority(id)\n",
     "", S, S, S, S, S, OWN},
    {"func _enter_tree():\n\tvar id: int = int(str(name))\n\tset_multiplayer_authority(id, false)\n", "", S,
     S, S, S, OWN, S},
    {"func _ready():\n\tvar id := 1\n\tset_multiplayer_authority(id)\nfunc x(id):\n\tid = 2\n", "", S, S, S,
     S, S, S},
    {"func _ready():\n\tvar id = name.to_int()\n\tid += 1\n\tset_multiplayer_authority(id)\n", "", S, S, S, S,
     U, U},
    {"func _ready():\n\tvar id = 1\n\tid <<= 1\n\tset_multiplayer_authority(id)\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tvar id\n\tid = 1\n\tset_multiplayer_authority(id)\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tvar id = 1\n\tid = x()\n\tset_multiplayer_authority(id)\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tvar id = 1 if x else 2\n\tset_multiplayer_authority(id)\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tx.connect(func(id): pass)\n\tvar id = 1\n\tset_multiplayer_authority(id)\n", "", S, S,
     S, S, U, U},
    {"func _ready():\n\tset_multiplayer_authority(id)\n\tvar id = 1\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tfor id in [1]:\n\t\tset_multiplayer_authority(id)\n", "", S, S, S, S, U, U},
    /* not always, or later */
    {"func _ready():\n\tif x: return\n\tset_multiplayer_authority(name.to_int())\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tif x:\n\t\tset_multiplayer_authority(name.to_int())\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tif x: a(); set_multiplayer_authority(name.to_int())\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tawait x\n\tset_multiplayer_authority(name.to_int())\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tset_multiplayer_authority.call_deferred(name.to_int())\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tcall_deferred(\"set_multiplayer_authority\", name.to_int())\n", "", S, S, S, S, U, U},
    {"func _ready():\n\t$Body.call_deferred(&\"set_multiplayer_authority\", id)\n", "", S, S, S, S, S, U},
    {"func give(id):\n\tset_multiplayer_authority(id)\n", "", S, S, S, S, U, U},
    {"class Inner:\n\tfunc _ready():\n\t\tset_multiplayer_authority(name.to_int())\n", "", S, S, S, S, U, U},
    {"func _ready():\n\tset_multiplayer_authority(1)\nfunc "
     "x():\n\t$Body/Input.set_multiplayer_authority(1)\n",
     "", S, S, S, S, S, S},
    {"func "
     "_ready():\n\tset_multiplayer_authority(name.to_int())\n\t$Body/Input.set_multiplayer_authority(1)\n",
     "", S, S, S, S, OWN, U},
    /* nodes below */
    {"@export var id := 1:\n\tset(v):\n\t\tid = v\n\t\t$Body/Input.set_multiplayer_authority(v)\n", "", S, S,
     S, S, S, U},
    {"func x(id):\n\t%Input.set_multiplayer_authority(id)\n", "", S, S, S, U, S, U},
    {"func x(id):\n\tget_node(\"Body/Input\").set_multiplayer_authority(id)\n", "", S, S, S, S, S, U},
    {"func x(id):\n\t$\"Body\".set_multiplayer_authority(id)\n", "", S, S, S, S, S, U},
    {"func x(id):\n\t$Body.set_multiplayer_authority(id, false)\n", "", S, S, S, S, S, S},
    {"@onready var input: Node = $Body/Input\nfunc x(id):\n\tinput.set_multiplayer_authority(id)\n", "", S, S,
     S, S, S, U},
    {"@onready var body = get_node(^\"Body\")\nfunc x(id):\n\tvar b = "
     "body\n\tb.set_multiplayer_authority(id)\n",
     "", S, S, S, S, S, U},
    {"func x(id):\n\tfind_child(\"Input\").set_multiplayer_authority(id)\n", "", S, S, S, S, S, U},
    {"func x(id):\n\t$\"../../Level/Door\".set_multiplayer_authority(id)\n", "", S, S, U, S, S, S},
    {"func x(id):\n\tget_node(\"/root/Net\").set_multiplayer_authority(id)\n", "", U, S, S, S, S, S},
    {"func x(id):\n\tNet.set_multiplayer_authority(id)\n", "", U, S, S, S, S, S},
    /* everything */
    {"func x(id):\n\tget_parent().set_multiplayer_authority(id)\n", "", U, U, U, U, U, U},
    {"func x(id):\n\tget_tree().call_group(\"all\", \"set_multiplayer_authority\", id)\n", "", U, U, U, U, U,
     U},
    {"func x(id):\n\tget_node(path).set_multiplayer_authority(id)\n", "", S, U, U, U, U, U},
    /* what is created, or given to a function */
    {"",
     "const P = preload(\"res://player.tscn\")\nfunc add(id):\n\tvar p = P.instantiate()\n"
     "\tp.name = str(id)\n\tp.set_multiplayer_authority(id)\n\t$Players.add_child(p)\n",
     S, S, S, S, U, U},
    {"",
     "func add(id):\n\tmultiplayer.peer_connected.connect(func(id):\n\t\tvar p := "
     "load(\"p\").instantiate() as Player\n\t\tp.set_multiplayer_authority(id))\n",
     S, S, S, S, U, U},
    {"", "var p\nfunc add(id):\n\tp = P.instantiate()\nfunc more():\n\tp.set_multiplayer_authority(2)\n", S,
     S, S, S, U, U},
    {"", "func give(node, id):\n\tnode.set_multiplayer_authority(id)\n", S, U, U, U, U, U},
    {"func x(): Main.give(self, 1)\n", "func give(node, id):\n\tnode.set_multiplayer_authority(id)\n", S, U,
     U, U, U, U},
    {"func x(): Main.give(Net, 1)\n", "func give(node, id):\n\tnode.set_multiplayer_authority(id)\n", U, U, U,
     U, U, U},
    {"func x(): give(get_node(\"/root/Net\"))\n",
     "func give(node, id):\n\tnode.set_multiplayer_authority(id)\n", U, U, U, U, U, U},
    {"func x(): get_node(\"/root/Net\").y = Net.z\n",
     "func give(n, id):\n\tn.set_multiplayer_authority(id)\n", S, U, U, U, U, U},
    {"func x(): pass # set_multiplayer_authority(2)\nvar y = \"to set_multiplayer_authority(2)\"\n", "", S, S,
     S, S, S, S},
    {"func set_multiplayer_authority_of(x): pass\n", "", S, S, S, S, S, S},
    /* a created node whose name has the peer: player 7 is not, since a peer's number is random */
    {"",
     "func add(id):\n\tvar p = P.instantiate()\n\tp.name = \"Tank%d\" % "
     "id\n\tp.set_multiplayer_authority(id)\n"
     "func other():\n\tvar p = $Players\n",
     S, S, S, S, S, S},
    {"",
     "func add(id):\n\tvar p = P.instantiate()\n\tp.set_name(str(id))\n\tp.get_node(\"Body\")."
     "set_multiplayer_authority(id)\n",
     S, S, S, S, S, U},
    {"", "func x(id):\n\tfor p in [$Players]:\n\t\tp.set_multiplayer_authority(id)\n", S, S, S, S, U, U},
    {"", "func x(id):\n\tfor p in [$Players, $Level]:\n\t\tp.set_multiplayer_authority(id)\n", S, U, U, U, U,
     U},
    /* the script of the main scene's root: everything below it */
    {"", "func x(id):\n\tset_multiplayer_authority(id)\n", S, U, U, U, U, U},
    {"", "func x(id):\n\t$Players.get_node(str(id)).set_multiplayer_authority(id)\n", S, U, U, U, U, U},
    {"", "func x(id):\n\t$Level.set_multiplayer_authority(id)\n", S, S, U, U, S, S},
};

static void idioms(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const game_case *c = &cases[i];
        add_game(c->player, c->main);
        const int32_t found[] = {authority("Net", "res://net.gd"),
                                 authority("Main", "res://main.gd"),
                                 authority("Main/Level/Door", "res://door.gd"),
                                 authority("Main/Level/Input", "res://door.gd"),
                                 authority("Main/Players/7", "res://player.gd"),
                                 authority("Main/Players/7/Body/Input", "res://input.gd")};
        const int32_t wanted[] = {c->net, c->main_node, c->door, c->level_input, c->player_node, c->input};
        for (int k = 0; k < 6; k++) {
            if (found[k] != wanted[k]) {
                wrong++;
                print_error("case %u, node %d: %d, not %d:\n%s%s", (unsigned)i, k, found[k], wanted[k],
                            c->player, c->main);
            }
        }
        game_close(&g);
    }
    assert_int_equal(wrong, 0);
}

/* Nodes that are made with the peer as their name. */
static void made_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *main, *name;
        int32_t player, body;
    } made[] = {
        {"func add(id):\n\tvar p = P.instantiate()\n\tp.name = str(id)\n\tp.set_multiplayer_authority(id)\n",
         "77777777", 77777777, 77777777},
        {"func add(id):\n\tvar p = P.instantiate()\n\tp.name = \"P%d\" % id\n\tp.get_node(\"Body\")."
         "set_multiplayer_authority(id)\n",
         "P77777777", 1, 77777777},
        /* only at one end, another number, two such nodes, a spawner */
        {"func add(id):\n\tvar p = P.instantiate()\n\tp.name = str(id)\n\tif "
         "x:\n\t\tp.set_multiplayer_authority(id)\n",
         "77777777", 0, 0},
        {"func add(id):\n\tvar p = P.instantiate()\n\tp.name = str(id)\n\tp.set_multiplayer_authority(x)\n",
         "77777777", 0, 0},
        {"func add(id):\n\tvar p = P.instantiate()\n\tp.name = str(id)\n\tp.set_multiplayer_authority(id)\n"
         "func bot(n):\n\tvar b = P.instantiate()\n\tb.name = str(n)\n",
         "77777777", 0, 0},
        {"var s: MultiplayerSpawner\nfunc add(id):\n\tvar p = P.instantiate()\n\tp.name = str(id)\n"
         "\tp.set_multiplayer_authority(id)\n",
         "77777777", 0, 0},
        {"func _ready():\n\t$MultiplayerSpawner.spawn_function = add\nfunc add(id):\n\tvar p = "
         "P.instantiate()\n"
         "\tp.name = str(id)\n\tp.set_multiplayer_authority(id)\n",
         "77777777", 77777777, 77777777},
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char path[64];
        add_game("", made[i].main);
        snprintf(path, sizeof path, "Main/Players/%s", made[i].name);
        assert_int_equal(authority(path, "res://player.gd"), made[i].player);
        snprintf(path, sizeof path, "Main/Players/%s/Body/Input", made[i].name);
        assert_int_equal(authority(path, "res://input.gd"), made[i].body);
        game_close(&g);
    }
}

/* --- other games ------------------------------------------------------------------------------------------ */

#define TUTORIAL "func _enter_tree():\n\tset_multiplayer_authority(name.to_int())\n"

/* A main scene with these nodes below it; the scripts are "a.gd", "b.gd" and so on. */
static void add_scene(const char *path, const char *resources, const char *nodes)
{
    char text[2048];
    snprintf(text, sizeof text,
             "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"a\"]\n"
             "[ext_resource type=\"Script\" path=\"res://b.gd\" id=\"b\"]\n%s%s",
             resources, nodes);
    add(path, text);
}

static void begin(const char *a, const char *b)
{
    assert_true(game_open(&g));
    add("res://project.godot", "[application]\nrun/main_scene=\"res://main.tscn\"\n");
    add("res://a.gd", a);
    add("res://b.gd", b);
    add("res://empty.tscn", "[gd_scene format=3]\n[node name=\"Main\" type=\"Node\"]\n");
}

#define ASSERT_AUTHORITY(path, script, peer) assert_int_equal(authority(path, script), peer)

static void inherited_scripts(void **state)
{
    (void)state;
    static const struct {
        const char *b;
        int32_t peer;
    } heirs[] = {{"extends \"a.gd\"\n", 7},
                 {"extends A\nfunc _ready(): pass\n", 7},
                 {"extends A\nfunc _enter_tree(): super()\n", U},
                 {"extends Node\n", S},
                 {"extends A\nclass C:\n\tfunc _enter_tree(): pass\n", 7}};
    for (size_t i = 0; i < sizeof heirs / sizeof *heirs; i++) {
        begin("class_name A\nextends Node\n" TUTORIAL, heirs[i].b);
        game_link(&g);
        ASSERT_AUTHORITY("Main/7", "res://b.gd", heirs[i].peer);
        game_close(&g);
    }
}

static void scenes_in_scenes(void **state)
{
    (void)state;
    begin("extends Node\nfunc give(id):\n\tset_multiplayer_authority(id)\n", "extends Node\n");
    add_scene("res://a.tscn", "",
              "[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"a\")\n"
              "[node name=\"Arm\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"b\")\n");
    add_scene("res://heir.tscn", "[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"s\"]\n",
              "[node name=\"Heir\" instance=ExtResource(\"s\")]\n"
              "[node name=\"Leg\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"b\")\n");
    add_scene("res://main.tscn",
              "[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"s\"]\n"
              "[ext_resource type=\"PackedScene\" path=\"res://heir.tscn\" id=\"h\"]\n",
              "[node name=\"Main\" type=\"Node\"]\n"
              "[node name=\"One\" parent=\".\" instance=ExtResource(\"s\")]\n"
              "[node name=\"Two\" parent=\".\" instance=ExtResource(\"s\")]\nscript = ExtResource(\"b\")\n"
              "[node name=\"Three\" parent=\".\" instance=ExtResource(\"h\")]\n"
              "[node name=\"Hand\" type=\"Node\" parent=\"Three/Arm\"]\nscript = ExtResource(\"b\")\n"
              "[node name=\"Free\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"b\")\n");
    game_link(&g);
    ASSERT_AUTHORITY("Main/One/Arm", "res://b.gd", U);
    assert_string_equal(why, "res://a.gd:3");
    ASSERT_AUTHORITY("Main/Two", "res://b.gd", S);
    ASSERT_AUTHORITY("Main/Two/Arm", "res://b.gd", S); /* its root has another script there */
    ASSERT_AUTHORITY("Main/Three/Arm", "res://b.gd", U);
    ASSERT_AUTHORITY("Main/Three/Leg", "res://b.gd", U);
    ASSERT_AUTHORITY("Main/Three/Arm/Hand", "res://b.gd", U);
    ASSERT_AUTHORITY("Main/Free", "res://b.gd", S);
    ASSERT_AUTHORITY("Main/Made/Arm", "res://b.gd", U); /* it may be either scene */
    ASSERT_AUTHORITY("Main/Made/Leg", "res://b.gd", U);
    ASSERT_AUTHORITY("Main/Made/Other", "res://b.gd", U);
    ASSERT_AUTHORITY("Main/Made", "res://b.gd", S);
    ASSERT_AUTHORITY("Heir/Leg", "res://b.gd", U); /* after a change of the scene */
    game_close(&g);
}

static void what_a_game_can_do(void **state)
{
    (void)state;
    static const char *const nodes =
        "[node name=\"Main\" type=\"Node\"]\n"
        "[node name=\"Free\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"b\")\n";
    static const struct {
        const char *a, *extra;
        int32_t peer;
    } games[] = {
        {"extends Node\n" TUTORIAL, "", S},
        {"extends Node\n" TUTORIAL "func x():\n\t$Y.set_script(load(\"b.gd\"))\n", "",
         U}, /* Main may have a.gd */
        {"extends Node\nfunc x():\n\tvar n = Node.new()\n\tn.set_multiplayer_authority(3)\n", "", S},
        {"extends Node\nfunc x():\n\tvar n\n\tif y:\n\t\tn = Node.new()\n\telse:\n\t\tn = "
         "z\n\tn.set_multiplayer_authority(3)\n",
         "", U},
        {"extends Node\nvar n = Node.new()\nfunc x():\n\tn.set_multiplayer_authority(3)\n", "", S},
        {"extends Node\nvar n = Node.new()\nfunc x():\n\tn.set_multiplayer_authority(3)\n\ty.n = z\n", "", U},
        {"extends Node\n@export var n: Node\nfunc x():\n\tn.set_multiplayer_authority(3)\n", "", U},
        {"extends Node\nfunc x():\n\tvar n = $A if y else $Free\n\tn.set_multiplayer_authority(3)\n", "", U},
        {"extends Node\nfunc x():\n\tget_tree().root.add_child(self)\n\tvar n = "
         "Node.new()\n\tn.set_multiplayer_authority(3)\n",
         "", U},
        {"extends Node\n",
         "[connection signal=\"x\" from=\".\" to=\"Free\" method=\"set_multiplayer_authority\"]\n", U},
        {"extends Node\n",
         "[sub_resource type=\"GDScript\" id=\"G\"]\nscript/source = \"extends Node\nfunc "
         "x():\n\tset_multiplayer_authority(2)\n\"\n",
         S},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        begin(games[i].a, "extends Node\n");
        add_scene("res://main.tscn", games[i].extra, nodes);
        game_link(&g);
        if (authority("Main/Free", "res://b.gd") != games[i].peer) {
            fail_msg("game %zu: %s", i, why);
        }
        game_close(&g);
    }
}

static void embedded_script(void **state)
{
    (void)state;
    begin("extends Node\n", "extends Node\n");
    add_scene("res://main.tscn",
              "[sub_resource type=\"GDScript\" id=\"G\"]\nscript/source = \"extends Node\nfunc "
              "x():\n\tset_multiplayer_authority(2)\n\"\n",
              "[node name=\"Main\" type=\"Node\"]\nscript = SubResource(\"G\")\n"
              "[node name=\"Free\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"b\")\n");
    game_link(&g);
    ASSERT_AUTHORITY("Main/Free", "res://b.gd", U);
    assert_string_equal(why, "res://main.tscn::G:3");
    game_close(&g);
}

static void godot3(void **state)
{
    (void)state;
    assert_true(game_open(&g));
    add("res://project.godot", "config_version=4\n[application]\nrun/main_scene=\"res://main.tscn\"\n"
                               "[autoload]\nGame=\"*res://game.gd\"\n");
    add("res://game.gd", "extends Node\npuppet func flash(): pass\nfunc _ready():\n"
                         "\tget_tree().connect(\"network_peer_connected\", self, \"joined\")\n");
    add("res://paddle.gd", "extends Node\npuppet func flash(): pass\nmaster func hit(): pass\n");
    add("res://main.gd", "extends Node\nonready var right = $Right\nfunc joined(id):\n"
                         "\tright.set_network_master(id)\n\tvar node = id\n\tnode.set_network_master(id)\n");
    add("res://main.tscn",
        "[gd_scene load_steps=3 format=2]\n[ext_resource path=\"res://main.gd\" type=\"Script\" id=1]\n"
        "[ext_resource path=\"res://paddle.tscn\" type=\"PackedScene\" id=12]\n"
        "[node name=\"Main\" type=\"Node\"]\nscript = ExtResource( 1 )\n"
        "[node name=\"Left\" parent=\".\" instance=ExtResource( 12 )]\n"
        "[node name=\"Right\" parent=\".\" instance=ExtResource( 12 )]\n");
    add("res://paddle.tscn",
        "[gd_scene load_steps=2 format=2]\n[ext_resource path=\"res://paddle.gd\" type=\"Script\" id=1]\n"
        "[node name=\"Paddle\" type=\"Node\"]\nscript = ExtResource( 1 )\n");
    game_link(&g);
    const char *const scripts[] = {"res://game.gd", "res://paddle.gd"};
    assert_int_equal(game_authority(&g, "Game", (node_scripts){scripts, 2, false}).peer, S);
    ASSERT_AUTHORITY("Main/Left", "res://paddle.gd", U); /* what is in `node` is not known */
    game_close(&g);
}

static void csharp(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int32_t player, sync, other;
    } bodies[] = {
        {"public override void _EnterTree() { SetMultiplayerAuthority(int.Parse(Name)); }", 7, 7, S},
        {"public override void _EnterTree() { base._EnterTree(); "
         "this.SetMultiplayerAuthority(Name.ToString().ToInt(), false); }",
         7, S, S},
        {"public override void _EnterTree() { if (x) SetMultiplayerAuthority(int.Parse(Name)); }", U, U, S},
        {"public override void _EnterTree() { if (x) { SetMultiplayerAuthority(int.Parse(Name)); } }", U, U,
         S},
        {"void Set(long id) { GetNode<MultiplayerSynchronizer>(\"Sync\").SetMultiplayerAuthority((int)id); }",
         S, U, S},
        {"Node _sync; public override void _Ready() { _sync = GetNode(\"Sync\"); } void Set(int id) => "
         "_sync.SetMultiplayerAuthority(id);",
         S, U, S},
        {"void Set(int id) { GetNode(\"Sync\").CallDeferred(MethodName.SetMultiplayerAuthority, id); }", S, U,
         S},
        {"void Set(Node node, int id) { node.SetMultiplayerAuthority(id); }", U, U, U},
        {"void Add(int id) { var p = scene.Instantiate<Node>(); p.SetMultiplayerAuthority(id); AddChild(p); "
         "}",
         U, U, S},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char text[512];
        assert_true(game_open(&g));
        snprintf(text, sizeof text, "using Godot;\npublic partial class Player : Node\n{\n    %s\n}\n",
                 bodies[i].body);
        add("res://project.godot", "[application]\nrun/main_scene=\"res://main.tscn\"\n");
        add("res://Player.cs", text);
        add("res://Sync.cs", "using Godot;\npublic partial class Sync : Node {}\n");
        add("res://main.tscn",
            "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://Sync.cs\" id=\"1\"]\n"
            "[node name=\"Main\" type=\"Node\"]\n"
            "[node name=\"Other\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"1\")\n");
        add("res://player.tscn",
            "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://Player.cs\" id=\"1\"]\n"
            "[ext_resource type=\"Script\" path=\"res://Sync.cs\" id=\"2\"]\n"
            "[node name=\"Player\" type=\"Node\"]\nscript = ExtResource(\"1\")\n"
            "[node name=\"Sync\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"2\")\n");
        game_link(&g);
        if (authority("Main/7", "res://Player.cs:Player") != bodies[i].player ||
            authority("Main/7/Sync", "res://Sync.cs:Sync") != bodies[i].sync ||
            authority("Main/Other", "res://Sync.cs:Sync") != bodies[i].other) {
            fail_msg("body %zu: %d %d %d", i, authority("Main/7", "res://Player.cs:Player"),
                     authority("Main/7/Sync", "res://Sync.cs:Sync"),
                     authority("Main/Other", "res://Sync.cs:Sync"));
        }
        game_close(&g);
    }
}

/* project.binary, as an exporter writes it. */
static void settings_of_a_pack(void **state)
{
    (void)state;
    static const uint8_t settings[] =
        "ECFG\2\0\0\0\x0c\0\0\0autoload/Net\x18\0\0\0\4\0\0\0\x0c\0\0\0*res://b.gd\0"
        "\x03\0\0\0abc\x04\0\0\0\1\0\0\0";
    begin("extends Node\nfunc x(node):\n\tnode.set_multiplayer_authority(2)\n", "extends Node\n");
    game_link(&g);
    ASSERT_AUTHORITY("Net", "res://b.gd", U);
    game_close(&g);
    for (size_t cut = 0; cut < sizeof settings; cut++) {
        assert_true(game_open(&g));
        game_add_file(&g, 1, "res://project.binary", settings, cut);
        add("res://a.gd", "extends Node\nfunc x(node):\n\tnode.set_multiplayer_authority(2)\n");
        add("res://b.gd", "extends Node\n");
        game_link(&g);
        ASSERT_AUTHORITY("Net", "res://b.gd", cut >= 8 + 4 + 12 + 4 + 24 ? S : U);
        game_close(&g);
    }
}

static void two_projects(void **state)
{
    (void)state;
    begin("extends Node\n" TUTORIAL, "extends Node\n");
    game_add_file(&g, 2, "res://a.gd", (const uint8_t *)"extends Node\n", 13);
    game_add_file(&g, 2, "res://b.gd", (const uint8_t *)"extends Node\n", 13);
    game_link(&g);
    ASSERT_AUTHORITY("Main/7", "res://b.gd", S);
    ASSERT_AUTHORITY("Main/7", "res://a.gd", U); /* the server in the second one */
    assert_string_equal(why, "res://a.gd:3");
    ASSERT_AUTHORITY("Main/7", "res://c.gd", U);
    game_add_unread(&g, "res://c.gd");
    ASSERT_AUTHORITY("Main/7", "res://b.gd", U);
    game_close(&g);
}

/* --- limits ----------------------------------------------------------------------------------------------- */

/* `count` times `text`, after `before`. */
static char *many(const char *before, const char *text, uint32_t count)
{
    size_t size = strlen(text), used = strlen(before);
    char *all = malloc(used + size * count + 1);
    strcpy(all, before);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(all + used + i * size, text, size + 1);
    }
    return all;
}

static void assert_limit(const char *a, int32_t wanted)
{
    begin(a, "extends Node\n");
    add_scene("res://main.tscn", "",
              "[node name=\"Main\" type=\"Node\"]\n"
              "[node name=\"Free\" type=\"Node\" parent=\".\"]\nscript = ExtResource(\"b\")\n");
    game_link(&g);
    ASSERT_AUTHORITY("Main/Free", "res://b.gd", wanted);
    game_close(&g);
}

static void limits(void **state)
{
    (void)state;
    static const struct {
        const char *before, *text;
        uint32_t most;
    } texts[] = {
        {"func x(id):\n", "\t$A.set_multiplayer_authority(id)\n", AUTHORITY_MAX_LINES},
        {"func x(id):\n\tset_multiplayer_authority(id)\nvar x = [", "1,", (AUTHORITY_MAX_TOKENS - 20) / 2},
        {"func x(id):\n\tvar y = $A[", "-", 4094},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static const char *const ends[] = {"", "", "1]\n\ty.set_multiplayer_authority(id)\n"};
        for (uint32_t over = 0; over < 2; over++) {
            char *script = many(texts[i].before, texts[i].text, texts[i].most + 20 * over);
            char *whole = many(script, ends[i], 1);
            assert_limit(whole, i == 2 ? U : over ? U : S);
            free(script);
            free(whole);
        }
    }
}

static void limits_of_names(void **state)
{
    (void)state;
    char path[1100] = "Main";
    char *settings = many("[autoload]\n", "A=\"*res://b.gd\"\n", AUTHORITY_MAX_AUTOLOADS - 2);
    char *more = many(settings, "Net=\"*res://b.gd\"\n", 1);
    for (int over = 0; over < 2; over++) {
        char *all = many("[autoload]\n", over ? "A=\"*res://b.gd\"\n" : "", over);
        char *whole = malloc(strlen(all) + strlen(more) + 1);
        strcat(strcpy(whole, all), more + strlen("[autoload]\n"));
        begin("func x(node):\n\tnode.set_multiplayer_authority(2)\n", "extends Node\n");
        add("res://project.godot", whole);
        game_link(&g);
        ASSERT_AUTHORITY("Net", "res://b.gd", over ? U : S);
        game_close(&g);
        free(all);
        free(whole);
    }
    free(settings);
    free(more);
    begin("extends Node\n", "extends Node\n");
    game_link(&g);
    for (int depth = 1; depth < 23; depth++) {
        strcat(path, "/a");
    }
    ASSERT_AUTHORITY(path, "res://b.gd", S);
    strcat(path, "/a");
    ASSERT_AUTHORITY(path, "res://b.gd", S);
    strcat(path, "/a");
    ASSERT_AUTHORITY(path, "res://b.gd", U);
    memset(path, 'a', 1023);
    path[1023] = 0;
    ASSERT_AUTHORITY(path, "res://b.gd", S);
    path[1023] = 'a';
    path[1024] = 0;
    ASSERT_AUTHORITY(path, "res://b.gd", U);
    game_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(idioms),
                                       cmocka_unit_test(made_nodes),
                                       cmocka_unit_test(inherited_scripts),
                                       cmocka_unit_test(scenes_in_scenes),
                                       cmocka_unit_test(what_a_game_can_do),
                                       cmocka_unit_test(embedded_script),
                                       cmocka_unit_test(godot3),
                                       cmocka_unit_test(csharp),
                                       cmocka_unit_test(settings_of_a_pack),
                                       cmocka_unit_test(two_projects),
                                       cmocka_unit_test(limits),
                                       cmocka_unit_test(limits_of_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
