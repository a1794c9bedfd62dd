"""Translates between Matrix's JSON and our values. No I/O."""

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any

from clarion.chats.model import Chat, ChatId, ChatSender, Message, PersonId
from clarion.chats.ports import Outgoing
from clarion.language.script import language_of

PLATFORM = "matrix"
BUTTONS = "chat.clarion.buttons"
"""Our own field in a message with buttons: what each reaction under it means."""
LETTERS_MAX = 16_000  # an event has at most 64 KiB, and a letter up to four bytes
KINDS = {"m.image": "photo", "m.file": "document", "m.audio": "audio", "m.video": "video"}
WRITTEN = frozenset({"m.text", "m.emote"})  # a notice is a program's: answering it makes loops
TAGS = {"bold": "strong", "italic": "em", "code": "code", "underline": "u"}


def chat_id(room: str) -> ChatId:
    return ChatId(f"{PLATFORM}:{room}")


def own_name(name: str) -> str:
    """Matrix's own name for a room or a person."""
    return name.partition(":")[2]


def called(user: str) -> str:
    """`@clarion:example.org` is called `clarion`."""
    return user.removeprefix("@").partition(":")[0].casefold()


def reacts_to(event: Mapping[str, Any]) -> str:
    """The message that a reaction stands under; empty for all else."""
    related = event.get("content", {}).get("m.relates_to") or {}
    return str(related.get("event_id", "")) if event.get("type") == "m.reaction" else ""


def read_message(event: Mapping[str, Any], chat: Chat) -> Message | None:
    if event.get("type") == "m.room.redaction":
        gone = event.get("redacts") or event["content"]["redacts"]  # older and newer rooms
        return Message(**_origin(event, chat, ""), text="", message_id=str(gone), is_deletion=True)
    if event.get("type") != "m.room.message":
        return None
    content = event["content"]
    related = content.get("m.relates_to") or {}
    is_edit = related.get("rel_type") == "m.replace"
    content = content.get("m.new_content", content) if is_edit else content
    msgtype, text = content.get("msgtype"), str(content.get("body", ""))
    if msgtype not in WRITTEN and msgtype not in KINDS:
        return None
    replied = str((related.get("m.in_reply_to") or {}).get("event_id", ""))
    names = tuple(called(one) for one in content.get("m.mentions", {}).get("user_ids") or ())
    return Message(
        **_origin(event, chat, text),
        # Clients keep `/` for their own commands, so people write `!vip`.
        text="/" + text[1:] if text.startswith("!") and text[1:2].isalpha() else text,
        message_id=str(related["event_id"] if is_edit else event["event_id"]),
        reply_to=replied,
        answers=names[0] if replied and names else "",  # whom a reply answers is mentioned first
        mentions=names,
        kind=KINDS.get(msgtype, "text"),
        is_edit=is_edit,
    )


def read_press(event: Mapping[str, Any], under: Mapping[str, Any], chat: Chat) -> Message | None:
    """A reaction under a message with buttons is a press; any other is people's own affair."""
    related = event["content"]["m.relates_to"]
    data = (under.get("content", {}).get(BUTTONS) or {}).get(related.get("key", ""))
    if not data:
        return None
    origin = _origin(event, chat, related["key"])
    return Message(**origin, text="", button=str(data), message_id=str(related["event_id"]))


def _origin(event: Mapping[str, Any], chat: Chat, text: str) -> dict[str, Any]:
    who, language = str(event["sender"]), language_of(text, chat.language)
    return {
        "update": f"{PLATFORM}:{event['event_id']}",
        "chat": chat,
        "sender": ChatSender(id=PersonId(f"{PLATFORM}:{who}"), name=called(who), language=language),
        "sent_at": datetime.fromtimestamp(int(event.get("origin_server_ts", 0)) / 1000, UTC),
    }


def write_message(outgoing: Outgoing) -> dict[str, Any]:
    """The content that says it. Marks become HTML: what users wrote is never markup."""
    text = outgoing.text[:LETTERS_MAX]
    content: dict[str, Any] = {"msgtype": "m.text", "body": text}
    if html := _html(text, outgoing.marks):
        content |= {"format": "org.matrix.custom.html", "formatted_body": html}
    if outgoing.buttons:
        content[BUTTONS] = dict(outgoing.buttons)
    if outgoing.edits:
        related = {"rel_type": "m.replace", "event_id": outgoing.edits}
        return {**content, "body": f"* {text}", "m.new_content": content, "m.relates_to": related}
    if outgoing.reply_to:
        content["m.relates_to"] = {"m.in_reply_to": {"event_id": outgoing.reply_to}}
    return content


def _html(text: str, marks: tuple[dict[str, Any], ...]) -> str:
    """Empty when nothing is marked. Marks that overlap are left out."""
    units, html, done = text.encode("utf-16-le"), "", 0
    for mark in sorted(marks, key=lambda one: int(one["offset"])):
        begin, end = 2 * int(mark["offset"]), 2 * int(mark["offset"] + mark["length"])
        if (tag := TAGS.get(mark["type"])) and done <= begin and end <= len(units):
            before, marked = units[done:begin], units[begin:end].decode("utf-16-le")
            html += f"{escape(before.decode('utf-16-le'))}<{tag}>{escape(marked)}</{tag}>"
            done = end
    rest = escape(units[done:].decode("utf-16-le"))
    return f"{html}{rest}".replace("\n", "<br>") if html else ""
