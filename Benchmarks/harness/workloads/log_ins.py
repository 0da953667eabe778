"""Workload: log-ins with the default strength of passwords, and the latency of reads beside them."""

from ..bench import checkpoint
from ..load import BackgroundLoad, run
from ..report import Line, Target
from .workload import Workload

# More connections than cores, so that log-ins always wait for a core.
CONNECTIONS = 4


class LogIns(Workload):
    name = "log-ins"
    about = "log-ins at OWASP's minimum, and p99 of GETs beside them, against idle"

    def prepare(self):
        self.data = self.bench.copied("log-ins", self.bench.items)
        with self.bench.hub(self.data) as hub:
            for person in self.bench.people:
                hub.post("/users", person)
        checkpoint(self.data)

    def measure(self):
        data = self.bench.copy(self.data)
        with self.bench.hub(data) as hub:
            run(hub.port, self.bench.item_reads, self.sizes.warm_up_seconds, self.sizes.connections)
            idle = run(hub.port, self.bench.item_reads, self.sizes.load_seconds, self.sizes.connections)
            alone = run(hub.port, self.bench.log_ins, self.sizes.load_seconds, CONNECTIONS)
            with BackgroundLoad(hub.port, self.bench.log_ins, CONNECTIONS) as beside:
                reads = run(hub.port, self.bench.item_reads, self.sizes.load_seconds, self.sizes.connections)
        self.bench.drop(data)
        return {
            "rate": alone.answers_per_second, "idle": idle.p99_ms, "p99": reads.p99_ms,
            "rate beside": beside.report.answers_per_second, "reads": reads.answers_per_second,
            "idle reads": idle.answers_per_second}

    def lines(self):
        note = (
            f"{self.figure('rate beside', '/s').text} log-ins beside {self.figure('reads', '/s').text} reads, which ran at "
            f"{self.figure('idle reads', '/s').text} alone")
        return [
            Line("log-ins (Argon2id, 19 MiB, two passes)", self.figure("rate", "/s"), target=Target("≥", 25, "/s")),
            Line(
                "GETs beside log-ins: p99", self.figure("p99", "ms"), "idle", self.figure("idle", "ms"), Target("≤", 3),
                note=note),
        ]
