"""Times that set nothing: they name a thing (Friday's child, 每天八杯水), or are asked about."""

import re

from clarion.language.when.mention import Mention
from clarion.language.when.stream import Date, Piece
from clarion.language.when.unset.stories import clause_of
from clarion.language.when.words import words


def is_only_named(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """Whether the time, in a sentence in which nobody asks, only tells which thing is meant."""
    if wish.clocks and wish.clocks[0].hour is not None:
        return False
    if wish.after is not None and not wish.dates:
        return _ARRIVING.fullmatch(text) is not None
    if wish.after or wish.event or wish.vague or wish.bad:
        return False
    if wish.spans and _QUESTION.search(clause_of(wish, text)):
        return True
    if wish.clocks or wish.tells:
        return False
    opens = not wish.first or pieces[wish.first - 1].kind == "sep"
    if not opens or not wish.spans:  # behind other words it tells when they are done
        return False
    if wish.every is not None:
        return not wish.dates and _is_measure(wish, pieces, text)
    if len(wish.dates) != 1 or wish.often or wish.to_date or wish.also:
        return False
    start, end = wish.spans[0][0], pieces[wish.behind - 1].end
    return _names_a_thing(wish.dates[0], text[start:end], text[end:])


# Who says it, and nothing to be done: I'll be back in 10 minutes, 我半小时后到.
_ARRIVING = re.compile(
    "(?:(?:i|we|he|she|they)(?:'ll| will|'m|'re|'s) )?(?:(?:be|get) )?(?:right )?"
    "(?:back|home|there|with you|over|down|done)(?: by)? in [^,.;]*[.!]?"
    "|[我他她]们?(?:大[概约]|差不多|应该|可能)?[^，,。;；]{2,10}"
    "(?:就|才|能|再)?(?:到家?|回[来家去]|过[来去]|下[来去]|上来)[了啦吧]?[。!！]?"
)


def is_told(wish: Mention, text: str) -> bool:
    """Whether a time behind us is part of a story: 昨天八点我忘了吃药, I bought it last March."""
    if wish.before or any(said.is_behind for said in wish.dates):
        return True
    return _TOLD_OF.search(text) is not None


_TOLD_OF = re.compile(
    r"\b(?:i|we|he|she|they|it|you|who)(?: (?:just|already|only))? "
    r"(?:was|were|had|did|got|went|came|ate|saw|took|left|bought|made|woke|slept|forgot|met|said)\b"
    "|了[。!！]?$|[^，,]过了?[。!！]?$"
)

# What is asked about a day: 明天有什么安排, "what's on Saturday"; 可以明天收吗 asks for something.
_QUESTION = re.compile(
    "^(?:(?:how|what)(?:'s| (?!about))|(?:why|who|where)(?:'s| )"
    "|when(?:'s| (?:is|am|are|do|does|did|was|will) )|(?:should|shall) (?:i|we) "
    "|(?:is|are|am|was|were|did|does|has) (?:i|it|there|he|she|we|they|you|anything|my|the) "
    "|(?:do|have) (?:i|we|they|you) )"
    "|^(?!.*(?:问[一下问我他她它]|查[一下看询问]|催)).*(?:(?<!没说)几点|(?<!没)什么(?![都的也])|谁|哪(?!怕)|多少|(?:几[个天次号度人]|[期拜周初]几)|怎么(?!也)|干[嘛啥])"
    "|^(?!.*(?:能|可以|行|好|成|设|改|帮|记得|问我)).*(?:吗|没有?)[?？]?$"
)


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
    rf"^的?{_CLAUSE}{{0,8}}(?:怎么[写说读念拼样]|如何|热不热|冷不冷|几度|什么意思|是什么|有什么|吃什么|为什么|的英[文语])"
    rf"{_CLAUSE}{{0,4}}[?？]?$"
)
# 星期一的英文; 周五的后一天 and 周三的上午 have been read as times before.
_OF_A_THING = re.compile(rf"的{_CLAUSE}{{1,12}}[。?？]?")
_TOLD = (
    "习俗|风俗|传统|来历|由来|起源|故事|传说|意思|含义|意义|诗句?|古诗|歌曲?|图片|照片|祝福语?|文案"
    "|做法|菜谱|食谱|东西"
)
# 端午吃粽子的习俗, 双十一买的(东西); 中秋买新的手机 is a deed.
_CLAUSE_OF_A_THING = re.compile(
    rf"{_CLAUSE}{{1,8}}的(?:{_TOLD})[。?？]?|{_CLAUSE}(?<![去回要给])了?的{_CLAUSE}{{0,8}}[。?？]?"
)


def _names_in_english(name: str, behind: str, *, festival: bool, weekday: bool) -> bool:
    """Friday's child, thanksgiving turkey recipe, 9/11 memorial."""
    things = behind.rstrip(".?!").split(" ")
    if weekday and name.endswith("'s"):
        return things[0] not in _SAID_OF_IT
    if len(things) > THINGS_MAX or not all(thing.isalpha() for thing in things):
        return False
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
