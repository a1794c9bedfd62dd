"""A line chart as SVG, drawn by hand: few lines, a scale that says its unit, nothing to install."""

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 64, 140, 40, 48
COLOURS = ("#166534", "#9a3412", "#64748b", "#1d4ed8")
Points = Sequence[tuple[float, float]]


def lines(title: str, across: str, up: str, drawn: Mapping[str, Points]) -> str:
    """`across` is logarithmic, from the least to the most; `up` begins at zero."""
    every = [point for points in drawn.values() for point in points]
    least, most = math.log10(min(x for x, _ in every)), math.log10(max(x for x, _ in every))
    top = max(y for _, y in every) * 1.1 or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        share = (math.log10(x) - least) / ((most - least) or 1.0)
        return (
            LEFT + share * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM),
        )

    marks = [_frame(title, across, up), *_rungs(top, place(10**least, 0)[0])]
    for x in sorted({x for x, _ in every}):
        at, _ = place(x, 0)
        marks.append(_text(at, HEIGHT - BOTTOM + 18, f"{x:,.0f}", "middle"))
    for (name, points), colour in zip(drawn.items(), COLOURS, strict=False):
        marks.append(_line([place(*point) for point in points], colour))
        end_x, end_y = place(*points[-1])
        marks.append(_text(end_x + 8, end_y + 4, name, "start", colour))
    return "\n".join([_head(), *marks, "</svg>", ""])


def _head() -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    )


def _frame(title: str, across: str, up: str) -> str:
    return "\n".join(
        [
            _text(LEFT, 20, title, "start", "#0f172a"),
            _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, across, "middle"),
            _text(LEFT, TOP - 6, up, "start"),
        ]
    )


def _rungs(top: float, left: float) -> list[str]:
    rungs = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
        rungs.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e2e8f0"/>'
        )
        rungs.append(_text(left - 6, y + 4, f"{share * top:.2g}", "end"))
    return rungs


def _line(points: Points, colour: str) -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
    return f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}'


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#334155") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(words)}</text>"
    )
