"""The verbs behind subscriptions, and the delivery of one message."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Forbidden, NotFound, Stale, Unavailable
from clarion.base.ids import UserId, new_id
from clarion.webhooks.model import (
    FAILURES_MAX,
    OLD_SECRET_LIFE,
    Delivery,
    Format,
    Hook,
    HookId,
    message,
    new_secret,
)
from clarion.webhooks.ports import HookStore, WebhookSender

log = logging.getLogger(__name__)

GONE = 410
DELIVERIES_SHOWN = 50
OK = range(200, 300)


class NoSuchWebhook(NotFound):
    code = "no_such_webhook"


class DeliveryFailed(Unavailable):
    """The receiver did not take it. The task is tried again, later each time."""

    code = "delivery_failed"


class Webhooks:
    """`owner` is the user whose hooks are meant; None sees and makes everybody's."""

    def __init__(self, store: HookStore, sender: WebhookSender, clock: Clock) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock

    async def create(
        self,
        owner: UserId | None,
        *,
        url: str,
        kinds: tuple[str, ...] = (),
        format: Format = Format.STANDARD,  # noqa: A002  the word that the interface uses
        name: str = "",
    ) -> Hook:
        check_url(url)
        self._sender.check(url)
        now = self._clock.now()
        hook = Hook(
            id=HookId(new_id("hook", now)),
            url=url,
            secret=new_secret(),
            created_at=now,
            user_id=owner,
            kinds=kinds,
            format=format,
            name=name,
        )
        await self._store.add(hook)
        return hook

    async def get(self, owner: UserId | None, hook_id: str) -> Hook:
        hook = await self._store.get(HookId(hook_id))
        if hook is None or (owner is not None and hook.user_id != owner):
            raise NoSuchWebhook(f"There is no webhook {hook_id!r}.")
        return hook

    async def list(self, owner: UserId | None, *, after: str = "", limit: int = 50) -> list[Hook]:
        return await self._store.all(user_id=owner, after=after, limit=limit)

    async def update(
        self, owner: UserId | None, hook_id: str, version: int | None, **fields: Any
    ) -> Hook:
        """Switching it on again forgets its failures."""
        hook = await self.get(owner, hook_id)
        if version is not None and version != hook.version:
            raise Stale("Somebody changed this webhook since you looked.", hint="Read it again.")
        if "url" in fields:
            check_url(fields["url"])
            self._sender.check(fields["url"])
        if fields.get("enabled"):
            fields |= {"failures": 0, "reason": ""}
        changed = replace(hook, **fields, version=hook.version + 1)
        await self._store.save(changed)
        return changed

    async def rotate(self, owner: UserId | None, hook_id: str) -> Hook:
        """A new secret; messages carry both signatures for a day."""
        hook = await self.get(owner, hook_id)
        until = self._clock.now() + OLD_SECRET_LIFE
        return await self.update(
            owner,
            hook_id,
            None,
            secret=new_secret(),
            old_secret=hook.secret,
            old_secret_until=until,
        )

    async def remove(self, owner: UserId | None, hook_id: str) -> None:
        await self._store.remove((await self.get(owner, hook_id)).id)

    async def test(self, owner: UserId | None, hook_id: str) -> None:
        await self._store.send_test(await self.get(owner, hook_id), self._clock.now())

    async def deliveries(self, owner: UserId | None, hook_id: str) -> Sequence[Delivery]:
        """The last ones, the newest first."""
        return await self._store.deliveries((await self.get(owner, hook_id)).id, DELIVERIES_SHOWN)

    async def send_again(self, owner: UserId | None, hook_id: str, sequence: int) -> None:
        """Raises NotFound for an event that this subscriber never heard of."""
        hook = await self.get(owner, hook_id)
        event = await self._store.event(sequence)
        if event is None or not hook.wants(event):
            raise NotFound(f"There is no event {sequence} for this webhook.")
        await self._store.send_again(hook, event, self._clock.now())

    async def deliver(self, hook_id: str, sequence: int) -> None:
        """Send one event to one subscriber. Raises DeliveryFailed to be tried again.

        Delivering twice sends the same message id twice; a hook that is gone or switched off
        takes nothing any more.
        """
        hook = await self._store.get(HookId(hook_id))
        event = await self._store.event(sequence)
        if hook is None or not hook.enabled or event is None:
            return
        made = message(hook, event, self._clock.now())
        try:
            status = await self._sender.post(hook.url, made.body, dict(made.headers))
        except Forbidden as error:
            await self._store.switch_off(hook.id, "forbidden_address", self._clock.now())
            log.warning("webhook refused: %s", error, extra={"hook": hook.id})
            return
        except Unavailable:
            await self._store.note_result(
                hook.id, ok=False, failures_max=FAILURES_MAX, now=self._clock.now()
            )
            raise
        await self._judge(hook, status)

    async def _judge(self, hook: Hook, status: int) -> None:
        if status == GONE:
            await self._store.switch_off(hook.id, "gone", self._clock.now())
            return
        ok = status in OK
        if not ok or hook.failures:
            await self._store.note_result(
                hook.id, ok=ok, failures_max=FAILURES_MAX, now=self._clock.now()
            )
        if not ok:
            raise DeliveryFailed(
                f"The receiver answered {status}.", details={"hook": hook.id, "status": status}
            )


class FanOut:
    """A pass: turns what happened into deliveries, one task for each event and subscriber."""

    name = "webhooks"

    def __init__(self, store: HookStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def run_once(self) -> datetime | None:
        more = await self._store.fan_out(self._clock.now())
        return self._clock.now() if more else None


def check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # brackets that do not close, a port beyond all ports
        known = False
    if not known:
        raise BadInput("A webhook's address starts with https:// or http://.")
    if parts.username or parts.password:
        raise BadInput("A webhook's address has no name or password in it.")
