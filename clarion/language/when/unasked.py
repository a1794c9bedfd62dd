"""Times that a sentence names and nobody asks to be told at: 星期一的英文怎么写, "Friday's child".

A day may be only the name of a thing, a rhythm only a measure (每天八杯水), and who says
把八点的闹钟关了 speaks of what is set already.
"""

import re

from clarion.language.when.mention import Mention
from clarion.language.when.stream import Date, Piece
from clarion.language.when.words.wordlist import words

_KEPT_ZH = "(?:闹[钟铃]|提醒|倒?计时)"
_ASK_ZH = "(?:叫|喊|提醒|通知|催|吵)"
_OFF_ZH = "(?:关|删|停|撤|取消|去)(?:了|掉|除|闭|吧|一下)*"
_TIME_ZH = r"(?=[每今明后早晚中下上周星礼凌半这大零一二两三四五六七八九十\d])"
_REMINDERS = r"(?:alarm|reminder|timer|alert)s?"
_ASK_EN = "wake|remind|call|ping|nudge|alert|buzz|text"
# More than one thing is said: what is wanted instead has to be heard.
_ALONE = rf"(?!.*\b(?:until|till|before|and|but|then|instead|set|make|create|{_ASK_EN})\b)"
# Words about a reminder that is there: one clause, so that nothing new is asked for beside it.
_COMMANDS_ZH = re.compile(
    "(?:请|帮我|麻烦|给我)*(?:"
    f"把[^，,。;；]{{1,20}}{_KEPT_ZH}都?(?:给我)?{_OFF_ZH}"
    "|(?:取消|删除|删[掉了]|关[掉闭了]|停[掉了]|撤[销掉])(?![^，,]*[设定]一?个)"
    f"[^，,。;；]{{1,20}}的?{_KEPT_ZH}吧?"
    f"|(?:以后|今后)?(?:别|不要|不用|甭)再?{_TIME_ZH}(?![^，,]*忘)"
    f"(?:(?!{_ASK_ZH})[^，,。;；了]){{1,16}}{_ASK_ZH}醒?(?:我了?|了)[吧啊]?"
    ")[。!！]*"
)
_COMMANDS_EN = re.compile(
    "(?:please |can you |could you )?(?:"
    "(?:cancel|delete|remove|dismiss|clear|scrap|(?:turn|switch|shut) off)"
    r"(?!.*\b(?:and|then|set|make|create|from)\b)"
    rf" [^,;]{{0,40}}\b{_REMINDERS}(?: for [^,;]{{1,30}})?"
    "|(?:(?:stop|quit) (?:waking|reminding|calling|pinging|nudging|alerting|buzzing|texting)"
    f"|(?:don't|do not|never)(?: ever)? (?:{_ASK_EN})) (?:me|us){_ALONE}[^,;]*"
    ")[.!]*"
)


def speaks_of_what_is_set(text: str) -> bool:
    """把八点的闹钟关了, 别再每天早上叫我了, cancel the 8 am alarm."""
    opens = text[:1]
    if opens.isascii():
        return opens in _OPENS_EN and _COMMANDS_EN.fullmatch(text) is not None
    return opens in _OPENS_ZH and _COMMANDS_ZH.fullmatch(text) is not None


_OPENS_ZH = frozenset("请帮麻给把取删关停撤以今别不甭")
_OPENS_EN = frozenset("pcdrtsqn")


def is_only_named(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """Whether the time, in a sentence in which nobody asks, only tells which thing is meant."""
    if wish.clocks or wish.after or wish.tells or wish.event or wish.vague or wish.bad:
        return False
    if wish.first or not wish.spans:  # behind other words it tells when they are done
        return False
    if wish.every is not None:
        return not wish.dates and _is_measure(wish, pieces, text)
    if len(wish.dates) != 1 or wish.often or wish.to_date or wish.also:
        return False
    start, end = wish.spans[0][0], pieces[wish.behind - 1].end
    return _names_a_thing(wish.dates[0], text[start:end], text[end:])


def _is_measure(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """每天八杯水, 每周工作四十小时: how much, and no deed that could be forgotten."""
    behind = text[pieces[wish.behind - 1].end :]
    return _AMOUNT.fullmatch(behind) is not None


_FIGURES = r"[零一二两三四五六七八九十百千万半\d]{1,6}(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"{_FIGURES}(?:杯|碗|顿|餐|步|克|斤|升|毫升|公里|千米|卡|大卡|块|元|页|瓶|个|包|支|根)"
    r"[\u3400-\u9fff]{0,4}[。!！]?"
    rf"|(?:都|要|只|得|平均|大[概约]|至少)*(?:工作|上班|上课|营业|睡眠?|睡觉|通勤|加班|休息|开放|供暖)"
    rf"(?:时间|时长)?(?:是|为)?{_FIGURES}(?:个?(?:半)?小时|个?钟头?|分钟|天)[。!！]?"
)


def _names_a_thing(said: Date, name: str, behind: str) -> bool:
    if not behind:
        return False
    lone = said._replace(english=False, lunar=None)
    festival = lone == Date(festival=said.festival)
    weekday = len(said.weekdays) == 1 and lone == Date(weekdays=said.weekdays)
    if behind[0] == " ":
        return _names_in_english(name, behind[1:], festival=festival, weekday=weekday)
    if _ASKED_ABOUT.search(behind) and (festival or weekday or said.offset is not None):
        return True
    if (festival or weekday) and _OF_A_THING.fullmatch(behind):
        return True
    return festival and _CLAUSE_OF_A_THING.fullmatch(behind) is not None


_CLAUSE = r"[^，,。;；!！?？的\s]"
_ASKED_ABOUT = re.compile(
    rf"^的?{_CLAUSE}{{0,8}}(?:怎么[写说读念拼]|什么意思|是什么|有什么|吃什么|为什么|的英[文语])"
    rf"{_CLAUSE}{{0,4}}[?？]?$"
)
# 星期一的英文; 周五的后一天 and 周三的上午 have been read as times before.
_OF_A_THING = re.compile(rf"的{_CLAUSE}{{1,12}}[。?？]?")
_TOLD = (
    "习俗|风俗|传统|来历|由来|起源|故事|传说|意思|含义|意义|诗句?|古诗|歌曲?|图片|照片|祝福语?|文案"
    "|做法|菜谱|食谱|东西"
)
# 端午吃粽子的习俗, 双十一买的东西; 中秋买新的手机 is a deed.
_CLAUSE_OF_A_THING = re.compile(
    rf"{_CLAUSE}{{1,8}}的(?:{_TOLD})[。?？]?|{_CLAUSE}(?<![去回要给])了?的{_CLAUSE}{{1,8}}[。?？]?"
)


def _names_in_english(name: str, behind: str, *, festival: bool, weekday: bool) -> bool:
    """Friday's child, thanksgiving turkey recipe, 9/11 memorial."""
    things = behind.rstrip(".?!").split(" ")
    if len(things) > THINGS_MAX or not all(thing.isalpha() for thing in things):
        return False
    if weekday and name.endswith("'s"):
        return things[0] not in _SAID_OF_IT
    if name in _DAYS_OF_HISTORY:
        return things[0] in _REMEMBERED
    return (festival or weekday) and things[-1] in _KNOWN


THINGS_MAX = 4
_SAID_OF_IT = frozenset(  # Saturday's my cleaning day: it is
    words("a an the my our your his her their when where not good fine best better ok okay great")
)
_DAYS_OF_HISTORY = frozenset(words("9/11 7/7 26/11"))
_REMEMBERED = frozenset(
    words(
        "memorial museum attack attacks bombing bombings commission victims hijackers conspiracy "
        "documentary survivors anniversary"
    )
)
_KNOWN = frozenset(
    words(
        "recipe recipes lyrics song songs joke jokes quote quotes meaning history tradition "
        "traditions origin origins trivia facts wallpaper wallpapers meme memes poem poems "
        "etymology folklore clipart font fonts"
    )
)
