# SPDX-License-Identifier: GPL-2.0-or-later
"""Variants of ENet, made with zpl-c/enet: unchanged, and with the headers of two other variants.

Needs a C compiler and npm, which gets the package enet.c 2.1.2. Of ENet-CSharp and of zpl-c/enet with "more
peers" no package was available: here the library uses their header layout (ENet-CSharp 5cb7b63, zpl-c/enet
2.6.5), everything else is its own.
"""

import pathlib
import subprocess
import tarfile

from generator.scene import HERE, Scene, scenario

PORT = 22201

CSHARP = [("_SENT_TIME    = (1 << 15)", "_SENT_TIME    = (1 << 14)"), ("_COMPRESSED   = (1 << 14)", "_COMPRESSED   = (1 << 15)")]
MORE_PEERS = [
    ("MAXIMUM_PEER_ID         = 0xFFF,", "MAXIMUM_PEER_ID         = 0xFFFF,"),
    ("SESSION_MASK      = (3 << 12)", "SESSION_MASK      = (3 << 11)"),
    ("SESSION_SHIFT     = 12", "SESSION_SHIFT     = 11"),
    # Bit 13 means that bits 18 to 11 of the peer id follow the sent time.
    ("        if (host->checksum != NULL) {\n            headerSize += sizeof(enet_uint32);",
     "        peerID &= 0x7ff;\n"
     "        if (ENET_NET_TO_HOST_16(header->peerID) & 0x2000) peerID |= host->receivedData[headerSize++] << 11;\n"
     "        if (host->checksum != NULL) {\n            headerSize += sizeof(enet_uint32);"),
    ("header->peerID = ENET_HOST_TO_NET_16(currentPeer->outgoingPeerID | host->headerFlags);",
     "header->peerID = ENET_HOST_TO_NET_16((currentPeer->outgoingPeerID & 0x7ff) | host->headerFlags |"
     " (currentPeer->outgoingPeerID > 0x7ff ? 0x2000 : 0));\n"
     "if (currentPeer->outgoingPeerID > 0x7ff)"
     " headerData[host->buffers->dataLength++] = (enet_uint8)(currentPeer->outgoingPeerID >> 11);"),
    ("enet_uint8 headerData[sizeof(ENetProtocolHeader) + sizeof(enet_uint32)];",
     "enet_uint8 headerData[sizeof(ENetProtocolHeader) + sizeof(enet_uint32) + 1];"),
]


def program(folder, changes):
    subprocess.run(["npm", "pack", "--silent", "enet.c@2.1.2"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(next(pathlib.Path(folder).glob("*.tgz"))) as package:
        text = package.extractfile("package/include/enet.h").read().decode()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (pathlib.Path(folder) / "enet.h").write_text(text)
    target = pathlib.Path(folder) / "zpl_talk"
    subprocess.run(["cc", "-std=gnu11", "-O1", "-w", "-I", folder, "-o", target, HERE / "generator/zpl_talk.c"], check=True)
    return target


def talk(name, changes):
    @scenario(f"enet/{name}")
    def make(name):
        with Scene(name, f"udp port {PORT}") as scene:
            command = program(scene.folder, changes)
            server = scene.process("server", [command, "server", PORT])
            server.wait_for("ready")
            scene.process("client", [command, "client", PORT])
            scene.finish()


talk("zpl", [])
talk("zpl-csharp-header", CSHARP)
talk("zpl-more-peers-header", MORE_PEERS)
