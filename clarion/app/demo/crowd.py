"""Busy chats, so that the queue has something to order."""

import asyncio
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeAlias

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.base.ids import new_id
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message, PersonId
from clarion.chats.ports import Inbox
from clarion.doors.http.api.trends import Numbers, waiting
from clarion.tasks.ports import Claim, Handler, HandlerAnswer

EVERY = timedelta(seconds=2)
CROWD = 30  # messages that wait, about
PACE = timedelta(seconds=1.6)  # artificial time per message; without it nothing would wait
FAMILY = ("妈，今天吃药了吗？", "Call me when you can", "我到家了")
NEIGHBOURS = ("谁看见我的猫了", "Bins go out tonight", "谢谢王阿姨")
MARKET = ("今天有新鲜的鱼", "两斤排骨", "Tomatoes are good today")
NEWS = ("本周促销", "Weekly digest", "停水通知")
CARE = ("奶奶按了呼叫铃", "Please look in on room 4")
Room: TypeAlias = tuple[str, str, int, tuple[str, ...]]
CHATS: tuple[Room, ...] = (
    ("console:family", "家人群 · Family", 50, FAMILY),
    ("console:neighbours", "邻居 · Neighbours", 10, NEIGHBOURS),
    ("console:market", "菜市场 · Market", 5, MARKET),
    ("console:news", "公告 · Newsletter", 0, NEWS),
    ("console:care", "护理站 · Care desk", 100, CARE),
)
WEIGHTS = (2, 1.5, 5, 8, 0.4)  # most of it is not urgent, so that reminders stay in time
HELLO = "大家好 · Hello everybody"
SENDERS = ("小丽", "Boris", "王阿姨", "Marta", "老李", "Ken")


def slowed(stopping: asyncio.Event) -> Callable[[Handler], Handler]:
    """Let each message take its time, unless everything stops."""

    def around(handler: Handler) -> Handler:
        async def slow(claim: Claim) -> HandlerAnswer:
            try:
                async with asyncio.timeout(PACE.total_seconds()):
                    await stopping.wait()
            except TimeoutError:
                pass
            return await handler(claim)

        return slow

    return around


async def lost_letter(_: Claim) -> None:
    """An errand that never works, so that there is something given up to look at."""
    raise Unavailable("The printer in the hall does not answer.")


class Crowd:
    """A pass: whenever few messages wait, some more are said."""

    name = "demo-crowd"

    def __init__(self, inbox: Inbox, numbers: Numbers, clock: Clock) -> None:
        self._inbox = inbox
        self._numbers = numbers
        self._clock = clock
        self._dice = random.Random(11)  # noqa: S311  no secret hangs on it

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        crowd = sum(waiting(await self._numbers.counts()).values())
        wanted = min(12, max(1, CROWD - crowd))
        messages = [self._message(now) for _ in range(self._dice.randint(1, wanted))]
        if self._dice.random() < 0.1:  # the family all at once: see them overtake
            messages += [self._message(now, CHATS[0]) for _ in range(self._dice.randint(3, 5))]
        await self._inbox.take_in(messages, now)
        return now + EVERY

    def _message(self, now: datetime, room: Room | None = None) -> Message:
        chat_id, title, _, said = room or self._dice.choices(CHATS, WEIGHTS)[0]
        name = self._dice.choice(SENDERS)
        return Message(
            update=new_id("demo", now),
            chat=Chat(id=ChatId(chat_id), kind=ChatKind.GROUP, title=title),
            sender=ChatSender(id=PersonId(f"console:{name}"), name=name),
            text=self._dice.choice(said),
            sent_at=now,
        )
