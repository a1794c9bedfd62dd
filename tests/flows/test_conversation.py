from collections.abc import Sequence
from datetime import timedelta

import pytest

from clarion.base.clock import ManualClock
from clarion.flows.conversation import DeviceConversation, Said
from tests.support.devices import ANA, SPEAKER, a_ring


class Model:
    """Answers with what it was told, or is away."""

    def __init__(self, *, away: bool = False) -> None:
        self.away = away
        self.asked: list[tuple[int, str, str, str]] = []

    async def reply(
        self, history: Sequence[Said], reminder_content: str, user_text: str, lang: str
    ) -> str | None:
        self.asked.append((len(history), reminder_content, user_text, lang))
        return None if self.away else f"关于{user_text}"


async def test_the_model_knows_the_reminder_and_what_was_said(clock: ManualClock) -> None:
    model = Model()
    talk = DeviceConversation(clock, model)
    talk.remember(a_ring(content="吃药"))

    first = await talk.reply(ANA, SPEAKER, "药苦吗")
    await talk.reply(ANA, SPEAKER, "is it bitter")

    assert first == "关于药苦吗"
    assert model.asked == [(0, "吃药", "药苦吗", "zh"), (2, "吃药", "is it bitter", "en")]


async def test_who_comes_back_later_begins_anew(clock: ManualClock) -> None:
    model = Model()
    talk = DeviceConversation(clock, model)
    await talk.reply(ANA, SPEAKER, "药苦吗")

    clock.advance(timedelta(minutes=11))
    await talk.reply(ANA, SPEAKER, "在吗")

    assert [history for history, _, _, _ in model.asked] == [0, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("今天真热", "好的，有事再叫我。"),
        ("你好小智", "我在。要我提醒，就说几点提醒您做什么。"),
        ("hello there", "I am here. Tell me what to remind you of, and when."),
        ("what a day", "All right. Call me when you need me."),
    ],
)
async def test_it_is_polite_when_the_model_is_away(
    clock: ManualClock, text: str, said: str
) -> None:
    talk = DeviceConversation(clock, Model(away=True))

    assert await talk.reply(ANA, SPEAKER, text) == said
    assert await DeviceConversation(clock).reply(ANA, SPEAKER, text) == said


async def test_only_so_many_talks_are_remembered(clock: ManualClock) -> None:
    talk = DeviceConversation(clock)

    for number in range(1_100):
        await talk.reply(ANA, type(SPEAKER)(f"dev_{number}"), "在吗")

    assert len(talk._talks) == 1_000
