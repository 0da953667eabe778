"""The form of a work."""

from ..bench import Bench
from ..report import Figure, Line


class Work:
    """Something that is measured once in each round, and told in some lines of the table."""

    name: str
    about: str

    def __init__(self, bench: Bench):
        self.bench = bench
        self.sizes = bench.sizes
        self.samples: dict[str, list[float]] = {}

    def prepare(self):
        """What has to be there before the first round."""

    def measure(self) -> dict[str, float]:
        """One round: figures by name."""
        raise NotImplementedError

    def lines(self) -> list[Line]:
        raise NotImplementedError

    def run_round(self):
        for name, value in self.measure().items():
            self.samples.setdefault(name, []).append(value)

    def figure(self, name: str, unit: str) -> Figure:
        return Figure(unit, self.samples[name])

    def has(self, name: str) -> bool:
        return name in self.samples
