"""Long polling: fetch what is new, keep it, and only then let Telegram forget it."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from clarion.base.clock import Clock
from clarion.chats.ports import Inbox, Outbox
from clarion.doors.telegram import codec
from clarion.doors.telegram.bot import TelegramBot

log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(0)


class Receiver:
    """Keeps updates, whichever way they came: by polling or by webhook. Twice is once."""

    def __init__(self, bot: TelegramBot, inbox: Inbox, outbox: Outbox, clock: Clock) -> None:
        self._bot = bot
        self._inbox = inbox
        self._outbox = outbox
        self._clock = clock

    async def keep(self, updates: list[Mapping[str, Any]]) -> None:
        now = self._clock.now()
        for update in updates:
            if moved := codec.read_move(update):
                await self._outbox.move(*moved, now)
            if changed := codec.changed_member(update):
                self._bot.forget_rights(*changed)
        messages = [read for update in updates if (read := _read(update)) is not None]
        if messages:
            await self._inbox.take_in(messages, now)


class TelegramPoller:
    """One of several servers polls: Telegram refuses two. Waiting happens at Telegram's end."""

    name = "telegram"

    def __init__(self, bot: TelegramBot, receiver: Receiver, clock: Clock) -> None:
        self._bot = bot
        self._receiver = receiver
        self._clock = clock
        self._offset = 0

    async def run_once(self) -> datetime | None:
        updates = await self._bot.updates(self._offset)
        await self._receiver.keep(updates)
        if updates:
            # Only the next call tells Telegram to forget them, after they are in the store.
            self._offset = max(update["update_id"] for update in updates) + 1
        return self._clock.now() + LOOK_AGAIN


def _read(update: Mapping[str, Any]) -> Any:
    try:
        return codec.read_update(update)
    except (KeyError, TypeError, ValueError):
        # One update that we cannot read must not stop those behind it.
        log.exception("update not understood", extra={"update": update.get("update_id")})
        return None
