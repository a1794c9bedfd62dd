"""Sets what an assistant asked for, also after asking the person for a missing time."""

from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clarion.base.ids import DeviceId, UserId
from clarion.doors.mcp.kit import Kit
from clarion.doors.mcp.missing import Asking
from clarion.doors.mcp.shapes import Told
from clarion.language.request import Request, read
from clarion.language.when.model import Recurring
from clarion.reminders.errors import MissingTime
from clarion.reminders.model import ConfirmationConfig

ASK = "Ask the person when, then call again with the time in the text or as trigger_at."


@dataclass(frozen=True, slots=True)
class ToolSetting:
    kit: Kit
    asking: Asking
    owner: UserId
    device: str
    key: str

    async def at(
        self, content: str, at: datetime, config: ConfirmationConfig, base: int | None
    ) -> Told:
        reminder = await self.kit.reminders.create(
            self.kit.actor,
            user_id=self.owner,
            content=content,
            trigger_at=at,
            device_id=DeviceId(self.device) if self.device else None,
            confirmation=config,
            base=base,
            key=self.key or None,
        )
        return await self.kit.reminder_result(reminder)

    async def repeated(
        self, content: str, pattern: str, config: ConfirmationConfig, base: int | None
    ) -> Told:
        series = await self.kit.reminders.series.create(
            self.kit.actor,
            user_id=self.owner,
            content=content,
            pattern=pattern,
            device_id=DeviceId(self.device) if self.device else None,
            confirmation=config,
            base=base,
            key=self.key or None,
        )
        return await self.kit.series_result(series)

    async def answered(
        self, content: str, words: str, config: ConfirmationConfig, base: int | None
    ) -> Told:
        """With the time that the person gave when asked; nothing was asked when it is empty."""
        user = await self.kit.user(self.owner)
        meant = self.asking.meant(words, user) if words else None
        if meant is None:
            raise MissingTime("time", (), ASK)
        if isinstance(meant, Recurring):
            return await self.repeated(content, words, config, base)
        return await self.at(content, meant.at, config, base)

    async def sentence(self, text: str, words: str) -> Told:
        """A whole sentence; `words` is the time the person added when they were asked."""
        asked = await self._asked(text, words) if words else None
        made = await self.kit.reminders.natural.create(
            self.kit.actor,
            user_id=self.owner,
            text=text,
            asked=asked,
            device_id=DeviceId(self.device) if self.device else None,
            key=self.key or None,
        )
        return await self.kit.created_result(made, self.owner)

    async def _asked(self, text: str, words: str) -> Request:
        user = await self.kit.user(self.owner)
        meant = self.asking.meant(words, user)
        if meant is None:
            raise MissingTime("time", (), ASK)
        return replace(read(text, self.kit.clock.now(), ZoneInfo(user.zone)), when=meant)
