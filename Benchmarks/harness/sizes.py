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
    has_largest_growth: bool = True
    """Whether `growth` also measures its largest number of objects."""
    file_bytes: int = 256 << 20
    cache_seconds: int = 185
    """The time without requests after which the memory of the cache of recently read objects is free: up to two minutes until the
    cache is empty, and up to a minute until the gateway returns freed memory to the kernel."""

    live_sockets: int = 1_000
    live_seconds: int = 60
    live_events: int = 100_000
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

    @property
    def growth_objects(self) -> list[int]:
        """The numbers of objects in `growth`. A gateway creates no index in a class with fewer than 1,000 objects."""
        return sorted({max(1_000, self.objects // 10), self.objects, 10 * self.objects, 50 * self.objects})


# Small sizes for a test of the benchmarks, large enough for automatic indexes and for syncs of several pages.
QUICK = Sizes(
    objects=2_000, rounds=1, load_seconds=1, idle_seconds=3, stream_events=200, rival_records=500,
    has_largest_growth=False, file_bytes=8 << 20, cache_seconds=0,
    live_sockets=100, live_seconds=3, live_events=2_000)
