"""One line of JSON in, one line of JSON out: replies in bulk, for scoring and for scripts."""

import json

from clarion.language.answer.reader import read


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
    return json.dumps(as_fields(reply, content, keywords), ensure_ascii=False)


def as_fields(
    reply: str, content: str, keywords: list[str] | None = None
) -> dict[str, str | int | None]:
    answer = read(reply, content, keywords=[str(word) for word in keywords or ()])
    minutes = None if answer.snooze is None else round(answer.snooze.total_seconds() / 60)
    until = None if answer.snooze_until is None else answer.snooze_until.strftime("%H:%M")
    return {
        "label": answer.label.value,
        "kind": answer.kind,
        "snooze_minutes": minutes,
        "snooze_until": until,
        "reason": answer.reason,
    }
