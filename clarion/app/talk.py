"""Joins the talk: what people say, on devices and in chats, becomes what is done."""

from collections.abc import Sequence
from dataclasses import dataclass

from clarion.app.llm import Helpers
from clarion.app.parts import Parts
from clarion.llm.writing import Conversation, Turn
from clarion.reminders.hearing import Hearing
from clarion.reminders.people import People
from clarion.reminders.service import Reminders
from clarion.store.sql.dialogues import SqlDialogues
from clarion.talk.cleaner import DialogueCleaner
from clarion.talk.memory import Said
from clarion.talk.service import Talk


def add_talk(
    parts: Parts, reminders: Reminders, people: People, hearing: Hearing, helpers: Helpers
) -> Talk:
    dialogues, kept_for = SqlDialogues(parts.database), parts.settings.talk_remembered
    parts.add_duty(DialogueCleaner(dialogues, parts.clock, kept_for))
    return Talk(
        reminders,
        people,
        hearing,
        dialogues,
        parts.clock,
        chat=ModelChat(helpers.talk) if helpers.talk else None,
        remembered=kept_for,
    )


@dataclass(frozen=True, slots=True)
class ModelChat:
    """The language model's talk, in the words of our own."""

    model: Conversation

    async def reply(
        self, history: Sequence[Said], reminder_content: str, user_text: str, lang: str
    ) -> str | None:
        turns = [Turn("user" if one.role == "user" else "assistant", one.text) for one in history]
        return await self.model.reply(turns, reminder_content, user_text, lang)
