from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.chats.marks import units
from clarion.chats.model import ChatId, ChatKind, PersonId
from clarion.chats.ports import Outgoing
from clarion.doors.telegram import codec

GROUP = {"id": -100, "type": "supergroup", "title": "A"}
ANA = {"id": 7, "first_name": "Ana", "language_code": "en"}


def message(text: str = "hello", **more: Any) -> dict[str, Any]:
    body = {"message_id": 5, "date": 1_900_000_000, "chat": GROUP, "from": ANA, "text": text}
    return {"update_id": 1, "message": {**body, **more}}


def read(update: dict[str, Any]) -> Any:
    got = codec.read_update(update)
    assert got is not None
    return got


def test_a_message_is_read_from_the_raw_json() -> None:
    got = read(message())

    assert (got.update, got.text, got.message_id) == ("telegram:1", "hello", "5")
    assert (got.chat.id, got.chat.kind, got.chat.title) == ("telegram:-100", ChatKind.GROUP, "A")
    assert (got.sender.id, got.sender.name, got.sender.language) == ("telegram:7", "Ana", "en")


def test_a_slash_is_a_command_only_where_telegram_says_so() -> None:
    entity = [{"type": "bot_command", "offset": 0, "length": 4}]

    assert read(message("/vip 50", entities=entity)).text == "/vip 50"
    assert read(message("/etc is full")).text == " /etc is full"


def test_an_anonymous_admin_speaks_as_the_group_itself() -> None:
    hidden: dict[str, Any] = {"from": {"id": codec.ANONYMOUS_ADMIN}, "sender_chat": GROUP}

    sender = read(message(**hidden)).sender

    assert (sender.anonymous, sender.is_channel) == (True, False)


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param({"from": {"id": 136817688}, "sender_chat": {"id": -55}}, id="channel"),
        pytest.param({"from": {"id": 777000}, "sender_chat": {"id": -55}}, id="linked channel"),
        pytest.param({"from": {"id": codec.ANONYMOUS_ADMIN}, "sender_chat": {"id": -9}}, id="liar"),
    ],
)
def test_nobody_else_who_hides_is_taken_for_an_admin(hidden: dict[str, Any]) -> None:
    sender = read(message(**hidden)).sender

    assert (sender.anonymous, sender.is_channel) == (False, True)


def test_a_channel_post_has_no_author() -> None:
    post = {"message_id": 1, "date": 0, "chat": {"id": -5, "type": "channel"}, "text": "news"}

    assert read({"update_id": 3, "channel_post": post}).sender.is_channel


def test_a_tap_on_a_message_too_old_to_be_shown_is_still_read() -> None:
    tap = {"id": "9", "from": ANA, "data": "a:b"}

    got = read({"update_id": 2, "callback_query": tap})

    assert (got.button, got.button_id, got.chat.id) == ("a:b", "9", "telegram:7")


def test_what_carries_no_words_is_left_alone() -> None:
    assert codec.read_update(message(text="")) is None
    assert codec.read_update({"update_id": 1, "poll": {}}) is None


def test_a_moved_group_and_changed_rights_are_noticed() -> None:
    moved = message(migrate_to_chat_id=-1009)
    member = {"chat": GROUP, "new_chat_member": {"user": {"id": 7}}}

    assert codec.read_move(moved) == (ChatId("telegram:-100"), ChatId("telegram:-1009"))
    assert codec.changed_member({"update_id": 1, "chat_member": member}) == (
        ChatId("telegram:-100"),
        PersonId("telegram:7"),
    )


def test_buttons_stand_below_the_last_part() -> None:
    outgoing = Outgoing(chat_id=ChatId("telegram:7"), text="x", buttons=(("✅ 确认", "c:1"),))

    (_, first), (_, last) = codec.calls_for(replace(outgoing, text="x" * 5_000))
    assert "reply_markup" not in first
    assert last == {
        "chat_id": 7,
        "text": "x" * 904,
        "reply_markup": {"inline_keyboard": [[{"text": "✅ 确认", "callback_data": "c:1"}]]},
    }


@given(st.text(alphabet=st.sampled_from("a好😀\n"), max_size=300), st.integers(2, 40))
def test_no_part_is_too_long_and_no_letter_is_lost(text: str, most: int) -> None:
    parts = [part for part, _ in codec.in_parts(text, (), most)]

    assert all(len(part.encode("utf-16-le")) // 2 <= most for part in parts)
    assert "".join(parts).replace("\n", "") == text.replace("\n", "")


@given(st.text(alphabet=st.sampled_from("a好😀\n"), min_size=1, max_size=200), st.integers(2, 40))
def test_what_is_marked_stays_marked_in_every_part(text: str, most: int) -> None:
    whole = ({"type": "bold", "offset": 0, "length": units(text)},)

    for part, marks in codec.in_parts(text, whole, most):
        assert [(mark["offset"], mark["length"]) for mark in marks] == (
            [(0, units(part))] if part else []
        )
