"""Messages between servers by Redis publish and subscribe. Quick, but lost when nobody listens.

The sender learns how many servers received a message, and can use another way if too few did.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from clarion.base.clock import Clock
from clarion.store.redis.client import REDIS_ERRORS

log = logging.getLogger(__name__)

RECONNECT_AFTER = timedelta(seconds=1)
QUIET_SECONDS = 5.0  # then we ask whether the connection still lives


class Bus:
    """A `Pass` that keeps listening, and the method that sends to all listeners."""

    name = "redis-bus"

    def __init__(self, ear: Redis, mouth: Redis, clock: Clock) -> None:
        """`ear` is a client that may wait, `mouth` one that answers quickly or fails."""
        self._ear = ear
        self._mouth = mouth
        self._clock = clock
        self._listeners: dict[str, Callable[[str], None]] = {}
        self._was_lost = False
        self.returned: list[Callable[[], None]] = []
        """Called when we listen again after we did not: something may have been said meanwhile."""

    def listen(self, channel: str, listener: Callable[[str], None]) -> None:
        """Before the pass runs."""
        self._listeners[channel] = listener

    async def publish(self, channel: str, text: str) -> int:
        """How many servers received it, this one included; 0 when Redis cannot be reached."""
        try:
            return int(await self._mouth.publish(channel, text))
        except REDIS_ERRORS as error:
            log.debug("nothing published: %s", error)
            return 0

    async def run_once(self) -> datetime | None:
        """Listen until the subscription is lost."""
        try:
            async with self._ear.pubsub() as subscription:
                await subscription.subscribe(*self._listeners)
                await self._hear(subscription)
        except REDIS_ERRORS as error:
            log.debug("the bus is silent: %s", error)
        self._was_lost = True
        return self._clock.now() + RECONNECT_AFTER

    async def _hear(self, subscription: PubSub) -> None:
        """Listen until Redis fails or does not answer a ping."""
        silences = 0
        while silences < 2:
            message = await subscription.get_message(timeout=QUIET_SECONDS)
            silences = silences + 1 if message is None else 0
            if message is None:
                await subscription.ping()
            elif message["type"] == "message":
                self._tell(str(message["channel"]), str(message["data"]))
            elif message["type"] == "subscribe" and self._was_lost:
                self._was_lost = False
                for look in self.returned:
                    look()

    def _tell(self, channel: str, text: str) -> None:
        try:
            self._listeners[channel](text)
        except Exception:
            log.exception("a listener failed", extra={"channel": channel})
