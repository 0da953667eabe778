"""Workload: syncs after 1% of the objects changed on the hub, and after 1% were deleted there."""

import math
import random

from .. import objects
from ..bench import ITEM
from ..gateway import BATCH_SIZE, Gateway
from ..report import Line, Target
from .workload import Workload


class Deltas(Workload):
    name = "deltas"
    about = "sync of 1% changed, and of 1% deleted"

    def prepare(self):
        self.data = self.bench.items
        self.ids = objects.object_ids(ITEM, self.sizes.objects)

    def measure(self):
        hub_data, data = self.bench.copy(self.data), self.bench.fresh("replica")
        chosen = random.Random(f"{objects.SEED} deltas {self.bench.round}").sample(self.ids, 2 * self.sizes.changed_objects)
        changed, deleted = chosen[::2], chosen[1::2]
        with self.bench.hub(hub_data) as hub, self.bench.replica(data) as replica:
            first = replica.first_sync(ITEM)
            replica.sync()
            hub.batches(batches("PUT", changed, {"note": "changed at the hub"}))
            changing = self.sync(hub, replica, pulled=len(changed))
            hub.batches(batches("DELETE", deleted))
            deleting = self.sync(hub, replica, removed=len(deleted))
        self.bench.drop(hub_data, data)
        return {
            "first": first, "changed": changing[0], "changed requests": changing[1], "deleted": deleting[0],
            "deleted requests": deleting[1]}

    def sync(self, hub: Gateway, replica: Gateway, **expected: int) -> tuple[float, int]:
        before = hub.requests_answered()
        seconds, summary = replica.timed_sync()
        for name, count in expected.items():
            # The summary counts only changed rows. The unchanged rows that each pull fetches again do not count.
            if summary[name] != count:
                raise RuntimeError(f"the sync has {name} {summary[name]} objects instead of {count}")
        return seconds, hub.requests_answered() - before

    def lines(self):
        count, first = f"{self.sizes.changed_objects:,}", self.figure("first", "s")
        requests = self.sizes.changed_objects * math.log2(self.sizes.objects)
        return [
            Line(f"delta: {count} changed", self.figure("changed", "s"), "first sync", first, Target("≤", 0.05)),
            Line(f"delta: {count} changed: requests", self.figure("changed requests", "")),
            Line(f"delta: {count} deleted", self.figure("deleted", "s"), "first sync", first, Target("≤", 0.05)),
            Line(
                f"delta: {count} deleted: requests", self.figure("deleted requests", ""),
                target=Target("≤", round(requests), ""), note="the target is d · log2 N"),
        ]


def batches(method: str, ids: list[str], body: dict | None = None):
    for start in range(0, len(ids), BATCH_SIZE):
        requests = [{"method": method, "path": f"/classes/{ITEM}/{one}"} for one in ids[start:start + BATCH_SIZE]]
        if body:
            for request in requests:
                request["body"] = body
        yield objects.compact({"requests": requests})
