"""Charts as SVG, drawn by hand: a scale that says its unit, for light and dark, nothing to install.

A benchmark prints a `Bars` as one line of its output; `benchmarks/results.py` draws it.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 64, 140, 40, 48
WIDE, NAMES, VALUES, ROW = 720, 332, 72, 24  # of bars: all, their names and figures, the height
DECADES_APART = 30  # from the least to the most; beyond that short bars could not be told apart
MARK = "bars: "
STYLE = """<style>
text,rect,circle{fill:currentColor}line,polyline{stroke:currentColor}
polyline{fill:none;stroke-width:2}.strong{font-weight:600}
.paper{color:#fff}.ink{color:#0f172a}.soft{color:#475569}.rung{color:#e2e8f0}
.bar{color:#94a3b8}.ours{color:#15803d}
.a{color:#166534}.b{color:#9a3412}.c{color:#64748b}.d{color:#1d4ed8}
@media(prefers-color-scheme:dark){
.paper{color:#0d1117}.ink{color:#f1f5f9}.soft{color:#a3b1c6}.rung{color:#273244}
.bar{color:#64748b}.ours{color:#4ade80}
.a{color:#4ade80}.b{color:#fb923c}.c{color:#94a3b8}.d{color:#60a5fa}}
</style>"""
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Bars:
    """One bar a row; those of Clarion are told by their name."""

    file: str
    title: str
    unit: str
    rows: Sequence[tuple[str, float]]
    more: bool = False
    """Whether more is better."""

    def line(self) -> str:
        return MARK + json.dumps(asdict(self), ensure_ascii=False)


def bars_in(text: str) -> Iterator[Bars]:
    """Those that a benchmark printed."""
    for line in text.splitlines():
        if line.startswith(MARK):
            yield Bars(**json.loads(line.removeprefix(MARK)))


def bars(drawn: Bars) -> str:
    """Lying, the figure behind each; logarithmic when the figures are decades apart."""
    figures = [value for _, value in drawn.rows if value > 0]
    scale = _scale(min(figures, default=1.0), max(figures, default=1.0))
    top, bottom = TOP + 12, TOP + 12 + ROW * len(drawn.rows)
    better = "more is better" if drawn.more else "less is better"
    unit = f"{drawn.unit}{', logarithmic' if scale.logarithmic else ''}; {better}"
    marks = [_text(12, 20, drawn.title, "start", "ink strong"), _text(12, 38, unit, "start")]
    for at, label in scale.ticks():
        marks.append(f'<line class="rung" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{bottom}"/>')
        marks.append(_text(at, bottom + 16, label, "middle"))
    for number, (name, value) in enumerate(drawn.rows):
        marks += _bar(name, value, scale.place(value), top + ROW * number)
    return "\n".join([_head(WIDE, bottom + 28), *marks, "</svg>", ""])


@dataclass(frozen=True, slots=True)
class Scale:
    least: float
    most: float
    logarithmic: bool

    def place(self, value: float) -> float:
        if self.logarithmic:
            value = max(value, self.least)
            share = math.log10(value / self.least) / math.log10(self.most / self.least)
        else:
            share = value / self.most
        return NAMES + share * (WIDE - NAMES - VALUES)

    def ticks(self) -> Iterator[tuple[float, str]]:
        if self.logarithmic:
            first, last = (round(math.log10(end)) for end in (self.least, self.most))
            values = [10.0**power for power in range(first, last + 1)]
        else:
            values = [self.most * share / 4 for share in range(5)]
        for value in values:
            yield self.place(value), f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def _scale(least: float, most: float) -> Scale:
    if most / least > DECADES_APART:
        first, last = math.ceil(math.log10(least)) - 1, math.ceil(math.log10(most))
        return Scale(10.0**first, 10.0**last, logarithmic=True)
    step = 10.0 ** math.floor(math.log10(most))
    round_up = next(times for times in (1, 2, 3, 4, 6, 8, 10) if times * step >= most)
    return Scale(0.0, round_up * step, logarithmic=False)


def _bar(name: str, value: float, end: float, top: float) -> list[str]:
    ours = name.lower().startswith("clarion") or ": clarion" in name.lower()
    middle = top + ROW / 2 + 4
    digits = 0 if value >= 100 else 1 if value >= 1 else 2
    said = "ink strong" if ours else "soft"
    return [
        _text(NAMES - 8, middle, name, "end", said),
        f'<rect class="{"ours" if ours else "bar"}" x="{NAMES}" y="{top + 4}"'
        f' width="{max(end - NAMES, 1):.1f}" height="{ROW - 8}" rx="2"/>',
        _text(end + 6, middle, f"{value:,.{digits}f}", "start", said),
    ]


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
    for (name, points), colour in zip(drawn.items(), "abcd", strict=False):
        marks.append(_line([place(*point) for point in points], colour))
        end_x, end_y = place(*points[-1])
        marks.append(_text(end_x + 8, end_y + 4, name, "start", colour))
    return "\n".join([_head(WIDTH, HEIGHT), *marks, "</svg>", ""])


def _head(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
        f'{STYLE}<rect class="paper" width="{width}" height="{height}"/>'
    )


def _frame(title: str, across: str, up: str) -> str:
    return "\n".join(
        [
            _text(LEFT, 20, title, "start", "ink strong"),
            _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, f"{across}, logarithmic", "middle"),
            _text(LEFT, TOP - 6, up, "start"),
        ]
    )


def _rungs(top: float, left: float) -> list[str]:
    rungs = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
        rungs.append(
            f'<line class="rung" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        rungs.append(_text(left - 6, y + 4, f"{share * top:.2g}", "end"))
    return rungs


def _line(points: Points, colour: str) -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle class="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points)
    return f'<polyline class="{colour}" points="{drawn}"/>{dots}'


def _text(x: float, y: float, words: str, anchor: str, kind: str = "soft") -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {where}>{escape(words)}</text>'
