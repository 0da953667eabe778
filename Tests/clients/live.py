"""Tests live queries with `websockets`, a third-party WebSocket client, at a replica: online, offline, and across crashes.

The argument is the path of a built tidegate. Prints the number of passed checks and exits with 0, or prints the first failed
check.
"""

import asyncio
import json
import pathlib
import sys
import tempfile

import websockets
from support.gateway import Gateway

checked = 0
seconds_max = 30


def expect(is_right, what):
    global checked
    checked += 1
    if not is_right:
        raise SystemExit(f"live queries: failed: {what}")


class Client:
    """A live query client with the messages of Parse's JavaScript SDK."""

    def __init__(self, gateway, installation="phone"):
        self.url = f"ws://127.0.0.1:{gateway.port}/parse"
        self.installation = installation
        self.socket = None

    async def open(self):
        self.socket = await websockets.connect(self.url)
        await self.send({"op": "connect", "applicationId": "app", "installationId": self.installation})
        answer = await self.next()
        expect(answer["op"] == "connected" and answer["installationId"] == self.installation, "a client connects")
        return self

    async def subscribe(self, condition, request_id=1):
        query = {"className": "Holiday", "where": condition}
        await self.send({"op": "subscribe", "requestId": request_id, "query": query})
        answer = await self.next()
        expect(answer["op"] == "subscribed" and answer["requestId"] == request_id, "a query is subscribed")

    async def send(self, message):
        await self.socket.send(json.dumps(message))

    async def next(self):
        return json.loads(await asyncio.wait_for(self.socket.recv(), seconds_max))

    async def until(self, operation, **fields):
        """Reads events up to one with an operation, and fields of its object."""
        while True:
            event = await self.next()
            if event["op"] == operation and all(event["object"].get(key) == value for key, value in fields.items()):
                return event

    def vanish(self):
        """Breaks the connection without a close frame."""
        self.socket.transport.abort()


async def protocol(replica):
    """Checks the frames: fragments, control frames between them, and close codes."""
    client = await Client(replica).open()
    pong = await client.socket.ping(b"are you there")
    await asyncio.wait_for(pong, seconds_max)
    message = json.dumps({"op": "subscribe", "requestId": 9, "query": {"className": "Holiday", "where": {}}})
    await client.socket.send([message[:5], message[5:20], message[20:]])
    expect((await client.next())["op"] == "subscribed", "a message in fragments is read whole")
    await client.socket.close(code=1000)
    expect(client.socket.close_code == 1000, "a close frame is answered")
    binary = await Client(replica).open()
    await binary.socket.send(b"\x00\x01")
    await asyncio.wait_for(binary.socket.wait_closed(), seconds_max)
    expect(binary.socket.close_code == 1003, "a binary message is refused with 1003")
    large = await Client(replica).open()
    await large.socket.send("x" * (2 << 20))
    await asyncio.wait_for(large.socket.wait_closed(), seconds_max)
    expect(large.socket.close_code == 1009, "a message that is too large is refused with 1009")


async def events(hub, replica):
    client = await Client(replica).open()
    await client.subscribe({"guests": {"$gt": 1}})
    made = replica.send("POST", "/classes/Holiday", {"name": "here", "guests": 2})
    event = await client.until("create", name="here")
    expect(event["object"]["className"] == "Holiday", "a local create is an event")
    replica.send("PUT", f"/classes/Holiday/{made['objectId']}", {"guests": 0})
    event = await client.until("leave", name="here")
    expect(event["original"]["guests"] == 2 and event["object"]["guests"] == 0, "a leave has both states")
    replica.sync()
    hub.send("POST", "/classes/Holiday", {"name": "there", "guests": 5})
    replica.sync()
    await client.until("create", name="there")
    expect(True, "a change of the remote is an event after the sync")
    await client.send({"op": "query", "requestId": 1})
    while (answer := await client.next())["op"] != "result":
        pass
    expect([found["name"] for found in answer["results"]] == ["there"], "a find over the connection answers")
    await client.socket.close()


async def offline(hub, replica):
    hub.stop()
    client = await Client(replica, "tablet").open()
    await client.subscribe({"kind": "offline"})
    made = replica.send("POST", "/classes/Holiday", {"name": "island", "kind": "offline", "guests": 1})
    await client.until("create", name="island")
    client.vanish()
    replica.send("PUT", f"/classes/Holiday/{made['objectId']}", {"guests": 2})
    replica.kill()
    replica.start()
    replica.send("PUT", f"/classes/Holiday/{made['objectId']}", {"guests": 3})
    client = await Client(replica, "tablet").open()
    await client.subscribe({"kind": "offline"})
    await client.until("update", guests=2)
    await client.until("update", guests=3)
    expect(True, "events that a client misses while it and the gateway are away arrive in order")
    hub.start()
    replica.sync()
    created = await client.until("create", name="island")
    expect(created["object"]["guests"] == 3, "the id that the remote gives is an event")
    await client.socket.close()


async def main(tidegate):
    with tempfile.TemporaryDirectory(prefix="tidegate-live-") as directory:
        work = pathlib.Path(directory)
        hub = Gateway(tidegate, work / "hub", "--web", "none")
        replica = Gateway(
            tidegate, work / "replica", "--web", "none", "--remote", f"http://127.0.0.1:{hub.port}", "--app-id", "app",
            "--class", "Holiday", "--people", "off")
        try:
            hub.start()
            replica.start()
            replica.sync()
            await protocol(replica)
            await events(hub, replica)
            await offline(hub, replica)
        finally:
            replica.stop()
            hub.stop()
    print(f"live queries: {checked} checks passed")


asyncio.run(main(sys.argv[1]))
