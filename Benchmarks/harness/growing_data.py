"""The data directories of one number of objects in the workload `growth`, and the requests that read them."""

import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import time

from . import objects
from .bench import ITEM, PULL_OVERLAP_SECONDS, Bench, bound_sql, checkpoint, database
from .gateway import BATCH_SIZE_MAX, list_path

# The number of objects that are read again and again, whatever the number of objects in the class.
WORKING_SET = 10_000
# The number of different requests for random objects, for each second of a measurement: more than a gateway answers.
REQUESTS_PER_SECOND = 50_000
# The time until a gateway has created its index. A query without the index takes about 2 µs an object, creating it about 3 µs.
INDEX_SECONDS_MIN = 90
INDEX_SECONDS_PER_OBJECT = 50e-6
# The factor by which the required disk space exceeds the data: room for write-ahead logs, and for pages that are not full.
ROOM_FACTOR = 1.3


class GrowingData:
    """A hub with `count` objects of one class, and a replica that has synced them."""

    def __init__(self, bench: Bench, count: int):
        self.bench = bench
        self.count = count
        self.hub = bench.directory / f"growth-{count}"
        self.replica = bench.directory / f"growth-{count}-replica"
        self.ids = objects.object_ids(ITEM, count)
        self.figures: dict[str, float] = {}
        """The measurements of the preparation: the time of loading and of the first sync, and the size of the hub's file."""

    def make_hub(self):
        self.fill()
        self.bench.make_ordered_index(self.hub, INDEX_SECONDS_MIN + INDEX_SECONDS_PER_OBJECT * self.count)
        with self.bench.hub(self.hub) as hub:
            explained = hub.explained_sql(ITEM, {"group": objects.group(0)}, order="-rank", limit=objects.GROUP_SIZE)
        self.list_sql = bound_sql(explained, ITEM, "?1", objects.GROUP_SIZE)
        self.make_loads()

    def fill(self):
        with self.bench.hub(self.hub, "--allow-custom-object-id") as hub:
            begin = time.monotonic()
            hub.load(ITEM, self.count, BATCH_SIZE_MAX)
            self.loaded_at = time.monotonic()
        self.figures["load"] = self.loaded_at - begin
        checkpoint(self.hub)
        # After loading, the file has no write-ahead log any more, and no automatic index yet, so its size is that of the
        # objects.
        size = database(self.hub).stat().st_size
        self.figures |= {"bytes": size / self.count, "bytes limit": self.text_bytes() / self.count}

    def text_bytes(self) -> int:
        with contextlib.closing(sqlite3.connect(database(self.hub))) as connection:
            return connection.execute("SELECT sum(length(CAST(view AS BLOB))) FROM objects").fetchone()[0]

    def make_replica(self):
        time.sleep(max(0, self.loaded_at + PULL_OVERLAP_SECONDS - time.monotonic()))
        with self.bench.hub(self.hub), self.bench.replica(self.replica) as replica:
            self.figures["first sync"] = replica.first_sync(ITEM)
            if replica.object_count(ITEM) != self.count:
                raise RuntimeError("the replica does not have all objects")
        checkpoint(self.hub)
        checkpoint(self.replica)

    def make_loads(self):
        """The requests of wrk. The warm-up of the random reads has random reads of its own: otherwise the measurement would repeat
        the requests of the warm-up, and find their objects in a cache."""
        chosen = random.Random(f"{objects.SEED} growth {self.count}")
        requests = REQUESTS_PER_SECOND * self.bench.sizes.load_seconds
        self.reads, self.other_reads = (
            self.load(part, [f"/classes/{ITEM}/{one}" for one in chosen.choices(self.ids, k=requests)])
            for part in ("reads", "other-reads"))
        working_set = chosen.sample(self.ids, min(WORKING_SET, self.count))
        self.set_reads = self.load("set-reads", [f"/classes/{ITEM}/{one}" for one in working_set])
        groups = objects.group_names(self.count)
        self.lists = self.load("lists", [
            list_path(ITEM, {"group": name}, order="-rank", limit=objects.GROUP_SIZE)
            for name in chosen.sample(groups, min(WORKING_SET, len(groups)))])

    def load(self, part: str, paths: list[str]):
        return self.bench.load("GET", f"growth-{self.count}-{part}", paths)

    def copied_hub(self) -> pathlib.Path:
        """A copy of the hub's directory that is on the disk, so that writing it does not disturb a measurement."""
        copy = self.bench.copy(self.hub)
        for path in copy.iterdir():
            if path.is_file():
                with open(path, "rb+") as file:
                    os.fsync(file.fileno())
        return copy

    def need_room(self, smaller: "GrowingData"):
        """Checks the free space for the hub, a copy of it, and the replica, from the bytes that each object of `smaller` takes.

        Raises an error if the filesystem has too little room.
        """
        taken = 2 * directory_bytes(smaller.hub) + directory_bytes(smaller.replica)
        needed = ROOM_FACTOR * taken * self.count / smaller.count
        free = shutil.disk_usage(self.bench.directory).free
        if free < needed:
            raise RuntimeError(
                f"{self.count:,} objects need about {needed / 1e9:.1f} GB in {self.bench.directory.parent}, and {free / 1e9:.1f} GB "
                "are free; another directory: --data")

    def drop(self):
        self.bench.drop(self.hub, self.replica)


def directory_bytes(directory: pathlib.Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
