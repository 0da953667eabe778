"""Workload: a sync that finds nothing new, with many objects and with few."""

import time

from ..bench import ALL_CLASSES
from ..report import Line, Target
from .workload import Workload

# The number of syncs in one measurement. The CPU time of a single sync is too short to stand out from background work.
SYNCS = 10
SETTLING_SECONDS = 1


class NothingNew(Workload):
    name = "nothing-new"
    about = "sync with nothing new, 10 classes: requests and CPU"

    def prepare(self):
        bench = self.bench
        self.many = (bench.everything, bench.full_replica)
        self.few = (bench.little, bench.little_replica)

    def measure(self):
        figures = self.bench.measure_in_rotation({"many": lambda: self.syncs(*self.many), "few": lambda: self.syncs(*self.few)})
        requests, cpu = figures["many"]
        return {"requests": requests, "cpu": cpu, "cpu of few": figures["few"][1]}

    def syncs(self, hub_data, data) -> tuple[float, float]:
        """Runs syncs. Returns the number of requests and the replica's CPU milliseconds per sync."""
        with self.bench.hub(hub_data) as hub, self.bench.replica(data) as replica:
            replica.sync()
            time.sleep(SETTLING_SECONDS)
            return syncs_with_nothing_new(hub, replica)

    def lines(self):
        total = self.sizes.objects + self.sizes.many_objects + 8 * self.sizes.few_objects
        few = self.sizes.few_objects * len(ALL_CLASSES)
        work = f"sync with nothing new, 10 classes, {total:,} objects"
        cpu = self.figure("cpu", "ms")
        return [
            Line(f"{work}: requests", self.figure("requests", ""), target=Target("≤", 11, "")),
            Line(f"{work}: CPU", cpu, target=Target("≤", 10, "ms")),
            Line(f"{work}: CPU", cpu, f"with {few:,}", self.figure("cpu of few", "ms"), Target("≤", 1.2)),
        ]


def syncs_with_nothing_new(hub, replica) -> tuple[float, float]:
    """Runs syncs. Returns the number of requests and the replica's CPU milliseconds per sync."""
    requests, cpu = hub.requests_answered(), replica.cpu_seconds()
    for _ in range(SYNCS):
        summary = replica.sync()
        if summary["pulled"] or summary["pushed"] or summary["removed"]:
            raise RuntimeError(f"the sync found changes: {summary}")
    cpu = replica.cpu_seconds() - cpu
    return (hub.requests_answered() - requests) / SYNCS, 1e3 * cpu / SYNCS
