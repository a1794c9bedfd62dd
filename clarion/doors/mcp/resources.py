"""Resources and prompts for assistants: one reminder, what is to come, a review."""

import json

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from clarion.base.errors import NotFound
from clarion.base.ids import ReminderId, UserId
from clarion.doors.mcp.changes import ONE, UPCOMING
from clarion.doors.mcp.kit import Kit
from clarion.doors.mcp.shapes import dumped, reminder_out
from clarion.reminders.model import ReminderStatus

OPEN = (ReminderStatus.PENDING, ReminderStatus.TRIGGERED)
UPCOMING_MAX = 50
REVIEW = {
    "zh": "请用两三句话帮我回顾一下今天的提醒：哪些完成了，哪些没人确认，接下来还有什么。\n{items}",
    "en": (
        "In two or three sentences, review my reminders of today: what was done, what nobody"
        " confirmed, and what is still to come.\n{items}"
    ),
}


def add_resources(mcp: MCPServer, kit: Kit) -> None:
    @mcp.resource(
        f"{ONE}{{reminder_id}}",
        name="reminder",
        title="One reminder",
        description="A reminder as it is now.",
        mime_type="application/json",
    )
    async def one(reminder_id: str, ctx: Context) -> str:
        try:
            reminder = await kit.reminders.get(kit.actor, ReminderId(reminder_id))
        except NotFound as error:
            raise ResourceNotFoundError(error.message) from None
        out = reminder_out(reminder, await kit.user(reminder.user_id))
        return json.dumps(dumped(out), ensure_ascii=False)

    @mcp.resource(
        f"{UPCOMING}{{user_id}}",
        name="upcoming",
        title="Upcoming reminders",
        description="What is still to come for a user, the earliest first.",
        mime_type="application/json",
    )
    async def upcoming(user_id: str, ctx: Context) -> str:
        actor = kit.actor
        if not actor.may_see(UserId(user_id)):
            raise ResourceNotFoundError(f"There is no user {user_id!r}.")
        user = await kit.user(UserId(user_id))
        page = await kit.reminders.list(actor, user_id=user.id, status=OPEN, limit=UPCOMING_MAX)
        items = [dumped(reminder_out(reminder, user)) for reminder in page.items]
        return json.dumps({"items": items}, ensure_ascii=False)


def add_prompts(mcp: MCPServer, kit: Kit) -> None:
    @mcp.prompt(
        name="daily_review",
        title="Review of the day",
        description="Today's reminders with how they ended, to be talked through.",
    )
    async def daily_review(user_id: str = "") -> str:
        owner = kit.whose(user_id)
        user = await kit.user(owner)
        begins, ends = kit.today(user)
        page = await kit.reminders.list(
            kit.actor, user_id=owner, since=begins, until=ends, limit=UPCOMING_MAX
        )
        items = "\n".join(f"- {kit.say(reminder, user)}" for reminder in page.items)
        return REVIEW[user.language].format(items=items or "-")
