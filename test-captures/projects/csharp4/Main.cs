// SPDX-License-Identifier: GPL-2.0-or-later
// A game in C# with the recorder. The autoload needs no line here; Record() does by hand what it does.
// Environment: ROLE (server or client), PORT.
using Godot;

public partial class Main : Node
{
    public override void _Ready()
    {
        bool isServer = OS.GetEnvironment("ROLE") == "server";
        int port = OS.GetEnvironment("PORT").ToInt();
        var peer = new ENetMultiplayerPeer();
        if (isServer)
        {
            peer.CreateServer(port);
        }
        else
        {
            peer.CreateClient("127.0.0.1", port);
        }
        Multiplayer.MultiplayerPeer = Record(peer);
        if (!isServer)
        {
            Multiplayer.ConnectedToServer += () => Rpc(MethodName.Say, "from C#", 7);
        }
    }

    // The classes of the add-on are GDScript's: C# calls their functions and sees them by the engine's classes.
    private MultiplayerPeer Record(MultiplayerPeer peer)
    {
        var recorder = GetNodeOrNull("/root/GodotWireshark");
        if (recorder == null || recorder.Get("writer").AsGodotObject() == null)
        {
            return peer; // nothing is recorded
        }
        var script = GD.Load<GDScript>("res://addons/godot_wireshark/recorder_peer.gd");
        return (MultiplayerPeer)script.Call("around", peer, recorder.Get("writer"), Multiplayer).AsGodotObject();
    }

    [Rpc(MultiplayerApi.RpcMode.AnyPeer, TransferMode = MultiplayerPeer.TransferModeEnum.Reliable)]
    private void Say(string text, int number)
    {
        GD.Print(text, " ", number, " from ", Multiplayer.GetRemoteSenderId());
        // What the game has set, where a method of its class is needed: Multiplayer.MultiplayerPeer is the RecorderPeer.
        var recorder = GetNodeOrNull("/root/GodotWireshark");
        var peer = (recorder == null ? Multiplayer.MultiplayerPeer : recorder.Call("original", Multiplayer.MultiplayerPeer).As<MultiplayerPeer>()) as ENetMultiplayerPeer;
        GD.Print(peer?.Host.GetPeers().Count);
    }
}
