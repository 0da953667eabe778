"""Workload: clients of live queries, with their latency, their memory, and their price for reads."""

import json
import pathlib
import subprocess
import sys

from ..load import BackgroundLoad
from ..report import Line, Target
from .workload import Workload

CLIENT = pathlib.Path(__file__).parents[2] / "clients" / "live.py"
KILOBYTE = 1000
CHANGES_PER_SECOND = 200
RETURNING_CLIENTS = 20
USERS = 50


class Clients:
    """The process of the clients. They are connected when the block begins."""

    def __init__(self, *arguments):
        self.command = [sys.executable, CLIENT, *map(str, arguments)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "open\n":
            raise RuntimeError("the clients of live queries do not connect")
        return self

    def run(self) -> dict:
        """Lets the clients begin. Returns their result at the end."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class LiveQueries(Workload):
    name = "live-queries"
    about = "live queries: latency, memory, lost events, and their price for GETs"
    needs_linux = "the memory of the gateway is read from /proc"

    def prepare(self):
        self.data = self.bench.items

    def measure(self):
        return self.live() | self.returning()

    def live(self):
        """
        Runs GETs beside the changes: without a live query, with one, and with all. Then runs the changes alone, with sessions
        of users.
        """
        figures, resident = {}, {}
        for name, sockets in (("none", 0), ("one", 1), ("all", self.sizes.live_sockets)):
            data = self.bench.copy(self.data)
            with self.bench.hub(data) as hub:
                with Clients(*self.latency(hub, sockets)) as clients:
                    resident[name] = hub.resident_bytes()
                    figures |= {f"{figure} {name}": value for figure, value in clients.run().items()}
                with Clients(*self.latency(hub, sockets)) as clients, BackgroundLoad(
                        hub.port, self.bench.item_reads, self.sizes.connections) as reads:
                    figures[f"lost beside reads {name}"] = clients.run()["lost"]
                figures[f"reads {name}"] = reads.report.answers_per_second
            self.bench.drop(data)
        further = self.sizes.live_sockets - 1
        return figures | {"memory": (resident["all"] - resident["one"]) / further / KILOBYTE} | self.with_sessions()

    def with_sessions(self):
        data = self.bench.copy(self.data)
        with self.bench.hub(data) as hub, Clients(*self.latency(hub, self.sizes.live_sockets, USERS)) as clients:
            result = clients.run()
        self.bench.drop(data)
        return {f"{figure} sessions": value for figure, value in result.items()}

    def latency(self, hub, sockets, users=0):
        return "latency", hub.port, sockets, CHANGES_PER_SECOND, self.sizes.live_seconds, users

    def returning(self):
        data = self.bench.copy(self.data)
        with self.bench.hub(data) as hub, Clients("returning", hub.port, RETURNING_CLIENTS, self.sizes.live_events) as clients:
            result = clients.run()
        self.bench.drop(data)
        return {"missed": result["missed"], "doubles": result["doubles"], "returns": result["returns"]}

    def lines(self):
        work = f"live queries, {self.sizes.live_sockets:,} sockets, {CHANGES_PER_SECOND} changes/s"
        return [
            Line(
                f"{work}: p99 from write to event", self.figure("p99_ms all", "ms"), "the write's own answer",
                self.figure("write_p99_ms all", "ms")),
            Line(f"{work}: events lost", self.figure("lost all", ""), target=Target("≤", 0, "")),
            Line(
                f"{work}: memory of a further socket", self.figure("memory", "KB"), target=Target("≤", 20, "KB")),
            Line(
                f"{work}, sessions of {USERS} users: p99 from write to event", self.figure("p99_ms sessions", "ms"),
                "the write's own answer", self.figure("write_p99_ms sessions", "ms")),
            Line(
                f"{work}, sessions of {USERS} users: events lost", self.figure("lost sessions", ""), target=Target("≤", 0, "")),
            Line(
                f"{work}: GETs beside them", self.figure("reads all", "/s"), "without live queries",
                self.figure("reads none", "/s"), Target("≥", 0.97)),
            Line(
                f"live queries, one socket, {CHANGES_PER_SECOND} changes/s: GETs beside them", self.figure("reads one", "/s"),
                "without live queries", self.figure("reads none", "/s")),
            Line(
                f"live queries, {self.sizes.live_events:,} events, clients that are killed and come back: missed",
                self.figure("missed", ""), target=Target("≤", 0, ""),
                note=f"{self.figure('returns', '').text} returns, {self.figure('doubles', '').text} events twice"),
        ]
