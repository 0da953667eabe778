"""Runs PocketBase, an alternative server on SQLite.

PocketBase opens SQLite with `synchronous=NORMAL`, and has no setting for it. A power cut can take its latest writes.
"""

import contextlib
import http.client
import json
import pathlib
import subprocess
import urllib.parse

from . import objects
from .process import Server

COLLECTION = "items"
CREATED = "created"
PEOPLE = "people"
OWNER = ("owner@example.org", "a-password-of-the-benchmarks")
BATCH_SIZE = 500


class PocketBase:
    """A PocketBase server. It runs only during its own measurements."""

    key = "pocketbase"
    needs_linux = None
    keeps_data = True

    def __init__(self, bench):
        self.bench = bench
        self.port = bench.pocketbase_port
        self.directory = bench.directory / "pocketbase"
        self.directory.mkdir()
        self.program = bench.programs.pocketbase / "pocketbase"
        subprocess.run(
            [self.program, "superuser", "upsert", *OWNER, "--dir", self.directory / "data"], check=True,
            stdout=subprocess.DEVNULL)
        with self.running():
            self.load()
        count = bench.sizes.rival_records
        ids = objects.shuffled(range(count), "pocketbase reads")
        records = f"/api/collections/{COLLECTION}/records"
        headers = {"Content-Type": "application/json"}
        self.reads = bench.load(
            "GET", "pocketbase-reads", [f"{records}/{record_id(i)}" for i in ids], headers=headers)
        self.updates = bench.load(
            "PATCH", "pocketbase-updates", [f"{records}/{record_id(i)}" for i in ids],
            [objects.compact({"note": "changed"})], headers=headers)
        self.log_ins = bench.load(
            "POST", "pocketbase-log-ins", [f"/api/collections/{PEOPLE}/auth-with-password"],
            [objects.compact({"identity": email(i), "password": password}) for i, password in enumerate(objects.PASSWORDS)],
            headers=headers)
        self.first_path = f"{records}/{record_id(0)}"
        self.lists = bench.load("GET", "pocketbase-lists", [
            f"{records}?{group_query(name)}" for name in objects.group_names(count)], headers=headers)
        self.creates = bench.load(
            "POST", "pocketbase-creates", [f"/api/collections/{CREATED}/records"],
            [objects.compact(record(body)) for body in objects.bodies("created", 5000)], headers=headers)

    @property
    def name(self) -> str:
        return f"PocketBase (synchronous=NORMAL, {self.bench.sizes.rival_records:,} records)"

    @contextlib.contextmanager
    def running(self):
        """Gives the running servers."""
        with self.server() as server:
            yield [server]

    def server(self, data: pathlib.Path | None = None) -> Server:
        command = [self.program, "serve", "--http", f"127.0.0.1:{self.port}", "--dir", data or self.directory / "data"]
        return Server("PocketBase", command, self.port, self.directory / "pocketbase.log")

    health_path = "/api/health"

    def first_start(self) -> Server:
        """The server with an empty directory."""
        data = self.bench.fresh("pocketbase-empty")
        return self.server(data)

    def surroundings(self):
        """Runs and gives the servers that PocketBase needs."""
        return contextlib.nullcontext([])

    def load(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {"Content-Type": "application/json"}

        def call(method: str, path: str, body):
            connection.request(method, path, objects.compact(body), headers)
            answer = connection.getresponse()
            content = answer.read()
            if answer.status >= 300:
                raise RuntimeError(f"PocketBase answered {answer.status}: {content[:300]!r}")
            return json.loads(content)

        identity, password = OWNER
        signed_in = call(
            "POST", "/api/collections/_superusers/auth-with-password", {"identity": identity, "password": password})
        headers["Authorization"] = signed_in["token"]
        # An empty rule admits everybody.
        rules = {f"{action}Rule": "" for action in ("list", "view", "create", "update", "delete")}
        for name in (COLLECTION, CREATED):
            index = f"CREATE INDEX {name}_by_group ON {name} (grp, rank)"
            call("POST", "/api/collections", {"name": name, "type": "base", "fields": FIELDS, "indexes": [index], **rules})
        call("POST", "/api/collections", {"name": PEOPLE, "type": "auth"})
        for i, password in enumerate(objects.PASSWORDS):
            call("POST", f"/api/collections/{PEOPLE}/records", {
                "email": email(i), "password": password, "passwordConfirm": password})
        call("PATCH", "/api/settings", {
            "batch": {"enabled": True, "maxRequests": BATCH_SIZE, "timeout": 60}, "logs": {"maxDays": 0}})
        requests = [
            {
                "method": "POST", "url": f"/api/collections/{COLLECTION}/records",
                "body": {"id": record_id(i), **record(body)},
            }
            for i, body in enumerate(objects.bodies("pocketbase", self.bench.sizes.rival_records))]
        for start in range(0, len(requests), BATCH_SIZE):
            call("POST", "/api/batch", {"requests": requests[start:start + BATCH_SIZE]})


# The names of the fields of `objects.bodies`. `group` is a word of SQL.
FIELDS = [
    {"name": name, "type": kind}
    for name, kind in (
        ("name", "text"), ("grp", "text"), ("rank", "number"), ("shade", "number"), ("counter", "number"), ("done", "bool"),
        ("at", "date"), ("tags", "json"), ("note", "text"))]


def record(body: dict) -> dict:
    """The fields of an object as PocketBase stores them."""
    fields = dict(body)
    fields["grp"] = fields.pop("group")
    fields["at"] = fields["at"]["iso"].replace("T", " ")
    return fields


def record_id(number: int) -> str:
    return f"record{number:09}"


def email(number: int) -> str:
    return f"user{number}@example.org"


def group_query(name: str) -> str:
    # `skipTotal` leaves out the number of all results, as a Parse query without `count` does.
    return urllib.parse.urlencode(
        {"filter": f"(grp='{name}')", "sort": "-rank", "perPage": objects.GROUP_SIZE, "skipTotal": 1})
