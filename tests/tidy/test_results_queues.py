"""The work that the benchmarks give to every queue, and the tables that they print about it."""

import asyncio
from collections.abc import Sequence

import pytest

from benchmarks._tables import Figures, show_lateness, show_overtaking, show_rates
from benchmarks.lost import lost
from benchmarks.queue_peers._peer import SWING, Asked, Job, Tally, lateness, overtaking

GIVEN = Asked("nowhere", backlog=300, urgent=3)
OURS = Figures("Clarion", 100, 1.0, 1.0, late=[0.002], waits=[0.01, 0.02], before=[0, 0])
OTHER = Figures("other", 100, 2.0, 2.0, waits=[0.005, 0.01], before=[4, 9])


class Line:
    """A queue whose worker does `SWING` jobs, and the rest once all urgent ones have come."""

    def __init__(self, tally: Tally, *, overtakes: bool) -> None:
        self._tally, self._overtakes = tally, overtakes
        self._jobs: list[Job] = []
        self._all_here = asyncio.Event()

    async def add(self, jobs: Sequence[Job]) -> None:
        self._jobs += jobs
        if jobs[-1].urgent == GIVEN.urgent:
            self._all_here.set()

    async def begin(self) -> None:
        self._working = asyncio.create_task(self._work())

    async def _work(self) -> None:
        first, self._jobs = self._jobs[:SWING], self._jobs[SWING:]
        for job in first:
            self._tally(job.due, job.urgent)
        await self._all_here.wait()
        if self._overtakes:
            self._jobs.sort(key=lambda job: not job.urgent)
        for job in self._jobs:
            self._tally(job.due, job.urgent)


@pytest.mark.parametrize(
    ("overtakes", "before"),
    [
        pytest.param(True, 0, id="a queue with priorities"),
        pytest.param(False, GIVEN.backlog - SWING, id="first come, first served"),
    ],
)
async def test_it_is_counted_how_many_begin_before_an_urgent_job(
    overtakes: bool, before: int
) -> None:
    tally = Tally()

    found = await overtaking(GIVEN, tally, Line(tally, overtakes=overtakes))

    assert found["before"] == [before] * GIVEN.urgent
    assert len(found["waits"]) == GIVEN.urgent


async def test_a_delayed_job_is_late_by_what_has_passed_since_its_instant() -> None:
    tally = Tally()

    class AtOnce(Line):
        async def add(self, jobs: Sequence[Job]) -> None:
            for job in jobs:
                tally(job.due, job.urgent)

    [late] = await lateness([1.0], tally, AtOnce(tally, overtakes=False))

    assert late > 0


def test_a_place_is_compared_where_nobody_was_before(capsys: pytest.CaptureFixture[str]) -> None:
    show_overtaking([OURS, OTHER], "two wait", "x")

    text = capsys.readouterr().out
    assert lost("overtaking", text) == ["overtaking, other"]
    assert "before it, other" in text
    assert " 10.00\n" in text


def test_one_that_cannot_delay_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show_lateness([OURS, OTHER], "one due", "x")

    [row] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("delayed, o")]
    assert "cannot" in row


def test_without_our_own_figure_there_is_no_table() -> None:
    with pytest.raises(SystemExit, match="it failed"):
        show_rates("rates", ["Clarion: it failed", OTHER], "x")
