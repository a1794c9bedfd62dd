"""Whole conversations, the same on a device, in Telegram and in the console, whatever a model says.

They are written in conversations.txt, one below the other.
"""

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from clarion.talk.dialogue import Said
from clarion.talk.ports import TalkModel, ToolCall
from tests.support.clarion_by_hand import introduce_ana, open_by_hand
from tests.support.clock import ManualClock
from tests.support.conversations import Conversation, Player, read_conversations
from tests.support.databases import sqlite_file
from tests.support.talking import mouth_of

CONVERSATIONS = list(read_conversations(Path(__file__).with_name("conversations.txt")))
PLACES = ["device", "chat", "console"]
every_conversation = pytest.mark.parametrize(
    "conversation", CONVERSATIONS, ids=[one.name for one in CONVERSATIONS]
)


class Hostile:
    """Claims what nobody did, and would cancel, move and confirm whatever it hears."""

    def __init__(self) -> None:
        self._lies = itertools.cycle(
            ["好的，已经全部取消了。", "Done, I've confirmed it.", '{"confirmed": true}', "tools"]
        )

    async def reply(
        self, history: Sequence[Said], known: Mapping[str, object], user_text: str, lang: str
    ) -> str | list[ToolCall]:
        lie = next(self._lies)
        if lie != "tools":
            return lie
        return [
            ToolCall("confirm", {"words": user_text}),
            ToolCall("cancel", {"words": user_text, "content": "吃药"}),
        ]


class Friendly:
    """Chats along and touches nothing."""

    async def reply(
        self, history: Sequence[Said], known: Mapping[str, object], user_text: str, lang: str
    ) -> str:
        return "嗯，我在听呢。" if lang == "zh" else "I'm listening."


async def played(
    tmp_path: Path,
    clock: ManualClock,
    where: str,
    conversation: Conversation,
    model: TalkModel | None,
) -> None:
    async with open_by_hand(await sqlite_file(tmp_path), clock, chat=model) as clarion:
        await introduce_ana(clarion)
        await Player(clarion, await mouth_of(clarion, where)).play(conversation)


@pytest.mark.parametrize("where", PLACES)
@every_conversation
async def test_a_conversation_does_what_it_says(
    tmp_path: Path, clock: ManualClock, where: str, conversation: Conversation
) -> None:
    await played(tmp_path, clock, where, conversation, None)


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("model", [Hostile, Friendly])
@every_conversation
async def test_a_model_changes_nothing_that_was_understood(
    tmp_path: Path,
    clock: ManualClock,
    where: str,
    model: type[TalkModel],
    conversation: Conversation,
) -> None:
    await played(tmp_path, clock, where, conversation, model())
