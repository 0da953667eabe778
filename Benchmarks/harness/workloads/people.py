"""Workload: memory and syncs of a replica to which three users have signed in."""

import json
import time

from .. import objects
from ..bench import ITEM, checkpoint
from ..gateway import BATCH_SIZE, HEADERS, list_path
from ..report import MEGABYTE, Line, Target
from .idle import SETTLING_SECONDS
from .workload import Workload

NAMES = ("ada", "ben", "eve")
PASSWORD = "a password of the benchmarks"
# The number of syncs of each user in one measurement.
SYNCS = 10


class People(Workload):
    name = "people"
    about = "memory and syncs of a replica with three users"

    def prepare(self):
        self.hub_data, self.data = self.bench.directory / "people", self.bench.directory / "people-replica"
        self.options = ("--class", ITEM, "--session-key-file", self.bench.directory / "people-key" / "session-key")
        with self.bench.hub(self.hub_data) as hub:
            for name in NAMES:
                user = hub.post("/users", {"username": name, "password": PASSWORD})["objectId"]
                hub.batches(objects.create_batches(ITEM, self.bodies(user), BATCH_SIZE))
        with self.bench.hub(self.hub_data), self.bench.replica(self.data, *self.options) as replica:
            self.tokens = [
                replica.post("/login", {"username": name, "password": PASSWORD})["sessionToken"] for name in NAMES]
            for token in self.tokens:
                self.sync(replica, token)
                path = list_path(ITEM, {}, count=1, limit=0)
                found = json.loads(replica.connection.send("GET", path, headers=headers(token)))["count"]
                if found != self.count:
                    raise RuntimeError(f"a user has received {found} of {self.count} objects")
        checkpoint(self.hub_data)

    @property
    def count(self) -> int:
        """The number of objects of each user."""
        return self.sizes.objects // 10

    def bodies(self, user: str):
        acl = {user: {"read": True, "write": True}}
        return ({**body, "ACL": acl} for body in objects.bodies(user, self.count))

    def sync(self, replica, token: str):
        replica.connection.send("POST", "/sync?wait=true", "{}", headers(token))

    def measure(self):
        with self.bench.hub(self.hub_data) as hub, self.bench.replica(self.data, *self.options) as replica:
            for token in self.tokens:
                self.sync(replica, token)
            time.sleep(SETTLING_SECONDS)
            requests, cpu = hub.requests_answered(), replica.cpu_seconds()
            for _ in range(SYNCS):
                for token in self.tokens:
                    self.sync(replica, token)
            syncs = SYNCS * len(NAMES)
            requests = (hub.requests_answered() - requests) / syncs
            cpu = 1e3 * (replica.cpu_seconds() - cpu) / syncs
            # The replica gives freed memory back to the kernel once a minute.
            time.sleep(self.sizes.idle_seconds + SETTLING_SECONDS)
            return {
                "requests": requests, "cpu": cpu, "private": replica.private_bytes() / MEGABYTE,
                "pss": replica.shared_out_bytes() / MEGABYTE}

    def lines(self):
        work = f"replica with {len(NAMES)} users of {self.count:,} objects each"
        return [
            Line(f"idle {work}: private memory", self.figure("private", "MB"), target=Target("≤", 60, "MB")),
            Line(f"idle {work}: PSS", self.figure("pss", "MB")),
            Line(f"{work}, sync of one user with nothing new: requests", self.figure("requests", ""), target=Target("≤", 1, "")),
            Line(f"{work}, sync of one user with nothing new: CPU", self.figure("cpu", "ms")),
        ]


def headers(token: str) -> dict:
    return {**HEADERS, "X-Parse-Session-Token": token}
