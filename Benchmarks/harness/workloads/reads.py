"""Workload: GET of one object by id, read for the first time or again, and GET of 100 sorted objects by an indexed equality."""

import functools

from .. import objects
from ..bench import ITEM, bound_sql, database
from ..parse_server import GET_BY_ID, LIST_OF_100, PARSE_SERVER
from ..report import Line, Target
from .workload import Workload

OBJECT_SQL = f"SELECT view FROM objects WHERE class = '{ITEM}' AND id = ?1 AND view IS NOT NULL"


class Reads(Workload):
    name = "reads"
    about = "GET by id, and GET of 100 objects by an indexed equality, sorted"

    def prepare(self):
        bench = self.bench
        self.data = bench.ordered_items
        with bench.hub(self.data) as hub:
            explained = hub.explained_sql(ITEM, {"group": objects.group(0)}, order="-rank", limit=objects.GROUP_SIZE)
        self.list_sql = bound_sql(explained, ITEM, "?1", objects.GROUP_SIZE)
        self.limit_file = database(bench.copy(self.data))
        # Prepares the alternative servers now, before the first round.
        _ = bench.rivals

    def measure(self):
        contenders = {"tidegate": self.tidegate, "limit": self.limit, "constant": self.constant}
        for rival in self.bench.rivals:
            contenders[rival.key] = functools.partial(self.rival, rival)
        return self.measure_each(contenders)

    def tidegate(self):
        with self.bench.hub(self.data) as hub:
            return {
                "get": self.rate(hub.port, self.bench.item_reads), "again": self.rate(hub.port, self.bench.few_item_reads),
                "list": self.rate(hub.port, self.bench.group_lists)}

    def limit(self):
        with self.bench.limit("read", self.limit_file, "object", OBJECT_SQL) as server:
            get, again = (self.rate(server.port, load) for load in (self.bench.item_reads, self.bench.few_item_reads))
        with self.bench.limit("read", self.limit_file, "list", self.list_sql) as server:
            return {"get": get, "again": again, "list": self.rate(server.port, self.bench.group_lists)}

    def constant(self):
        with self.bench.limit("constant") as server:
            return {"get": self.rate(server.port, self.bench.item_reads)}

    def rival(self, rival):
        with rival.running():
            return {"get": self.rate(rival.port, rival.reads), "list": self.rate(rival.port, rival.lists)}

    def lines(self):
        get, listing = self.figure("get tidegate", "/s"), self.figure("list tidegate", "/s")
        again = self.figure("again tidegate", "/s")
        get_work = f"GET by id, {self.sizes.objects:,} objects"
        again_work = f"GET by id, {self.sizes.objects // 10:,} of them, read before"
        list_work = "GET 100 objects by an indexed equality, sorted"
        lines = [
            Line(get_work, get, "C, same row", self.figure("get limit", "/s"), Target("≥", 0.75)),
            Line(get_work, get, PARSE_SERVER, GET_BY_ID, Target("≥", 30)),
            Line(get_work, get, "C, a constant", self.figure("get constant", "/s")),
            Line(again_work, again, "C, same row", self.figure("again limit", "/s"), Target("≥", 0.75)),
            Line(again_work, again, PARSE_SERVER, GET_BY_ID, Target("≥", 30)),
            Line(list_work, listing, "C, same statement", self.figure("list limit", "/s"), Target("≥", 0.75)),
            Line(list_work, listing, PARSE_SERVER, LIST_OF_100, Target("≥", 15)),
        ]
        for rival in self.bench.rivals:
            if self.has(f"get {rival.key}"):
                lines.append(Line(get_work, get, rival.name, self.figure(f"get {rival.key}", "/s")))
                lines.append(Line(list_work, listing, rival.name, self.figure(f"list {rival.key}", "/s")))
        return lines
