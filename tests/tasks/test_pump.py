"""The pump beside a feed that stops in the middle, so that races happen when the test says so."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from clarion.base.clock import Clock, SystemClock
from clarion.base.errors import Unavailable
from clarion.tasks import buffer, pump
from clarion.tasks.buffer import QueueItem
from clarion.tasks.ports import Claim, Done, News, Outcome, Released, TakenClaims, Wanted
from clarion.tasks.pump import Pump, SlotLane
from tests.support.tasks import LEASE, a_task

CLOCK = SystemClock()
SOON = timedelta(milliseconds=20)
HOUR = timedelta(hours=1)


class HeldFeed:
    """Each turn says what it was told and waits until the test lets it go on."""

    def __init__(self) -> None:
        self.turns: asyncio.Queue[tuple[Sequence[Outcome], Wanted]] = asyncio.Queue()
        self.answers: asyncio.Queue[TakenClaims | Exception] = asyncio.Queue()
        self.tell: Callable[[News], None] = lambda _news: None

    def listen(self, listener: Callable[[News], None]) -> Callable[[], None]:
        self.tell = listener
        return lambda: None

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> TakenClaims:
        self.turns.put_nowait((outcomes, wanted))
        answer = await self.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer


class HangingFeed(HeldFeed):
    """Urgent claims get no answer."""

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> TakenClaims:
        if wanted.before is None:
            return await super().turn(outcomes, wanted, now)
        self.turns.put_nowait((outcomes, wanted))
        await asyncio.Event().wait()
        raise AssertionError("it hangs")


class InsertingFeed(HeldFeed):
    """A store that claims with the write that adds."""

    wanted: Callable[[News], Wanted | None]
    accept: Callable[[list[Claim]], None]

    async def prepare(self, now: datetime) -> None:
        """Nothing makes the first ones wait."""

    def claim_on_insert(
        self,
        wanted: Callable[[News], Wanted | None],
        accept: Callable[[list[Claim]], None],
        clock: Clock,
    ) -> Callable[[], Awaitable[None]]:
        self.wanted, self.accept = wanted, accept
        return self._stop

    async def _stop(self) -> None:
        """Everything has been accepted."""


class Pumping:
    def __init__(self, feed: HeldFeed | None = None) -> None:
        self.feed = feed or HeldFeed()
        self.ordinary, self.reserved, control = SlotLane(2, 10), SlotLane(1, 10), SlotLane(1, 10)
        wanted = Wanted("ana", LEASE)
        lanes = (self.ordinary, self.reserved, control)
        self.pump = Pump(
            self.feed,
            CLOCK,
            *lanes,
            wanted,
            outside=SlotLane(1, 10),
            is_outside="post".__eq__,
            idle=HOUR,
        )

    async def __aenter__(self) -> "Pumping":
        self._running = asyncio.create_task(self.pump.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._running.cancel()
        await asyncio.wait([self._running])

    async def turned(self) -> tuple[Sequence[Outcome], Wanted]:
        """The next turn, and not because it was time to look anyway."""
        async with asyncio.timeout(30):
            return await self.feed.turns.get()

    def answer(self, *claims: Claim, look_in: timedelta = HOUR) -> None:
        self.feed.answers.put_nowait(TakenClaims(list(claims), CLOCK.now() + look_in))

    def begun_in(self, *lanes: SlotLane) -> "asyncio.Task[list[int]]":
        """The levels of what a slot of each of these begins, in that order."""
        begun: list[int] = []

        async def serve(lane: SlotLane) -> None:
            item: QueueItem = await anext(lane.buffer)
            begun.append(item.payload.task.base)

        async def serve_all() -> list[int]:
            await asyncio.gather(*map(serve, lanes))
            return begun

        return asyncio.create_task(serve_all())


def news(*, due_in: timedelta = timedelta(0), base: int = 10) -> News:
    task = a_task(due_at=CLOCK.now() + due_in, base=base)
    return News(task.due_at, task.rank, critical=base >= 100)


async def test_news_during_a_turn_is_not_forgotten() -> None:
    async with Pumping() as on:
        await on.turned()
        on.feed.tell(news(due_in=SOON))
        on.answer(look_in=HOUR)

        assert await on.turned()


async def test_what_waits_outside_leaves_the_slot_it_was_claimed_for_to_the_next() -> None:
    async with Pumping() as on:
        await on.turned()
        on.answer(Claim(a_task("post", kind="post"), 1, 1, 1))

        _, wanted = await on.turned()

        assert wanted.any == 2


async def test_news_of_a_later_task_does_not_move_the_next_look() -> None:
    async with Pumping() as on:
        await on.turned()
        on.answer(look_in=SOON)
        on.feed.tell(news(due_in=HOUR))

        assert await on.turned()


async def test_what_became_of_tasks_is_said_again_when_the_store_was_away() -> None:
    done = Done(Claim(a_task(), 1, 1))
    async with Pumping() as on:
        await on.turned()
        on.pump.note(done)
        on.answer()
        first, _ = await on.turned()
        on.feed.answers.put_nowait(Unavailable("away"))

        second, _ = await on.turned()

        assert list(first) == list(second) == [done]


async def test_news_without_a_rank_makes_the_ordinary_slots_look_too() -> None:
    """Of what is resumed, replayed or put back nobody knows whom it concerns."""
    async with Pumping() as on:
        await on.turned()
        on.answer()
        on.feed.tell(News(CLOCK.now(), datetime.fromtimestamp(0, UTC), critical=True))
        on.answer()

        wanted = [(await on.turned())[1], (await on.turned())[1]]

        assert any(each.any == 2 and each.before is None for each in wanted)


async def test_one_who_overtakes_is_fetched_beside_the_turn_under_way() -> None:
    async with Pumping() as on:
        await on.turned()
        vip = news(base=50)
        on.feed.tell(vip)

        outcomes, wanted = await on.turned()

        assert outcomes == []
        assert wanted.before is not None
        assert vip.rank < wanted.before < vip.rank + SOON


@pytest.mark.parametrize(
    ("turn", "urgent"),
    [(10, 50), (60, 50)],
    ids=["the urgent claim got the better one", "the turn got the better one"],
)
async def test_of_two_claims_that_cross_the_best_begins_first(turn: int, urgent: int) -> None:
    """PostgreSQL gives a row to one of them, and the other passes it over."""
    async with Pumping() as on:
        await on.turned()
        on.feed.tell(news(base=50))
        await on.turned()

        on.answer(Claim(a_task(base=turn), 1, 1, 2))
        slots = on.begun_in(on.ordinary, on.ordinary)
        assert not (await asyncio.wait([slots], timeout=0.05))[0]
        on.answer(Claim(a_task(base=urgent), 1, 1, 1))

        assert await slots == sorted([turn, urgent], reverse=True)


async def test_a_claim_that_hangs_does_not_hold_up_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pump, "EXPRESS_SECONDS", 0.01)
    async with Pumping() as on:
        await on.turned()
        on.feed.tell(news(base=50))
        await on.turned()

        on.answer(Claim(a_task(), 1, 1))

        assert await on.begun_in(on.ordinary) == [10]


async def test_those_added_with_one_who_overtakes_are_fetched_with_it() -> None:
    """Each fell due some microseconds after the one before, and only the best is told of."""
    async with Pumping() as on:
        await on.turned()
        first = news(base=50)
        on.feed.tell(first)

        _, wanted = await on.turned()

        assert wanted.before is not None
        assert wanted.before > first.rank + timedelta(milliseconds=5)


async def test_an_ordinary_newcomer_comes_with_the_turn_after() -> None:
    async with Pumping() as on:
        await on.turned()
        on.feed.tell(news())
        on.feed.tell(news(base=50))

        _, beside = await on.turned()
        on.answer()
        on.answer()
        _, after = await on.turned()

        assert (beside.before is None, after.before is None) == (False, True)


async def test_it_asks_for_as_much_as_can_begin_and_a_little_more() -> None:
    async with Pumping() as on:
        _, first = await on.turned()
        on.ordinary.begun = 3
        on.answer()
        on.feed.tell(news())

        _, second = await on.turned()

        assert (first.any, first.critical) == (2, 1)
        assert (second.any, second.critical) == (2 + 2 * 3, 1)


async def test_what_finds_no_place_goes_back_to_the_store() -> None:
    claims = [Claim(a_task(str(n), base=n), 1, 1, n) for n in range(12)]
    async with Pumping() as on:
        await on.turned()
        on.answer(*claims)

        outcomes, _ = await on.turned()

        assert [outcome.claim.task.base for outcome in outcomes] == [0, 1]


async def test_an_urgent_one_begins_before_those_that_gave_way_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buffer, "GIVES_WAY_SECONDS", 30.0)
    feed = InsertingFeed()
    async with Pumping(feed) as on:
        await on.turned()
        on.pump.accept([Claim(a_task(), 1, 1, 1)])
        feed.wanted(news(base=100))
        slots = on.begun_in(on.ordinary, on.reserved)
        await asyncio.wait([slots], timeout=0.05)

        feed.accept([Claim(a_task(base=100), 1, 1, 2)])

        assert await slots == [100, 10]


async def test_no_turn_begins_while_an_urgent_one_is_being_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buffer, "GIVES_WAY_SECONDS", 30.0)
    feed = InsertingFeed()
    async with Pumping(feed) as on:
        await on.turned()
        on.answer(Claim(a_task(), 1, 1))
        await anext(on.ordinary.buffer)  # that turn is over
        feed.wanted(news(base=100))
        on.feed.tell(news())

        waiting = asyncio.create_task(on.turned())
        assert not (await asyncio.wait([waiting], timeout=0.05))[0]
        feed.accept([])

        assert await waiting


async def test_turns_wait_a_second_in_all_for_a_claim_that_hangs(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not each of them: that would be a hundred tasks a second for as long as it hangs."""
    monkeypatch.setattr(pump, "EXPRESS_SECONDS", 0.01)
    async with Pumping(HangingFeed()) as on:
        await on.turned()
        on.feed.tell(news(base=50))
        await on.turned()
        on.answer(Claim(a_task(), 1, 1, 1))
        assert await on.begun_in(on.ordinary) == [10]  # that time is over

        on.feed.tell(news())
        await on.turned()
        on.answer(Claim(a_task(), 1, 1, 2))

        assert await on.begun_in(on.ordinary) == [10]
    assert sum("takes long" in said.message for said in caplog.records) == 1


async def test_an_urgent_claim_that_fails_is_tried_again() -> None:
    async with Pumping() as on:
        await on.turned()
        vip = news(base=50)
        on.feed.tell(vip)
        await on.turned()

        on.feed.answers.put_nowait(TakenClaims([], CLOCK.now() + HOUR))  # of the turn
        on.feed.answers.put_nowait(Unavailable("away"))
        _, wanted = await on.turned()

        assert wanted.before is not None
        assert wanted.before > vip.rank


async def test_what_was_claimed_begins_before_a_worse_one_that_is_added_meanwhile() -> None:
    feed = InsertingFeed()
    async with Pumping(feed) as on:
        await on.turned()
        on.feed.tell(news(base=50))
        await on.turned()  # it is not answered, so that the turn waits
        on.answer(Claim(a_task(), 1, 1, 1), Claim(a_task(base=90), 1, 1, 2))
        slots = on.begun_in(on.ordinary, on.ordinary)
        await asyncio.wait([slots], timeout=0.05)

        feed.accept([Claim(a_task(base=60), 1, 1, 3)])

        assert await slots == [90, 60]


async def test_a_turn_that_is_cut_gives_back_what_it_claimed() -> None:
    async with Pumping() as on:
        await on.turned()
        on.feed.tell(news(base=50))
        await on.turned()
        on.answer(Claim(a_task(), 1, 1, 1))
        await asyncio.wait([on.begun_in(on.ordinary)], timeout=0.05)

    on.feed.answers.put_nowait(TakenClaims([], CLOCK.now() + HOUR))
    await on.pump.turn(Wanted("ana", LEASE))
    outcomes, _ = on.feed.turns.get_nowait()

    assert [type(outcome) for outcome in outcomes] == [Released]
