"""What the console's first page brings with it, and a list too long to draw."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from playwright.async_api import Response, expect
from sqlalchemy import Connection, insert

from clarion.base.ids import ReminderId, UserId
from clarion.reminders.model import Reminder
from clarion.store.sql.reminders.store import reminder_values
from clarion.store.sql.tables.reminders import reminders
from tests.support.browser import SECONDS, Visitor

MANY = 10_000
BEGINS = datetime(2035, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class FirstLoad:
    bytes: int
    """As they travelled, packed."""
    ready_ms: float
    """Until the page could be used, from the browser's own clock."""


def add_many(conn: Connection) -> None:
    rows = [
        reminder_values(
            Reminder(
                id=ReminderId(f"rem_{number:06}"),
                user_id=UserId("ana"),
                content=f"reminder {number}",
                trigger_at=BEGINS + timedelta(minutes=number),
                created_at=BEGINS,
            )
        )
        for number in range(MANY)
    ]
    conn.execute(insert(reminders), rows)


async def first_load(visitor: Visitor) -> FirstLoad:
    page = await visitor.opens_nothing(language="en")
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    await page.goto(f"{visitor.clarion.url}/")
    await expect(page.locator(".say input")).to_be_enabled(timeout=SECONDS)
    ready = await page.evaluate("performance.getEntriesByName('ready')[0].startTime")
    whole = [one for one in responses if not one.url.endswith("/events")]
    assert {one.status for one in whole} == {200}
    sizes = [(await one.request.sizes())["responseBodySize"] for one in whole]
    return FirstLoad(sum(sizes), float(ready))
