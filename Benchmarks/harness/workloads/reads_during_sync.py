"""Workload: the latency of reads, and of writes, during a first sync of many objects."""

import time

from .. import objects
from ..bench import ITEM, MANY
from ..load import BackgroundLoad, PacedWrites, run
from ..report import Line, Target
from .workload import Workload


class ReadsDuringSync(Workload):
    name = "reads-during-sync"
    about = "p99 of GETs and of PUTs during a first sync of many objects, against idle"

    def prepare(self):
        self.hub_data, self.data = self.bench.everything, self.bench.items_replica

    def measure(self):
        return self.reads() | self.writes()

    def reads(self):
        data = self.bench.copy(self.data)
        with self.bench.hub(self.hub_data), self.bench.replica(data) as replica:
            replica.sync()
            run(replica.port, self.bench.item_reads, self.sizes.warm_up_seconds, self.sizes.connections)
            idle = run(replica.port, self.bench.item_reads, self.sizes.load_seconds, self.sizes.connections)
            with BackgroundLoad(replica.port, self.bench.item_reads, self.sizes.connections) as reads:
                seconds = replica.first_sync(MANY)
        self.bench.drop(data)
        return {
            "idle": idle.p99_ms, "syncing": reads.report.p99_ms, "seconds": seconds,
            "idle rate": idle.answers_per_second, "rate": reads.report.answers_per_second}

    def writes(self):
        """One client changes objects of another class, fifty a second at most. The changes are pushed to the hub."""
        ids = objects.shuffled(objects.object_ids(ITEM, self.sizes.objects), "writes during a sync")
        paths, body = [f"/classes/{ITEM}/{one}" for one in ids], objects.compact({"note": "changed"})
        data, hub_data = self.bench.copy(self.data), self.bench.copy(self.hub_data)
        with self.bench.hub(hub_data), self.bench.replica(data) as replica:
            replica.sync()
            with PacedWrites(replica.port, paths, body) as idle:
                time.sleep(self.sizes.load_seconds)
            with PacedWrites(replica.port, paths, body) as writes:
                seconds = replica.first_sync(MANY)
        self.bench.drop(data, hub_data)
        return {"idle writes": idle.p99_ms, "writes": writes.p99_ms, "seconds beside writes": seconds}

    def lines(self):
        many = f"{self.sizes.many_objects:,}"
        note = (
            f"the sync took {self.figure('seconds', 's').text}; reads ran at {self.figure('rate', '/s').text} during the sync "
            f"and at {self.figure('idle rate', '/s').text} before it")
        writing = f"the sync took {self.figure('seconds beside writes', 's').text} beside them"
        return [
            Line(
                f"GETs during a first sync of {many}: p99", self.figure("syncing", "ms"), "idle", self.figure("idle", "ms"),
                Target("≤", 5), note=note),
            Line(
                f"PUTs of one client during a first sync of {many}: p99", self.figure("writes", "ms"), "idle",
                self.figure("idle writes", "ms"), Target("≤", 5), note=writing),
        ]
