"""Workload: the push of offline creates, compared with a plain client that sends the same batches."""

from ..bench import ITEM
from ..gateway import MASTER_HEADERS
from ..report import Line, Target
from .workload import Workload


class Push(Workload):
    name = "push"
    about = "push of offline creates against a plain client"

    def prepare(self):
        bench = self.bench
        self.hub_data, self.data = bench.items, bench.items_replica
        self.texts = bench.create_texts(self.sizes.pushed_objects)
        bodies = []
        for i, text in enumerate(self.texts):
            file = bench.directory / f"batch-{i}.json"
            file.write_text(text)
            bodies.append(("/batch", file))
        # The sync engine is compared with curl as a plain client. Both send one batch after the other.
        self.uploads = bench.curl_settings("uploads", bodies)

    def measure(self):
        figures = self.bench.measure_in_rotation(
            {"kept": lambda: self.tidegate("--allow-custom-object-id"), "new": self.tidegate, "client": self.client})
        count = self.sizes.pushed_objects
        rates = {"client": count / figures["client"]}
        for ids in ("kept", "new"):
            push, whole = figures[ids]
            rates[f"{ids} push"], rates[f"{ids} whole"] = count / push, count / whole
        return rates

    def tidegate(self, *hub_options) -> tuple[float, float]:
        """Creates objects on a paused replica, then syncs. Returns the seconds of the push phase, and of the whole sync."""
        hub_data, data = self.bench.copy(self.hub_data), self.bench.copy(self.data)
        with self.bench.hub(hub_data, *hub_options), self.bench.replica(data) as replica:
            replica.sync()
            replica.connection.send("POST", "/sync/pause", headers=MASTER_HEADERS)
            replica.batches(self.texts)
            before = replica.phase_seconds("push")
            replica.connection.send("POST", "/sync/resume", headers=MASTER_HEADERS)
            whole, _ = replica.timed_sync()
            push = replica.phase_seconds("push") - before
            if replica.get("/sync")["pending"] or replica.get("/sync")["rejections"]:
                raise RuntimeError("not everything was sent")
        self.bench.drop(hub_data, data)
        return push, whole

    def client(self) -> float:
        hub_data = self.bench.copy(self.hub_data)
        with self.bench.hub(hub_data) as hub:
            seconds = self.bench.timed("curl", "--config", self.uploads)
            if hub.object_count(ITEM) != self.sizes.objects + self.sizes.pushed_objects:
                raise RuntimeError("curl has not created all objects")
        self.bench.drop(hub_data)
        return seconds

    def lines(self):
        count, client = f"{self.sizes.pushed_objects:,}", self.figure("client", "/s")
        lines = []
        # Several batches are on their way at the same time only if reads can prove their outcomes, for instance by kept ids.
        for ids, words, target in (("kept", ", which keep their ids", Target("≥", 0.6)), ("new", ", which get the hub's ids", None)):
            work = f"push of {count} offline creates{words}"
            lines.append(Line(work, self.figure(f"{ids} push", "/s"), "curl, same batches", client, target))
            lines.append(
                Line(
                    f"{work}: whole sync", self.figure(f"{ids} whole", "/s"), "curl, same batches",
                    client))
        return lines
