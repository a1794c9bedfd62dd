"""The service worker in a real Chromium: notifications, their buttons, the shell without a line.

The last test subscribes in earnest: Chromium makes the keys and opens what was sealed for them.
In the others ours takes and opens what the server seals, and what it opened is handed to the worker
as Chromium would do it.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Worker, async_playwright, expect

from clarion.app.running import Clarion
from clarion.base.clock import SystemClock
from clarion.base.ids import UserId
from clarion.people.model import CLARION
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Means
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from tests.support.browser import CHROMIUM, EXPECTED_OFFLINE, SECONDS, Visitor, running
from tests.support.chromium_push import ChromiumPush, chromium_push
from tests.support.push_double import PushService, b64, push_service

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

ANA = {"id": "ana", "name": "Ana", "zone": "UTC", "language": "en"}
SHOWN = """async () => {
  const [shown] = await (await navigator.serviceWorker.ready).getNotifications();
  const actions = shown?.actions.map((one) => one.title);
  return shown && { title: shown.title, body: shown.body, actions };
}"""
# What Chromium would answer if it reached a push service: the one beside this test.
SUBSCRIBES = """(given) => {
  PushManager.prototype.subscribe = async (options) => {
    globalThis.subscribedWith = options.applicationServerKey;
    return { toJSON: () => given };
  };
}"""
PRESSES = """async (action) => {
  let notification;
  while (!notification) [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
}"""


async def notification(page: Page, claim: str = "true") -> Any:
    """What is shown, once the claim about `one` is true of it."""
    look = f"async () => {{ const one = await ({SHOWN})(); return one && ({claim}) && one; }}"
    # Not `wait_for_function`: an async condition's promise counts as a yes there.
    while not (shown := await page.evaluate(look)):
        await page.evaluate("new Promise((done) => setTimeout(done, 50))")
    return shown


@pytest_asyncio.fixture(loop_scope="session")
async def service() -> AsyncIterator[PushService]:
    async with push_service(SystemClock().now) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def clarion(tmp_path: Path) -> AsyncIterator[Clarion]:
    async with running(tmp_path / "data", private_targets=True) as built:
        yield built


async def opens_a_phone(visitor: Visitor, service: PushService) -> tuple[Page, Worker]:
    """Ana's phone, with the console installed and allowed to notify."""
    await visitor.tells(("/api/v1/users", ANA))
    async with await visitor.api() as api:
        key = (await api.get("/api/v1/push")).json()["key"]
    service.subscribe("phone", key)
    phone = service.browsers["phone"]
    keys = {"p256dh": b64(phone.public), "auth": b64(phone.auth)}
    page = await visitor.opens_nothing(
        language="en", width=390, service_workers="allow", permissions=["notifications"]
    )
    given = {"endpoint": f"{service.url}/push/phone", "keys": keys}
    await page.add_init_script(f"({SUBSCRIBES})({json.dumps(given)})")
    await page.goto(f"{visitor.clarion.url}/#/today")
    await page.locator(".offer").get_by_role("button", name="Ring me here").click()
    await expect(page.locator(".toast.good")).to_contain_text("page or no page")
    assert await page.evaluate("globalThis.subscribedWith") == key
    return page, page.context.service_workers[0]


async def delivered(page: Page, message: dict[str, Any]) -> None:
    """As Chromium delivers a push to the worker of this page."""
    devtools = await page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"])
    )
    await devtools.send("ServiceWorker.enable")
    await page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    for _ in range(50):
        if found:
            break
        await page.evaluate("new Promise(requestAnimationFrame)")
    await devtools.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": page.url.split("/#")[0],
            "registrationId": found[0]["registrationId"],
            "data": json.dumps(message),
        },
    )
    await devtools.detach()


async def rings(visitor: Visitor, service: PushService, page: Page, what: str) -> str:
    """The page is closed to Clarion, so the push device is called. Answers the reminder's id."""
    await page.evaluate("() => window.clarion.ringer.turnOff()")
    body = {"user_id": "ana", "text": f"in 1 second: {what} until I confirm"}
    await visitor.tells(("/api/v1/reminders/natural", body))
    messages = service.browsers["phone"].messages
    before = len(messages)
    while len(messages) == before:
        await page.evaluate("new Promise((done) => setTimeout(done, 50))")
    await delivered(page, messages[-1])
    return str(messages[-1]["reminder"])


async def history(visitor: Visitor, page: Page, reminder: str, wanted: str) -> list[str]:
    """The kinds of facts, once `wanted` is among them."""
    kinds: list[str] = []
    async with await visitor.api() as api:
        while wanted not in kinds:
            await page.evaluate("new Promise((done) => setTimeout(done, 50))")
            found = (await api.get(f"/api/v1/reminders/{reminder}/history")).json()["items"]
            kinds = [one["kind"] for one in found]
    return kinds


async def test_a_notification_rings_and_its_buttons_answer_without_a_page(
    visitor: Visitor, service: PushService
) -> None:
    page, worker = await opens_a_phone(visitor, service)

    reminder = await rings(visitor, service, page, "take the pills")
    shown = await notification(page)
    await history(visitor, page, reminder, "ring.delivered")
    await worker.evaluate(PRESSES, "done")
    facts = await history(visitor, page, reminder, "reminder.confirmed")

    assert shown["title"] == "take the pills"
    assert shown["actions"] == ["Done", "In 10 minutes"]
    assert "ring.sent" in facts
    assert await page.evaluate(SHOWN) is None

    later = await rings(visitor, service, page, "feed the cat")
    await notification(page)
    await worker.evaluate(PRESSES, "later")
    assert "reminder.snoozed" in await history(visitor, page, later, "reminder.snoozed")
    assert service.refused == []


async def test_whoever_logs_out_is_no_longer_rung_there(
    visitor: Visitor, service: PushService
) -> None:
    page, _ = await opens_a_phone(visitor, service)
    visitor.quiet_about = ("401",)

    await page.goto(f"{visitor.clarion.url}/#/more")
    await page.get_by_role("button", name="Log out").click()
    await page.wait_for_url("**/login")

    async with await visitor.api() as api:
        left = (await api.get("/api/v1/devices?user_id=ana")).json()["items"]
    assert [one for one in left if one["kind"] == "push"] == []


async def test_an_answer_that_does_not_get_through_says_so(
    visitor: Visitor, service: PushService
) -> None:
    page, worker = await opens_a_phone(visitor, service)
    message = {
        "kind": "ring", "ticket": "none", "title": "pills", "text": "take them", "done": "Done",
        "later": "Later", "failed": "Press again.", "reminder": "rem_x", "language": "en",
    }  # fmt: skip
    visitor.quiet_about = ("404", "400", "403")

    await delivered(page, message)
    await notification(page)
    await worker.evaluate(PRESSES, "done")

    await notification(page, "one.body === 'Press again.'")
    await delivered(page, {"kind": "hush", "reminder": "rem_x", "over": {"en": "Taken care of"}})
    await notification(page, "one.body === 'Taken care of'")


async def test_without_a_line_the_shell_opens_and_says_what_is_missing(
    visitor: Visitor, service: PushService
) -> None:
    page, _ = await opens_a_phone(visitor, service)
    visitor.quiet_about = (*EXPECTED_OFFLINE, "Failed to load resource")
    await page.wait_for_function("() => navigator.serviceWorker.controller")

    await page.context.set_offline(True)
    await page.reload()
    await expect(page.get_by_text("Clarion does not answer yet.")).to_be_visible(timeout=SECONDS)
    await page.context.set_offline(False)

    await expect(page.locator("main h1")).to_be_visible(timeout=SECONDS)


@asynccontextmanager
async def own_phone(visitor: Visitor, push: ChromiumPush, folder: Path) -> AsyncIterator[Page]:
    """A Chromium with a profile, which is what it takes to subscribe, and our push service."""
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            str(folder / "profile"),
            executable_path=CHROMIUM,
            locale="en-GB",
            ignore_default_args=["--disable-background-networking"],
            args=["--no-sandbox", "--disable-dev-shm-usage", *push.switches],
        )
        await context.grant_permissions(["notifications"], origin=visitor.clarion.url)
        session: Any = {
            "name": "clarion_session", "value": await visitor.token(), "url": visitor.clarion.url,
        }  # fmt: skip
        await context.add_cookies([session])
        page = await context.new_page()
        visitor.listens_to(page)
        await page.goto(f"{visitor.clarion.url}/#/today")
        yield page
        await context.close()


async def test_chromium_subscribes_and_opens_what_was_sealed_for_it(
    visitor: Visitor, tmp_path: Path
) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    async with (
        chromium_push(tmp_path, SystemClock().now) as push,
        own_phone(visitor, push, tmp_path) as page,
        await visitor.api() as api,
    ):
        await page.locator(".offer").get_by_role("button", name="Ring me here").click()
        told = page.locator(".toast.good")
        await expect(told).to_contain_text("page or no page", timeout=SECONDS)
        devices = (await api.get("/api/v1/devices?user_id=ana")).json()["items"]
        [device] = [one for one in devices if one["kind"] == "push"]
        endpoint, keys = device["address"].split("#")
        # The host of an endpoint is built into Chromium: only that is exchanged for ours.
        here = f"{push.service.url}/push/{endpoint.rpartition('/')[2]}#{keys}"
        changed = await api.patch(
            f"/api/v1/devices/{device['id']}", json={"address": here}, headers={"If-Match": "*"}
        )
        assert changed.status_code == HTTPStatus.OK

        await page.evaluate("() => window.clarion.ringer.turnOff()")
        body = {"user_id": "ana", "text": "in 1 second: take the pills until I confirm"}
        [made] = await visitor.tells(("/api/v1/reminders/natural", body))
        shown = await notification(page)

        assert (shown["title"], shown["actions"]) == ("take the pills", ["Done", "In 10 minutes"])
        assert push.refused == []
        # Only a worker that has read the ticket inside can say so.
        reminder = made["reminder"]["id"]
        await history(visitor, page, reminder, "ring.delivered")
        await page.context.service_workers[0].evaluate(PRESSES, "done")
        assert "ring.sent" in await history(visitor, page, reminder, "reminder.confirmed")
        await a_contact_answers_by_its_buttons(visitor, page, device["id"])


async def a_contact_answers_by_its_buttons(visitor: Visitor, page: Page, phone: str) -> None:
    """Bo cries for help, and Ana is his contact: her phone shows it, and a button takes it."""
    ana = {"user_id": "bo", "name": "Ana", "address": f"device:{phone}"}
    await visitor.tells(("/api/v1/users", {**ANA, "id": "bo", "name": "Bo"}))
    await visitor.tells(("/api/v1/contacts", ana))
    parts = visitor.clarion.parts
    store, people = SqlReminders(parts.database), SqlPeople(parts.database)
    verbs = Reminders(Means(store=store, people=people, clock=parts.clock))
    await verbs.help.call(CLARION, user_id=UserId("bo"), text="I fell")
    [cry] = await verbs.help.unanswered(CLARION, UserId("bo"))
    shown = await notification(page, "one.title.includes('I fell')")

    await history(visitor, page, cry.id, "contact.reached")  # it arrived
    await page.context.service_workers[0].evaluate(PRESSES, "take")
    await history(visitor, page, cry.id, "contact.took")

    [told] = await store.told(cry.id)
    assert shown["actions"] == ["I'm on it", "I can't"]
    assert (told.said, told.through) == ("took", "push")
    assert told.delivered_at
    assert told.said_at
    assert await page.evaluate(SHOWN) is None


async def test_it_can_be_installed(visitor: Visitor, browser: Browser) -> None:
    page = await visitor.opens(language="en", service_workers="allow")
    devtools = await page.context.new_cdp_session(page)

    found = await devtools.send("Page.getAppManifest")
    errors = (await devtools.send("Page.getInstallabilityErrors"))["installabilityErrors"]

    assert found["errors"] == []
    assert json.loads(found["data"])["display"] == "standalone"
    # A window without a profile is never offered an installation; nothing else may be missing.
    assert {one["errorId"] for one in errors} <= {"in-incognito"}
