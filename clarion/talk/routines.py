"""Habits that people mention: 我一般七点吃晚饭, "I usually go to bed at ten". Pure."""

import re
from datetime import datetime, time
from zoneinfo import ZoneInfo

from clarion.language.when import parse
from clarion.language.when.model import Once

USUALLY = re.compile(
    r"^\W*(?:我们?|咱们?)(?:每[天日晚早]|天天)(?!.*要)|"
    r"^\W*i (?:go to bed|get up|wake up)\b(?!.*\b(?:today|tomorrow|tonight|this)\b)|"
    r"^\W*(?:i|we) (?:have|eat)\b.*\bevery (?:day|night|evening|morning)\b|"
    r"一般|平时|平常|通常|习惯|都是|向来|从来都|\b(?:usually|normally|generally|always|typically)\b|"
    r"\bmy (?:breakfast|lunch|dinner|bedtime)(?: time)? is\b",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"提醒|叫我|喊我|闹钟|[吗呢？?]|\b(?:remind|wake me|alarm|what|when)\b", re.IGNORECASE
)
NAMED = (
    ("breakfast", re.compile(r"早[饭餐点茶]|\bbreakfast\b", re.IGNORECASE), "早上", "am"),
    ("lunch", re.compile(r"[午中][饭餐]|\blunch\b", re.IGNORECASE), "中午", "pm"),
    ("dinner", re.compile(r"晚[饭餐]|\b(?:dinner|supper)\b", re.IGNORECASE), "晚上", "pm"),
    ("waking", re.compile(r"起床|起身|睡醒|\b(?:get|wake) up\b", re.IGNORECASE), "早上", "am"),
    (
        "sleeping",
        re.compile(r"睡[觉下]?|上床|\b(?:bed|bedtime|sleep)\b", re.IGNORECASE),
        "晚上",
        "pm",
    ),
)
HALF = re.compile(r"早上|上午|中午|下午|晚上|傍晚|凌晨|\d ?[ap]\.?m\b", re.IGNORECASE)
CLOCK = re.compile(
    r"(?:早上|上午|中午|下午|晚上|傍晚|凌晨)?[零一二两三四五六七八九十\d]{1,3}点(?:半|一刻|三刻|[零一二三四五六七八九十\d]{1,3}分?)?|"
    r"\d{1,2}[:：]\d\d(?: ?[ap]\.?m)?|\b(?:half past |quarter (?:past|to) )?"
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: ?[ap]\.?m)?\b",
    re.IGNORECASE,
)


def routine_told(text: str, now: datetime, zone: ZoneInfo) -> tuple[str, time] | None:
    """Which hour of the day is told, and when it is. None: nothing of the kind, or not surely."""
    if not USUALLY.search(text) or ASKS.search(text):
        return None
    named = [one for one in NAMED if one[1].search(text)]
    clocks = CLOCK.findall(text)
    if len(named) != 1 or len(clocks) != 1:
        return None
    name, _, part, half = named[0]
    said = clocks[0]
    if not HALF.search(said):
        said = f"at {said} {half}" if said.isascii() else f"{part}{said}"
    when = parse(said, now, zone)
    return (name, when.at.time()) if isinstance(when, Once) else None
