"""Workload: the time from the start of the program to its first answer."""

import statistics
import time

from .. import objects
from ..bench import MANY
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
            return {"start": statistics.median(self.start() for _ in range(STARTS))}

    def start(self) -> float:
        """Starts the replica. Returns the milliseconds until its first read is answered."""
        replica = self.bench.replica(self.data)
        begin = time.monotonic()
        replica.spawn()
        try:
            replica.await_listening(PAUSE_SECONDS)
            replica.get(self.path)
            return 1e3 * (time.monotonic() - begin)
        finally:
            replica.stop()

    def lines(self):
        return [Line(
            f"start to first answer with {self.sizes.many_objects:,} objects", self.figure("start", "ms"),
            target=Target("≤", 100, "ms"))]
