"""Translates between Telegram's JSON and our values. No I/O.

It reads the raw JSON: a Bot API server of another version may lack fields that a library's
classes insist on, and that must not lock anybody out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from clarion.chats.marks import Marks, units
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message, PersonId, group_of
from clarion.chats.ports import Outgoing

PLATFORM = "telegram"
UNITS_MAX = 4096  # UTF-16 code units in one message; an emoji counts two
ANONYMOUS_ADMIN = 1087968824  # Telegram's own account for administrators who hide their name
KINDS = {
    "private": ChatKind.PRIVATE,
    "group": ChatKind.GROUP,
    "supergroup": ChatKind.GROUP,
    "channel": ChatKind.CHANNEL,
}
PRESENT = frozenset({"creator", "administrator", "member"})
ADMINS = frozenset({"creator", "administrator"})
FORWARDED = ("forward_origin", "forward_date", "forward_from", "is_automatic_forward")
POSTED = ("message", "channel_post", "edited_message", "edited_channel_post")
UPDATES = [*POSTED, "callback_query", "my_chat_member", "chat_member"]
CAPTIONED = ("animation", "photo", "video", "audio", "voice", "document")
# An animation comes as a document too, so it is looked for first.
MEDIA = (*CAPTIONED, "video_note", "sticker", "venue", "location", "poll", "contact", "dice")
CAPTION_UNITS_MAX = 1024
REPLACEABLE = frozenset({"animation", "photo", "video", "audio", "document"})
"""What an edit may put in the place of another; a voice or a sticker stays what it was."""
NOT_TO_COPY = ("can't be copied", "there is no caption in the message to edit")
"""What a group protects, a quiz and the like; and the words that were sent in its place."""
EDITING = frozenset({"editMessageText", "editMessageCaption", "editMessageMedia"})
WHICH = "which"  # stands for a message that an earlier call makes: its position among those


def chat_id(number: object, topic: object = None) -> ChatId:
    return ChatId(f"{PLATFORM}:{number}" if topic is None else f"{PLATFORM}:{number}#{topic}")


def person_id(number: object) -> PersonId:
    return PersonId(f"{PLATFORM}:{number}")


def number_of(name: str) -> int:
    """Telegram's own number for a chat or a person."""
    return int(group_of(ChatId(name)).partition(":")[2])


def is_numbered(name: str) -> bool:
    """Whether `number_of` has an answer: what people type may be `telegram:@desk`."""
    platform, _, number = group_of(ChatId(name)).partition(":")
    _, is_topic, topic = name.partition("#")
    if is_topic and not topic.isdecimal():
        return False
    return platform == PLATFORM and number.removeprefix("-").isdecimal()


def place_of(name: ChatId) -> dict[str, Any]:
    """Where a new message goes: the chat, and the topic in it."""
    _, is_topic, topic = name.partition("#")
    there = {"chat_id": number_of(name)}
    return {**there, "message_thread_id": int(topic)} if is_topic else there


def read_update(update: Mapping[str, Any]) -> Message | None:
    """What was said or pressed; None for updates that do not concern us."""
    name = f"{PLATFORM}:{update['update_id']}"
    if pressed := update.get("callback_query"):
        return _read_press(name, pressed)
    for kind in POSTED:
        if posted := update.get(kind):
            return _read_message(name, posted, is_edit=kind.startswith("edited"))
    return None


def read_move(update: Mapping[str, Any]) -> tuple[ChatId, ChatId] | None:
    """A group that became a supergroup: its old and its new name."""
    posted = update.get("message") or {}
    if "migrate_to_chat_id" not in posted:
        return None
    return chat_id(posted["chat"]["id"]), chat_id(posted["migrate_to_chat_id"])


def changed_member(update: Mapping[str, Any]) -> tuple[ChatId, PersonId] | None:
    """Somebody's rights changed: what we remember of them is old."""
    changed = update.get("chat_member") or update.get("my_chat_member")
    if not changed:
        return None
    member = changed.get("new_chat_member", {}).get("user", {})
    return chat_id(changed["chat"]["id"]), person_id(member.get("id", 0))


def let_in(update: Mapping[str, Any]) -> ChatId | None:
    """The chat that takes us in again: added to a group, or unblocked by a person."""
    changed = update.get("my_chat_member") or {}
    member = changed.get("new_chat_member", {})
    may_write = member.get("status") == "restricted" and member.get("can_send_messages")
    there = member.get("status") in PRESENT or may_write
    return chat_id(changed["chat"]["id"]) if there else None


def _read_message(update: str, posted: Mapping[str, Any], *, is_edit: bool) -> Message | None:
    asked = (posted.get("poll") or {}).get("question")
    text = posted.get("text") or posted.get("caption") or asked or ""
    kind = next((each for each in MEDIA if each in posted), "text")
    if not text and kind == "text":
        return None
    chat = _read_chat(posted["chat"], _language(posted.get("from") or {}), _topic(posted))
    replied = posted.get("reply_to_message") or {}
    return Message(
        update=update,
        chat=chat,
        sender=_read_sender(posted),
        text=_only_real_commands(text, posted),
        sent_at=datetime.fromtimestamp(posted.get("date", 0), UTC),
        message_id=str(posted.get("message_id", "")),
        reply_to=str(replied.get("message_id", "")),
        answers=_called(replied.get("from") or {}),
        mentions=tuple(_mentions(text, posted)),
        is_forwarded=any(name in posted for name in FORWARDED),
        kind=kind,
        media="" if posted.get("has_protected_content") else _media(posted.get(kind)),
        marks=tuple(posted.get("entities") or posted.get("caption_entities") or ()),
        is_edit=is_edit,
        album="" if is_edit else str(posted.get("media_group_id", "")),
    )


def _media(posted: Any) -> str:
    """The name of its file; a photo comes in several sizes, the largest last."""
    largest = posted[-1] if isinstance(posted, list) and posted else posted
    return str(largest.get("file_id", "")) if isinstance(largest, Mapping) else ""


def _mentions(text: str, posted: Mapping[str, Any]) -> Iterator[str]:
    """Everybody who is named, as Telegram marked it: by an @, or by tapping on a name."""
    units = text.encode("utf-16-le")
    for entity in posted.get("entities") or posted.get("caption_entities") or []:
        begin, length = int(entity.get("offset", 0)), int(entity.get("length", 0))
        if entity.get("type") == "mention":
            named = units[2 * begin : 2 * (begin + length)].decode("utf-16-le", "replace")
            yield named.removeprefix("@").casefold()
        elif entity.get("type") == "text_mention":
            yield _called(entity.get("user") or {})


def _called(person: Mapping[str, Any]) -> str:
    return str(person.get("username", "")).casefold()


def _only_real_commands(text: str, posted: Mapping[str, Any]) -> str:
    """A slash is a command only where Telegram says so: "/etc is full" is not one."""
    if not text.startswith("/"):
        return text
    entities = posted.get("entities") or []
    commands = [e for e in entities if e.get("type") == "bot_command" and e.get("offset") == 0]
    return text if commands else f" {text}"


def _read_press(update: str, pressed: Mapping[str, Any]) -> Message:
    # The message may be too old for Telegram to show; then its chat is all there is.
    shown = pressed.get("message") or {}
    person = pressed["from"]
    chat = shown.get("chat") or {"id": person["id"], "type": "private"}
    return Message(
        update=update,
        chat=_read_chat(chat, _language(person), _topic(shown)),
        sender=ChatSender(
            id=person_id(person["id"]), name=_name(person), language=_language(person)
        ),
        text="",
        sent_at=datetime.fromtimestamp(shown.get("date", 0), UTC),
        button=pressed.get("data", ""),
        button_id=str(pressed["id"]),
        message_id=str(shown.get("message_id", "")),
    )


def _topic(posted: Mapping[str, Any]) -> object:
    """None for the group itself: a thread of replies is no topic."""
    return posted.get("message_thread_id") if posted.get("is_topic_message") else None


def _read_chat(chat: Mapping[str, Any], language: str, topic: object) -> Chat:
    title = chat.get("title") or _name(chat)
    return Chat(
        id=chat_id(chat["id"], topic),
        kind=KINDS.get(chat.get("type", ""), ChatKind.GROUP),
        title=title,
        language=language,
    )


def _read_sender(posted: Mapping[str, Any]) -> ChatSender:
    person = posted.get("from") or {}
    behind = posted.get("sender_chat")
    language = _language(person)
    if behind is None:
        # Channel posts have no author: only its administrators can write, but nobody in person.
        number = person.get("id", posted["chat"]["id"])
        return ChatSender(
            id=person_id(number), name=_name(person), language=language, is_channel=not person
        )
    is_group_itself = behind["id"] == posted["chat"]["id"] and person.get("id") == ANONYMOUS_ADMIN
    return ChatSender(
        id=person_id(behind["id"]),
        name=behind.get("title", ""),
        language=language,
        anonymous=is_group_itself,
        is_channel=not is_group_itself,
    )


def _name(person: Mapping[str, Any]) -> str:
    names = [person.get("first_name", ""), person.get("last_name", "")]
    return " ".join(filter(None, names)) or person.get("username", "")


def _language(person: Mapping[str, Any]) -> str:
    code = str(person.get("language_code") or "zh")
    return "zh" if code.startswith("zh") else "en"


def is_admin(member: Mapping[str, Any]) -> bool:
    return member.get("status") in ADMINS


def why_silent(chat: Mapping[str, Any], member: Mapping[str, Any]) -> str:
    """Why the bot, as this member, cannot write in the chat; empty when it can."""
    status = member.get("status")
    if status not in PRESENT and status != "restricted":
        return "the bot is not in it"
    if status == "restricted" and not member.get("can_send_messages", True):
        return "the bot may not write there"
    if chat.get("type") == "channel" and status not in ADMINS:
        return "in a channel only administrators write"
    return ""


Call: TypeAlias = tuple[str, dict[str, Any]]
"""A method of the Bot API, and what it is given."""


def calls_for(outgoing: Outgoing) -> list[Call]:
    """All that sends it, changes it or takes it back, in order.

    What is too long for one message goes on in the next.
    """
    if outgoing.deletes_of:
        return list(_deletions(outgoing, outgoing.edits.split(",")))
    if outgoing.copies and (outgoing.source or "").startswith(PLATFORM):
        return list(_copying(outgoing))
    parts = list(in_parts(outgoing.text, outgoing.marks))
    shown = outgoing.edits.split(",") if outgoing.edits else []
    calls = list(_writing(outgoing, parts, shown))
    if calls and outgoing.reply_to and not shown:
        calls[0][1]["reply_parameters"] = _reply(outgoing)
    return calls


def _writing(
    outgoing: Outgoing, parts: Sequence[tuple[str, Marks]], shown: Sequence[str]
) -> Iterator[Call]:
    """Each part in place of one that is shown, or new; what is shown beyond them goes."""
    for number, (part, marks) in enumerate(parts):
        last = number == len(parts) - 1
        yield _write(outgoing, part, marks, shown[number : number + 1], last=last)
    yield from _deletions(outgoing, shown[len(parts) :])


def _write(
    outgoing: Outgoing, text: str, marks: Marks, shown: Sequence[str], *, last: bool
) -> Call:
    """One part: in place of the message that is shown, or new. What users wrote is no markup."""
    call: dict[str, Any] = {**place_of(outgoing.chat_id), "text": text}
    if marks:
        call["entities"] = list(marks)
    if outgoing.buttons and last:
        row = [{"text": label, "callback_data": data} for label, data in outgoing.buttons]
        call["reply_markup"] = {"inline_keyboard": [row]}
    if not shown:
        return "sendMessage", call
    call.pop("message_thread_id", None)  # the message stays in its chat and topic
    return "editMessageText", call | {"message_id": int(shown[0])}


def _copying(outgoing: Outgoing) -> Iterator[Call]:
    """What is more than text is copied; of such a copy the caption and what it shows can change."""
    assert outgoing.source is not None
    parts = list(in_parts(outgoing.text, outgoing.marks, CAPTION_UNITS_MAX))
    captioned = outgoing.kind in CAPTIONED
    words = {"caption": parts[0][0], "caption_entities": list(parts[0][1])} if captioned else {}
    if outgoing.edits:
        if captioned:
            first, *below = outgoing.edits.split(",")
            there = {"chat_id": number_of(outgoing.chat_id), "message_id": int(first)}
            yield _changing(outgoing, there, words)
            yield from _writing(outgoing, parts[1:], below)
        return
    lies_in = outgoing.copies_from or outgoing.source
    call = {**place_of(outgoing.chat_id), "from_chat_id": number_of(lies_in)}
    numbers = [int(one) for one in outgoing.copies.split(",")]
    if len(numbers) == 1:
        reply = {"reply_parameters": _reply(outgoing)} if outgoing.reply_to else {}
        yield "copyMessage", call | words | reply | {"message_id": numbers[0]}
    else:  # an album stays one, and says above its words whose it is
        yield "copyMessages", call | {"message_ids": numbers}
        which = outgoing.parts.index(outgoing.key) if outgoing.parts else 0
        there = {"chat_id": number_of(outgoing.chat_id), WHICH: which}
        yield "editMessageCaption", there | words
    if captioned:
        yield from _writing(outgoing, parts[1:], ())


def about(call: Mapping[str, Any], made: Sequence[str]) -> dict[str, Any]:
    """The call with the one that is meant of those that were made; what is gone was not copied."""
    known = {name: value for name, value in call.items() if name != WHICH}
    return known | {"message_id": int(made[min(call[WHICH], len(made) - 1)])}


def is_words_only(refusal: str) -> bool:
    return any(each in refusal.casefold() for each in NOT_TO_COPY)


def in_words(outgoing: Outgoing) -> Outgoing:
    """In place of a copy that Telegram does not allow: its words, and what it was."""
    text = f"{outgoing.text}\n📎 {outgoing.kind}"
    return replace(outgoing, text=text, kind="text", copies="", parts=())


def _changing(outgoing: Outgoing, there: dict[str, Any], words: dict[str, Any]) -> Call:
    """Whether it shows something else is not told, so it is shown what the original shows now."""
    if not outgoing.media or outgoing.kind not in REPLACEABLE:
        return "editMessageCaption", there | words
    shows = {"type": outgoing.kind, "media": outgoing.media}
    return "editMessageMedia", there | {"media": shows | words}


def _deletions(outgoing: Outgoing, shown: Sequence[str]) -> Iterator[Call]:
    if numbers := [int(one) for one in shown]:
        yield "deleteMessages", {"chat_id": number_of(outgoing.chat_id), "message_ids": numbers}


def _reply(outgoing: Outgoing) -> dict[str, Any]:
    """To its first part; where that is gone, to nothing."""
    first = int(outgoing.reply_to.split(",")[0])
    return {"message_id": first, "allow_sending_without_reply": True}


def in_parts(text: str, marks: Marks, most: int = UNITS_MAX) -> Iterator[tuple[str, Marks]]:
    """Parts of at most so many units, broken between lines where possible, each with its marks."""
    for begin, end in _cuts(text, most):
        offset = units(text[:begin])
        yield text[begin:end], tuple(_clipped(marks, offset, offset + units(text[begin:end])))


def _clipped(marks: Marks, begin: int, end: int) -> Iterator[dict[str, Any]]:
    for mark in marks:
        first, last = max(begin, mark["offset"]), min(end, mark["offset"] + mark["length"])
        if first < last:
            yield {**mark, "offset": first - begin, "length": last - first}


def _cuts(text: str, most: int) -> Iterator[tuple[int, int]]:
    begin = 0
    while units(text[begin:]) > most:
        end = begin + _longest(text[begin:], most)
        half = begin + (end - begin) // 2  # an earlier break would leave a short part
        line_end = text.rfind("\n", half, end)
        yield begin, line_end if line_end > begin else end
        begin = line_end + 1 if line_end > begin else end
    yield begin, len(text)


def _longest(text: str, most: int) -> int:
    """How many letters from the beginning fit into `most` code units."""
    used = 0
    for index, letter in enumerate(text):
        used += 2 if ord(letter) > 0xFFFF else 1
        if used > most:
            return index
    return len(text)
