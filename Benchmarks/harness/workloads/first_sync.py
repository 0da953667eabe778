"""Workload: the first sync of a class, with the default number of objects and with ten times as many."""

from ..bench import ITEM, MANY, database
from ..report import MEGABYTE, Figure, Line, Target
from .workload import Workload


class FirstSync(Workload):
    name = "first-sync"
    about = "first sync of a class: time against download and bulk insert, memory, and ten times as much"

    def prepare(self):
        bench = self.bench
        self.synced_file = database(bench.items_replica)
        with bench.hub(bench.items) as hub:
            self.downloads = self.download_settings(hub)
        # Creates the data directory `everything` now, before the first round.
        _ = bench.everything

    def measure(self):
        figures = self.bench.measure_in_rotation({
            "tidegate": self.of_items, "curl": self.download, "insert": self.bulk_insert, "many": self.of_many})
        seconds, memory = figures["tidegate"]
        many_seconds, many_memory = figures["many"]
        return {
            "seconds": seconds, "memory": memory, "many seconds": many_seconds, "many memory": many_memory,
            "curl": figures["curl"], "insert": figures["insert"], "limit": max(figures["curl"], figures["insert"])}

    def of_items(self):
        return self.first_sync(self.bench.items, ITEM, self.sizes.objects)

    def of_many(self):
        return self.first_sync(self.bench.everything, MANY, self.sizes.many_objects)

    def first_sync(self, hub_data, class_name: str, count: int) -> tuple[float, float]:
        """Runs a first sync. Returns its duration in seconds, and the replica's peak memory in megabytes."""
        data = self.bench.fresh("replica")
        with self.bench.hub(hub_data), self.bench.replica(data) as replica:
            with replica.resident_peak() as peak_bytes:
                seconds = replica.first_sync(class_name)
            peak = peak_bytes()
            if replica.object_count(class_name) != count:
                raise RuntimeError("the replica does not have all objects")
        self.bench.drop(data)
        return seconds, peak / MEGABYTE

    # Limits

    def download(self) -> float:
        with self.bench.hub(self.bench.items):
            return self.bench.timed("curl", "--config", self.downloads)

    def bulk_insert(self) -> float:
        data = self.bench.fresh("bulk-insert")
        data.mkdir()
        seconds = float(self.bench.run(self.bench.programs.bulk_insert, self.synced_file, data / "new.sqlite"))
        self.bench.drop(data)
        return seconds

    def download_settings(self, hub):
        """A configuration file for curl that downloads all pages as a replica does: in sequence on one connection, compressed."""
        return self.bench.curl_settings("downloads", [(path, None) for path in hub.pull_paths(ITEM)])

    def lines(self):
        objects, many = f"{self.sizes.objects:,}", f"{self.sizes.many_objects:,}"
        seconds, memory = self.figure("seconds", "s"), self.figure("memory", "MB")
        limits = f"curl {self.figure('curl', 's').text}, bulk insert {self.figure('insert', 's').text}"
        many_seconds, many_memory = self.figure("many seconds", "s"), self.figure("many memory", "MB")
        tenfold = Figure("s", [10 * sample for sample in seconds.samples])
        work = f"first sync of {objects} objects"
        many_work = f"first sync of {many} objects"
        return [
            Line(
                work, seconds, "the larger of curl's download and SQLite's bulk insert", self.figure("limit", "s"),
                Target("≤", 1.6), note=limits),
            Line(f"{many_work}: peak memory", many_memory, target=Target("≤", 96, "MB")),
            Line(f"{many_work}: peak memory", many_memory, f"with {objects}", memory, Target("≤", 1.1)),
            Line(many_work, many_seconds, f"ten times that of {objects}", tenfold, Target("≤", 1.25)),
        ]
