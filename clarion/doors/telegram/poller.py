"""Long polling: fetch new updates, store them, and only then let Telegram delete them."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.chats.platforms import PlatformReach
from clarion.chats.ports import Inbox, Outbox
from clarion.doors.telegram import codec
from clarion.doors.telegram.bot import TelegramBot, UpdatesTaken

log = logging.getLogger(__name__)

AT_ONCE = timedelta(0)
PATIENCE = 5.0  # seconds before Telegram is tried again when it does not say how long


class Receiver:
    """Stores updates from polling or webhook. A repeated update is stored once."""

    def __init__(self, bot: TelegramBot, inbox: Inbox, outbox: Outbox, clock: Clock) -> None:
        self._bot = bot
        self._inbox = inbox
        self._outbox = outbox
        self._clock = clock

    async def keep(self, updates: Sequence[Mapping[str, Any]]) -> None:
        now = self._clock.now()
        for update in updates:
            if moved := codec.read_move(update):
                await self._outbox.move(*moved, now)
            if changed := codec.changed_member(update):
                self._bot.forget_rights(*changed)
            if let_in := codec.let_in(update):
                await self._outbox.revive(let_in, now)
        messages = [read for update in updates if (read := _read(update)) is not None]
        if messages:
            await self._inbox.take_in(messages, now)


class TelegramPoller:
    """One of several servers polls: Telegram refuses two. Waiting happens at Telegram's end."""

    name = "telegram"

    def __init__(
        self, bot: TelegramBot, receiver: Receiver, clock: Clock, reach: PlatformReach
    ) -> None:
        self._bot = bot
        self._receiver = receiver
        self._clock = clock
        self._reach = reach
        self._offset = 0
        self._webhook_is_off = False

    async def run_once(self) -> datetime | None:
        try:
            updates = await self._fetch()
        except ClarionError as error:
            self._reach.note(error, "updates")
            if isinstance(error, UpdatesTaken):
                self._reach.conflicts += 1
            log.warning("no updates: %s", error)
            return self._clock.now() + timedelta(seconds=error.retry_after or PATIENCE)
        self._reach.note(None, "updates")
        await self._receiver.keep(updates)
        if updates:
            # Only the next call tells Telegram to forget them, after they are in the store.
            self._offset = max(update["update_id"] for update in updates) + 1
        return self._clock.now() + AT_ONCE

    async def _fetch(self) -> list[Mapping[str, Any]]:
        await self._bot.open()
        if not self._webhook_is_off:
            await self._bot.call("deleteWebhook")
            self._webhook_is_off = True
        return await self._bot.updates(self._offset)


class TelegramSetUp:
    """Tells Telegram what it has to know of us, as soon as it can be reached. One pass.

    A step that fails is tried again later; those behind it wait, and Clarion does not.
    """

    name = "telegram-set-up"

    def __init__(
        self, steps: Sequence[Callable[[], Awaitable[object]]], clock: Clock, reach: PlatformReach
    ) -> None:
        self._steps = list(steps)
        self._clock = clock
        self._reach = reach

    async def run_once(self) -> datetime | None:
        while self._steps:
            try:
                await self._steps[0]()
            except ClarionError as error:
                self._reach.note(error, "set-up")
                log.warning("Telegram is not set up yet: %s", error)
                return self._clock.now() + timedelta(seconds=error.retry_after or PATIENCE)
            self._reach.note(None, "set-up")
            self._steps.pop(0)
        return None


def _read(update: Mapping[str, Any]) -> Any:
    try:
        return codec.read_update(update)
    except (KeyError, TypeError, ValueError):
        # One update that we cannot read must not stop those behind it.
        log.exception("update not understood", extra={"update": update.get("update_id")})
        return None
