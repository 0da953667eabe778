"""The base class of workloads."""

from ..bench import Bench
from ..curves import CurveTable
from ..load import Load, run
from ..report import Figure, Line


class Workload:
    """A measurement that runs at most once in each round. Its figures form one or more lines of the result table."""

    name: str
    about: str
    is_in_full_run = True
    """Whether a run without `--only` includes the workload. `--quick` includes all."""
    needs_linux: str | None = None
    """The reason why the workload runs only on Linux; None if it also runs on macOS."""
    rounds_max: int | None = None
    """The number of rounds, from the first, that include the workload; None for all."""

    def __init__(self, bench: Bench):
        self.bench = bench
        self.sizes = bench.sizes
        self.samples: dict[str, list[float]] = {}

    def prepare(self):
        """Prepares data before the first round."""

    def measure(self) -> dict[str, float]:
        """Runs one round. Returns the measured figures by name."""
        raise NotImplementedError

    def lines(self) -> list[Line]:
        raise NotImplementedError

    def table(self) -> CurveTable | None:
        """A table of its own, for a workload that measures several numbers of objects."""
        return None

    def run_round(self):
        for name, value in self.measure().items():
            self.samples.setdefault(name, []).append(value)

    def figure(self, name: str, unit: str) -> Figure:
        return Figure(unit, self.samples[name])

    def has(self, name: str) -> bool:
        return name in self.samples

    def measure_each(self, contenders: dict) -> dict[str, float]:
        """Measures each contender. Each gives figures by name, and the names of the result are such as `get tidegate`."""
        return {
            f"{work} {name}": value for name, values in self.bench.measure_in_rotation(contenders).items()
            for work, value in values.items()}

    def rate(self, port: int, load: Load) -> float:
        """The successful answers per second, after a warm-up."""
        run(port, load, self.sizes.warm_up_seconds, self.sizes.connections)
        return run(port, load, self.sizes.load_seconds, self.sizes.connections).answers_per_second
