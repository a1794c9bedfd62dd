"""One sentence that asks for several things: 八点吃药，九点量血压 is two. Pure."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from clarion.language import request as requests
from clarion.language.when.model import Once, Recurring
from clarion.language.when.parse import read as read_time

CLAUSE = re.compile(
    r"[，,；;。]\s*|\s+(?:and|then)\s+(?=at|on|remind|in)|(?<=\S)(?:然后|还有|再)(?=\S)"
)
DAY = re.compile(
    r"今天|今晚|明天|明早|明晚|后天|大后天|每天|每晚|每早|(?:下?周|星期|礼拜)[一二三四五六日天]|\d+月\d+[日号]|"
    r"\b(?:today|tonight|tomorrow|every day|daily|(?:next |on )?(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day)\b",
    re.IGNORECASE,
)


def several(text: str, now: datetime, zone: ZoneInfo) -> list[str]:
    """A sentence for each thing; the text alone when it asks for one.

    A part without a time or without a content belongs to the one before it (要确认); a part without
    a day has the day of the one before it.
    """
    parts: list[str] = []
    day = ""
    for clause in [part for part in CLAUSE.split(text) if part and part.strip()]:
        named = DAY.search(clause)
        day = named[0] if named else day
        whole = clause if named or not parts else _with_day(day, clause)
        if parts and not _stands_alone(whole, now, zone):
            parts[-1] = f"{parts[-1]}，{clause}" if not text.isascii() else f"{parts[-1]}, {clause}"
        else:
            parts.append(whole)
    if len(parts) < 2 or not all(_stands_alone(part, now, zone) for part in parts):
        return [text]
    asking = [read_time(part, now, zone).verb is not None for part in parts]
    return parts if asking[0] or not any(asking) else [text]


def _with_day(day: str, clause: str) -> str:
    if not day:
        return clause
    return f"{clause} {day}" if clause.isascii() else f"{day}{clause}"


def _stands_alone(part: str, now: datetime, zone: ZoneInfo) -> bool:
    asked = requests.read(part, now, zone)
    return isinstance(asked.when, Once | Recurring) and bool(asked.content)
