"""The resources that the workloads share: sizes, programs, ports, files, and data directories that are prepared once."""

import contextlib
import functools
import pathlib
import shutil
import sqlite3
import subprocess
import time
from dataclasses import dataclass

from . import objects, platform_facts
from .gateway import BATCH_SIZE, HEADERS, Gateway, list_path
from .kinto import Kinto
from .load import Load
from .pocketbase import PocketBase
from .process import Server, free_ports
from .sizes import Sizes

ITEM = "Item"
MANY = "Many"
FEW = [f"Few{i}" for i in range(8)]
ALL_CLASSES = [ITEM, MANY, *FEW]
# Each pull fetches the objects of the last ten seconds again. A first sync soon after loading would fetch many objects twice.
PULL_OVERLAP_SECONDS = 11
# The maximum time until a gateway creates an index.
INDEX_SECONDS_MAX = 90
# The number of queries by a field without an index, enough to make a gateway create the index.
INDEX_MISSES = 25
# The number of sorted queries between two checks for an index with this order. The gateway creates the index after such queries
# have taken one second together.
ORDER_MISSES = 500
FIRST_GROUP = objects.group(0)


@dataclass(frozen=True)
class Programs:
    """The paths of the built programs."""

    tidegate: pathlib.Path
    directory: pathlib.Path
    """The directory of the C programs."""
    kinto: pathlib.Path
    """The directory of commands in Kinto's virtual environment."""
    pocketbase: pathlib.Path
    """The directory of PocketBase's program."""

    def __getattr__(self, name: str) -> pathlib.Path:
        return self.directory / name


class Bench:
    def __init__(self, sizes: Sizes, programs: Programs, directory: pathlib.Path):
        self.sizes = sizes
        self.programs = programs
        self.directory = directory
        # A replica's database contains the address of its hub, so all rounds use these ports.
        self.hub_port, self.replica_port, self.limit_port, self.kinto_port, self.postgres_port, self.pocketbase_port = (
            free_ports(6))
        # The time of the latest load.
        self.loaded_at = 0.0
        self.copies = 0
        self.round = 0
        self.failures: list[str] = []
        self.left_out: list[str] = []

    def measure_in_rotation(self, contenders: dict) -> dict:
        """Measures each contender. Each round starts with another one, so that the order does not favour a contender."""
        names = list(contenders)
        start = self.round % len(names)
        return {name: contenders[name]() for name in names[start:] + names[:start]}

    @functools.cached_property
    def rivals(self) -> list:
        """The alternative servers that can run here. The workloads run without the others."""
        found = []
        for rival in (Kinto, PocketBase):
            if rival.needs_linux and not platform_facts.IS_LINUX:
                self.left_out.append(f"{rival.__name__} needs Linux: {rival.needs_linux}")
                continue
            try:
                found.append(rival(self))
            except Exception as error:
                self.failures.append(f"{rival.__name__}: {error}")
        return found

    # Directories

    def fresh(self, name: str) -> pathlib.Path:
        self.copies += 1
        return self.directory / f"{name}-{self.copies}"

    def copy(self, prepared: pathlib.Path) -> pathlib.Path:
        target = self.fresh(prepared.name)
        shutil.copytree(prepared, target)
        return target

    def drop(self, *directories: pathlib.Path):
        for directory in directories:
            shutil.rmtree(directory, ignore_errors=True)

    # Servers

    def hub(self, data: pathlib.Path, *options) -> Gateway:
        # Without --take-over, a gateway rejects a copied data directory.
        return Gateway("hub", self.programs.tidegate, data, self.hub_port, "--take-over", *options)

    def replica(self, data: pathlib.Path, *options) -> Gateway:
        return Gateway(
            "replica", self.programs.tidegate, data, self.replica_port, "--take-over", *options, remote=self.hub_port)

    def limit(self, program: str, *arguments) -> Server:
        command = [getattr(self.programs, program), self.limit_port, *arguments]
        return Server(program, command, self.limit_port, self.directory / f"{program}.log")

    # Data directories that are created once and never changed

    @functools.cached_property
    def items(self) -> pathlib.Path:
        """The data directory of a hub with the class Item, without indexes on its fields."""
        return self.loaded("items", None, {ITEM: self.sizes.objects})

    @functools.cached_property
    def few_items(self) -> pathlib.Path:
        """The data directory of a hub with as many objects of the class Item as the alternative servers have, without indexes."""
        return self.loaded("few-items", None, {ITEM: self.sizes.rival_records})

    @functools.cached_property
    def indexed_items(self) -> pathlib.Path:
        """A copy of `items` with indexes on `group` and `shade`."""
        data = self.copied("indexed-items", self.items)
        with self.hub(data) as hub:
            for field, value in (("group", objects.group(0)), ("shade", 0)):
                for _ in range(INDEX_MISSES):
                    hub.get(list_path(ITEM, {field: value}, limit=1))
            deadline = time.monotonic() + INDEX_SECONDS_MAX
            while not all(
                "INDEXED BY" in hub.explained_sql(ITEM, {field: value})
                for field, value in (("group", objects.group(0)), ("shade", 0))
            ):
                if time.monotonic() > deadline:
                    raise RuntimeError("the gateway has made no index")
                time.sleep(1)
        checkpoint(data)
        return data

    @functools.cached_property
    def ordered_items(self) -> pathlib.Path:
        """A copy of `indexed_items` in which the index on `group` also has the order by `rank`."""
        data = self.copied("ordered-items", self.indexed_items)
        self.make_ordered_index(data)
        return data

    @functools.cached_property
    def crowded_items(self) -> pathlib.Path:
        """A copy of `indexed_items` in which the index on `shade` also has the order by `rank`."""
        data = self.copied("crowded-items", self.indexed_items)
        self.make_ordered_index(data, field="shade", value=0)
        return data

    def make_ordered_index(
        self, data: pathlib.Path, seconds_max: float = INDEX_SECONDS_MAX, field: str = "group", value: str | int = FIRST_GROUP
    ):
        """Makes the gateway create an index on a field with the order by `rank`, by queries that need it."""
        where, parameters = {field: value}, {"order": "-rank", "limit": objects.GROUP_SIZE}
        with self.hub(data) as hub:
            deadline = time.monotonic() + seconds_max
            while f"{field} rank" not in hub.explained_sql(ITEM, where, **parameters):
                if time.monotonic() > deadline:
                    raise RuntimeError("the gateway has made no index with an order")
                try:
                    for _ in range(ORDER_MISSES):
                        hub.get(list_path(ITEM, where, **parameters))
                except RuntimeError as error:
                    # In a class of millions of objects, a query without an index can exceed its time limit. The gateway still
                    # counts it as a query that the index would have served.
                    if '"code":124' not in str(error):
                        raise
        checkpoint(data)

    @functools.cached_property
    def everything(self) -> pathlib.Path:
        """The data directory of a hub with ten classes: Item, a class with ten times as many objects, and eight small classes."""
        counts = {MANY: self.sizes.many_objects} | {name: self.sizes.few_objects for name in FEW}
        return self.loaded("everything", self.items, counts)

    @functools.cached_property
    def little(self) -> pathlib.Path:
        """The data directory of a hub with the ten classes of `everything`, each with few objects."""
        return self.loaded("little", None, {name: self.sizes.few_objects for name in ALL_CLASSES})

    @functools.cached_property
    def items_replica(self) -> pathlib.Path:
        return self.synced("items-replica", self.items, [ITEM])

    @functools.cached_property
    def full_replica(self) -> pathlib.Path:
        """The data directory of a replica that has synced the ten classes of `everything`."""
        return self.synced("full-replica", self.everything, ALL_CLASSES)

    @functools.cached_property
    def little_replica(self) -> pathlib.Path:
        return self.synced("little-replica", self.little, ALL_CLASSES)

    def loaded(self, name: str, base: pathlib.Path | None, counts: dict[str, int]) -> pathlib.Path:
        data = self.copied(name, base) if base else self.directory / name
        # The option lets clients choose ids, so that the objects have the same ids in every run.
        with self.hub(data, "--allow-custom-object-id") as hub:
            for class_name, count in counts.items():
                hub.load(class_name, count)
        self.loaded_at = time.monotonic()
        checkpoint(data)
        return data

    def synced(self, name: str, hub_data: pathlib.Path, class_names: list[str]) -> pathlib.Path:
        data = self.directory / name
        time.sleep(max(0, self.loaded_at + PULL_OVERLAP_SECONDS - time.monotonic()))
        with self.hub(hub_data), self.replica(data) as replica:
            for class_name in class_names:
                replica.first_sync(class_name)
        checkpoint(data)
        return data

    def copied(self, name: str, base: pathlib.Path) -> pathlib.Path:
        return shutil.copytree(base, self.directory / name)

    # Requests that wrk sends

    @functools.cached_property
    def item_reads(self) -> Load:
        ids = objects.shuffled(objects.object_ids(ITEM, self.sizes.objects), "reads")
        return self.load("GET", "item-reads", [f"/classes/{ITEM}/{one}" for one in ids])

    @functools.cached_property
    def few_item_reads(self) -> Load:
        """Reads of a tenth of the objects, in turn. The warm-up reads all of them."""
        ids = objects.shuffled(objects.object_ids(ITEM, self.sizes.objects), "reads")
        return self.load("GET", "few-item-reads", [f"/classes/{ITEM}/{one}" for one in ids[:self.sizes.objects // 10]])

    @functools.cached_property
    def group_lists(self) -> Load:
        return self.load("GET", "group-lists", [
            list_path(ITEM, {"group": name}, order="-rank", limit=objects.GROUP_SIZE)
            for name in objects.group_names(self.sizes.objects)])

    @functools.cached_property
    def crowded_lists(self) -> Load:
        """The first 100 objects of one shade, by rank."""
        return self.load("GET", "crowded-lists", [
            list_path(ITEM, {"shade": shade}, order="-rank", limit=objects.GROUP_SIZE) for shade in range(objects.SHADES)])

    @functools.cached_property
    def few_group_lists(self) -> Load:
        return self.load("GET", "few-group-lists", [
            list_path(ITEM, {"group": name}, order="-rank", limit=objects.GROUP_SIZE)
            for name in objects.group_names(self.sizes.rival_records)])

    @functools.cached_property
    def shade_lists(self) -> Load:
        return self.load("GET", "shade-lists", [
            list_path(ITEM, {"shade": shade}, limit=self.sizes.objects) for shade in range(objects.SHADES)])

    @functools.cached_property
    def item_creates(self) -> Load:
        # A few thousand different bodies are enough: millions give equal results.
        bodies = [objects.compact(body) for body in objects.bodies("created", 5000)]
        return self.load("POST", "item-creates", [f"/classes/{ITEM}"], bodies)

    @functools.cached_property
    def item_increments(self) -> Load:
        body = objects.compact({"counter": {"__op": "Increment", "amount": 1}})
        ids = objects.shuffled(objects.object_ids(ITEM, self.sizes.objects), "increments")
        return self.load("PUT", "item-increments", [f"/classes/{ITEM}/{one}" for one in ids], [body])

    @functools.cached_property
    def log_ins(self) -> Load:
        return self.load("POST", "log-ins", ["/login"], [objects.compact(person) for person in self.people])

    @property
    def people(self) -> list[dict]:
        """The users whose log-ins are measured."""
        return [{"username": f"user-{i}", "password": password} for i, password in enumerate(objects.PASSWORDS)]

    def load(self, method: str, name: str, paths: list[str], bodies: list[str] | None = None, headers=HEADERS) -> Load:
        def written(part: str, lines) -> pathlib.Path:
            file = self.directory / f"{name}.{part}"
            file.write_text("".join(f"{line}\n" for line in lines))
            return file

        return Load(
            method, written("headers", (f"{key}: {value}" for key, value in headers.items())), written("paths", paths),
            written("bodies", bodies) if bodies else None)

    # Requests that curl or Python sends

    def create_texts(self, count: int) -> list[str]:
        """Bodies of `/batch` requests, as an SDK sends them: objects without ids."""
        return list(objects.create_batches(ITEM, objects.bodies("made offline", count), BATCH_SIZE))

    def curl_settings(self, name: str, hub_requests: list[tuple[str, pathlib.Path | None]]) -> pathlib.Path:
        """A configuration file for curl: requests in sequence on one connection, each a GET of a path or a POST of a file."""
        blocks = []
        for path, body in hub_requests:
            lines = ["silent", "show-error", "fail", "compressed", 'output = "/dev/null"']
            lines += [f'header = "{name}: {value}"' for name, value in HEADERS.items()]
            lines.append(f'url = "http://127.0.0.1:{self.hub_port}{path}"')
            if body:
                lines.append(f'data-binary = "@{body}"')
            blocks.append("\n".join(lines))
        file = self.directory / f"{name}.curl"
        file.write_text("fail-early\n" + "\nnext\n".join(blocks) + "\n")
        return file

    def timed(self, *command) -> float:
        """Runs a program and returns its running time in seconds."""
        begin = time.monotonic()
        self.run(*command)
        return time.monotonic() - begin

    def run(self, *command) -> str:
        return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def bound_sql(sql: str, class_name: str, value: str, limit: int) -> str:
    """The gateway's SQL statement for a query, with the parameters replaced by values.

    `value` is SQL. It replaces each parameter of the condition.
    """
    sql = sql.replace("class = ?", f"class = '{class_name}'").replace("LIMIT ? OFFSET ?", f"LIMIT {limit} OFFSET 0")
    return sql.replace("?", value)


def checkpoint(data: pathlib.Path):
    """Moves the contents of SQLite's write-ahead log into the database file, so that programs can read that file alone."""
    with contextlib.closing(sqlite3.connect(database(data))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def drop_triggers(data: pathlib.Path):
    """Removes a gateway's triggers, whose work is not part of the measured limit."""
    with contextlib.closing(sqlite3.connect(database(data))) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.commit()
    checkpoint(data)


def database(data: pathlib.Path) -> pathlib.Path:
    return data / "tidegate.sqlite"
