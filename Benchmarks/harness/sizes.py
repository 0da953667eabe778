"""The sizes of a measurement."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    objects: int = 100_000
    rounds: int = 5
    load_seconds: int = 5
    idle_seconds: int = 60
    stream_events: int = 5_000
    rival_records: int = 10_000

    streams = 200
    connections = 16
    warm_up_seconds = 1

    @property
    def many_objects(self) -> int:
        return 10 * self.objects

    @property
    def few_objects(self) -> int:
        return self.objects // 100

    @property
    def changed_objects(self) -> int:
        return self.objects // 100

    @property
    def pushed_objects(self) -> int:
        return self.objects // 10


# Small sizes for a test of the benchmarks, large enough for automatic indexes and for syncs of several pages.
QUICK = Sizes(objects=2_000, rounds=1, load_seconds=1, idle_seconds=3, stream_events=200, rival_records=500)
