"""Tools that set reminders. Their docstrings are read by assistants."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Resolve
from mcp_types import CallToolResult
from pydantic import Field

from clarion.base.ids import DeviceId
from clarion.doors.mcp.answers import answer, changes
from clarion.doors.mcp.kit import Kit
from clarion.doors.mcp.missing import AddedWords, Asking
from clarion.doors.mcp.setting import ToolSetting
from clarion.doors.mcp.shapes import Told, ToolConfirmation
from clarion.reminders.model import ConfirmationConfig

Priority = Annotated[int, Field(ge=-1, le=100, description="100 critical, 50 high, 10 normal.")]
Owner = Annotated[str, Field(description="Whose reminder; admin tokens only.")]
DeviceName = Annotated[str, Field(description="Where to ring; empty: wherever they are.")]
OnceKey = Annotated[str, Field(description="Any text: calling again with it sets nothing twice.")]
Content = Annotated[str, Field(description="What to tell, short: 吃药.", min_length=1)]
Exactly = Annotated[str, Field(description="RFC 3339: 2030-01-07T08:00:00+08:00.")]
Sentence = Annotated[str, Field(description="Their own words, unchanged.", min_length=1)]
Pattern = Annotated[
    str, Field(description="Cron (0 8 * * *), an RRULE, or words (每天早上8点).", min_length=1)
]


def add_creating(mcp: MCPServer, kit: Kit) -> None:
    asking = Asking(kit)
    add_create(mcp, kit, asking)
    add_create_natural(mcp, kit, asking)
    add_create_recurring(mcp, kit)


def add_create(mcp: MCPServer, kit: Kit, asking: Asking) -> None:
    @mcp.tool(name="reminder_create", title="Set a reminder", annotations=changes(idempotent=False))
    async def create(
        content: Content,
        said: Annotated[AddedWords, Resolve(asking.instant)],
        trigger_at: Exactly = "",
        device_id: DeviceName = "",
        confirmation: ToolConfirmation | None = None,
        priority: Priority = -1,
        idempotency_key: OnceKey = "",
        user_id: Owner = "",
    ) -> Annotated[CallToolResult, Told]:
        """Set a reminder for one exact time that you have worked out yourself.

        When the person said the time in words, give those to reminder_create_natural instead:
        it knows their zone and habits. For what repeats use reminder_create_recurring.
        Set confirmation.required for medicine and the like: it is repeated, and then a contact
        is told, until somebody says yes.
        Read `said` back. If it fails, tell them what `hint` says.
        """

        async def work() -> Told:
            setting = ToolSetting(kit, asking, kit.whose(user_id), device_id, idempotency_key)
            config = confirmation.config() if confirmation else ConfirmationConfig()
            base = None if priority < 0 else priority
            if not trigger_at:
                return await setting.answered(content, said.when, config, base)
            at = kit.instant(trigger_at, await kit.user(setting.owner), "trigger_at")
            return await setting.at(content, at, config, base)

        return await answer(work())


def add_create_natural(mcp: MCPServer, kit: Kit, asking: Asking) -> None:
    @mcp.tool(
        name="reminder_create_natural",
        title="Set a reminder in the person's own words",
        annotations=changes(idempotent=False),
    )
    async def create_natural(
        text: Sentence,
        said: Annotated[AddedWords, Resolve(asking.about)],
        device_id: DeviceName = "",
        idempotency_key: OnceKey = "",
        user_id: Owner = "",
    ) -> Annotated[CallToolResult, Told]:
        """Set a reminder from a sentence in Chinese or English. The usual way: prefer it.

        Pass on what the person said, unchanged: the time, what it is about, whether it must be
        confirmed (要确认), whether it is urgent (紧急), and repetition (每天, every weekday) are
        all understood in their own time zone.
        Example: text="明天早上8点提醒我吃药，要确认".
        Read `said` back: it names the time as it was understood, so that a mistake is heard.
        missing_time: ask them when, and call again. impossible_time: offer what `hint` proposes.
        """

        async def work() -> Told:
            setting = ToolSetting(kit, asking, kit.whose(user_id), device_id, idempotency_key)
            return await setting.sentence(text, said.when)

        return await answer(work())


def add_create_recurring(mcp: MCPServer, kit: Kit) -> None:
    @mcp.tool(
        name="reminder_create_recurring",
        title="Set a reminder that repeats",
        annotations=changes(idempotent=False),
    )
    async def create_recurring(
        content: Content,
        pattern: Pattern,
        device_id: DeviceName = "",
        confirmation: ToolConfirmation | None = None,
        end_date: Exactly = "",
        count: Annotated[int, Field(ge=0, description="How many times; 0: no limit.")] = 0,
        priority: Priority = -1,
        idempotency_key: OnceKey = "",
        user_id: Owner = "",
    ) -> Annotated[CallToolResult, Told]:
        """Set a reminder that comes again and again, in the person's own time zone.

        Example: content="吃降压药", pattern="0 8 * * *", confirmation={"required": true}.
        The answer is a series: its id works with reminder_get and reminder_cancel.
        Read `said` back. If the pattern cannot be read, `hint` says how to write it.
        """

        async def work() -> Told:
            owner = kit.whose(user_id)
            user = await kit.user(owner)
            series = await kit.reminders.series.create(
                kit.actor,
                user_id=owner,
                content=content,
                pattern=pattern,
                device_id=DeviceId(device_id) if device_id else None,
                confirmation=confirmation.config() if confirmation else None,
                base=None if priority < 0 else priority,
                end_date=kit.instant(end_date, user, "end_date") if end_date else None,
                count=count or None,
                key=idempotency_key or None,
            )
            return await kit.series_result(series)

        return await answer(work())
