"""Who sees and may do what on the page of a contact's link: good, expired, forged, reused, foreign.

Every row is tried with a look and with each button.
"""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from clarion.base.ids import ContactId, ReminderId
from clarion.people.model import CLARION
from clarion.reminders.decisions.decision import Decision, LockedReminder, ToldContact, changed
from clarion.reminders.links import Grant
from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Means
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from tests.support.clock import ManualClock
from tests.support.doors import ANA, BO, Doors, open_doors

WORDS = "take the secret pills"
BUTTONS = ("take", "decline", "done", "speak")


class Situation(NamedTuple):
    doors: Doors
    reminders: Reminders
    pill: ReminderId
    sue: ContactId
    foreign: ReminderId
    """Bo's, of whom Sue knows nothing."""

    def token(self, pill: ReminderId, contact: str, life: timedelta = timedelta(hours=1)) -> str:
        grant = Grant(pill, ContactId(contact))
        return self.doors.links.token(grant, self.doors.clock.now() + life)

    def link(self, how: str) -> str:
        good = self.token(self.pill, self.sue)
        return {
            "good": good,
            "expired": self.token(self.pill, self.sue, timedelta(seconds=-1)),
            "forged": f"{good[:-4]}AAAA",
            "cut": good[:-10],
            "empty": "x",
            "foreign": self.token(self.foreign, self.sue),
        }[how]

    async def status(self, pill: ReminderId) -> ReminderStatus:
        return (await self.reminders.get(CLARION, pill)).status


@pytest.fixture
async def situation(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Situation]:
    """Ana's pill that nobody confirmed, and Sue, who was told; and one of Bo's."""
    async with open_doors(tmp_path, clock, by_hand=True) as doors:
        store, people = SqlReminders(doors.parts.database), SqlPeople(doors.parts.database)
        reminders = Reminders(Means(store=store, people=people, clock=clock))
        sue = await doors.people.add_contact(CLARION, user_id=ANA, name="Sue", address="json://x")
        pills = []
        for owner in (ANA, BO):
            pill = await reminders.create(
                CLARION,
                user_id=owner,
                content=WORDS,
                trigger_at=clock.now() + timedelta(hours=1),
                confirmation=ConfirmationConfig(required=True),
            )
            pills.append(pill.id)
        now: datetime = clock.now()

        def given_up(scene: LockedReminder) -> Decision:
            over = changed(scene.reminder, now, ReminderStatus.FAILED, reason="no_device")
            known = ToldContact(contact_id=sue.id, told_at=now)
            return Decision(reminders=(over,), told=((over.id, known),))

        await store.change(pills[0], given_up, now)
        yield Situation(doors, reminders, pills[0], sue.id, pills[1])


@pytest.mark.parametrize("how", ["expired", "forged", "cut", "empty"])
async def test_a_link_that_is_not_good_shows_nothing_and_does_nothing(
    situation: Situation, how: str
) -> None:
    path = f"/c/{situation.link(how)}"
    async with situation.doors.client() as stranger:
        pages = [await stranger.get(path), await stranger.get(f"{path}?seen")]
        pages += [await stranger.post(path, data={"do": do, "words": "hi"}) for do in BUTTONS]

    assert {page.status_code for page in pages} == {404}
    assert all(WORDS not in page.text and "Ana" not in page.text for page in pages)
    assert await situation.status(situation.pill) is ReminderStatus.FAILED


async def test_a_good_link_shows_who_what_and_its_buttons(situation: Situation) -> None:
    async with situation.doors.client(headers={"Accept-Language": "en"}) as sue:
        page = await sue.get(f"/c/{situation.link('good')}")

    assert WORDS in page.text
    assert "Ana" in page.text
    assert all(f'value="{do}"' in page.text for do in ("take", "decline", "done"))


async def test_a_preview_has_not_seen_it_and_a_browser_has(situation: Situation) -> None:
    """Who only fetches the page, as mail programs do, does not fetch its picture."""
    path = f"/c/{situation.link('good')}"

    async def kinds() -> list[str]:
        history = await situation.reminders.history(CLARION, situation.pill)
        return [one.kind for one in history]

    async with situation.doors.client() as sue:
        page = await sue.get(path)
        before = await kinds()
        picture = [await sue.get(f"{path}?seen") for _ in range(2)]

    assert 'src="?seen"' in page.text
    assert "contact.reached" not in before
    assert {one.headers["content-type"] for one in picture} == {"image/gif"}
    assert (await kinds()).count("contact.reached") == 1


async def test_a_link_that_is_used_again_shows_how_it_ended_and_changes_nothing(
    situation: Situation,
) -> None:
    path = f"/c/{situation.link('good')}"
    async with situation.doors.client(headers={"Accept-Language": "en"}) as sue:
        await sue.post(path, data={"do": "done"})
        history = len(await situation.reminders.history(CLARION, situation.pill))
        again = [await sue.post(path, data={"do": do, "words": "hi"}) for do in BUTTONS]

    assert all("Confirmed by Sue" in page.text for page in again)
    assert all("<button" not in page.text for page in again)
    assert len(await situation.reminders.history(CLARION, situation.pill)) == history


@pytest.mark.parametrize("gone", ["removed", "refused"])
async def test_who_is_no_contact_any_more_sees_nothing(situation: Situation, gone: str) -> None:
    people = SqlPeople(situation.doors.parts.database)
    if gone == "removed":
        await situation.doors.people.remove_contact(CLARION, situation.sue)
    else:
        await people.refuse(situation.sue, situation.doors.clock.now())
    path = f"/c/{situation.link('good')}"
    async with situation.doors.client() as sue:
        pages = [await sue.get(path)]
        pages += [await sue.post(path, data={"do": do, "words": "hi"}) for do in BUTTONS]

    assert {page.status_code for page in pages} == {404}
    assert all(WORDS not in page.text for page in pages)
    assert await situation.status(situation.pill) is ReminderStatus.FAILED


async def test_a_contact_of_one_person_sees_nothing_of_another(situation: Situation) -> None:
    path = f"/c/{situation.link('foreign')}"
    async with situation.doors.client() as sue:
        pages = [await sue.get(path)]
        pages += [await sue.post(path, data={"do": do, "words": "hi"}) for do in BUTTONS]

    assert {page.status_code for page in pages} == {404}
    assert await situation.status(situation.foreign) is ReminderStatus.PENDING
