"""Sends messages to chats: in order, at the platform's pace, and notices dead chats."""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.chats.model import Chat, ChatId, ChatKind
from clarion.chats.ports import (
    Follower,
    Gone,
    MessageRefused,
    Moved,
    Outbox,
    Outgoing,
    Paused,
    Platform,
    PlatformAway,
    ToSend,
    turn_of,
)
from clarion.tasks.ports import Claim

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=1)
PATIENCE = 5.0  # seconds, when the platform asks us to wait and does not say how long


def flood_limit(private: timedelta, groups: timedelta) -> Callable[[Chat], timedelta]:
    """How long a chat rests after a message. The console is our own and needs no rest."""

    def rest(chat: Chat) -> timedelta:
        if chat.id.startswith("console:"):
            return timedelta(0)
        return private if chat.kind is ChatKind.PRIVATE else groups

    return rest


class MessageSender:
    """Handles the task `message.send`: sends the next message of its chat.

    `rest` says how long a chat gets nothing more after a message: our own flood limit.

    A crash between the platform's yes and our own mark sends that one message again: nobody
    can know whether it arrived, and a message twice is better than none. A database that was
    away for a moment is no such crash: the next try only sets the mark.
    """

    def __init__(
        self,
        outbox: Outbox,
        platform: Platform,
        clock: Clock,
        *,
        rest: Callable[[Chat], timedelta],
        follower: Follower | None = None,
    ) -> None:
        self._outbox = outbox
        self._platform = platform
        self._clock = clock
        self._rest = rest
        self._follower = follower
        self._unmarked: dict[int, str] = {}
        """What the platform took, by its number, until our own mark is set."""

    async def __call__(self, claim: Claim) -> None:
        now = self._clock.now()
        if "message" in claim.task.payload:
            # A dead task that was replayed: its message waits again, in its chat's order.
            chat_id = ChatId(claim.task.payload["chat"])
            await self._outbox.reopen(chat_id, claim.task.payload["message"], now)
            return
        to_send = await self._outbox.begin_sending(turn_of(claim, LEASE), now)
        if to_send is not None:
            await self._send(to_send)

    async def _send(self, to_send: ToSend) -> None:
        outgoing = to_send.outgoing
        if (outgoing.edits_of or outgoing.deletes_of) and not outgoing.edits:
            # The message to change was never sent.
            await self._mark(to_send, "nothing")
            return
        remote_id = self._unmarked.get(to_send.sequence)
        if remote_id is None:
            try:
                # Always with an id: a platform that knows ids accepts a repeated one once.
                named = replace(outgoing, key=outgoing.key or f"outbox:{to_send.sequence}")
                remote_id = await self._platform.send(named)
            except Exception as error:  # noqa: BLE001  it belongs to this message alone
                await self._not_sent(to_send, error)
                return
            self._unmarked[to_send.sequence] = remote_id
        await self._mark(to_send, remote_id)

    async def _not_sent(self, to_send: ToSend, error: Exception) -> None:
        now, chat_id = self._clock.now(), to_send.chat.id
        match error:
            case Paused():
                await self._outbox.pause(to_send, now, now + wait_of(error))
            case PlatformAway():
                await self._outbox.put_back(to_send, now, now + wait_of(error))
            case Moved():
                await self._outbox.move(chat_id, error.to, now)
            case Gone():
                log.warning("chat is gone: %s", error, extra={"chat": chat_id})
                for unsent in await self._outbox.waiting_in(chat_id):
                    await self._tell_lost(unsent, error.message)
                await self._outbox.bury(chat_id, error.message, now)
            case MessageRefused():
                log.warning("not sent: %s", error, extra={"chat": chat_id})
                await self._tell_lost(to_send.outgoing, error.message)
                await self._outbox.refuse(to_send, error.message, now)
            case _:
                log.error("sending failed", exc_info=error, extra={"chat": chat_id})
                await self._outbox.failed(to_send, repr(error), now)

    async def _mark(self, to_send: ToSend, remote_id: str) -> None:
        if self._follower is not None:
            await self._follower.sent(to_send.outgoing)
        rest = self._rest(to_send.chat)
        await self._outbox.sent(to_send, remote_id, self._clock.now(), rest)
        self._unmarked.pop(to_send.sequence, None)

    async def _tell_lost(self, outgoing: Outgoing, reason: str) -> None:
        if self._follower is not None:
            await self._follower.lost(outgoing, reason)


def wait_of(error: Unavailable) -> timedelta:
    return timedelta(seconds=error.retry_after or PATIENCE)
