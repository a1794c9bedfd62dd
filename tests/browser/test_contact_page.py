"""What a worried person does who was sent a link: look, take it, say that it is done."""

import asyncio
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.async_api import Page, Request, expect

from clarion.app.running import Clarion
from clarion.base.ids import ContactId, UserId
from clarion.base.signing import signed
from clarion.people.model import CLARION, Contact, DeviceKind, mark
from clarion.people.service import People
from clarion.questions.service import Questions
from clarion.reminders.decisions.decision import (
    Decision,
    LockedReminder,
    ToldContact,
    changed,
)
from clarion.reminders.links import Grant, Links
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Means
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.questions import SqlQuestions
from clarion.store.sql.reminders.store import SqlReminders
from tests.support.browser import EXPECTED_OFFLINE, Visitor
from tests.support.firefox import Firefox, firefox

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]
ANA = UserId("ana")
LOOKS = 3_000  # milliseconds: how often the page looks


async def unanswered(clarion: Clarion) -> tuple[Reminder, list[str]]:
    """Ana's pill that nobody confirmed, and the links of Sue and Tom, who were told."""
    parts = clarion.parts
    store, people, clock = SqlReminders(parts.database), SqlPeople(parts.database), parts.clock
    verbs = People(people, clock)
    await verbs.add_user(CLARION, user_id=ANA, name="Ana", language="zh", zone="UTC")
    told = [
        await verbs.add_contact(
            CLARION, user_id=ANA, name=name, address="json://localhost", order=order
        )
        for order, name in enumerate(("Sue", "Tom"))
    ]
    reminders = Reminders(Means(store=store, people=people, clock=clock))
    pill = await reminders.create(
        CLARION,
        user_id=ANA,
        content="take the pills",
        trigger_at=clock.now() + timedelta(hours=1),
        confirmation=ConfirmationConfig(required=True),
    )
    await store.change(pill.id, lambda scene: given_up(scene, told, clock.now()), clock.now())
    links = Links(await parts.database.write(secret, "links"), clarion.url)
    ends = clock.now() + timedelta(hours=1)
    return pill, [links.url(Grant(pill.id, ContactId(one.id)), ends) for one in told]


def given_up(scene: LockedReminder, told: list[Contact], now: datetime) -> Decision:
    over = changed(scene.reminder, now, ReminderStatus.FAILED, reason="no_device")
    return Decision(reminders=(over,), told=tuple((over.id, known(one, now)) for one in told))


def known(contact: Contact, now: datetime) -> ToldContact:
    return ToldContact(contact_id=contact.id, told_at=now)


async def invitation(clarion: Clarion) -> str:
    """The link that asks Mrs Li whether she wants to be told."""
    parts, where = clarion.parts, "json://localhost/li"
    verbs = People(SqlPeople(parts.database), parts.clock)
    made = await verbs.add_contact(
        CLARION, user_id=ANA, name="Mrs Li", address=where, order=9, invite=True
    )
    key = await parts.database.write(secret, "invitations")
    ends = parts.clock.now() + timedelta(days=1)
    return f"{clarion.url}/i/{signed(key, f'{made.id} {mark(where)}', ends)}"


async def question(clarion: Clarion) -> str:
    """The link that asks Sue something for a program."""
    parts = clarion.parts
    store, people = SqlQuestions(parts.database), SqlPeople(parts.database)
    key = await parts.database.write(secret, "questions")
    asks = Questions(store, people, Quiet(), parts.clock, key=key, address=clarion.url)
    put = await asks.ask(
        CLARION, user_id=ANA, text="Deploy <now>?", people=["Sue"], answers=["Go", "Wait"]
    )
    return asks.link(put, put.people[0])


class Quiet:
    """Carries no message: the link is handed over."""

    async def send(self, contact: Contact, title: str, text: str, link: str) -> None:
        raise AssertionError("nobody is told here")


async def opens(visitor: Visitor, url: str, **options: Any) -> Page:
    context = await visitor.browser.new_context(
        locale="en-GB", viewport={"width": 390, "height": 800}, **options
    )
    page = await context.new_page()
    visitor.listens_to(page)
    await page.clock.install()
    await page.goto(url)
    return page


@pytest.mark.parametrize("script", [True, False])
async def test_every_button_works_in_a_real_browser(visitor: Visitor, script: bool) -> None:
    """Our pages tell nobody where they are, so their forms come from `null`."""
    _, [link, _] = await unanswered(visitor.clarion)
    page = await opens(visitor, link, java_script_enabled=script)
    body, posted = page.locator("body"), list[Request]()
    page.on("request", lambda one: posted.append(one) if one.method == "POST" else None)

    await expect(body).to_contain_text("Ana has not confirmed this. Since")
    await expect(body).to_contain_text("No device could be reached.")
    await page.get_by_role("button", name="It's done").click()
    await expect(body).to_contain_text("Confirmed by Sue")

    await page.goto(await invitation(visitor.clarion))
    await expect(body).to_contain_text("Ana asks for your help, Mrs Li.")
    await page.get_by_role("button", name="I agree").click()
    await expect(body).to_contain_text("You agreed.")

    await page.goto(await question(visitor.clarion))
    await expect(page.locator("h1")).to_have_text("Deploy <now>?")
    await page.get_by_role("button", name="Wait").click()
    await expect(body).to_contain_text("Sue answered: Wait")
    assert [(await one.all_headers())["origin"] for one in posted] == ["null"] * 3


async def test_every_page_works_in_firefox_with_script_and_without(
    visitor: Visitor, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Sue's Firefox runs scripts and Tom's does not; what one does the other sees."""
    _, [sue, tom] = await unanswered(visitor.clarion)
    profiles = [tmp_path_factory.mktemp("firefox") for _ in range(2)]
    async with AsyncExitStack() as opened:
        scripted = opened.enter_async_context(firefox(profiles[0], script=True))
        plain = opened.enter_async_context(firefox(profiles[1], script=False))
        hers, his = await asyncio.gather(scripted, plain)

        await asyncio.gather(
            answers_in_firefox(visitor.clarion, hers), answers_in_firefox(visitor.clarion, his)
        )
        await hers.goes_to(sue)
        await hers.sees("Ana has not confirmed this.")
        await hers.presses("I'm on it")
        await hers.sees("You are on it")
        await his.goes_to(tom)
        await his.sees("Sue is on it until")
        await his.presses("It's done")
        await his.sees("Confirmed by Tom")
        await hers.sees("Confirmed by Tom")  # hers is live


async def answers_in_firefox(clarion: Clarion, browser: Firefox) -> None:
    await browser.goes_to(await invitation(clarion))
    await browser.presses("I agree")
    await browser.sees("You agreed.")
    await browser.goes_to(await question(clarion))
    await browser.presses("Wait")
    await browser.sees("Sue answered: Wait")


async def test_two_look_one_takes_it_and_the_other_sees_who_at_once(visitor: Visitor) -> None:
    """Nothing is loaded again: the time that the other has chosen stays."""
    _, [sue, tom] = await unanswered(visitor.clarion)
    page, other = await opens(visitor, sue), await opens(visitor, tom)
    await other.evaluate("() => { globalThis.same = true }")
    await page.locator("select").select_option("60")
    await other.locator("select").select_option("120")
    await other.clock.run_for(LOOKS)
    await expect(other.locator("select")).to_have_value("120")

    await page.get_by_role("button", name="I'm on it").click()
    await expect(page.locator("body")).to_contain_text("You are on it")
    await other.clock.run_for(LOOKS)

    await expect(other.get_by_role("status")).to_contain_text("Sue is on it until")
    await expect(other.get_by_role("button", name="I'm on it")).to_have_count(0)
    assert await other.evaluate("() => globalThis.same")
    await other.get_by_role("button", name="It's done").click()
    await page.clock.run_for(LOOKS)
    await expect(page.get_by_role("status")).to_contain_text("Confirmed by Tom")


async def test_a_page_that_has_lost_its_line_says_so_until_it_is_back(visitor: Visitor) -> None:
    _, [sue, _] = await unanswered(visitor.clarion)
    page = await opens(visitor, sue)
    visitor.quiet_about = EXPECTED_OFFLINE
    await expect(page.get_by_role("alert")).to_have_count(0)

    await page.context.set_offline(True)
    await page.clock.run_for(LOOKS)
    await expect(page.get_by_role("alert")).to_contain_text("may be old")
    await page.context.set_offline(False)
    await page.clock.run_for(LOOKS)

    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_who_cannot_says_so(visitor: Visitor) -> None:
    _, [sue, tom] = await unanswered(visitor.clarion)
    page = await opens(visitor, sue)

    await page.get_by_role("button", name="I can't").click()

    await expect(page.locator("body")).to_contain_text("You said that you cannot")
    other = await opens(visitor, tom)
    await expect(other.locator("body")).to_contain_text("cannot")


async def test_the_page_calls_and_speaks(visitor: Visitor) -> None:
    """In a real browser: the number that she shares, and words for her device."""
    _, [sue, _] = await unanswered(visitor.clarion)
    verbs = People(SqlPeople(visitor.clarion.parts.database), visitor.clarion.parts.clock)
    shared = {"phone": "+33 1-23", "address": "<b>Rue 1"}
    await verbs.update_user(CLARION, ANA, context={"for_contacts": shared})
    await verbs.add_device(CLARION, kind=DeviceKind.TERMINAL, user_id=ANA, name="kitchen")
    page = await opens(visitor, sue)

    await expect(page.get_by_role("link", name="Call Ana")).to_have_attribute("href", "tel:+33123")
    await expect(page.locator("body")).to_contain_text("Address: <b>Rue 1")
    await page.get_by_role("link", name="Say it on their device").click()
    await page.get_by_placeholder("What shall we say?").fill("Mum?")
    await page.get_by_role("button", name="Say it on their device").click()

    await expect(page.locator("body")).to_contain_text("Ana has not confirmed this")
    parts = visitor.clarion.parts
    store, people = SqlReminders(parts.database), SqlPeople(parts.database)
    made = Reminders(Means(store=store, people=people, clock=parts.clock))
    found = await made.list(CLARION, user_id=ANA)
    assert "Sue: Mum?" in [one.content for one in found.items]
