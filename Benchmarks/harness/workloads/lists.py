"""Workload: sorted lists of one of a few values, and sorted lists in the first seconds, when the gateway has no index yet."""

from .. import objects
from ..bench import ITEM
from ..load import run
from ..report import Line, Target
from .workload import Workload

# The time after the first query in which the gateway should have made the index.
INDEXING_SECONDS = 2


class Lists(Workload):
    name = "lists"
    about = "sorted lists of frequent values, and lists before an index is there"

    def prepare(self):
        self.crowded, self.few = self.bench.crowded_items, self.bench.few_items

    def measure(self):
        with self.bench.hub(self.crowded) as hub:
            crowded = self.rate(hub.port, self.bench.crowded_lists)
        data = self.bench.copy(self.few)
        with self.bench.hub(data) as hub:
            if "INDEXED BY" in hub.explained_sql(ITEM, {"group": objects.group(0)}, order="-rank", limit=objects.GROUP_SIZE):
                raise RuntimeError("there is an index before the first query")
            early = run(hub.port, self.bench.few_group_lists, INDEXING_SECONDS, self.sizes.connections)
            later = run(hub.port, self.bench.few_group_lists, self.sizes.load_seconds, self.sizes.connections)
        self.bench.drop(data)
        return {"crowded": crowded, "early": early.answers_per_second, "later": later.answers_per_second}

    def lines(self):
        matches = f"{self.sizes.objects // objects.SHADES:,}"
        few = f"{self.sizes.rival_records:,}"
        return [
            Line(
                f"GET 100 of {matches} objects of one value, sorted", self.figure("crowded", "/s"),
                target=Target("≥", 4_000, "/s")),
            Line(
                f"GET 100 objects of {few}, sorted, from {INDEXING_SECONDS} s after the first such query",
                self.figure("later", "/s"), target=Target("≥", 1_000, "/s"),
                note=f"{self.figure('early', '/s').text} in the first {INDEXING_SECONDS} s"),
        ]
