"""Picks the platform of a chat, and does not call one that is down.

Each platform has one breaker for all its chats. While it is open, callers learn how long to wait,
and no waiting message uses up a try.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from clarion.base.breaker import Breaker, BreakerState
from clarion.base.clock import Clock
from clarion.base.errors import CircuitOpen, Unavailable
from clarion.chats.model import ChatId, PersonId
from clarion.chats.ports import (
    NOT_SET_UP,
    Gone,
    MessageRefused,
    Moved,
    Outgoing,
    Paused,
    Platform,
    PlatformAway,
)

T = TypeVar("T")

FAILURES_MAX = 3  # a single failure may be chance
REST = 5.0  # seconds until one message finds out whether it is back
ANSWERS = (Paused, Gone, MessageRefused, Moved)
"""Whoever says one of these is there."""


def is_outage(error: Exception) -> bool:
    away = isinstance(error, Unavailable | OSError | TimeoutError)
    return away and not isinstance(error, ANSWERS)


class PlatformReach:
    """How well one platform can be reached."""

    def __init__(self, name: str, clock: Clock) -> None:
        self._clock = clock
        self._breaker = Breaker(name, clock, failures_max=FAILURES_MAX, rest=REST, counts=is_outage)
        self.name = name
        self.last_success_at: datetime | None = None
        self._errors: dict[str, str] = {}
        """By what was asked of it: it may give us messages and take none."""
        self.conflicts = 0
        """How often another program took our updates."""

    @property
    def state(self) -> BreakerState:
        return self._breaker.state

    @property
    def last_error(self) -> str:
        """Empty while all is well."""
        return next(iter(self._errors.values()), "")

    async def call(self, work: Callable[[], Awaitable[T]]) -> T:
        """Raises `PlatformAway` for an outage; the platform's own refusals pass unchanged."""
        try:
            done = await self._breaker.call(work)
        except Exception as error:
            self.note(error)
            if not is_outage(error):
                raise
            wait = getattr(error, "retry_after", None) or 1.0
            raise PlatformAway(self.last_error or str(error), retry_after=wait) from error
        self.note(None)
        return done

    def note(self, error: Exception | None, of: str = "calls") -> None:
        """Store how a call ended. A refusal counts as reached: the platform answered."""
        if error is not None and is_outage(error):
            if not isinstance(error, CircuitOpen):
                self._errors[of] = str(error) or type(error).__name__
            return
        self.last_success_at = self._clock.now()
        self._errors.pop(of, None)

    async def check(self) -> None:
        """For health: raises while it cannot be reached."""
        if self.last_error:
            raise PlatformAway(self.last_error)

    def about(self) -> dict[str, Any]:
        """For health, besides whether it can be reached."""
        at = self.last_success_at
        return {
            "last_success_at": at.isoformat() if at is not None else None,
            "breaker": str(self.state),
            "conflicts": self.conflicts,
        }


class Platforms:
    def __init__(self, platforms: Mapping[str, Platform], clock: Clock) -> None:
        self._platforms = platforms
        self.reaches = {name: PlatformReach(name, clock) for name in platforms}

    async def send(self, outgoing: Outgoing) -> str:
        platform = self._of(outgoing.chat_id)
        if platform is None:
            # The platform may be configured again later: this message is lost, the chat is not.
            raise MessageRefused(f"Nothing here leads to {outgoing.chat_id}.")
        return await self._reach(outgoing.chat_id).call(lambda: platform.send(outgoing))

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool:
        """Rights do not cross platforms."""
        if chat_id.partition(":")[0] != person.partition(":")[0]:
            return False
        platform = self._of(chat_id)
        if platform is None:
            return False
        return await self._reach(chat_id).call(lambda: platform.is_admin(chat_id, person))

    async def problem_with(self, chat_id: ChatId) -> str:
        """Why nothing can be sent there; empty when it can."""
        platform = self._of(chat_id)
        if platform is None:
            return NOT_SET_UP
        return await self._reach(chat_id).call(lambda: platform.problem_with(chat_id))

    def may_be_a_sender(self, person: PersonId) -> bool:
        platform = self._platforms.get(person.partition(":")[0])
        return platform is not None and platform.may_be_a_sender(person)

    async def acknowledge(self, chat_id: ChatId, button_id: str, text: str) -> None:
        platform = self._of(chat_id)
        if platform is not None and self._reach(chat_id).state is BreakerState.CLOSED:
            await platform.acknowledge(chat_id, button_id, text)

    def bot_name(self, chat_id: ChatId) -> str:
        platform = self._of(chat_id)
        return "" if platform is None else platform.bot_name(chat_id)

    def _of(self, chat_id: ChatId) -> Platform | None:
        return self._platforms.get(chat_id.partition(":")[0])

    def _reach(self, chat_id: ChatId) -> PlatformReach:
        return self.reaches[chat_id.partition(":")[0]]


def _is_name(one: str) -> bool:
    """What somebody types with an @ is meant for another platform."""
    return one.partition(":")[2][:1].isalnum()


CONSOLE_ADMIN = PersonId("console:admin")
CONSOLE_PERSON = "console:user."
"""How the id of a person's own chat in the console begins; their id follows."""


class ConsoleChat:
    """The console's own chat: its messages are shown from the store, so sending does nothing."""

    async def send(self, outgoing: Outgoing) -> str:
        return outgoing.edits

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool:
        return person == CONSOLE_ADMIN

    async def problem_with(self, chat_id: ChatId) -> str:
        return "" if _is_name(chat_id) else "a chat is named such as console:main"

    def may_be_a_sender(self, person: PersonId) -> bool:
        return _is_name(person)

    async def acknowledge(self, chat_id: ChatId, button_id: str, text: str) -> None:
        """Does nothing: the console shows no waiting button."""

    def bot_name(self, chat_id: ChatId) -> str:
        return "clarion"
