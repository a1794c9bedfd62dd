"""What somebody does who looks after everything: people, rules, teams, the dead, and the chat."""

import pytest
from playwright.async_api import expect

from clarion.base.errors import Unavailable
from clarion.base.ids import TaskId
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.kinds import Kind
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.ports import Claim
from tests.support.axe import findings
from tests.support.browser import SECONDS, Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def test_a_person_gets_quiet_hours_and_a_contact(visitor: Visitor) -> None:
    page = await visitor.opens("people", language="en")

    await page.get_by_role("button", name="Add a person").click()
    await page.get_by_label("Name").fill("Ana")
    zone = page.get_by_label("Time zone")
    await zone.fill("Mars/Base")
    await page.get_by_role("button", name="Save").click()
    assert "no such time zone" in await zone.evaluate("one => one.validationMessage")
    await zone.fill("Asia/Shanghai")
    await page.get_by_label("Quiet from").fill("22:00")
    await page.get_by_label("until").fill("07:00")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator(".who")).to_contain_text("quiet 22:00–07:00")
    await page.get_by_role("button", name="Add a contact").click()
    await page.locator("dialog").get_by_label("Name").fill("Boris")
    await page.locator("dialog").get_by_label("Address").fill("chat:console:main")
    await page.get_by_role("button", name="Save").click()

    await expect(page.locator(".contact")).to_contain_text("Boris")


async def test_a_contact_has_ways_quiet_hours_and_days_away_by_hand(visitor: Visitor) -> None:
    sue = {"user_id": "ana", "name": "Sue", "address": "chat:console:main"}
    await visitor.tells(
        ("/api/v1/users", {"id": "ana", "name": "Ana", "context": {"habits": {"dinner": "19:00"}}}),
        ("/api/v1/contacts", sue),
    )
    page = await visitor.opens("people", language="en", width=390)
    await page.get_by_role("button", name="Edit: Sue").click()
    form = page.locator("dialog")

    await form.get_by_role("button", name="Add a way").click()
    await form.get_by_label("Address").nth(1).fill("ntfy://sue")
    await form.get_by_label("Minutes without a word").nth(1).fill("7")
    await form.get_by_text("When not").click()
    await form.get_by_label("Quiet from").fill("23:00")
    await form.get_by_label("until").fill("06:00")
    await form.get_by_role("button", name="Add days").click()
    await form.get_by_label("Last day").fill("2999-01-01")
    assert await findings(page) == []
    await form.get_by_role("button", name="Save").click()
    await expect(page.locator(".contact")).to_contain_text("away until 2999-01-01")
    await page.get_by_role("button", name="How they are told").click()
    await form.get_by_label("Tell the first contact").check()
    await form.get_by_label("Telephone for contacts").fill("+33 1")
    await form.get_by_role("button", name="Save").click()
    await expect(form).to_have_count(0)

    async with await visitor.api() as api:
        [kept] = (await api.get("/api/v1/contacts?user_id=ana")).json()["items"]
        ana = (await api.get("/api/v1/users/ana")).json()
    assert kept["ways"] == [{"address": "ntfy://sue", "after": 420}]
    assert kept["quiet"] == {"begins": "23:00", "ends": "06:00"}
    assert ana["context"] == {
        "habits": {"dinner": "19:00"},
        "for_contacts": {"phone": "+33 1"},
        "warn_contacts": True,
    }


async def test_contacts_take_turns_and_the_card_says_whose_it_is(visitor: Visitor) -> None:
    await visitor.tells(
        ("/api/v1/users", {"id": "ana", "name": "Ana", "language": "en"}),
        ("/api/v1/contacts", {"user_id": "ana", "name": "Sue", "address": "chat:console:main"}),
        ("/api/v1/contacts", {"user_id": "ana", "name": "Tom", "address": "chat:console:main"}),
        ("/api/v1/contacts", {"user_id": "ana", "name": "Mrs Li"}),
    )
    page = await visitor.opens("people", language="en", width=390)
    await expect(page.locator(".contact").filter(has_text="Mrs Li")).to_contain_text("not agreed")

    await page.get_by_role("button", name="Ask again: Mrs Li").click()
    await expect(page.locator("dialog pre")).to_contain_text("/i/")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Take turns").click()
    form = page.locator("dialog")
    await form.get_by_label("Name").fill("Nights")
    await form.get_by_text("Holidays").first.click()
    await form.get_by_role("button", name="Add days").click()
    await form.get_by_label("First day", exact=True).fill("2030-12-24")
    await form.get_by_label("Last day").fill("2030-12-26")
    await form.get_by_role("group", name="on holidays").get_by_label("Tom").check()
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator(".oncall")).to_contain_text("Sue until")
    await page.get_by_role("button", name="How they are told").click()
    await page.get_by_label("Rounds", exact=True).fill("3")
    await page.get_by_role("button", name="Save").click()

    await expect(page.locator(".oncall")).to_contain_text("then Tom")
    async with await visitor.api() as api:
        ana = (await api.get("/api/v1/users/ana")).json()
        [nights] = (await api.get("/api/v1/rotations?user_id=ana")).json()["items"]
    assert ana["escalation"]["rounds"] == 3
    assert nights["holidays"] == [{"first": "2030-12-24", "last": "2030-12-26"}]
    assert len(nights["holiday_members"]) == 1


async def test_a_priority_is_typed_and_a_rule_is_tried_before_it_is_kept(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/rules", {"chat_id": "console:main", "priority": 10}))
    page = await visitor.opens("queue", language="en")

    await page.get_by_label("Type the priority").fill("vip")
    await page.keyboard.press("Enter")

    await expect(page.locator(".rule .pill")).to_have_text("VIP")
    await expect(page.get_by_label("Drag the priority")).to_have_value("50")

    await page.get_by_role("button", name="Edit").click()
    form = page.locator("dialog")
    await expect(form.locator("h2")).to_have_text("#1 console:main")
    await form.get_by_label("Forward to").fill("console:care")
    await form.get_by_label("Share of the queue").fill("2.5")
    await form.get_by_label("matches one of these patterns").fill("fire.{0,20}\nsmoke, gas")
    await form.get_by_label("Never with one of these words").fill("drill")
    await form.get_by_text("Try it out").click()
    for said, found in (("Fire drill", "would not go on: Never"), ("Fire!", "go to console:care")):
        await form.get_by_label("If somebody says").fill(said)
        await form.get_by_role("button", name="What would happen?").click()
        await expect(form.get_by_role("status")).to_contain_text(found)
    await form.get_by_role("button", name="Save").click()

    await expect(page.locator(".rule")).to_contain_text("goes on to console:care")
    async with await visitor.api() as api:
        [rule] = (await api.get("/api/v1/rules")).json()["items"]
    assert (rule["weight"], rule["filters"]["without"]) == (2.5, ["drill"])
    assert rule["filters"]["patterns"] == ["fire.{0,20}", "smoke, gas"]


async def test_a_dead_task_is_seen_and_tried_again(visitor: Visitor) -> None:
    async def fails(_: Claim) -> None:
        raise Unavailable("The printer does not answer.")

    parts = visitor.clarion.parts
    parts.kinds.add(Kind("test.letter", fails, retries=0))
    now = parts.clock.now()
    letter = Task(
        id=TaskId("tsk_letter"),
        kind="test.letter",
        due_at=now,
        payload={"to": "Boris"},
        base=Level.NORMAL,
        queue=Queue.MESSAGES,
    )
    await parts.database.write(tasks.add, [letter], now)
    page = await visitor.opens("queue", language="en")
    await expect(page.locator(".dead")).to_contain_text(
        "The printer does not answer", timeout=SECONDS
    )

    await page.locator(".dead").get_by_role("button", name="Try again").click()

    await expect(page.locator(".toast.good")).to_contain_text("Queued again")


async def test_a_dispatch_without_events_says_so_in_every_card(visitor: Visitor) -> None:
    page = await visitor.opens("dispatch", language="en")

    cards = page.locator(".dispatch .card")
    await expect(cards.filter(has_text="No events.")).to_have_count(1, timeout=SECONDS)
    await expect(cards.filter(has_text="Every team is on standby")).to_have_count(1)
    await expect(cards.filter(has_text="No team is held.")).to_have_count(1)


async def test_a_scheme_is_approved_and_its_team_is_on_the_way(visitor: Visitor) -> None:
    place = {"latitude": 30.66, "longitude": 104.06}
    team = {"id": "fire-1", "name": "消防一队", "place": place, "capabilities": {"firefighting": 9}}
    event = {"title": "东门起火", "type": "fire", "place": place}
    plan = {"event": event, "approval": True}
    await visitor.tells(("/ai/teams", team), ("/ai/generate-scheme", plan))
    page = await visitor.opens("dispatch", language="en")

    await page.get_by_role("button", name="Approve: send them").click(timeout=SECONDS)

    await expect(page.locator(".map .team.deployed")).to_have_count(1)
    await expect(page.get_by_role("button", name="Back: 消防一队")).to_be_visible()


async def test_a_person_sends_an_alternative_instead(visitor: Visitor) -> None:
    place = {"latitude": 30.66, "longitude": 104.06}
    far = {"latitude": 30.70, "longitude": 104.06}
    team = {"id": "fire-1", "name": "消防一队", "place": place, "capabilities": {"firefighting": 9}}
    other = {**team, "id": "fire-2", "name": "消防二队", "place": far}
    needs = [{"capability": "firefighting", "amount": 1}]
    plan = {"event": {"title": "东门起火", "type": "fire", "place": place, "needs": needs}}
    asked = ("/ai/generate-scheme", {**plan, "approval": True})
    await visitor.tells(("/ai/teams", team), ("/ai/teams", other), asked)
    page = await visitor.opens("dispatch", language="en")

    button = page.get_by_role("button", name="Send these instead: Alternative 1")
    await button.click(timeout=SECONDS)

    await expect(page.get_by_role("button", name="Back: 消防二队")).to_be_visible(timeout=SECONDS)
    await expect(page.locator(".scheme.best h3")).to_have_text("Alternative 1", timeout=SECONDS)


async def test_the_chat_reminds_and_its_button_confirms(visitor: Visitor) -> None:
    page = await visitor.opens("chat", language="zh")

    await page.get_by_label("说点什么").fill("1秒后提醒我喝水，要确认")
    await page.keyboard.press("Enter")
    button = page.locator(".bubble.clarion").get_by_role("button", name="确认")
    await button.first.click(timeout=SECONDS)

    await expect(page.locator(".bubble.clarion").last).to_contain_text("已确认", timeout=SECONDS)


async def test_a_dispatcher_reports_in_words_hears_it_back_and_approves_by_one_key(
    visitor: Visitor,
) -> None:
    page = await visitor.opens("dispatch", language="en")

    await page.get_by_role("button", name="Add a team").click()
    form = page.locator("dialog")
    await form.get_by_label("Id").fill("fire-1")
    await form.get_by_label("Name").fill("Engine 1")
    await form.get_by_label("What it can do").fill("firefighting 9, medical 4")
    await form.get_by_label("Latitude").fill("30.66")
    await form.get_by_label("Longitude").fill("104.06")
    await form.get_by_role("button", name="Save").click()
    await expect(page.locator(".dispatch")).to_contain_text("Engine 1", timeout=SECONDS)

    await page.get_by_role("button", name="Report an event").click()
    await page.get_by_label("What was said").fill("smoke and fire on the sixth floor")
    await page.get_by_label("Latitude").fill("30.65")
    await page.get_by_label("Longitude").fill("104.07")
    await page.get_by_role("button", name="Read it").click()
    await expect(page.locator(".said")).to_contain_text("Fire, severity", timeout=SECONDS)
    await page.get_by_role("button", name="That is right").click()

    await expect(page.get_by_role("button", name="Approve: send them")).to_be_visible(
        timeout=SECONDS
    )
    await expect(page.locator(".dispatch")).to_contain_text("Sends 1: Engine 1")
    await page.keyboard.press("a")
    await expect(page.locator(".map .team.deployed")).to_have_count(1, timeout=SECONDS)

    await page.get_by_role("button", name="What if…").click()
    await page.reload()  # its address is enough to come back to it
    await page.get_by_label("Without these teams").fill("Engine 1")
    await expect(page.locator("dialog .chip")).to_contain_text("Engine 1", timeout=SECONDS)
    await page.get_by_role("button", name="Try it, without holding any team").click()
    await expect(page.locator("dialog")).to_contain_text("Missing", timeout=SECONDS)
