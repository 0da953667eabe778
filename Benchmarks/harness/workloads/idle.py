"""Workload: CPU and memory of an idle replica."""

import time

from ..report import MEGABYTE, Line, Target
from .workload import Workload

# The pause after the replica's sync, in which the background work ends.
SETTLING_SECONDS = 5


class Idle(Workload):
    name = "idle"
    about = "CPU and memory of an idle replica"

    def prepare(self):
        self.hub_data, self.data = self.bench.items, self.bench.items_replica

    def measure(self):
        with self.bench.hub(self.hub_data), self.bench.replica(self.data) as replica:
            replica.sync()
            time.sleep(SETTLING_SECONDS)
            before = replica.cpu_seconds()
            time.sleep(self.sizes.idle_seconds)
            share = (replica.cpu_seconds() - before) / self.sizes.idle_seconds
            return {
                "cpu": 100 * share, "private": replica.private_bytes() / MEGABYTE, "pss": replica.shared_out_bytes() / MEGABYTE}

    def lines(self):
        work = f"idle replica with {self.sizes.objects:,} objects"
        return [
            Line(f"{work}: CPU", self.figure("cpu", "% of a core"), target=Target("≤", 0.1, "% of a core")),
            Line(f"{work}: private memory", self.figure("private", "MB"), target=Target("≤", 20, "MB")),
            Line(f"{work}: PSS", self.figure("pss", "MB")),
        ]
