"""One line of JSON in, one out: for scoring, and for whoever has many sentences to read."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from clarion.base.zone import at_offset
from clarion.language.answer.reader import read as read_answer
from clarion.language.readback import say_instant, say_when
from clarion.language.request import Request
from clarion.language.request import read as read_request
from clarion.language.script import language_of
from clarion.language.when.model import (
    Habits,
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurring,
    When,
)
from clarion.language.when.parse import DEFAULT_HABITS

NEXT = 5  # how many firings of a recurrence are shown
KINDS: dict[type[When], str] = {
    Once: "once",
    Recurring: "recurring",
    NeedsClarification: "needs_clarification",
    Invalid: "invalid",
    Nothing: "none",
}


def read_line(
    line: str, now: Callable[[], datetime], zone: ZoneInfo, habits: Habits = DEFAULT_HABITS
) -> str:
    """`{"text", "base", "zone"}` → `{"kind", "at", …}`; base and zone may be left out.

    A line that cannot be used gives `{"error": …}`: one bad line must not end a batch.
    """
    try:
        asked = json.loads(line)
        text = asked["text"]
        base = datetime.fromisoformat(asked["base"]) if asked.get("base") else now()
        where = spoken_in(base, zone) if asked.get("base") else zone
        where = ZoneInfo(asked["zone"]) if asked.get("zone") else where
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        return json.dumps({"error": f"{type(error).__name__}: {error}"}, ensure_ascii=False)
    if not isinstance(text, str):
        return json.dumps({"error": "text has to be a string"})
    if base.tzinfo is None:
        base = base.replace(tzinfo=where)
    return json.dumps(answer(text, base, where, habits), ensure_ascii=False)


def spoken_in(base: datetime, zone: ZoneInfo) -> ZoneInfo:
    """Whoever gives an instant with an offset speaks from there, when nothing else is said."""
    if base.tzinfo is None or base.utcoffset() == base.astimezone(zone).utcoffset():
        return zone
    return at_offset(base) or zone


def answer(
    text: str, base: datetime, zone: ZoneInfo, habits: Habits = DEFAULT_HABITS
) -> dict[str, Any]:
    """Exactly the fields that scorers read."""
    request = read_request(text, base, zone, habits)
    when = request.when
    following = when.rule.preview(base, NEXT) if isinstance(when, Recurring) else []
    first = when.at if isinstance(when, Once) else following[0] if following else None
    return {
        "kind": KINDS[type(when)],
        "at": first.isoformat() if first else None,
        "grain": when.grain.value if isinstance(when, Once) else None,
        "next": [at.isoformat() for at in following],
        "rule": _rule(when),
        "content": request.content,
        "confirm": bool(request.confirm),
        "level": request.level,
        "span": list(when.span),
        "readback": say_when(when, base, language_of(text)),
    }


def _rule(when: When) -> str | None:
    """RRULE where it can say it, else the text that `Recurrence.load` reads."""
    if not isinstance(when, Recurring):
        return None
    return when.rule.to_rrule() or when.rule.dump()


def describe(
    text: str, base: datetime, zone: ZoneInfo, habits: Habits = DEFAULT_HABITS, lang: str = ""
) -> str:
    """What was understood, for a person at a terminal: the time in words, then the rest."""
    lang = lang or language_of(text)
    request = read_request(text, base, zone, habits)
    lines = [say_when(request.when, base.astimezone(zone), lang), *_wishes(request, lang)]
    if isinstance(request.when, Recurring):
        lines += [
            f"  {say_instant(at, base, lang)}" for at in request.when.rule.preview(base, NEXT)
        ]
    return "\n".join(lines)


_LABELS = {
    "zh": ("内容", "需要确认", "级别", "提醒谁", "设备"),
    "en": ("content", "with confirmation", "level", "person", "device"),
}


def _wishes(request: Request, lang: str) -> list[str]:
    content, confirm, level, person, device = _LABELS["zh" if lang == "zh" else "en"]
    said = [f"{content}: {request.content}"] if request.content else []
    said += [confirm] if request.confirm else []
    said += [f"{level}: {request.level}"] if request.level is not None else []
    said += [f"{person}: {request.person}"] if request.person else []
    return said + ([f"{device}: {request.device}"] if request.device else [])


def answer_line(line: str) -> str:
    """`{"content", "reply"}` to `{"label", "kind", "snooze_minutes", "snooze_until", "reason"}`.

    Also takes an optional `keywords` list. Raises ValueError for a line that is not such an object.
    """
    asked = json.loads(line)
    if not isinstance(asked, dict):
        raise ValueError("each line is an object with content and reply")  # noqa: TRY004 - one kind of error for a bad line
    content, reply, keywords = asked.get("content"), asked.get("reply"), asked.get("keywords", [])
    if not isinstance(content, str) or not isinstance(reply, str) or not isinstance(keywords, list):
        raise ValueError("content and reply are texts, keywords is a list")  # noqa: TRY004 - as above
    return json.dumps(answer_fields(reply, content, keywords), ensure_ascii=False)


def answer_fields(
    reply: str, content: str, keywords: list[str] | None = None
) -> dict[str, str | int | None]:
    answer = read_answer(reply, content, keywords=[str(word) for word in keywords or ()])
    minutes = None if answer.snooze is None else round(answer.snooze.total_seconds() / 60)
    until = None if answer.snooze_until is None else answer.snooze_until.strftime("%H:%M")
    return {
        "label": answer.label.value,
        "kind": answer.kind,
        "snooze_minutes": minutes,
        "snooze_until": until,
        "reason": answer.reason,
    }
