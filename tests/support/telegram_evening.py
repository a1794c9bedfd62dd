"""A bot that polls the double of Telegram, and the whole message path behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any

from clarion.chats.commands import overtakes
from clarion.chats.platforms import ConsoleChat, Platforms
from clarion.chats.ports import Follower
from clarion.doors.telegram.bot import TelegramBot, TelegramOptions
from clarion.doors.telegram.poller import Receiver, TelegramPoller
from clarion.store.sql.engine.database import Database
from tests.support.chatroom import Chatroom
from tests.support.clock import ManualClock
from tests.support.telegram_double import TOKEN, TelegramDouble, telegram_double

GROUP = {"id": -1, "type": "group", "title": "A"}
PRIVATE = {"id": 7, "type": "private", "first_name": "Ana"}
ANA = {"id": 7, "first_name": "Ana", "language_code": "zh-hans"}
PATIENCE = timedelta(seconds=20)  # a busy machine takes its time, and is not away


class TelegramEvening:
    def __init__(
        self,
        double: TelegramDouble,
        database: Database,
        clock: ManualClock,
        follower: Follower | None = None,
        patience: timedelta = PATIENCE,
    ) -> None:
        self.double = double
        options = TelegramOptions(TOKEN, double.base_url, poll=timedelta(0), patience=patience)
        self.bot = TelegramBot(options, clock)
        self.platforms = Platforms({"telegram": self.bot, "console": ConsoleChat()}, clock)
        self.room = Chatroom(
            database, clock, self.platforms, is_control=partial(overtakes), follower=follower
        )
        self.restart_poller()

    def restart_poller(self) -> None:
        room = self.room
        self.receiver = Receiver(self.bot, room.inbox, room.outbox, room.clock)
        reach = self.platforms.reaches["telegram"]
        self.poller = TelegramPoller(self.bot, self.receiver, room.clock, reach)

    async def pass_by(self, by: timedelta = timedelta(0)) -> list[str]:
        """Fetch, handle and send; what was said since the beginning."""
        await self.poller.run_once()
        await self.room.live(by)
        return self.texts()

    def texts(self, chat: dict[str, Any] | None = None) -> list[str]:
        return [
            sent["text"]
            for sent in self.double.sent
            if chat is None or int(sent["chat_id"]) == chat["id"]
        ]


@asynccontextmanager
async def telegram_evening(
    database: Database, clock: ManualClock, patience: timedelta = PATIENCE
) -> AsyncIterator[TelegramEvening]:
    async with telegram_double() as double:
        double.members[-1, 7] = "administrator"
        evening = TelegramEvening(double, database, clock, patience=patience)
        try:
            yield evening
        finally:
            await evening.bot.close()
