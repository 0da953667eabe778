"""Workload: durable creates by POST, and increments of random objects by PUT."""

import functools

from ..bench import ITEM, database, drop_triggers
from ..load import Load, LoadReport, run
from ..parse_server import CREATE, PARSE_SERVER
from ..report import Line, Target
from .workload import Workload


class Creates(Workload):
    name = "creates"
    about = "POST create, durable; PUT with Increment"

    def prepare(self):
        self.data = self.bench.items
        _ = self.bench.rivals

    def measure(self):
        contenders = {"tidegate": self.tidegate, "limit": self.limit}
        for rival in self.bench.rivals:
            contenders[rival.key] = functools.partial(self.rival, rival)
        return self.measure_each(contenders)

    def tidegate(self):
        data = self.bench.copy(self.data)
        with self.bench.hub(data) as hub:
            create = self.load(hub.port, self.bench.item_creates)
            increment = self.load(hub.port, self.bench.item_increments)
        self.bench.drop(data)
        return {"create": create.answers_per_second, "p99": create.p99_ms, "increment": increment.answers_per_second}

    def limit(self):
        data = self.bench.copy(self.data)
        drop_triggers(data)
        with self.bench.limit("insert", database(data), ITEM) as server:
            create = self.load(server.port, self.bench.item_creates)
        self.bench.drop(data)
        return {"create": create.answers_per_second, "p99": create.p99_ms}

    def rival(self, rival):
        with rival.running():
            create = self.load(rival.port, rival.creates)
        return {"create": create.answers_per_second, "failed": create.failed}

    def load(self, port: int, load: Load) -> LoadReport:
        run(port, load, self.sizes.warm_up_seconds, self.sizes.connections)
        return run(port, load, self.sizes.load_seconds, self.sizes.connections)

    def lines(self):
        work = "POST create, synchronous=FULL"
        create = self.figure("create tidegate", "/s")
        lines = [
            Line(work, create, "C with group commit", self.figure("create limit", "/s"), Target("≥", 0.65)),
            Line(
                f"{work}: p99", self.figure("p99 tidegate", "ms"), "C with group commit", self.figure("p99 limit", "ms"),
                Target("≤", 3)),
            Line(work, create, PARSE_SERVER, CREATE),
            Line(
                "PUT with Increment on random objects", self.figure("increment tidegate", "/s"), "Tidegate's creates",
                create, Target("≥", 0.5)),
        ]
        for rival in self.bench.rivals:
            if self.has(f"create {rival.key}"):
                failed = sum(self.samples[f"failed {rival.key}"])
                note = f"{failed:,.0f} answers of {rival.name} were errors and are not counted" if failed else None
                lines.append(Line(work, create, rival.name, self.figure(f"create {rival.key}", "/s"), note=note))
        return lines
