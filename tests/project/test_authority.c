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
                print_error("case %zu, node %d: %d, not %d:\n%s%s", i, k, found[k], wanted[k], c->player,
                            c->main);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(idioms), cmocka_unit_test(made_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
