"""Draws a table of curves as SVG: one panel for each quantity, with logarithmic axes.

The text colours follow the reader's light or dark scheme. The programs differ in colour, in the dashes and in the marks.
"""

import html
import math
from dataclasses import dataclass

from .curves import Curve, CurveLine, CurveTable, exponent_text
from .report import formatted

COLUMNS = 3
PANEL_WIDTH, PANEL_HEIGHT = 320, 245
# The area of a panel's curves, from the panel's top left corner.
LEFT, TOP, RIGHT, BOTTOM = 58, 68, 262, 202
HEAD_HEIGHT = 64
STYLE = """
    text { font: 11px system-ui, sans-serif; fill: #24292f }
    .title { font-size: 13px; font-weight: 600 }
    .page { font-size: 16px; font-weight: 600 }
    .quiet { fill: #57606a }
    .paper { fill: #ffffff }
    .grid { stroke: #d0d7de; stroke-width: 1 }
    .tidegate { stroke: #0550ae; fill: #0550ae }
    .other { stroke: #bc4c00; fill: #bc4c00 }
    path.tidegate, path.other { fill: none; stroke-width: 2 }
    path.other { stroke-dasharray: 5 3 }
    text.tidegate, text.other { stroke: none }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .quiet { fill: #9198a1 }
      .paper { fill: #0d1117 }
      .grid { stroke: #30363d }
      .tidegate { stroke: #58a6ff; fill: #58a6ff }
      .other { stroke: #f0883e; fill: #f0883e }
    }
"""


def svg(table: CurveTable) -> str:
    rows = math.ceil(len(table.lines) / COLUMNS)
    width, height = COLUMNS * PANEL_WIDTH, HEAD_HEIGHT + rows * PANEL_HEIGHT
    counts = f"{table.counts[0]:,} to {table.counts[-1]:,} objects"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc">',
        f'<title id="title">Tidegate with {counts}</title>',
        f'<desc id="desc">{html.escape(" ".join(described(line) for line in table.lines))}</desc>',
        f"<style>{STYLE}</style>", f'<rect class="paper" width="{width}" height="{height}"/>',
        text(16, 26, f"Tidegate with {counts}", "page"),
        '<path class="tidegate" d="M16 44h28"/><circle class="tidegate" cx="30" cy="44" r="3.5"/>', text(50, 48, "Tidegate"),
        '<path class="other" d="M120 44h28"/><rect class="other" x="131" y="41" width="6" height="6"/>',
        text(154, 48, "the program or size beside it, named in each panel. Numbers of objects from left to right. Both axes are logarithmic.")]
    for i, line in enumerate(table.lines):
        parts.append(f'<g transform="translate({i % COLUMNS * PANEL_WIDTH} {HEAD_HEIGHT + i // COLUMNS * PANEL_HEIGHT})">')
        parts += panel(line, table.counts)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


@dataclass
class Axes:
    """The positions of numbers of objects and of figures in a panel."""

    counts: list[int]
    low: int
    """The exponents of the powers of ten at the bottom and at the top."""
    high: int

    def x(self, count: int) -> float:
        first, last = math.log(self.counts[0]), math.log(self.counts[-1])
        return LEFT + (RIGHT - LEFT) * (math.log(count) - first) / ((last - first) or 1)

    def y(self, value: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (math.log10(value) - self.low) / (self.high - self.low)


def panel(line: CurveLine, counts: list[int]) -> list[str]:
    curves = [("other", line.other)] if line.other else []
    curves.append(("tidegate", line.tidegate))
    values = [math.log10(value) for _, curve in curves for value in curve.medians.values()] or [0]
    low = math.floor(min(values))
    axes = Axes(counts, low, max(low + 1, math.ceil(max(values))))
    parts = [text(16, 18, line.work, "title"), text(16, 34, subtitle(line), "quiet")]
    if line.other:
        parts.append(text(16, 49, f"beside {line.compared_with}", "other"))
    for power in range(axes.low, axes.high + 1):
        y = axes.y(10**power)
        parts += [f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>', text(LEFT - 6, y + 4, short(10.0**power), "quiet", "end")]
    for count in counts:
        x = axes.x(count)
        parts += [f'<path class="grid" d="M{x:.1f} {TOP}V{BOTTOM}"/>', text(x, BOTTOM + 16, short(count), "quiet", "middle")]
    for kind, curve in curves:
        parts += drawn(kind, curve, axes)
    return parts + end_labels(curves, axes)


def subtitle(line: CurveLine) -> str:
    parts = [line.unit] if line.unit else []
    parts.append(f"exponent {exponent_text(line.tidegate) or 'unknown'}")
    if line.shape and line.is_held is not None:
        parts.append(f"{line.shape.name}: {'held' if line.is_held else 'not held'}")
    return " · ".join(parts)


def drawn(kind: str, curve: Curve, axes: Axes) -> list[str]:
    places = [(axes.x(count), axes.y(value)) for count, value in curve.medians.items()]
    if not places:
        return []
    parts = [f'<path class="{kind}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in places)}"/>']
    for x, y in places:
        parts.append(
            f'<circle class="tidegate" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' if kind == "tidegate" else
            f'<rect class="other" x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"/>')
    return parts


def end_labels(curves: list[tuple[str, Curve]], axes: Axes) -> list[str]:
    """The last figure of each curve, right of it. Labels at the same height are moved apart."""
    labels = []
    for kind, curve in curves:
        if curve.medians:
            count, value = list(curve.medians.items())[-1]
            labels.append([axes.y(value) + 4, axes.x(count) + 8, formatted(value), kind])
    labels.sort()
    if len(labels) == 2 and labels[1][0] - labels[0][0] < 13:
        middle = (labels[0][0] + labels[1][0]) / 2
        labels[0][0], labels[1][0] = middle - 6.5, middle + 6.5
    return [text(x, y, label, kind) for y, x, label, kind in labels]


def described(line: CurveLine) -> str:
    points = ", ".join(f"{formatted(value)} with {count:,}" for count, value in line.tidegate.medians.items())
    return f"{line.work}{f' in {line.unit}' if line.unit else ''}: {points}."


def text(x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{html.escape(content)}</text>'


def short(value: float) -> str:
    """A number for an axis, such as 10k, 5M or 0.01."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
