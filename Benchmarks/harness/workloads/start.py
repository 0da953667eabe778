"""Workload: the time from the start of the program to its first answer."""

import http.client
import statistics
import time

from .. import objects
from ..bench import MANY
from ..gateway import HEADERS
from ..process import Server
from ..report import Line, Target
from .workload import Workload

STARTS = 3
PAUSE_SECONDS = 0.0005


class Start(Workload):
    name = "start"
    about = "start to first answer with many objects"

    def prepare(self):
        self.hub_data, self.data = self.bench.everything, self.bench.full_replica
        self.path = f"/classes/{MANY}/{objects.object_ids(MANY, 1)[0]}"

    def measure(self):
        with self.bench.hub(self.hub_data):
            return {"start": statistics.median(
                start_milliseconds(self.bench.replica(self.data), self.path) for _ in range(STARTS))}

    def lines(self):
        return [Line(
            f"start to first answer with {self.sizes.many_objects:,} objects", self.figure("start", "ms"),
            target=Target("≤", 100, "ms"))]


def start_milliseconds(server: Server, path: str, headers=HEADERS) -> float:
    """Starts a server and stops it. Returns the milliseconds from the start until a GET of the path is answered with success."""
    begin = time.monotonic()
    server.spawn()
    try:
        server.await_listening(PAUSE_SECONDS)
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            connection.close()
            if answer.status < 300:
                return 1e3 * (time.monotonic() - begin)
            if time.monotonic() - begin > server.start_seconds_max:
                raise RuntimeError(f"{server.name} answers {answer.status}: {server.last_words()}")
            time.sleep(PAUSE_SECONDS)
    finally:
        server.stop()
