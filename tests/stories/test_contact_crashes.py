"""A power cut after every commit while a contact answers, or a false alarm is taken back."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from clarion.base.ids import DeviceId, UserId
from clarion.people.model import DeviceKind
from clarion.reminders.decisions.decision import ToldContact, call_id
from clarion.reminders.model import ConfirmationConfig
from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, assemble, at, introduce_ana
from tests.support.clock import START, ManualClock
from tests.support.databases import opened, sqlite_file
from tests.support.fakes.channel import Outside
from tests.support.fakes.dying import Died, DyingDatabase

NEVER = 1_000_000
ONCE = ConfirmationConfig(required=True, timeout=60, max_retries=1)
"""Due at 08:30, given up at 08:31."""
STUDY = DeviceId("study")
SUE = UserId("sue")
Life = Callable[[ClarionByHand], Awaitable[None]]


async def furnished(
    tmp_path: Path, outside: Outside, clock: ManualClock, *, pill: bool = False
) -> str:
    """Sue is told by her loudspeaker, a neighbour an hour later. With Ana's pill, it is about to
    be given up.
    """
    url = await sqlite_file(tmp_path)
    async with opened(url) as database:
        clarion = assemble(database, clock, outside)
        await introduce_ana(clarion)
        await clarion.people.add_user(ADMIN, user_id=SUE, name="Sue", language="en", zone="UTC")
        await clarion.people.add_device(
            ADMIN, kind=DeviceKind.TERMINAL, user_id=SUE, device_id=STUDY, name="study"
        )
        for name, address, order in (("Sue", f"device:{STUDY}", 0), ("neighbour", "ntfy://n", 1)):
            await clarion.people.add_contact(
                ADMIN, user_id=ANA, name=name, address=address, order=order, delay=order * 3_600
            )
        outside.speakers[f"device:{STUDY}"] = await clarion.people.device(ADMIN, STUDY)
        if pill:
            await clarion.remind(at=at(8, 30), confirmation=ONCE)
            await clarion.driver.until(at(8, 31) - timedelta(seconds=1))
    return url


async def lives(url: str, outside: Outside, clock: ManualClock, life: Life, after: int) -> int:
    """With one power cut after so many commits, and a minute later again; how many there were."""
    commits = 0
    for cut in (after, NEVER):
        async with opened(url) as database:
            dying = DyingDatabase(database, cut)
            try:
                await life(assemble(dying, clock, outside))
            except Died:
                outside.sessions.clear()  # the wires of the process are cut as well
                clock.advance(timedelta(minutes=1))
            commits = commits or dying.commits
            if dying.commits < cut:
                break
    return commits


async def sue_knows(clarion: ClarionByHand) -> ToldContact | None:
    found = await clarion.reminders.list(ADMIN, user_id=ANA)
    for one in found.items:
        for told in await clarion.store.told(one.id):
            if (await clarion.people.contact(ADMIN, told.contact_id)).name == "Sue":
                return told
    return None


async def answers(clarion: ClarionByHand, how: str) -> None:
    """Sue answers once it is said to her, and again if nobody answered her."""
    await clarion.driver.until(max(at(8, 32), clarion.clock.now()))
    known = await sue_knows(clarion)
    if known is None or known.said is None:
        ring = clarion.outside.last
        assert ring.device.id == STUDY, "it is said again when the first time was cut off"
        if how == "spoken":
            await clarion.answer("yes, I'm on my way")
        else:
            [pill] = (await clarion.reminders.list(ADMIN, user_id=ANA)).items
            assert known is not None
            await clarion.facts.pressed(call_id(pill.id, known.contact_id, 1), "take")
    await clarion.driver.until(max(at(8, 50), clarion.clock.now()))


@pytest.mark.timeout(120)
@pytest.mark.parametrize("how", ["spoken", "pressed"])
async def test_a_crash_after_any_commit_loses_no_answer_of_a_contact(
    tmp_path: Path, how: str
) -> None:
    async def lived(after: int) -> tuple[Outside, ToldContact | None, int, int]:
        clock = ManualClock(START)
        outside = Outside(clock)
        url = await furnished(tmp_path, outside, clock, pill=True)
        commits = await lives(url, outside, clock, partial(answers, how=how), after)
        async with opened(url) as database:
            clarion = assemble(database, clock, outside)
            [pill] = (await clarion.reminders.list(ADMIN, user_id=ANA)).items
            took = (await clarion.story(pill)).count("contact.took")
            return outside, await sue_knows(clarion), took, commits

    *_, whole = await lived(NEVER)
    for after in range(1, whole + 1):
        outside, known, took, _ = await lived(after)
        names = [name for name, _ in outside.told]
        said = f"power cut after commit {after}: {known} {names}"
        assert known is not None, said
        assert (known.said, took) == ("took", 1), said
        assert known.delivered_at is not None, said
        # Told at least once; once more when the power went before it was noted. Nobody further.
        assert names in (["Sue"], ["Sue", "Sue"]), said


async def cries_and_takes_it_back(clarion: ClarionByHand) -> None:
    """While Sue is being told; who hears of no answer says it again."""
    recall = partial(clarion.reminders.help.recall, AS_ANA, ANA)
    if not clarion.outside.told:
        clarion.outside.while_telling = recall
        await clarion.reminders.help.call(AS_ANA, user_id=ANA, text="I fell")
    else:
        await recall()
    await clarion.driver.until(clarion.clock.now() + timedelta(minutes=5))


@pytest.mark.timeout(120)
async def test_whoever_heard_a_false_alarm_hears_its_end_whenever_the_power_goes(
    tmp_path: Path,
) -> None:
    async def lived(after: int) -> tuple[list[tuple[str, str]], int]:
        clock = ManualClock(START)
        outside = Outside(clock)
        url = await furnished(tmp_path, outside, clock)
        commits = await lives(url, outside, clock, cries_and_takes_it_back, after)
        return outside.told, commits

    _, whole = await lived(NEVER)
    for after in range(1, whole + 1):
        told, _ = await lived(after)
        last = dict(told)  # what each of them heard last
        assert last, f"power cut after commit {after}: nobody was told"
        for name, words in last.items():
            assert "is all right" in words, f"power cut after commit {after}: {name}: {told}"
