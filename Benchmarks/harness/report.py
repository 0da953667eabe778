"""The result table. A line has the figures of one quantity, and whether they reach the target."""

import json
import math
import statistics
from dataclasses import dataclass, field

# The unit `MB` of a figure, in bytes.
MEGABYTE = 1 << 20


@dataclass
class Figure:
    """One measured quantity, with one sample per round."""

    unit: str
    samples: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def text(self) -> str:
        return formatted(self.median, self.unit)

    @property
    def spread(self) -> str:
        return f"{formatted(min(self.samples))}–{formatted(max(self.samples))}"


@dataclass
class Target:
    """The bound for a line's ratio; without a figure to compare with, the bound for Tidegate's own figure."""

    sign: str
    """`≥` or `≤`."""
    bound: float
    unit: str = "×"
    """`×` for a ratio."""

    @property
    def text(self) -> str:
        return f"{self.sign} {formatted(self.bound, self.unit)}"

    def is_reached(self, value: float) -> bool:
        return value >= self.bound if self.sign == "≥" else value <= self.bound


@dataclass
class Line:
    work: str
    tidegate: Figure
    compared_with: str | None = None
    other: Figure | None = None
    """The figure to compare with: of a limit, another server, or Tidegate under another condition; None for no comparison."""
    target: Target | None = None
    note: str | None = None

    @property
    def ratio(self) -> float | None:
        """Tidegate's median divided by the other figure's; None without a figure to compare with."""
        if self.other is None:
            return None
        return self.tidegate.median / self.other.median if self.other.median else math.inf

    @property
    def is_reached(self) -> bool | None:
        if self.target is None:
            return None
        return self.target.is_reached(self.ratio if self.target.unit == "×" else self.tidegate.median)

    @property
    def cells(self) -> list[str]:
        reached = {None: "", True: "yes", False: "**no**"}[self.is_reached]
        return [
            self.work, self.tidegate.text, self.tidegate.spread, self.compared_with or "",
            f"{self.other.text} ({self.other.spread})" if self.other else "",
            formatted(self.ratio, "×") if self.other else "", self.target.text if self.target else "", reached]

    @property
    def json(self) -> dict:
        return {
            "work": self.work, "unit": self.tidegate.unit, "tidegate": figures(self.tidegate),
            "comparedWith": self.compared_with, "other": figures(self.other) if self.other else None,
            "ratio": self.ratio, "target": self.target.text if self.target else None, "isReached": self.is_reached,
            "note": self.note}


def figures(figure: Figure) -> dict:
    return {
        "median": figure.median, "min": min(figure.samples), "max": max(figure.samples), "samples": figure.samples}


@dataclass
class Report:
    description: dict
    """The machine, the versions of the programs, and the sizes of the measurement."""
    lines: list[Line] = field(default_factory=list)
    tables: list = field(default_factory=list)
    """Further tables, each with `markdown` and `json`."""
    failures: list[str] = field(default_factory=list)
    """The workloads that could not be measured, with the reasons."""
    left_out: list[str] = field(default_factory=list)
    """The workloads and servers that this run or this kind of machine leaves out, with the reasons."""

    @property
    def markdown(self) -> str:
        heads = ["Workload", "Tidegate", "Spread", "Compared with", "Its figure", "Ratio", "Target", "Reached"]
        rows = [heads, ["---"] * len(heads)] + [line.cells for line in self.lines]
        table = [f"| {' | '.join(row)} |" for row in rows] + [""] if self.lines else []
        tables = [f"{table.markdown}\n" for table in self.tables]
        about = [f"- {name}: {value}" for name, value in self.description.items()]
        notes = [f"- {line.work}: {line.note}" for line in self.lines if line.note]
        failures = [f"- Not measured: {failure}" for failure in self.failures + self.left_out]
        return "\n".join([*about, "", *table, *tables, *notes, *failures]) + "\n"

    @property
    def json(self) -> str:
        return json.dumps(
            {
                "description": self.description, "lines": [line.json for line in self.lines],
                "tables": [table.json for table in self.tables], "failures": self.failures, "leftOut": self.left_out,
            }, indent=2, ensure_ascii=False)


def formatted(value: float, unit: str = "") -> str:
    """A number with three significant digits, and its unit."""
    if value and math.isfinite(value):
        digits = max(0, 2 - math.floor(math.log10(abs(value))))
        text = f"{round(value, digits):,.{min(digits, 4)}f}"
        # Removes the trailing zeros of a fraction.
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = f"{value:g}"
    return text + (unit if unit == "×" else f" {unit}") if unit else text
