"""Tools that find, change, snooze, confirm and cancel. Their docstrings are read by assistants."""

from datetime import timedelta
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from clarion.base.errors import BadInput
from clarion.base.ids import DeviceId, ReminderId, SeriesId
from clarion.doors.mcp.answers import answer, changes, reads
from clarion.doors.mcp.creating import Exactly, Owner, Priority
from clarion.doors.mcp.extensions.card import CARD_META
from clarion.doors.mcp.kit import Kit
from clarion.doors.mcp.shapes import (
    Listed,
    Status,
    Told,
    ToolConfirmation,
    reminder_out,
    series_out,
)
from clarion.people.model import CLARION
from clarion.reminders.model import ReminderStatus

SERIES = "ser_"
ReminderName = Annotated[str, Field(description="rem_…, as another tool told it.", min_length=1)]


def add_managing(mcp: MCPServer, kit: Kit) -> None:
    add_list(mcp, kit)
    add_get(mcp, kit)
    add_update(mcp, kit)
    add_cancel(mcp, kit)
    add_snooze(mcp, kit)
    add_confirm(mcp, kit)


def add_list(mcp: MCPServer, kit: Kit) -> None:
    @mcp.tool(name="reminder_list", title="List reminders", annotations=reads(), meta=CARD_META)
    async def find(
        status: Annotated[
            list[Status], Field(description='Only these; ["pending", "triggered"] are open.')
        ] = [],  # noqa: B006  never changed
        since: Exactly = "",
        until: Exactly = "",
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        cursor: Annotated[str, Field(description="next_cursor of the page before.")] = "",
        user_id: Owner = "",
    ) -> Annotated[CallToolResult, Listed]:
        """List a person's reminders, the earliest first, and what repeats.

        Use it for "what have I got today" and to find the id that another tool needs.
        Without `status` past ones are listed too; for what is still to come give
        status=["pending", "triggered"].
        """

        async def work() -> Listed:
            owner = kit.whose(user_id)
            user = await kit.user(owner)
            page = await kit.reminders.list(
                kit.actor,
                user_id=owner,
                status=[ReminderStatus(one) for one in status],
                since=kit.instant(since, user, "since") if since else None,
                until=kit.instant(until, user, "until") if until else None,
                limit=limit,
                cursor=cursor or None,
            )
            repeats = await kit.reminders.series.list(kit.actor, user_id=owner, limit=50)
            heard = await kit.reminders.guarantees(page.items)
            shown = [one for one in repeats.items if one.ended_at is None and not cursor]
            return Listed(
                said="\n".join(kit.say(reminder, user) for reminder in page.items),
                items=[reminder_out(each, user, heard.get(each.id)) for each in page.items],
                series=[series_out(series) for series in shown],
                next_cursor=page.next_cursor,
            )

        return await answer(work())


def add_get(mcp: MCPServer, kit: Kit) -> None:
    @mcp.tool(name="reminder_get", title="Look at one reminder", annotations=reads())
    async def get(reminder_id: ReminderName) -> Annotated[CallToolResult, Told]:
        """Look at one reminder or series by its id: when it rings, whether it was confirmed.

        no_such_reminder: it does not exist or is somebody else's. Find it with reminder_list.
        """

        async def work() -> Told:
            if reminder_id.startswith(SERIES):
                return await kit.series_result(
                    await kit.reminders.series.get(kit.actor, SeriesId(reminder_id))
                )
            return await kit.reminder_result(
                await kit.reminders.get(kit.actor, ReminderId(reminder_id))
            )

        return await answer(work())


def add_update(mcp: MCPServer, kit: Kit) -> None:
    @mcp.tool(name="reminder_update", title="Change a reminder", annotations=changes())
    async def update(
        reminder_id: ReminderName,
        content: Annotated[str, Field(description="New words; empty: as they are.")] = "",
        trigger_at: Exactly = "",
        device_id: Annotated[str, Field(description="Another device; empty: as it is.")] = "",
        confirmation: ToolConfirmation | None = None,
        priority: Priority = -1,
    ) -> Annotated[CallToolResult, Told]:
        """Change a reminder that has not rung yet. What you leave out stays as it is.

        not_pending: it is ringing or over. Snooze it, or set a new one.
        Read `said` back to the person.
        """

        async def work() -> Told:
            found = await kit.reminders.get(kit.actor, ReminderId(reminder_id))
            fields: dict[str, Any] = {}
            if content:
                fields["content"] = content
            if trigger_at:
                user = await kit.people.user(CLARION, found.user_id)
                fields["trigger_at"] = kit.instant(trigger_at, user, "trigger_at")
            if device_id:
                fields["device_id"] = DeviceId(device_id)
            if confirmation is not None:
                fields["confirmation"] = confirmation.config()
            if priority >= 0:
                fields["base"] = priority
            if not fields:
                raise BadInput("Nothing to change was given.", hint="Name at least one field.")
            return await kit.reminder_result(
                await kit.reminders.update(kit.actor, found.id, **fields)
            )

        return await answer(work())


def add_cancel(mcp: MCPServer, kit: Kit) -> None:
    @mcp.tool(
        name="reminder_cancel", title="Cancel a reminder", annotations=changes(destructive=True)
    )
    async def cancel(reminder_id: ReminderName) -> Annotated[CallToolResult, Told]:
        """Cancel one reminder (rem_…), or end a whole series for good (ser_…).

        Cancelling one reminder of a series leaves the rest. Ask first when it is not clear
        which of the two the person means. Cancelling twice is harmless.
        """

        async def work() -> Told:
            if reminder_id.startswith(SERIES):
                return await kit.series_result(
                    await kit.reminders.series.end(kit.actor, SeriesId(reminder_id))
                )
            return await kit.reminder_result(
                await kit.reminders.cancel(kit.actor, ReminderId(reminder_id))
            )

        return await answer(work())


def add_snooze(mcp: MCPServer, kit: Kit) -> None:
    @mcp.tool(name="reminder_snooze", title="Put a reminder off", annotations=changes())
    async def snooze(
        reminder_id: ReminderName,
        duration: Annotated[
            int, Field(ge=0, le=2_592_000, description="Seconds from now; 300 is five minutes.")
        ] = 0,
        until: Exactly = "",
    ) -> Annotated[CallToolResult, Told]:
        """Put a reminder off: for a while (`duration`) or to a time (`until`), not both.

        Neither: ten minutes. Use it when the person says 等一下 or "in half an hour".
        Read `said` back: it names the new time.
        """

        async def work() -> Told:
            found = await kit.reminders.get(kit.actor, ReminderId(reminder_id))
            user = await kit.user(found.user_id)
            return await kit.reminder_result(
                await kit.reminders.snooze(
                    kit.actor,
                    found.id,
                    timedelta(seconds=duration) if duration else None,
                    kit.instant(until, user, "until") if until else None,
                )
            )

        return await answer(work())


def add_confirm(mcp: MCPServer, kit: Kit) -> None:
    @mcp.tool(name="reminder_confirm", title="Confirm a reminder", annotations=changes())
    async def confirm(
        reminder_id: ReminderName,
        by: Annotated[str, Field(description="Who did it, if not the person themself.")] = "",
    ) -> Annotated[CallToolResult, Told]:
        """Mark a reminder as done: it stops ringing and nobody else is told.

        Only when the person has clearly said that they did it ("吃了", "done"). A "later" or a
        "maybe" is not a yes: use reminder_snooze. Confirming twice is harmless.
        """

        async def work() -> Told:
            return await kit.reminder_result(
                await kit.reminders.confirm(kit.actor, ReminderId(reminder_id), by)
            )

        return await answer(work())
