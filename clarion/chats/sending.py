"""What goes out to chats: in order, at the platform's pace, and told when a chat is dead."""

import logging
from collections.abc import Callable
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.chats.model import Chat
from clarion.chats.ports import (
    Busy,
    Follower,
    Gone,
    MessageRefused,
    Moved,
    Outbox,
    Paused,
    Platform,
    Resting,
    ToSend,
    turn_of,
)
from clarion.tasks.ports import Again, Claim

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=1)
PATIENCE = 5.0  # seconds, when the platform asks for patience and does not say how long


class MessageSender:
    """Handles the task `message.send`: whatever its chat is to get next.

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

    async def __call__(self, claim: Claim) -> Again | None:
        now = self._clock.now()
        next_up = await self._outbox.begin_sending(turn_of(claim, LEASE), now)
        match next_up:
            case None | Busy():
                return None
            case Resting(until):
                return Again(until)
            case ToSend():
                return await self._send(next_up)

    async def _send(self, to_send: ToSend) -> Again | None:
        if (remote_id := self._unmarked.get(to_send.sequence)) is not None:
            return await self._mark(to_send, remote_id)
        try:
            remote_id = await self._platform.send(to_send.outgoing)
        except Paused as pause:
            until = self._clock.now() + timedelta(seconds=pause.retry_after or PATIENCE)
            await self._outbox.pause(to_send, until)
            return Again(until)
        except Moved as moved:
            await self._outbox.move(to_send.chat.id, moved.to, self._clock.now())
        except Gone as gone:
            log.warning("chat is gone: %s", gone, extra={"chat": to_send.chat.id})
            await self._tell_lost(to_send, gone.message)
            await self._outbox.bury(to_send, gone.message, self._clock.now())
        except MessageRefused as refused:
            log.warning("not sent: %s", refused, extra={"chat": to_send.chat.id})
            await self._tell_lost(to_send, refused.message)
            more = await self._outbox.refuse(to_send, refused.message, self._clock.now())
            return None if more is None else Again(more.waiting_since)
        except Exception:
            await self._outbox.failed(to_send)
            raise
        else:
            self._unmarked[to_send.sequence] = remote_id
            return await self._mark(to_send, remote_id)
        return None

    async def _mark(self, to_send: ToSend, remote_id: str) -> Again | None:
        if self._follower is not None:
            await self._follower.sent(to_send.outgoing)
        rest = self._rest(to_send.chat)
        more = await self._outbox.sent(to_send, remote_id, self._clock.now(), rest)
        self._unmarked.pop(to_send.sequence, None)
        return None if more is None else Again(more.waiting_since)

    async def _tell_lost(self, to_send: ToSend, reason: str) -> None:
        if self._follower is not None:
            await self._follower.lost(to_send.outgoing, reason)
