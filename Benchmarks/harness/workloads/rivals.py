"""Workload: updates, log-ins, memory and starts of Tidegate and of the alternative servers, each with the same number of records."""

import functools

from .. import objects
from ..bench import ITEM, checkpoint
from ..load import Load, run
from ..process import Server
from ..report import MEGABYTE, Line
from .start import start_milliseconds
from .workload import Workload

# More connections than cores, so that log-ins always wait for a core.
LOG_IN_CONNECTIONS = 4


class Rivals(Workload):
    name = "rivals"
    about = "updates, log-ins, memory and starts, against the alternative servers"

    def prepare(self):
        bench, count = self.bench, self.sizes.rival_records
        self.data = bench.copied("rivals", bench.few_items)
        with bench.hub(self.data) as hub:
            for person in bench.people:
                hub.post("/users", person)
        checkpoint(self.data)
        ids = objects.shuffled(objects.object_ids(ITEM, count), "rivals")
        self.updates = bench.load(
            "PUT", "few-item-updates", [f"/classes/{ITEM}/{one}" for one in ids], [objects.compact({"note": "changed"})])
        self.first_path = f"/classes/{ITEM}/{ids[0]}"
        _ = bench.rivals

    def measure(self):
        contenders = {"tidegate": self.tidegate}
        for rival in self.bench.rivals:
            contenders[rival.key] = functools.partial(self.rival, rival)
        return self.measure_each(contenders)

    def tidegate(self):
        data, empty = self.bench.copy(self.data), self.bench.fresh("empty")
        figures = {
            "start": start_milliseconds(self.bench.hub(data), self.first_path),
            "first": start_milliseconds(self.bench.hub(empty), "/health"),
        }
        with self.bench.hub(data) as hub:
            figures |= self.load([hub], self.updates, self.bench.log_ins)
        self.bench.drop(data, empty)
        return figures

    def rival(self, rival):
        figures = {}
        with rival.surroundings():
            if rival.keeps_data:
                figures["start"] = start_milliseconds(rival.server(), rival.first_path, {})
            if first := rival.first_start():
                figures["first"] = start_milliseconds(first, rival.health_path, {})
        with rival.running() as servers:
            figures |= self.load(servers, rival.updates, rival.log_ins)
        return figures

    def load(self, servers: list[Server], updates: Load, log_ins: Load | None) -> dict[str, float]:
        """The rates of updates and log-ins, and the memory of the servers after them."""
        port = servers[0].port
        figures = {"update": self.rate(port, updates)}
        if log_ins:
            figures["log-in"] = run(port, log_ins, self.sizes.load_seconds, LOG_IN_CONNECTIONS).answers_per_second
        figures["memory"] = sum(server.session_bytes() for server in servers) / MEGABYTE
        return figures

    def lines(self):
        count = f"{self.sizes.rival_records:,} records"
        works = [
            ("update", f"update of a field, {count}", "/s"), ("log-in", "log-ins, four connections", "/s"),
            ("memory", f"memory after updates and log-ins, {count}", "MB"), ("start", f"start to first answer, {count}", "ms"),
            ("first", "start in an empty directory to first answer", "ms")]
        lines = []
        for key, work, unit in works:
            for rival in self.bench.rivals:
                if self.has(f"{key} {rival.key}"):
                    lines.append(Line(
                        work, self.figure(f"{key} tidegate", unit), rival.name, self.figure(f"{key} {rival.key}", unit)))
        return lines
