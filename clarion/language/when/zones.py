"""Whose clock the hours are read from, when somebody says so: 纽约时间, 9am EST, 15:00 UTC+3."""

import re
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clarion.language.when.stream import Pieces, TokenStream, one
from clarion.language.when.words import words

PLACES = {
    "Asia/Shanghai": "北京 中国 上海|beijing china shanghai",
    "Asia/Tokyo": "东京 日本|tokyo japan",
    "Asia/Seoul": "首尔 韩国|seoul korea",
    "Asia/Hong_Kong": "香港|hong_kong",
    "Asia/Taipei": "台北 台湾|taipei",
    "Asia/Singapore": "新加坡|singapore",
    "Asia/Kolkata": "印度|india mumbai delhi",
    "Asia/Dubai": "迪拜|dubai",
    "Europe/London": "伦敦 英国|london uk",
    "Europe/Paris": "巴黎 法国|paris france",
    "Europe/Berlin": "柏林 德国|berlin germany",
    "Europe/Moscow": "莫斯科|moscow",
    "America/New_York": "纽约 美东 美国东部 华盛顿 波士顿|new_york eastern boston",
    "America/Chicago": "芝加哥 美中|chicago central",
    "America/Denver": "丹佛|denver mountain",
    "America/Los_Angeles": "洛杉矶 美西 旧金山 美国西部 西雅图|los_angeles pacific seattle",
    "Australia/Sydney": "悉尼 澳洲 墨尔本|sydney melbourne",
    "Pacific/Auckland": "奥克兰 新西兰|auckland",
    "America/Sao_Paulo": "巴西 圣保罗|brazil sao_paulo",
    "Europe/Zurich": "瑞士 苏黎世|zurich switzerland",
    "Europe/Istanbul": "土耳其 伊斯坦布尔|istanbul turkey",
    "Africa/Cairo": "埃及 开罗|cairo egypt",
    "Asia/Manila": "菲律宾 马尼拉|manila philippines",
    "Asia/Ho_Chi_Minh": "越南 河内|hanoi vietnam",
    "Asia/Bangkok": "曼谷 泰国|bangkok thailand",
    "Asia/Kuala_Lumpur": "吉隆坡 马来西亚|kuala_lumpur malaysia",
    "Asia/Jakarta": "雅加达|jakarta",
    "Europe/Rome": "罗马 意大利|rome italy",
    "Europe/Madrid": "马德里 西班牙|madrid spain",
    "Europe/Amsterdam": "阿姆斯特丹|amsterdam",
    "America/Toronto": "多伦多|toronto",
    "America/Vancouver": "温哥华|vancouver",
    "UTC": "格林尼治 格林威治 世界标准 世界 协调世界|universal",
}
# CST is left out: it is said in Shanghai and in Chicago.
CODES = {
    "UTC": "utc gmt",
    "Etc/GMT+5": "est cdt",
    "Etc/GMT+4": "edt",
    "Etc/GMT+6": "mdt",
    "Etc/GMT+7": "mst pdt",
    "Etc/GMT+8": "pst",
    "America/New_York": "et eastern",
    "America/Chicago": "central",
    "America/Denver": "mountain",
    "America/Los_Angeles": "pt pacific",
    "Etc/GMT-1": "cet bst",
    "Etc/GMT-2": "cest eet",
    "Etc/GMT-3": "msk eest",
    "Asia/Kolkata": "ist",
    "Asia/Tokyo": "jst",
    "Asia/Seoul": "kst",
    "Asia/Hong_Kong": "hkt",
    "Asia/Singapore": "sgt",
    "Etc/GMT-10": "aest",
    "Etc/GMT-11": "aedt",
}


def chinese_zones() -> dict[str, tuple[str, Any]]:
    return {
        f"{place}时间": ("zone", zone)
        for zone, names in PLACES.items()
        for place in names.split("|")[0].split()
    }


def english_zones() -> dict[str, tuple[str, Any]]:
    return {
        f"{place.replace('_', ' ')} {word}": ("zone", zone)
        for zone, names in PLACES.items()
        for place in names.split("|")[1].split()
        for word in ("time", "standard time")
    }


def zone_codes() -> dict[str, tuple[str, Any]]:
    return {code: ("zone_code", zone) for zone, codes in CODES.items() for code in codes.split()}


# What may stand right before a code of letters; elsewhere "est" and "pt" are words.
_HOURS = frozenset(words("clock num meridiem point clock_word oclock fen half part"))
_OFFSET = re.compile(r" ?([+-]) ?(\d{1,2})(?::?(\d\d))?(?!\d)")
_HALF_HOURS = {
    "+0330": "Asia/Tehran",
    "+0430": "Asia/Kabul",
    "+0530": "Asia/Kolkata",
    "+0545": "Asia/Kathmandu",
    "+0630": "Asia/Yangon",
    "+0930": "Australia/Darwin",
}
_PLACES = frozenset(words("park station market coast ocean bank line bike view"))
HOURS_MAX = 14  # the widest offset that any place has


def zone_piece(s: TokenStream, i: int) -> Pieces | None:
    """北京时间, "Tokyo time", and codes of letters behind an hour or before 时间."""
    name, j = str(s.tokens[i].value), i + 1
    if s.kinds[i] == "zone_code":
        behind = i > 0 and s.kinds[i - 1] in _HOURS
        j = i + 2 if s.tokens[j].raw in ("时间", "time") else j
        if not behind and j == i + 1:
            return None
        if s.tokens[j].raw in _PLACES:  # at 3 Central Park
            return None
        if name == "UTC" and j == i + 1 and (shifted := _shifted(s, i)):
            name, j = shifted
    return one(s, "zone", name, i, j)


def _shifted(s: TokenStream, i: int) -> tuple[str, int] | None:
    """UTC+8, GMT-05:00. The names of Etc count westward, hence the turned sign."""
    end = s.tokens[i].end
    read = _OFFSET.match(s.text, end)
    if read is None or int(read[2]) > HOURS_MAX:
        return None
    j = i + 1
    while s.kinds[j] != "end" and s.tokens[j].start < read.end():
        j += 1
    if read[3] and int(read[3]):
        name = _HALF_HOURS.get(f"{read[1]}{int(read[2]):02}{read[3]}")
        return (name, j) if name else None
    return f"Etc/GMT{'-' if read[1] == '+' else '+'}{int(read[2])}", j


def place_name(key: str, *, chinese: bool) -> str:
    """东京时间, "Tokyo time", "UTC-5": words that are read as the same zone again."""
    if key.startswith("Etc/GMT"):
        return f"UTC{-int(key.removeprefix('Etc/GMT') or 0):+d}"
    if key == "UTC" or key not in PLACES:
        return key
    zh, en = (names.split()[0] for names in PLACES[key].split("|"))
    return f"{zh}时间" if chinese else f"{en.replace('_', ' ').title()} time"


def say_followed(series: int, zone: str, lang: str) -> str:
    """What a person hears who moved; nothing when none of their series went along."""
    place = place_name(zone, chinese=lang == "zh")
    if not series:
        return ""
    if lang == "zh":
        return f"您的{series}个重复提醒改按{place}响，钟点不变。"
    said = "1 series rings" if series == 1 else f"{series} series ring"
    return f"{said} at the same hours by {place} now."


def zone_of(name: str) -> ZoneInfo | None:
    """None where this machine has no table for the place."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
