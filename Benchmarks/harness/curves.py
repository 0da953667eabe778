"""Quantities measured with several numbers of objects, their exponents, and whether they grow as expected."""

import math
import statistics
from dataclasses import dataclass, field

from .report import Figure, figures, formatted


@dataclass(frozen=True)
class Shape:
    """An expected growth: between the smallest and the largest number of objects, the fitted figure may become worse than that of
    the exponent by the factor `tolerance`."""

    name: str
    exponent: int
    tolerance: float


FLAT = Shape("flat", 0, 1.2)
LINEAR = Shape("linear", 1, 1.25)
# The shape of a linear quantity that is divided by the number of objects.
LINEAR_IN_TOTAL = Shape("linear in total", 0, 1.25)


@dataclass
class Curve:
    """One quantity of one program. Each number of objects has a figure."""

    points: dict[int, Figure]

    @property
    def medians(self) -> dict[int, float]:
        """The medians that a logarithmic scale can show: those above 0."""
        return {count: self.points[count].median for count in sorted(self.points) if self.points[count].median > 0}

    @property
    def exponent(self) -> float | None:
        """The slope of the line fitted by least squares to the logarithms of the medians over those of the numbers of objects.

        0 means that the quantity is independent of the number of objects, 1 that it is proportional to it. None for fewer than two
        points.
        """
        if len(self.medians) < 2:
            return None
        return statistics.linear_regression([math.log(count) for count in self.medians], [
            math.log(median) for median in self.medians.values()]).slope

    def worsening(self, shape: Shape, is_rate: bool) -> float | None:
        """The factor by which the fitted line gets worse between the smallest and the largest number of objects, beyond the
        exponent of the shape. A rate gets worse by falling, other quantities by growing."""
        if self.exponent is None:
            return None
        exponent = -self.exponent if is_rate else self.exponent
        return (max(self.medians) / min(self.medians)) ** (exponent - shape.exponent)


@dataclass
class CurveLine:
    """A quantity of Tidegate, and of the program or the size that it is compared with."""

    work: str
    unit: str
    tidegate: Curve
    compared_with: str | None = None
    other: Curve | None = None
    shape: Shape | None = None
    """None for a quantity without an expected growth."""

    @property
    def is_held(self) -> bool | None:
        """Whether the quantity grows as expected; None if that is unknown or nothing is expected."""
        worsening = self.shape and self.tidegate.worsening(self.shape, self.unit == "/s")
        return None if worsening is None else worsening <= self.shape.tolerance

    def rows(self, counts: list[int]) -> list[list[str]]:
        title = f"{self.work}, {self.unit}" if self.unit else self.work
        held = {None: "", True: "yes", False: "**no**"}[self.is_held]
        own = [
            title, "Tidegate", *[spread(self.tidegate.points.get(count)) for count in counts],
            exponent_text(self.tidegate), self.shape.name if self.shape else "", held]
        if not self.other:
            return [own]
        others = ["", self.compared_with, *map(self.compared, counts), exponent_text(self.other), "", ""]
        return [own, others]

    def compared(self, count: int) -> str:
        """The other figure, and Tidegate's divided by it."""
        own, other = self.tidegate.points.get(count), self.other.points.get(count)
        if not own or not other:
            return ""
        return f"{formatted(other.median)}; {formatted(own.median / other.median, '×')}" if other.median else formatted(other.median)

    @property
    def json(self) -> dict:
        return {
            "work": self.work, "unit": self.unit, "tidegate": curve_json(self.tidegate), "comparedWith": self.compared_with,
            "other": curve_json(self.other) if self.other else None, "expected": self.shape.name if self.shape else None,
            "isHeld": self.is_held}


@dataclass
class CurveTable:
    """One table with a column for each number of objects."""

    lines: list[CurveLine]
    notes: list[str] = field(default_factory=list)

    @property
    def counts(self) -> list[int]:
        return sorted({count for line in self.lines for count in line.tidegate.points})

    @property
    def markdown(self) -> str:
        heads = ["Work", "Program", *[f"{count:,} objects" for count in self.counts], "Exponent", "Expected", "Held"]
        rows = [heads, ["---"] * len(heads)] + [row for line in self.lines for row in line.rows(self.counts)]
        return "\n".join([*[f"| {' | '.join(row)} |" for row in rows], "", *[f"- {note}" for note in self.notes]])

    @property
    def json(self) -> dict:
        return {"lines": [line.json for line in self.lines], "notes": self.notes}


def spread(figure: Figure | None) -> str:
    if not figure:
        return ""
    median = formatted(figure.median)
    return median if len(figure.samples) == 1 else f"{median} ({figure.spread})"


def exponent_text(curve: Curve) -> str:
    # Adding 0 turns -0 into 0.
    return "" if curve.exponent is None else f"{round(curve.exponent, 2) + 0:.2f}"


def curve_json(curve: Curve) -> dict:
    return {
        "exponent": curve.exponent,
        "points": {str(count): figures(figure) for count, figure in sorted(curve.points.items())}}
