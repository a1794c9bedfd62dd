"""An outage is a pause and not a try: nothing is lost, and every chat keeps its order."""

from datetime import timedelta

import pytest

from clarion.chats.model import ChatId
from clarion.chats.ports import PlatformAway, RuleDraft
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database
from clarion.tasks.records import TaskFilter, TaskStatus
from tests.support.telegram_evening import ANA, GROUP, PATIENCE, PRIVATE, TelegramEvening

DESK = {"id": -9, "type": "group", "title": "desk"}
A_MINUTE = timedelta(minutes=1)
SHORT = timedelta(seconds=0.3)  # who hangs for longer counts as away, here


async def forward(evening: TelegramEvening) -> None:
    draft = RuleDraft(targets=[ChatId("telegram:-9")])
    await evening.room.rules.save(ChatId("telegram:-1"), draft, "boss", evening.room.clock.now())


@pytest.mark.parametrize(
    ("trouble", "lasts", "evening"),
    [
        pytest.param("502", timedelta(seconds=45), PATIENCE, id="502 for 45 s"),
        pytest.param("502", timedelta(hours=1), PATIENCE, id="502 for an hour"),
        pytest.param("401", timedelta(seconds=45), PATIENCE, id="the token is refused for 45 s"),
        pytest.param("html", timedelta(seconds=45), PATIENCE, id="a portal in between says 403"),
        pytest.param("hang", timedelta(seconds=20), SHORT, id="it hangs for 20 s"),
    ],
    indirect=["evening"],
)
async def test_what_is_sent_in_an_outage_arrives_after_it_in_order(
    evening: TelegramEvening, trouble: str, lasts: timedelta
) -> None:
    await forward(evening)
    evening.double.trouble = {"sendMessage": trouble}
    for number in range(20):
        evening.double.say(f"news {number}", chat=GROUP, user=ANA)
    evening.double.say("/remind 明天8点吃药", chat=PRIVATE, user=ANA)

    assert await evening.pass_by(lasts) == []
    evening.double.trouble = {}
    await evening.room.live(A_MINUTE)

    assert evening.texts(DESK) == [f"A · Ana\nnews {number}" for number in range(20)]
    assert evening.texts(PRIVATE) == ["好的: 明天8点吃药"]


@pytest.mark.parametrize(
    ("trouble", "evening"),
    [("502", PATIENCE), ("hang", SHORT), ("429", PATIENCE)],
    ids=["502", "hang", "429"],
    indirect=["evening"],
)
async def test_a_command_waits_for_telegram_to_say_who_is_admin(
    evening: TelegramEvening, trouble: str
) -> None:
    await forward(evening)
    evening.double.trouble = {"getChatMember": trouble}
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    evening.double.say("news", chat=GROUP, user=ANA)

    await evening.pass_by(timedelta(seconds=40))
    assert evening.texts() == []
    evening.double.trouble = {}
    await evening.room.live(A_MINUTE)

    assert "已提升至 High (50)" in evening.texts(GROUP)[0]
    assert evening.texts(DESK)[-1] == "A · Ana\nnews"


async def test_an_outage_is_found_out_by_one_message_and_not_by_all(
    evening: TelegramEvening,
) -> None:
    evening.double.trouble = {"sendMessage": "502"}
    for number in range(40):
        chat = {"id": 100 + number, "type": "private", "first_name": "B"}
        evening.double.say("/help", chat=chat, user=ANA)

    await evening.pass_by(A_MINUTE)

    tried = [method for method, _ in evening.double.calls].count("sendMessage")
    assert tried <= 16  # three to notice, and then one in each five seconds
    assert evening.platforms.reaches["telegram"].last_error


async def test_telegram_is_away_for_health_while_it_gives_updates_and_takes_nothing(
    evening: TelegramEvening,
) -> None:
    reach = evening.platforms.reaches["telegram"]
    evening.double.trouble = {"sendMessage": "502"}
    for number in range(4):
        chat = {"id": 100 + number, "type": "private", "first_name": "B"}
        evening.double.say("/help", chat=chat, user=ANA)
    await evening.pass_by()
    await evening.poller.run_once()

    with pytest.raises(PlatformAway, match="Bad Gateway"):
        await reach.check()
    assert reach.about()["breaker"] == "open"
    evening.double.trouble = {}
    await evening.pass_by(A_MINUTE)

    await reach.check()
    assert reach.about() == {
        "last_success_at": reach.about()["last_success_at"],
        "breaker": "closed",
        "conflicts": 0,
    }


async def test_one_message_that_telegram_refuses_is_told_and_can_be_replayed(
    evening: TelegramEvening, sqlite: Database
) -> None:
    await forward(evening)
    evening.double.failures = [{"code": 400, "words": "Bad Request: message is bad"}]
    for text in ("one", "two"):
        evening.double.say(text, chat=GROUP, user=ANA)
    await evening.pass_by(A_MINUTE)
    assert evening.texts(DESK) == ["A · Ana\ntwo"]

    told = [e for e in await sqlite.read(events.after, 0) if e.kind == "chat.message_lost"]
    dead = await evening.room.tasks.page(TaskFilter(status=TaskStatus.DEAD), 10)
    assert [(e.subject, e.data["reason"]) for e in told] == [("telegram:-9", "Message is bad")]
    assert [record.task.id for record in dead.records] == [told[0].data["task"]]
    assert await evening.room.tasks.replay([dead.records[0].task.id], evening.room.clock.now())
    await evening.room.live(A_MINUTE)

    assert evening.texts(DESK) == ["A · Ana\ntwo", "A · Ana\none"]
