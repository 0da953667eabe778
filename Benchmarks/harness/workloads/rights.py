"""Workload: reads by signed-in users who may read one in ten objects, beside the same reads with the master key."""

import random
import time

from .. import objects
from ..bench import INDEX_MISSES, INDEX_SECONDS_MAX, checkpoint
from ..gateway import BATCH_SIZE, HEADERS, MASTER_HEADERS, list_path
from ..report import Line, Target
from .workload import Workload

OWNED = "Owned"
# The numbers of roles of the measured users. Each user is a member of the first roles.
ROLE_COUNTS = (1, 10, 100)
# The number of roles without a measured user. Nine in ten objects can be read by one of them.
OTHER_ROLES = 900
# The measured users can read one object in this number of objects.
SHARE = 10
LIST_SIZE = 100
PASSWORD = "a password of the benchmarks"


class Rights(Workload):
    name = "rights"
    about = "GET by id and lists of 100 objects, for users who may read one in ten objects"

    def prepare(self):
        self.data = self.bench.directory / "owned"
        with self.bench.hub(self.data, "--allow-custom-object-id") as hub:
            tokens = self.fill(hub)
            self.make_index(hub)
        checkpoint(self.data)
        headers = {"master": MASTER_HEADERS} | {
            f"{count} roles": {**HEADERS, "X-Parse-Session-Token": token} for count, token in tokens.items()}
        readable = self.ids[::SHARE]
        gets = [f"/classes/{OWNED}/{one}" for one in objects.shuffled(readable, "rights")]
        chosen = random.Random(f"{objects.SEED} ranks")
        # The list that begins at the largest rank still finds a full page of readable objects.
        lists = [
            list_path(OWNED, {"rank": {"$gte": chosen.randrange(900_000)}}, order="rank", limit=LIST_SIZE)
            for _ in range(1000)]
        self.loads = {
            name: (
                self.bench.load("GET", f"owned-reads {name}", gets, headers=sent),
                self.bench.load("GET", f"owned-lists {name}", lists, headers=sent),
            ) for name, sent in headers.items()}

    def fill(self, hub) -> dict[int, str]:
        """Creates the users, the roles and the objects. Returns the session token of each user by its number of roles."""
        users, tokens = {}, {}
        for count in ROLE_COUNTS:
            user = hub.post("/users", {"username": f"user-{count}", "password": PASSWORD})
            users[count], tokens[count] = user["objectId"], user["sessionToken"]
        names = [role(i) for i in range(max(ROLE_COUNTS))] + [other_role(i) for i in range(OTHER_ROLES)]
        for i, name in enumerate(names):
            members = [pointer(users[count]) for count in ROLE_COUNTS if i < count]
            body = {"name": name, "ACL": {"*": {"read": True}}}
            if members:
                body["users"] = {"__op": "AddRelation", "objects": members}
            hub.post("/roles", body)
        self.ids = objects.object_ids(OWNED, self.sizes.objects)
        bodies = (
            {**body, "ACL": acl(i)} for i, body in enumerate(objects.bodies(OWNED, self.sizes.objects)))
        hub.batches(objects.create_batches(OWNED, bodies, BATCH_SIZE, self.ids))
        return tokens

    def make_index(self, hub):
        where, parameters = {"rank": {"$gte": 500_000}}, {"order": "rank"}
        sent = MASTER_HEADERS
        for _ in range(INDEX_MISSES):
            hub.connection.send("GET", list_path(OWNED, where, limit=1, **parameters), headers=sent)
        deadline = time.monotonic() + INDEX_SECONDS_MAX
        path = list_path(OWNED, where, explain="true", limit=LIST_SIZE, **parameters)
        while b"INDEXED BY" not in hub.connection.send("GET", path, headers=sent):
            if time.monotonic() > deadline:
                raise RuntimeError("the gateway has made no index")
            time.sleep(1)

    def measure(self):
        contenders = {name: lambda loads=loads: self.rates(*loads) for name, loads in self.loads.items()}
        return self.measure_each(contenders)

    def rates(self, gets, lists):
        with self.bench.hub(self.data) as hub:
            return {"get": self.rate(hub.port, gets), "list": self.rate(hub.port, lists)}

    def lines(self):
        found = []
        for work, text, target in (("get", "GET by id", 0.9), ("list", "GET 100 objects, sorted", 0.5)):
            for count in ROLE_COUNTS:
                found.append(Line(
                    f"{text}, by a user with {count} role{'s' if count > 1 else ''}",
                    self.figure(f"{work} {count} roles", "/s"), "the same with the master key",
                    self.figure(f"{work} master", "/s"), Target("≥", target)))
        return found


def role(number: int) -> str:
    return f"team-{number}"


def other_role(number: int) -> str:
    return f"other-{number}"


def acl(number: int) -> dict:
    """The ACL of an object. Each measured user may read every tenth object, through one of the user's roles."""
    if number % SHARE:
        return {f"role:{other_role(number % OTHER_ROLES)}": {"read": True}}
    place = number // SHARE
    return {f"role:{role(place % count)}": {"read": True} for count in ROLE_COUNTS}


def pointer(user_id: str) -> dict:
    return {"__type": "Pointer", "className": "_User", "objectId": user_id}
