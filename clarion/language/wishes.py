"""What a sentence wishes beside time and content: confirmation, urgency, a person, a device."""

import re
from dataclasses import dataclass
from typing import Any

from clarion.language.when.model import Span
from clarion.language.when.wordlist import words

CRITICAL, HIGH, LOW = 100, 50, 0  # the levels of a reminder, as everywhere in Clarion


@dataclass(frozen=True, slots=True)
class Found:
    value: Any
    cuts: tuple[Span, ...]
    """What of the text said so, and is no content."""


# Every repetition below is bounded: a sentence may be hostile, and must still be read at once.
_EDGE = r"(?=$|[，,。；;!！\s：:)）】\]])"
_CLAUSE = r"(?:^|[，,。；;、!！\s(（【\[])"
# A clause that is nothing but a wish for confirmation; 提醒我确认酒店 is content.
_CONFIRM = re.compile(
    _CLAUSE + r"(?P<wish>(?:并且?|而且|还|也|这个|这条|此|记得|请|我|你){0,3}"
    r"(?:要|需要|需|必须|得|务必|一定要?|等|让|直到|到|带|有|给|须|应该|应){1,3}"
    r"(?:我|你|他|她|本人|点|按|手动|再|进行|亲自|回复|有|要|求|被|她们|妈妈|爸爸){0,4}"
    r"(?:確認|确认|签收|回执)"
    r"(?:收到|完成|吃了|一下|才行|才算|才能结束|才停|才可以|按钮|为止|的|提醒|型|回复|好|了){0,3}"
    r"|(?:没|未|不)有?(?:确认|回复)(?:就|则|之前|前)?(?:一直|继续|反复|别|不|不要)?"
    r"(?:提醒|叫|催|停|结束)?(?:我|下去|着){0,3}"
    r"|确认(?:后|了|之后|收到)(?:再|才|后)?(?:停|结束|关|算)[^，,。]{0,20}"
    r"|是?确认提醒|需确认|带确认)" + _EDGE
)
_CONFIRM_TAIL = re.compile(
    r"(?<=[\u3400-\u9fff])(?:并且?|而且|还)?(?:要|需要|必须|得|务必|一定要)(?:我|你)?(?:点|按|再)?"
    r"(?:確認|确认)(?:一下|才行|哦|的)?[。!！]?$"
)
_NO_CONFIRM = re.compile(
    r"(?:不用|不需要|无需|無需|不必|别|不要|免|不需)(?:我|你|再|点|让我){0,3}(?:確認|确认)(?:了|的)?|"
    r"\b(?:no|without(?: any)?) confirmation(?: (?:needed|required|necessary))?\b|"
    r"\bno need to confirm\b|\bconfirmation (?:is )?not (?:needed|required)\b|"
    r"\b(?:i |you )?(?:don't|do not|needn't) (?:need to |have to )?confirm\b",
    re.IGNORECASE,
)
_IT = r"(?: it| that| this)?"
_CONFIRM_EN = re.compile(
    r"(?:[,;.]\s?|\band\s|\bbut\s|\s|^)"
    rf"(?:i (?:must|need to|have to|should|want to|will) confirm{_IT}"
    rf"|(?:please )?(?:make|be) sure (?:that )?i confirm{_IT}"
    rf"|(?:please )?(?:ask|have|make|get) me (?:to )?confirm{_IT}"
    r"|(?:must|needs?|has|have) (?:to be confirmed|confirmation)"
    r"|(?:needs?|requires?|with|wait for|want)(?: a| my)? confirmation(?: (?:needed|required))?"
    r"|confirmation (?:is )?(?:needed|required|please)|must(?: be)? confirm(?:ed)?"
    r"|(?:keep (?:reminding|asking|telling|bugging|nagging|calling) (?:me )?)?"
    r"until i(?:'ve| have)? (?:confirm(?:ed)?|answer|reply)(?: it)?"
    r"|(?:please )?confirm (?:it )?with me|(?:don't|do not) stop until i confirm"
    r"|(?:please )?(?:make|be) sure (?:that )?i (?:did|do|have|really did)"
    r"(?: it| so| that)?(?=\W*$)"
    r"|(?<=[,;] )(?:please |to be )?confirm(?:ed| required)?(?: please)?(?=\W*$))"
    r"(?=$|[\s,.;!])",
    re.IGNORECASE,
)
_MAKE_SURE = re.compile(
    r"\b(?:please )?(?:make|be) sure (?:that )?i (?:do |get to |actually )?"
    r"|\bensure (?:that )?i ",
    re.IGNORECASE,
)
_SURE_ZH = re.compile(r"(?:务必|一定要?)?(?:确保|保证)我(?=.)")


def confirm_wish(text: str) -> Found | None:
    """Whether a confirmation is wanted, refused, or not spoken of (None)."""
    no = _NO_CONFIRM.search(text)
    if no:
        return Found(False, (no.span(),))
    for pattern in (_CONFIRM, _CONFIRM_EN):
        match = pattern.search(text)
        if match:
            span = match.span("wish") if "wish" in pattern.groupindex else match.span()
            return Found(True, (span,))
    tail = _CONFIRM_TAIL.search(text)
    if tail and not re.search(r"(?:提醒|叫|喊)(?:我|一下)*$", text[: tail.start()]):
        return Found(True, (tail.span(),))
    sure = _MAKE_SURE.search(text) or _SURE_ZH.search(text)
    return Found(True, (sure.span(),)) if sure else None


_THIS = r"(?:这个|这事|这件事|此事|这是|事情|有)?"
_VERY = r"(?:很|非常|特别|十分|超级|万分|比较|挺|真的很|极其)?"
_VERY_EN = r"(?:(?:it'?s|this is|it is|very|super|really|marked as|as) ){0,3}"
_THING = r"(?:的|事|事项|提醒|任务)?"


def _level(said: str, before_verb: str = "(?!)") -> re.Pattern[str]:
    """A clause of its own, or right before the asking word: 紧急提醒我."""
    clause = rf"{_CLAUSE}(?P<said>{_THIS}(?:{said}){_THING}){_EDGE}"
    return re.compile(rf"{clause}|(?P<said2>{before_verb})(?=提醒|通知|叫我)", re.IGNORECASE)


_LEVELS = (
    (
        LOW,
        _level(
            r"不(?:太|怎么|是很)?(?:着?急|重要|紧急)|没那么急|优先级低|低优先级?|"
            r"low[- ]priority|not urgent|no rush|not important"
        ),
    ),
    (
        CRITICAL,
        _level(
            rf"{_VERY}(?:紧急|緊急|加急|急事|着急|急|十万火急|最高优先级?|人命关天|危急)|"
            rf"{_VERY_EN}(?:urgent(?:ly)?|critical|emergency|asap)",
            "紧急|緊急|加急",
        ),
    ),
    (
        HIGH,
        _level(
            rf"{_VERY}(?:重要|要紧|高优先级?|优先级高|优先|vip)|"
            rf"{_VERY_EN}(?:important|high[- ]priority)",
            "重要",
        ),
    ),
)


def level_hint(text: str) -> Found | None:
    for level, pattern in _LEVELS:
        match = pattern.search(text)
        if match:
            group = "said" if match["said"] is not None else "said2"
            return Found(level, (match.span(group),))
    return None


_DEVICE = re.compile(
    r"(?:用|在|通过|让|拿|从|到|往|发到|推送到)(?P<device>(?:我的|我)?[\u3400-\u9fffA-Za-z]{0,6}?"
    r"(?:音箱|音响|手机|手表|平板|电视|机器人|设备|喇叭|电脑|小智|小爱同学|小爱|门铃|屏幕|中控|闹钟|"
    r"[Tt]elegram|电报|微信|邮件|邮箱|短信|飞书|钉钉))"
    r"(?:上|里|那里|来|给我|发|播放|播报){0,3}(?=提醒|叫|喊|通知|播|告诉|[，,。]|$)"
)
_DEVICE_EN = re.compile(
    r"\b(?:on (?:the |my )(?P<device>(?:[a-z]{1,20} )?(?:speaker|watch|tablet|device|display|tv))"
    r"|on my (?P<own>phone|laptop|computer)"
    r"|(?:via|over|through|by) (?:the |my )?(?P<way>telegram|email|sms|slack|phone))\b",
    re.IGNORECASE,
)


def device_named(text: str) -> Found | None:
    for pattern in (_DEVICE, _DEVICE_EN):
        match = pattern.search(text)
        if match:
            named = next(name for name in match.groupdict().values() if name)
            return Found(named, (match.span(),))
    return None


_NAME = re.compile(
    r"[@ ]?(?P<name>[小老阿][\u3400-\u9fff](?![\u3400-\u9fff]?[孩板师婆公人])|"
    r"[\u3400-\u9fff]{1,2}(?:老师|总|经理|医生|大夫|师傅|阿姨|叔叔|先生|女士|同学|主任|教授|护士)|"
    r"@[\w-]{1,32})(?:一下)?"
)
_NAME_EN = re.compile(
    r" (?P<name>(?:my |our )?[A-Za-z][\w'-]{0,30})"
    r"(?= (?:to|about|that|of|at|on|in|every|tomorrow)\b)"
)
NOT_NAMES = frozenset(words("me us myself to about that of at on in every tomorrow everyday"))


def person_named(text: str, verb: Span | None, whom: str | None) -> Found | None:
    """Somebody else who is to be told: 提醒妈妈吃药, "remind Bob to call"."""
    if verb is None:
        return None
    if whom and not whom.isascii():
        return Found(whom, ())
    if text[verb[0] : verb[1]].endswith(("我", "me", "us", "一下", "一声", "我们")):
        return None
    match = _NAME.match(text, verb[1]) if not whom else _NAME_EN.match(text, verb[1])
    if match is None or match["name"].lower() in NOT_NAMES:
        return None
    return Found(match["name"], (match.span(),))
