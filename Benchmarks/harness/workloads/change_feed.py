"""Workload: many event streams read the change feed while objects are created."""

import subprocess

from ..gateway import HEADERS
from ..report import Line, Target
from .workload import Workload


class ChangeFeed(Workload):
    name = "change-feed"
    about = "change feed to many event streams: events per second, and lost ones"
    needs_linux = "the program that reads the streams uses epoll"

    def prepare(self):
        self.data = self.bench.items
        self.texts = self.bench.create_texts(self.sizes.stream_events)

    def measure(self):
        data = self.bench.copy(self.data)
        with self.bench.hub(data) as hub:
            headers = [f"{name}: {value}" for name, value in HEADERS.items()]
            command = [
                self.bench.programs.streams, hub.port, self.sizes.streams, self.sizes.stream_events, *headers]
            with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True) as streams:
                if streams.stdout.readline() != "open\n":
                    raise RuntimeError("the streams do not open")
                hub.batches(self.texts)
                received, missing, out_of_order, seconds = streams.stdout.readline().split()
        self.bench.drop(data)
        return {"rate": int(received) / float(seconds), "lost": int(missing) + int(out_of_order)}

    def lines(self):
        work = f"change feed to {self.sizes.streams} event streams"
        return [
            Line(f"{work}: events delivered", self.figure("rate", "/s"), target=Target("≥", 100_000, "/s")),
            Line(
                f"{work}: events lost, repeated or out of order", self.figure("lost", ""), target=Target("≤", 0, ""),
                note=f"of {self.sizes.streams * self.sizes.stream_events:,} in each round"),
        ]
