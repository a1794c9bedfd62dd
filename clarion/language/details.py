"""What an utterance refers to: the time words, the reminder that is meant, the new value."""

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from clarion.language.when.parse import read as read_time

# Which words are about time does not depend on the day, so any day will do.
_SOME_DAY: Final = datetime(2026, 11, 16, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
_SOME_ZONE: Final = ZoneInfo("Asia/Shanghai")

_ALL: Final = re.compile(
    r"全部|所有|全都|全删|统统|一个不留|清空|清光|晒|哂|曬|都(?=取消|删|去|不要|关)|"
    r"\b(?:all|everything|every (?:single )?(?:one|reminder)|the lot|whole lot|each one)\b",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    r"刚才(?:那个|那条|设的|说的)?|刚刚(?:那个|那条|设的|说的)?|刚设的|上一个|上一条|"
    r"最后一?[个条]|头先嗰个|"
    r"\b(?:the )?last one\b|\bi just (?:set|made|asked)|\bmost recent\b|\bthe last reminder\b",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    r"下一?[个条](?!月|星期|礼拜|周)|接下来|\b(?:my |the )?next (?:one|reminder|alarm|thing|"
    r"up)\b|what'?s next",
    re.IGNORECASE,
)
_THIS: Final = re.compile(
    r"这个|这条|这|呢个|這個|它|佢|\b(?:this|this one|it|that|that one)\b", re.IGNORECASE
)
# What is said around the thing that is meant, in either language.
_AROUND: Final = re.compile(
    r"麻烦|请|帮我|給我|给我|替我|你|把|将|那个|那條|那条|嗰个|一下|吧|啦|了|呀|啊|嘛|哦|喔|唄|"
    r"呗|提醒|闹钟|鬧鐘|"
    r"取消掉?|删除|删掉?|刪除|刪掉?|去掉|撤掉|关掉|关了|停掉|不用再?|不要再?|别再?|不需要|算|"
    r"叫我|喊我|"
    r"有没有|有什么|有冇|有啥|什么时候|是几点|几点|哪天|查一?查|看一?看|告诉我|念|还有|多少|"
    r"几个|哪些|安排|吗|呢|的|我|"
    r"[，。！？,.!?]|"
    r"\b(?:please|can you|could you|would you|will you|i want to|i'd like to|you can|just|"
    r"go ahead and|hey|ok|okay|"
    r"cancel|delete|remove|drop|scrap|clear|ditch|get rid of|turn off|forget(?: about)?|stop|"
    r"kill|bin|don'?t|"
    r"need|anymore|any more|any longer|reminding me|remind me|reminders?|alarms?|timer|about|to|"
    r"what'?s|what|when'?s|when|do i have|have i got|is|are|there|any|my|me|list|show|"
    r"read(?: out)?|tell|"
    r"on|for|at|the|i|did|does|do|have|got|set|which)\b",
    re.IGNORECASE,
)
_TRIMMED: Final = re.compile(r"^(?:at|on|for|到了?) ?(?=\S)|的(?:时候)?$", re.IGNORECASE)
_NUMBER: Final = (
    r"(?:\d+|[零一二两俩三四五六七八九十半几廿百]+|an?|one|two|three|four|five|six|seven|eight|"
    r"nine|ten|"
    r"fifteen|twenty|thirty|forty|fifty|sixty|half an?|a couple(?: of)?)"
)
_LONG: Final = re.compile(
    rf"(?P<words>(?:过)?{_NUMBER}(?:个|粒)?半?(?:分钟|分鐘|小时|小時|钟头|鐘頭|钟|鐘|刻钟|刻鐘|秒)(?:以后|之后|之後|后)?|"
    rf"(?:in |another )?\b{_NUMBER}[ -](?:more |extra )?"
    r"(?:minutes?|mins?|hours?|hrs?|seconds?|secs?)\b|"
    rf"\banother {_NUMBER}\b)",
    re.IGNORECASE,
)
_EVENT: Final = re.compile(
    r"等(?:我|他|她|会议|这)?(?P<words>[^，,。 ]{1,10}?(?:完|了|好|来|回|到家|停|凉|醒))(?:再|"
    r"了|$|[，,。 ])|"
    r"\b(?P<later>(?:after|when|once|until|till|as soon as) [^,.]+)",
    re.IGNORECASE,
)
_VAGUE: Final = re.compile(
    r"(?P<words>一小?会儿?|待会儿?|等会儿?|过会儿?|稍后|晚点儿?|晚些|迟点|迟啲|等陣|等阵|等等|"
    r"等一?下|回头|"
    r"\b(?:a bit later|later on|later|in a bit|a sec|a minute|a moment|not (?:right )?now|"
    r"one more \w+|wait|hold on)\b)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?P<what>[^，,。 ]{1,12}(?:那个|那条|那個|那條|嗰个|嗰個|的提醒|的闹钟))|"
    r"\b(?P<the>(?:the|my|that) [\w' ]{2,30}?(?: one| reminder| alarm| timer)?)(?=$|[,.?]|"
    r"\b(?:off|any ?more|please|now|today)\b)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:麻烦|请|帮我|给我|替我|你|把|将|我的?|先|取消|删掉?|删除|去掉|关掉)+"
)
_TURNS: Final = re.compile(
    r"改成|改到|改为|改做|改咗|改|换成|换到|换|挪到|移到|推迟到|推迟|推到|延到|延后到?|提前到|"
    r"提前|调到|调成|拨到|设成|"
    r"往后|往前|\b(?:instead of|to be|to|until|till|for|at|into|by|be)\b(?!.*\b(?:to|until|"
    r"till|into)\b)",
    re.IGNORECASE,
)
_CHANGING: Final = re.compile(
    r"^(?:change|move|shift|push|bump|reschedule|postpone|delay|switch|swap|make|bring|put|set|"
    r"can you|could you|"
    r"please|把|将|给我|帮我|麻烦)\s*",
    re.IGNORECASE,
)
_CORRECTING: Final = re.compile(
    r"^(?:不对不?对?|不是不?是?|错了|唔系|唔係|不不不?|no no|nope|no|not that|wrong|wait|"
    r"actually|sorry|neither|i mean|i meant|"
    r"i said|it'?s|that'?s|make (?:it|that)|我(?:刚才?)?(?:说|讲|話|话)的?个?是?|应该是|"
    r"你听(?:岔|错)了|是|说错了|听错了|"
    r"[，,。.! …]|呃|嗯|哎|啊)\s*",
    re.IGNORECASE,
)
_NOT_BUT: Final = re.compile(
    r"^(?P<new>.+?)[，, ]*(?:不是|唔係|唔系|\bnot\b).*$|^(?:不是|not ).*?(?:[，, ]是|[，, ]|"
    r"\bbut\b)(?P<rather>.+)$",
    re.IGNORECASE,
)
_NOT_THIS: Final = re.compile(
    r"^(?:不对?[，, ]?)?(?:不是|唔係|唔系)[^是]*?[，, ]?(?:是|係|系)(.+)$|"
    r"^(?:no[, ]+)?not [^,]+?(?:,| but| it'?s) (.+)$",
    re.IGNORECASE,
)
_SAID_LAST: Final = re.compile(
    r"[, ]*\bi (?:said|meant)$|[，, ]*(?:你听(?:岔|错)了?|我说(?:快|错)了)$", re.IGNORECASE
)
_RATHER: Final = re.compile(
    r"[, ]*\b(?:instead of|rather than|not) .*$|[, ]*\binstead$|[，, ]?不是.*$", re.IGNORECASE
)
_FILLERS: Final = re.compile(
    r"^(?:嗯+|呃+|额|啊|哦|那就?|就|um+|uh+|well|er+|oh|maybe|say|let'?s say|[，,…\s])+|"
    r"[，,。.!！?？\s吧啦呗啊呀]+$",
    re.IGNORECASE,
)


def detail_of(text: str, intents: tuple[str, ...], scene: str, about: str) -> str:
    """In the speaker's words; for a change `what -> new value`."""
    asked = [intent for intent in intents if intent not in ("answer", "greet", "chat")]
    match asked[-1] if asked else "":
        case "create":
            return time_words(text) or _delay_words(text)
        case "snooze":
            return _delay_words(text)
        case "cancel" | "list" as intent:
            return _meant(text, scene, ask=intent == "list")
        case "change":
            return _change(text, scene)
        case "fill":
            return _FILLERS.sub("", text) or text
        case "correct":
            return _corrected(text)
        case _:
            return ""


def time_words(text: str) -> str:
    """每天早上七点半提醒我吃药 → 每天早上七点半; parts that stand apart are joined by a blank."""
    out = ""
    end = None
    for start, stop in sorted(read_time(text, _SOME_DAY, _SOME_ZONE).cuts):
        if end is not None:
            between = text[end:start]
            out += between if not between.strip() else " "
        out += text[start:stop]
        end = stop
    return _TRIMMED.sub("", out.strip())


def _delay_words(text: str) -> str:
    """How long or until when something is put off, also until an event: 等我洗完澡."""
    for pattern in (_LONG, _EVENT):
        found = pattern.search(text)
        if found:
            return next(words for words in found.groups() if words).strip()
    found_time = time_words(text)
    vague = _VAGUE.search(text)
    return found_time or (vague["words"].strip() if vague else "")


def _meant(text: str, scene: str, *, ask: bool) -> str:
    for pattern, name in ((_LAST, "last"), (_NEXT, "next")):
        if pattern.search(text):
            return name
    named = _NAMED.search(text)
    if named and not _ALL.search(text):
        return _LEAD.sub("", named["what"] or named["the"]).strip()
    when = time_words(text) if ask else ""
    rest = " ".join(_AROUND.sub(" ", text).split())
    if _ALL.search(text):
        kind = " ".join(_ALL.sub(" ", rest).split())
        return when or kind or "all"
    if _THIS.fullmatch(rest) or (not rest and scene == "ring"):
        return "this"
    return when or rest or ("all" if ask else "this")


def _change(text: str, scene: str) -> str:
    said = _CHANGING.sub("", text.strip())
    turn = None
    for turn in _TURNS.finditer(said):
        if turn.start() > 0:
            break
    if turn is None:
        what, new = "", time_words(text) or said
    else:
        what, new = said[: turn.start()], said[turn.end() :]
    what = _LEAD.sub("", what.strip()).strip(" ，,先也")
    for pattern, name in ((_LAST, "last"), (_NEXT, "next")):
        if pattern.search(what):
            what = name
    if not what or _THIS.fullmatch(what):
        what = "this"
    return f"{what} -> {_RATHER.sub('', new).strip(' ，。,.!了吧啦行')}"


def _corrected(text: str) -> str:
    rest = _SAID_LAST.sub("", text.strip())
    found = _NOT_THIS.match(rest)
    if found:
        return _FILLERS.sub("", next(words for words in found.groups() if words))
    while (shorter := _CORRECTING.sub("", rest)) != rest:
        rest = shorter
    found = _NOT_BUT.match(rest)
    if found:
        rest = found["new"] or found["rather"]
    return _FILLERS.sub("", rest)
