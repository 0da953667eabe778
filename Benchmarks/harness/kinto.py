"""Runs Kinto, an alternative server, with PostgreSQL if PostgreSQL is installed.

Kinto recommends PostgreSQL. Without it, Kinto stores objects only in memory, which is faster but not durable.
"""

import contextlib
import http.client
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import time

from . import objects
from .process import Server

COLLECTION = "/v1/buckets/benchmark/collections/items"
CREATED = "/v1/buckets/benchmark/collections/created"
BATCH_SIZE = 500
POSTGRES_USER = "postgres"


class Kinto:
    """A Kinto server. It runs only during its own measurements."""

    key = "kinto"
    needs_linux = "its PostgreSQL is that of Debian"
    log_ins = None
    """Kinto checks a password with each request, and has no log-in."""

    def __init__(self, bench):
        self.bench = bench
        self.port = bench.kinto_port
        self.directory = bench.directory / "kinto"
        self.directory.mkdir()
        self.postgres_programs = postgres_programs()
        self.settings = self.directory / "kinto.ini"
        self.settings.write_text(self.settings_text())
        if self.postgres_programs:
            self.make_database()
            with self.running():
                self.load()
        count = bench.sizes.rival_records
        ids = objects.shuffled(range(count), "kinto reads")
        headers = {"Content-Type": "application/json"}
        self.reads = bench.load(
            "GET", "kinto-reads", [f"{COLLECTION}/records/{record_id(i)}" for i in ids], headers=headers)
        self.updates = bench.load(
            "PATCH", "kinto-updates", [f"{COLLECTION}/records/{record_id(i)}" for i in ids],
            [objects.compact({"data": {"note": "changed"}})], headers=headers)
        self.first_path = f"{COLLECTION}/records/{record_id(0)}"
        self.lists = bench.load("GET", "kinto-lists", [
            f"{COLLECTION}/records?group={name}&_sort=-rank&_limit={objects.GROUP_SIZE}"
            for name in objects.group_names(count)], headers=headers)
        self.creates = bench.load("POST", "kinto-creates", [f"{CREATED}/records"], [
            objects.compact({"data": body}) for body in objects.bodies("created", 5000)], headers=headers)

    @property
    def name(self) -> str:
        backend = "PostgreSQL" if self.postgres_programs else "memory"
        return f"Kinto ({backend}, {self.bench.sizes.rival_records:,} records)"

    @contextlib.contextmanager
    def running(self):
        """Gives the running servers."""
        with self.surroundings() as others, self.server() as server:
            # Without PostgreSQL, Kinto stores objects in memory and is empty after each start.
            if not self.postgres_programs:
                self.load()
            yield [server, *others]

    def server(self) -> Server:
        command = [self.bench.programs.kinto / "kinto", "start", "--ini", self.settings]
        return Server("Kinto", command, self.bench.kinto_port, self.directory / "kinto.log")

    health_path = "/v1/__heartbeat__"

    def first_start(self) -> Server | None:
        """The server in an empty directory, to measure its start; None with PostgreSQL, because other programs create its
        cluster and its tables first."""
        return None if self.postgres_programs else self.server()

    @contextlib.contextmanager
    def surroundings(self):
        """Runs and gives the servers that Kinto needs."""
        if not self.postgres_programs:
            yield []
            return
        with self.database() as database:
            yield [database]

    @property
    def keeps_data(self) -> bool:
        """Whether the server has its data again after a restart."""
        return self.postgres_programs is not None

    def settings_text(self) -> str:
        url = f"postgresql://{POSTGRES_USER}@127.0.0.1:{self.bench.postgres_port}/kinto"
        backends = "".join(
            f"kinto.{part}_backend = kinto.core.{part}.{'postgresql' if self.postgres_programs else 'memory'}\n"
            f"kinto.{part}_url = {url if self.postgres_programs else ''}\n" for part in ("storage", "cache", "permission"))
        return SETTINGS.format(port=self.bench.kinto_port, backends=backends, batch_size=BATCH_SIZE)

    def load(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.bench.kinto_port, timeout=300)

        def call(method: str, path: str, body=None):
            connection.request(method, path, objects.compact(body or {}), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            if answer.status >= 300:
                raise RuntimeError(f"Kinto answered {answer.status}: {content[:300]!r}")
            return json.loads(content)

        everyone = ["system.Everyone"]
        call("PUT", COLLECTION.rpartition("/collections")[0], {"permissions": {"read": everyone, "write": everyone}})
        call("PUT", COLLECTION)
        call("PUT", CREATED)
        requests = [
            {"path": f"{COLLECTION}/records/{record_id(i)}", "body": {"data": body}}
            for i, body in enumerate(objects.bodies("kinto", self.bench.sizes.rival_records))]
        for start in range(0, len(requests), BATCH_SIZE):
            part = requests[start:start + BATCH_SIZE]
            answer = call("POST", "/v1/batch", {"defaults": {"method": "PUT"}, "requests": part})
            if any(response["status"] >= 300 for response in answer["responses"]):
                raise RuntimeError("Kinto rejected a record")

    # PostgreSQL, with a data directory of its own

    @property
    def cluster(self) -> pathlib.Path:
        return self.directory / "postgres"

    @property
    def database_user(self) -> str | None:
        """The user that runs PostgreSQL, which refuses to run as root; None for the current user."""
        return POSTGRES_USER if os.geteuid() == 0 else None

    def make_database(self):
        self.cluster.mkdir()
        if self.database_user:
            shutil.chown(self.cluster, self.database_user)
        self.run_postgres("initdb", "--pgdata", self.cluster, "--auth", "trust", "--username", POSTGRES_USER, "-E", "UTF8")
        with self.database():
            self.run_postgres(
                "createdb", "--host", "127.0.0.1", "--port", str(self.bench.postgres_port), "--username", POSTGRES_USER,
                "kinto")
            with open(self.directory / "migrate.log", "wb") as log:
                subprocess.run(
                    [self.bench.programs.kinto / "kinto", "migrate", "--ini", self.settings], check=True, stdout=log,
                    stderr=log)

    def database(self) -> Server:
        return Postgres(
            self.postgres_programs, self.cluster, self.bench.postgres_port, self.directory / "postgres.log",
            self.database_user)

    def run_postgres(self, program: str, *arguments):
        subprocess.run(
            [str(self.postgres_programs / program), *map(str, arguments)], check=True, stdout=subprocess.DEVNULL,
            user=self.database_user, cwd="/")


class Postgres(Server):
    # On SIGINT, PostgreSQL stops without waiting for its clients to disconnect.
    stop_signal = signal.SIGINT

    def __init__(self, programs: pathlib.Path, cluster: pathlib.Path, port: int, log: pathlib.Path, user: str | None):
        command = [
            programs / "postgres", "-D", cluster, "-p", port, "-k", "", "-c", "listen_addresses=127.0.0.1"]
        super().__init__("PostgreSQL", command, port, log, user=user)
        self.is_ready = [str(programs / "pg_isready"), "--quiet", "--host", "127.0.0.1", "--port", str(port)]

    def await_ready(self):
        # PostgreSQL opens its port before it accepts clients.
        deadline = time.monotonic() + self.start_seconds_max
        while subprocess.run(self.is_ready, check=False).returncode != 0:
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start: {self.last_words()}")
            time.sleep(0.05)


def record_id(number: int) -> str:
    return f"record-{number}"


def postgres_programs() -> pathlib.Path | None:
    """The directory of the newest installed PostgreSQL programs; None if PostgreSQL or the user to run it is missing."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        return None
    if os.geteuid() == 0 and POSTGRES_USER not in {entry.pw_name for entry in pwd.getpwall()}:
        return None
    return found[-1].parent


# Kinto's configuration, as `kinto init` writes it, but with less logging. Everyone may create buckets.
SETTINGS = """\
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = {port}

[app:main]
use = egg:kinto
{backends}
kinto.bucket_create_principals = system.Everyone
kinto.userid_hmac_secret = benchmark
kinto.batch_max_requests = {batch_size}

[loggers]
keys = root

[handlers]
keys = console

[formatters]
keys = plain

[logger_root]
level = CRITICAL
handlers = console

[handler_console]
class = StreamHandler
args = (sys.stderr,)
formatter = plain

[formatter_plain]
format = %(message)s
"""
