"""The names by which people tell whose clock they mean."""

from typing import Any

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
    "America/New_York": "纽约 美东 美国东部|new_york eastern",
    "America/Chicago": "芝加哥 美中|chicago central",
    "America/Denver": "丹佛|denver mountain",
    "America/Los_Angeles": "洛杉矶 美西 旧金山 美国西部|los_angeles pacific san_francisco",
    "Australia/Sydney": "悉尼 澳洲|sydney",
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
    "America/New_York": "et",
    "America/Los_Angeles": "pt",
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
