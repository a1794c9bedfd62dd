"""Forgets talks that are over: what was said is nobody's business for longer. One pass."""

from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.talk.ports import DialogueStore

EVERY = timedelta(hours=1)


class DialogueCleaner:
    name = "talk-cleaner"

    def __init__(self, dialogues: DialogueStore, clock: Clock, kept_for: timedelta) -> None:
        self._dialogues = dialogues
        self._clock = clock
        self._kept_for = kept_for

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        await self._dialogues.forget(now - self._kept_for)
        return now + EVERY
