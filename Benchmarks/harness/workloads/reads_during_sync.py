"""Workload: the latency of reads during a first sync of many objects."""

from ..bench import MANY
from ..load import BackgroundLoad, run
from ..report import Line, Target
from .workload import Workload


class ReadsDuringSync(Workload):
    name = "reads-during-sync"
    about = "p99 of GETs during a first sync of many objects, against idle"

    def prepare(self):
        self.hub_data, self.data = self.bench.everything, self.bench.items_replica

    def measure(self):
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

    def lines(self):
        many = f"{self.sizes.many_objects:,}"
        note = (
            f"the sync took {self.figure('seconds', 's').text}; reads ran at {self.figure('rate', '/s').text} during the sync "
            f"and at {self.figure('idle rate', '/s').text} before it")
        return [Line(
            f"GETs during a first sync of {many}: p99", self.figure("syncing", "ms"), "idle", self.figure("idle", "ms"),
            Target("≤", 5), note=note)]
