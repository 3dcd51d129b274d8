#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A bad network for any protocol: a TUN interface here and one in another network namespace, with a link between them that
loses, delays and reorders IP packets as relay.py does datagrams.

    link.py NAMESPACE INTERFACE ADDRESS INTERFACE ADDRESS --seed 1 --loss 0.05 --delay 20 --reorder 0.1

The first interface is here, the second one in the namespace, which exists. Ends with its standard input.
"""

import argparse
import fcntl
import heapq
import json
import os
import select
import struct
import subprocess
import sys
import time

import relay

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def interface(name, address, namespace=()):
    """The file of a new TUN interface, which is up."""
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    if namespace:
        subprocess.run(["ip", "link", "set", name, "netns", *namespace], check=True)
    for change in (["address", "add", f"{address}/24", "dev", name], ["link", "set", name, "up"]):
        subprocess.run(["ip", *(["-n", *namespace] if namespace else []), *change], check=True)
    return tun


def run(options):
    here = interface(options.here, options.address)
    there = interface(options.there, options.address_there, [options.namespace])
    other = {here: (there, relay.Direction("to client", options)), there: (here, relay.Direction("to server", options))}
    queue, order = [], 0
    print(json.dumps({"what": "ready"}), flush=True)
    while True:
        wait = max(0, queue[0][0] - time.monotonic()) if queue else None
        for ready in select.select([here, there, sys.stdin], [], [], wait)[0]:
            if ready is sys.stdin:
                return
            packet = os.read(ready, 65535)
            target, direction = other[ready]
            for delay in direction.copies(packet):
                order += 1
                heapq.heappush(queue, (time.monotonic() + delay, order, target, packet))
        while queue and queue[0][0] <= time.monotonic():
            _, _, target, packet = heapq.heappop(queue)
            os.write(target, packet)


def main():
    parser = argparse.ArgumentParser()
    for name in ("namespace", "here", "address", "there", "address_there"):
        parser.add_argument(name)
    relay.add_options(parser)
    run(parser.parse_args())


if __name__ == "__main__":
    main()
