"""Workload: a query that matches 1% of the objects, without an index and with one."""

import statistics
import time

from .. import objects
from ..bench import ITEM, bound_sql, database
from ..gateway import list_path
from ..load import run
from ..report import Line, Target
from .workload import Workload

SHADE = 17
# The number of timed queries in one measurement.
QUERIES = 7


class Scan(Workload):
    name = "scan"
    about = "query without an index, 1% match, and after indexing"

    def prepare(self):
        bench = self.bench
        self.path = list_path(ITEM, {"shade": SHADE}, limit=self.sizes.objects)
        with bench.hub(bench.items) as hub:
            explained = hub.explained_sql(ITEM, {"shade": SHADE}, limit=self.sizes.objects)
        self.sql = bound_sql(explained, ITEM, str(SHADE), self.sizes.objects)
        self.limit_file = database(bench.copy(bench.items))
        self.indexed = bench.indexed_items

    def measure(self):
        return self.bench.measure_in_rotation({"tidegate": self.tidegate, "limit": self.limit, "indexed": self.with_index})

    def tidegate(self) -> float:
        return statistics.median(self.second_query_ms() for _ in range(QUERIES))

    def second_query_ms(self) -> float:
        """The time of the second query of a new process. After three queries that take a second together, the gateway makes an index."""
        with self.bench.hub(self.bench.items) as hub:
            self.timed_query_ms(hub)
            return self.timed_query_ms(hub)

    def timed_query_ms(self, hub) -> float:
        begin = time.monotonic()
        found = hub.get(self.path)["results"]
        milliseconds = 1e3 * (time.monotonic() - begin)
        if len(found) != self.sizes.objects // objects.SHADES:
            raise RuntimeError(f"the query found {len(found)} objects")
        return milliseconds

    def limit(self) -> float:
        runs = self.bench.run(self.bench.programs.scan, self.limit_file, QUERIES, self.sql)
        return statistics.median(float(line) for line in runs.split())

    def with_index(self) -> float:
        with self.bench.hub(self.indexed) as hub:
            run(hub.port, self.bench.shade_lists, self.sizes.warm_up_seconds, 1)
            return run(hub.port, self.bench.shade_lists, self.sizes.load_seconds, 1).p50_ms

    def lines(self):
        count = self.sizes.objects // objects.SHADES
        work = f"query over {self.sizes.objects:,} objects, {count:,} match"
        return [
            Line(
                f"{work}, no index", self.figure("tidegate", "ms"), "the same scan in SQLite", self.figure("limit", "ms"),
                Target("≤", 1.5)),
            Line(f"{work}, indexed", self.figure("indexed", "ms"), target=Target("≤", 1.5, "ms")),
        ]
