"""What webhooks need from a store and a sender."""

from datetime import datetime
from typing import Protocol

from clarion.base.events import StoredEvent
from clarion.base.ids import UserId
from clarion.webhooks.model import Delivery, Hook, HookId


class HookStore(Protocol):
    async def add(self, hook: Hook) -> None: ...

    async def get(self, hook_id: HookId) -> Hook | None: ...

    async def all(self, *, user_id: UserId | None, after: str, limit: int) -> list[Hook]: ...

    async def save(self, hook: Hook) -> None:
        """Replace the version before it; raises Stale when somebody else was faster."""
        ...

    async def remove(self, hook_id: HookId) -> None: ...

    async def event(self, sequence: int) -> StoredEvent | None: ...

    async def note_result(
        self, hook_id: HookId, *, ok: bool, failures_max: int, now: datetime
    ) -> None:
        """Count failures in a row; switch the hook off when there are too many."""
        ...

    async def switch_off(self, hook_id: HookId, reason: str, now: datetime) -> None: ...

    async def send_test(self, hook: Hook, now: datetime) -> None:
        """Write an event that only this hook hears."""
        ...

    async def deliveries(self, hook_id: HookId, limit: int) -> list[Delivery]:
        """The last ones that are still kept, the newest first."""
        ...

    async def send_again(self, hook: Hook, event: StoredEvent, now: datetime) -> None:
        """Deliver it once more; while it waits already, that changes nothing."""
        ...

    async def fan_out(self, now: datetime) -> bool:
        """Turn new events into deliveries, each exactly once; True when more are waiting."""
        ...


class WebhookSender(Protocol):
    def check(self, url: str) -> None:
        """Raises Forbidden for an address that we must not call, as far as it can be told now."""
        ...

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        """The status that came back. Raises Forbidden for an address we must not call and
        Unavailable when nobody answered.
        """
        ...
