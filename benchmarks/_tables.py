"""Tables of queues beside one another, the first row ours, and their charts. Pure but for printing.

Each table ends in `ours ×`, how many times as well as the others Clarion did; below one it lost,
and `benchmarks/lost.py` looks for that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks._times import percentile
from benchmarks.chart import Bars

WIDTH = 64


@dataclass(frozen=True, slots=True)
class Figures:
    """What one queue measured; what it was not asked or cannot do is empty."""

    name: str
    number: int = 0
    add: float = 0.0
    run: float = 0.0
    """Seconds; 0 when adding and running went on together."""
    late: Sequence[float] = ()
    burst: Sequence[float] = ()
    waits: Sequence[float] = ()
    before: Sequence[int] = ()

    @property
    def whole(self) -> float:
        return self.number / (self.add + self.run)

    def rate_line(self, ours: "Figures") -> str:
        run = f"{self.number / self.run:10,.0f}" if self.run else f"{'(both)':>10}"
        return (
            f"{self.name:<44} {self.number / self.add:10,.0f} {run} "
            f"{self.whole:12,.0f} {ours.whole / self.whole:10.2f}"
        )


def ms(values: Sequence[float], percent: float) -> float:
    return percentile(values, percent) * 1000


def show_rates(title: str, rows: Iterable[Figures | str], chart: str) -> list[Figures]:
    """Each row as soon as it is known; the first is ours, and there is nothing without it."""
    print(f"{title:<44} {'add/s':>10} {'run/s':>10} {'add+run/s':>12} {'ours ×':>10}", flush=True)
    found: list[Figures] = []
    for each in rows:
        if isinstance(each, Figures):
            found.append(each)
        elif not found:
            raise SystemExit(each)
        print(each.rate_line(found[0]) if isinstance(each, Figures) else each, flush=True)
    bars = [(each.name, each.whole) for each in found]
    print(Bars(chart, title, "tasks added and run a second", bars, more=True).line())
    return found


def show_lateness(found: Sequence[Figures], title: str, chart: str) -> None:
    rows = [(each, each.late) for each in found]
    _show(f"{title}, ms late (p99 ÷ ours)", ("p50", "p99"), "delayed", rows, (50, 99))
    _draw(chart, title, "milliseconds late, p99", rows, 99)


def show_burst(found: Sequence[Figures], title: str, chart: str) -> None:
    rows = [(each, each.burst) for each in found]
    _show(f"{title}, ms until they began", ("half", "the last"), "burst", rows, (50, 100))
    _draw(chart, title, "milliseconds until the last began", rows, 100)


def show_overtaking(found: Sequence[Figures], title: str, chart: str) -> None:
    """Two tables. The second has places rather than numbers: zero has no multiple."""
    rows = [(each, each.waits) for each in found]
    _show(f"{title}, ms until it begins", ("p50", "p99"), "overtaking", rows, (50, 99))
    ours = percentile(found[0].before, 99) + 1
    print(f"\n{'ordinary ones that begin before it (its place ÷ ours)':<{WIDTH}}", end="")
    print(f" {'p50':>10} {'p99':>10} {'ours ×':>10}")
    for each in found:
        p50, p99 = (percentile(each.before, percent) for percent in (50, 99))
        name = f"before it, {each.name}"
        print(f"{name:<{WIDTH}} {p50:10,.0f} {p99:10,.0f} {(p99 + 1) / ours:10.2f}")
    _draw(chart, title, "milliseconds until an urgent one begins, p99", rows, 99)


Rows = Sequence[tuple[Figures, Sequence[float]]]


def _show(
    title: str, columns: tuple[str, str], word: str, rows: Rows, percents: tuple[int, int]
) -> None:
    """Milliseconds; the second column decides."""
    print(f"\n{title:<{WIDTH}} {columns[0]:>10} {columns[1]:>10} {'ours ×':>10}")
    ours = ms(rows[0][1], percents[1])
    for each, seconds in rows:
        name = f"{word}, {each.name}"
        if not seconds:
            print(f"{name:<{WIDTH}} {'cannot':>10} {'':>10} {'—':>10}")
            continue
        first, second = (ms(seconds, percent) for percent in percents)
        print(f"{name:<{WIDTH}} {first:10,.1f} {second:10,.1f} {second / ours:10.2f}")


def _draw(chart: str, title: str, unit: str, rows: Rows, percent: int) -> None:
    bars = [(each.name, ms(seconds, percent)) for each, seconds in rows if seconds]
    print(Bars(chart, title, unit, bars).line())
