"""Live query clients for the benchmarks, with a small WebSocket of their own.

    live.py latency PORT SOCKETS RATE SECONDS USERS    one subscription a socket; RATE creates a second, each for one socket
    live.py returning PORT CLIENTS EVENTS              clients are killed at random moments and come back
    live.py client PORT ROOM GROUP                     one of these clients; prints "subscribed", then the number of each event

With USERS above 0, the sockets have sessions of that number of users, and only one user may read each object. With SOCKETS 0,
nobody has a live query.

Prints "open" when all sockets are open, then waits for a line on standard input before it begins. Prints one line of JSON at the
end.
"""

import asyncio
import base64
import json
import os
import random
import struct
import sys
import time

HEADERS = {
    "X-Parse-Application-Id": "benchmark", "X-Parse-REST-API-Key": "a-rest-key-of-the-benchmarks",
    "Content-Type": "application/json",
}
SILENCE_SECONDS = 20


class Socket:
    """A WebSocket with text messages. Answers pings."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write((
            f"GET /parse HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"no WebSocket: {head!r}")
        return cls(reader, writer)

    def send(self, message, opcode=1):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        mask = os.urandom(4)
        size = len(data)
        head = bytes([0x80 | opcode]) + (bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack(">H", size))
        self.writer.write(head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)))

    async def receive(self):
        while True:
            first, size = await self.reader.readexactly(2)
            if size == 126:
                size = struct.unpack(">H", await self.reader.readexactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", await self.reader.readexactly(8))[0]
            data = await self.reader.readexactly(size)
            opcode = first & 15
            if opcode == 1:
                return json.loads(data)
            if opcode == 9:
                self.send(data, opcode=10)
            if opcode == 8:
                raise ConnectionError("closed")

    async def subscribe(self, installation, condition, session=None):
        rights = {} if session is None else {"sessionToken": session}
        self.send({
            "op": "connect", "applicationId": "benchmark", "restAPIKey": HEADERS["X-Parse-REST-API-Key"],
            "installationId": installation, **rights})
        await self.receive()
        self.send({"op": "subscribe", "requestId": 1, "query": {"className": "Live", "where": condition}})
        answer = await self.receive()
        if answer["op"] != "subscribed":
            raise RuntimeError(f"not subscribed: {answer}")


class Writer:
    """A keep-alive connection that creates objects."""

    def __init__(self, port):
        self.port = port

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def create(self, body, path="/classes/Live", headers=None):
        """Returns the body of the answer."""
        data = json.dumps(body).encode()
        head = "".join(f"{name}: {value}\r\n" for name, value in (HEADERS | (headers or {})).items())
        self.writer.write((
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{head}Content-Length: {len(data)}\r\n\r\n"
        ).encode() + data)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        if b" 201 " not in answer.split(b"\r\n")[0]:
            raise RuntimeError(f"not created: {answer!r}")
        size = next(
            int(line.split(b":")[1]) for line in answer.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        return json.loads(await self.reader.readexactly(size))


async def begin():
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


async def sign_up(port, count):
    """Creates users. Returns them as {"objectId", "sessionToken"}."""
    writer = Writer(port)
    await writer.open()
    names = [f"user-{os.getpid()}-{number}" for number in range(count)]
    return [await writer.create({"username": name, "password": name}, "/users", {"X-Parse-Revocable-Session": "1"}) for name in names]


async def latency(port, sockets, rate, seconds, users):
    people = await sign_up(port, users)
    opened = []
    for room in range(sockets):
        socket = await Socket.open(port)
        session = people[room % users]["sessionToken"] if users else None
        await socket.subscribe(f"bench-{os.getpid()}-{room}", {"room": room}, session)
        opened.append(socket)
    delays, missing = [], [0]
    committed = {}

    async def read(socket):
        while True:
            event = await socket.receive()
            number = event["object"]["n"]
            delays.append(time.perf_counter() - sent[number])
            missing[0] -= 1

    sent = {}
    readers = [asyncio.create_task(read(socket)) for socket in opened]
    writers = [Writer(port) for _ in range(8)]
    for writer in writers:
        await writer.open()
    idle = asyncio.Queue()
    for writer in writers:
        idle.put_nowait(writer)
    await begin()
    start = time.perf_counter()

    async def create(writer, number):
        sent[number] = time.perf_counter()
        missing[0] += sockets > 0
        room = number % max(sockets, 1)
        rights = {"ACL": {people[room % users]["objectId"]: {"read": True, "write": True}}} if users else {}
        headers = {"X-Parse-Session-Token": people[room % users]["sessionToken"]} if users else {}
        await writer.create({"n": number, "room": room, "text": "x" * 100, **rights}, headers=headers)
        committed[number] = time.perf_counter()
        idle.put_nowait(writer)

    tasks = []
    for number in range(rate * seconds):
        await asyncio.sleep(max(0, start + number / rate - time.perf_counter()))
        tasks.append(asyncio.create_task(create(await idle.get(), number)))
    await asyncio.gather(*tasks)
    deadline = time.perf_counter() + SILENCE_SECONDS
    while missing[0] > 0 and time.perf_counter() < deadline:
        await asyncio.sleep(0.05)
    for reader in readers:
        reader.cancel()
    delays.sort()
    late = {f"p{share}_ms": 1000 * delays[int(share / 100 * len(delays))] for share in (50, 99)} if delays else {}
    writes = sorted(committed[number] - sent[number] for number in committed)
    return {
        "events": len(delays), "lost": missing[0], **late, "write_p50_ms": 1000 * writes[len(writes) // 2],
        "write_p99_ms": 1000 * writes[int(0.99 * len(writes))],
    }


async def returning(port, clients, events):
    each = events // clients
    seen = [set() for _ in range(clients)]
    doubles = [0]
    returns = [0]
    chance = random.Random(1)

    async def live(room):
        while len(seen[room]) < each:
            process = await asyncio.create_subprocess_exec(
                sys.executable, __file__, "client", str(port), str(room), str(os.getpid()), stdout=asyncio.subprocess.PIPE)
            if await process.stdout.readline() != b"subscribed\n":
                raise RuntimeError("a client cannot subscribe")
            subscribed[room].set()
            end = asyncio.get_running_loop().call_later(chance.uniform(0.05, 3), process.kill)
            # What the client has printed before its end is read, too. A cut line is no event.
            while len(seen[room]) < each and (line := await process.stdout.readline()).endswith(b"\n"):
                number = int(line)
                doubles[0] += number in seen[room]
                seen[room].add(number)
            end.cancel()
            if process.returncode is None:
                process.kill()
            await process.wait()
            returns[0] += 1
            await asyncio.sleep(chance.uniform(0, 0.5))

    subscribed = [asyncio.Event() for _ in range(clients)]
    tasks = []
    for room in range(clients):
        tasks.append(asyncio.create_task(live(room)))
        await subscribed[room].wait()
    await begin()
    start = time.perf_counter()

    async def write(part):
        writer = Writer(port)
        await writer.open()
        for number in range(part, each * clients, 16):
            await writer.create({"n": number, "room": number % clients})

    await asyncio.gather(*(write(part) for part in range(16)))
    written = time.perf_counter() - start
    done, pending = await asyncio.wait(tasks, timeout=3 * SILENCE_SECONDS)
    for task in pending:
        task.cancel()
    for task in done:
        task.result()
    return {
        "events": each * clients, "missed": sum(each - len(numbers) for numbers in seen), "doubles": doubles[0],
        "returns": returns[0], "write_seconds": written,
    }


async def client(port, room, group):
    """
    Prints each event before it reads the next message, and so before it answers a ping that follows. What the gateway counts as
    received is printed.
    """
    socket = await Socket.open(port)
    await socket.subscribe(f"returning-{group}-{room}", {"room": room})
    print("subscribed", flush=True)
    while True:
        print((await socket.receive())["object"]["n"], flush=True)


kind, *numbers = sys.argv[1:]
result = asyncio.run({"latency": latency, "returning": returning, "client": client}[kind](*map(int, numbers)))
print(json.dumps(result), flush=True)
