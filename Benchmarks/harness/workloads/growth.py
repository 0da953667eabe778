"""Workload: the same quantities with more and more objects, each with its exponent.

The largest number of objects is measured in the last round only.
"""

import functools
import random
import resource
import statistics
import time

from .. import objects
from ..bench import ITEM, checkpoint, database, drop_triggers
from ..curves import FLAT, LINEAR, LINEAR_IN_TOTAL, Curve, CurveLine, CurveTable
from ..gateway import Connection, after, list_path, page_path
from ..growing_data import WORKING_SET, GrowingData
from ..load import run
from ..report import MEGABYTE, formatted
from ..sizes import Sizes
from .deltas import batches
from .nothing_new import syncs_with_nothing_new
from .reads import OBJECT_SQL
from .start import STARTS, start_milliseconds
from .workload import Workload

DELTA = 1000
# The number of requests of the plain client, whose CPU time is divided by it. Starting curl takes as much as dozens of requests.
PLAIN_REQUESTS = 500
# The pause in which the background work of a replica ends, before its memory is read.
MEMORY_SETTLING_SECONDS = 5


class Growth(Workload):
    name = "growth"
    about = "reads, creates, syncs, start and memory with up to 5,000,000 objects"
    is_in_full_run = False

    def prepare(self):
        counts = self.sizes.growth_objects
        self.repeated = [GrowingData(self.bench, count) for count in counts[:-1]]
        self.largest_count = counts[-1]
        self.counts: set[int] = set()
        for data in self.repeated:
            data.make_hub()
        for data in self.repeated:
            data.make_replica()
            self.add(data.count, data.figures)

    def run_round(self):
        for data in self.repeated:
            self.add(data.count, self.measured(data))
        if self.sizes.has_largest_growth and self.bench.round == self.sizes.rounds - 1:
            self.run_largest()

    def run_largest(self):
        largest = GrowingData(self.bench, self.largest_count)
        largest.need_room(self.repeated[-1])
        for data in self.repeated:
            data.drop()
        try:
            largest.make_hub()
            largest.make_replica()
            self.add(largest.count, largest.figures | self.measured(largest))
        finally:
            largest.drop()

    def add(self, count: int, figures: dict[str, float]):
        self.counts.add(count)
        for name, value in figures.items():
            self.samples.setdefault(f"{name} {count}", []).append(value)

    def measured(self, data: GrowingData) -> dict[str, float]:
        """Measures everything once, with one number of objects."""
        found = {}
        for own, limit in (
                (self.reads, self.limit_reads), (self.creates, self.limit_creates), (self.starts, self.limit_starts)):
            contenders = {"tidegate": functools.partial(own, data), "limit": functools.partial(limit, data)}
            for figures in self.bench.measure_in_rotation(contenders).values():
                found |= figures
        return found | self.syncs(data)

    # Reads

    def reads(self, data) -> dict[str, float]:
        with self.bench.hub(data.hub) as hub:
            return self.read_rates(hub.port, data) | self.list_rates(hub.port, data)

    def limit_reads(self, data) -> dict[str, float]:
        file = database(data.hub)
        with self.bench.limit("read", file, "object", OBJECT_SQL) as server:
            rates = self.read_rates(server.port, data)
        with self.bench.limit("read", file, "list", data.list_sql) as server:
            rates |= self.list_rates(server.port, data)
        return {f"{name} limit": rate for name, rate in rates.items()}

    def read_rates(self, port: int, data) -> dict[str, float]:
        # The random reads come first. Their warm-up takes as long as their measurement, so that the share of objects in the
        # cache no longer changes.
        run(port, data.other_reads, self.sizes.load_seconds, self.sizes.connections)
        return {
            "get": run(port, data.reads, self.sizes.load_seconds, self.sizes.connections).answers_per_second,
            "set": self.rate(port, data.set_reads)}

    def list_rates(self, port: int, data) -> dict[str, float]:
        return {"list": self.rate(port, data.lists)}

    # Creates

    def creates(self, data) -> dict[str, float]:
        copy = data.copied_hub()
        try:
            with self.bench.hub(copy) as hub:
                return {"create": self.rate(hub.port, self.bench.item_creates)}
        finally:
            self.bench.drop(copy)

    def limit_creates(self, data) -> dict[str, float]:
        copy = data.copied_hub()
        try:
            drop_triggers(copy)
            with self.bench.limit("insert", database(copy), ITEM) as server:
                return {"create limit": self.rate(server.port, self.bench.item_creates)}
        finally:
            self.bench.drop(copy)

    # Start

    def starts(self, data) -> dict[str, float]:
        with self.bench.hub(data.hub):
            return {"start": statistics.median(
                start_milliseconds(self.bench.replica(data.replica), self.first_path(data)) for _ in range(STARTS))}

    def limit_starts(self, data) -> dict[str, float]:
        """Starts the C program on the replica's file. Its memory is that after the first answer."""
        checkpoint(data.replica)
        arguments = ("read", database(data.replica), "object", OBJECT_SQL)
        start = statistics.median(
            start_milliseconds(self.bench.limit(*arguments), self.first_path(data)) for _ in range(STARTS))
        with self.bench.limit(*arguments) as server, Connection(server.port) as connection:
            connection.call("GET", self.first_path(data))
            return {"start limit": start, "memory limit": server.resident_bytes() / MEGABYTE}

    def first_path(self, data) -> str:
        return f"/classes/{ITEM}/{data.ids[0]}"

    # Syncs

    def syncs(self, data) -> dict[str, float]:
        """Syncs with nothing new and with changed objects, the memory between them, and a plain client with the same requests."""
        with self.bench.hub(data.hub) as hub, self.bench.replica(data.replica) as replica:
            replica.sync()
            time.sleep(MEMORY_SETTLING_SECONDS)
            memory = replica.resident_bytes() / MEGABYTE
            found = {"memory": memory} | self.nothing_new(hub, replica) | self.delta(data, hub, replica)
        checkpoint(data.hub)
        return found

    def nothing_new(self, hub, replica) -> dict[str, float]:
        requests, cpu = syncs_with_nothing_new(hub, replica)
        newest = hub.get(list_path(ITEM, {}, order="-updatedAt,-objectId", limit=1))["results"][0]
        settings = self.bench.curl_settings("nothing-new", [(page_path(ITEM, after(newest)), None)] * PLAIN_REQUESTS)
        before = children_cpu_seconds()
        self.bench.run("curl", "--config", settings)
        plain = children_cpu_seconds() - before
        return {
            "nothing-new": cpu, "nothing-new limit": 1e3 * plain / PLAIN_REQUESTS, "requests": requests}

    def delta(self, data, hub, replica) -> dict[str, float]:
        count = min(DELTA, data.count)
        chosen = random.Random(f"{objects.SEED} growth {self.bench.round}").sample(data.ids, count)
        hub.batches(batches("PUT", chosen, {"note": f"changed in round {self.bench.round}"}))
        seconds, summary = replica.timed_sync()
        if summary["pulled"] != count:
            raise RuntimeError(f"the sync has pulled {summary['pulled']} objects instead of {count}")
        oldest = hub.get(list_path(ITEM, {}, order="-updatedAt", limit=count))["results"][-1]
        settings = self.bench.curl_settings(
            "delta", [(path, None) for path in hub.pull_paths(ITEM, oldest["updatedAt"])])
        return {"delta": seconds, "delta limit": self.bench.timed("curl", "--config", settings)}

    # Report

    def lines(self):
        return []

    def table(self) -> CurveTable:
        work_lines = [
            self.line("GET of random objects", "/s", "get", "C, same row"),
            self.line(f"GET of the same {WORKING_SET:,} objects", "/s", "set", "C, same row", FLAT),
            self.line("GET 100 objects, indexed, sorted", "/s", "list", "C, same statement", FLAT),
            self.line("POST create, synchronous=FULL", "/s", "create", "C with group commit", FLAT),
            self.line("sync with nothing new: CPU", "ms", "nothing-new", "curl, one request", FLAT),
            self.line("sync with nothing new: requests", "", "requests", None, FLAT),
            self.line(f"sync of {DELTA:,} changed objects", "s", "delta", "curl, same pages", FLAT),
            self.line("start to first answer", "ms", "start", "C, same row", FLAT),
            self.line("resident memory of a replica", "MB", "memory", "C, after one answer", FLAT),
            self.line("file, for each object", "bytes", "bytes", "its JSON", LINEAR_IN_TOTAL),
            self.line("first sync", "s", "first sync", None, LINEAR),
            self.line("load, 1,000 objects in a request", "s", "load", None, LINEAR),
        ]
        return CurveTable([line for line in work_lines if line.tidegate.points], self.notes())

    def line(self, work, unit, name, compared_with, shape=None) -> CurveLine:
        return CurveLine(
            work, unit, self.curve(name, unit), compared_with,
            self.curve(f"{name} limit", unit) if compared_with else None, shape)

    def curve(self, name: str, unit: str) -> Curve:
        return Curve({
            count: self.figure(f"{name} {count}", unit) for count in sorted(self.counts) if self.has(f"{name} {count}")})

    def notes(self) -> list[str]:
        found = [
            f"Flat: from {min(self.counts):,} to {max(self.counts):,} objects the fitted line gets worse by at most 20%. Linear: it "
            "grows at most 25% more than the number of objects. An exponent is the slope of the fitted line between logarithms."]
        for count in sorted(self.counts):
            if self.has(f"load {count}"):
                per = self.samples[f"load {count}"][0] / count * 100_000
                found.append(f"Loading {count:,} objects took {formatted(per, 's')} for each 100,000.")
        if not self.sizes.has_largest_growth:
            largest = Sizes().growth_objects[-1]
            found.append(f"{largest:,} objects are left out by --quick. A run without it measures them once, in the last round.")
        elif self.largest_count in self.counts:
            found.append(f"{self.largest_count:,} objects were measured once, in the last round.")
        return found


def children_cpu_seconds() -> float:
    """The CPU time of all ended child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
