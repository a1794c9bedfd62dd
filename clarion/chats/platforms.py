"""Picks the platform that a chat lives on, by the first part of its name."""

from collections.abc import Mapping

from clarion.chats.model import ChatId, PersonId
from clarion.chats.ports import Gone, Outgoing, Platform


class Platforms:
    def __init__(self, platforms: Mapping[str, Platform]) -> None:
        self._platforms = platforms

    async def send(self, outgoing: Outgoing) -> str:
        platform = self._of(outgoing.chat_id)
        if platform is None:
            raise Gone(f"Nothing here leads to {outgoing.chat_id}.")
        return await platform.send(outgoing)

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool:
        """Rights do not cross platforms."""
        if chat_id.partition(":")[0] != person.partition(":")[0]:
            return False
        platform = self._of(chat_id)
        return platform is not None and await platform.is_admin(chat_id, person)

    async def acknowledge(self, button_id: str, text: str) -> None:
        for platform in self._platforms.values():
            await platform.acknowledge(button_id, text)

    def _of(self, chat_id: ChatId) -> Platform | None:
        return self._platforms.get(chat_id.partition(":")[0])


CONSOLE_ADMIN = PersonId("console:admin")


class ConsoleChat:
    """The console's own chat: what is sent there is shown from the store, so sending is nothing."""

    async def send(self, outgoing: Outgoing) -> str:
        return outgoing.edits

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool:
        return person == CONSOLE_ADMIN

    async def acknowledge(self, button_id: str, text: str) -> None:
        """Nothing turns in the console while it waits."""
