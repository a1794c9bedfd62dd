"""Times that are only told of: what was done, what used to be, what always is, what is asked."""

import re

from clarion.language.when.mention import Mention


def clause_of(wish: Mention, text: str) -> str:
    opens = max(text.rfind(mark, 0, wish.spans[0][0]) for mark in "，,。;!]") + 1
    closes = _MARK.search(text, max(end for _, end in wish.spans))
    return text[opens : closes.end() if closes else None].strip()


_MARK = re.compile(r"[，,。;!?\[]")


def is_story(wish: Mention, text: str, *, asked: bool) -> bool:
    """Whether the time belongs to what is told: with a word that asks, only to a childhood."""
    english = text.isascii()
    if asked:
        return not english and _CHILDHOOD.match(text) is not None
    if not wish.spans or wish.vague or wish.event or _is_ahead(wish):
        return False
    if (_LONG_AGO_EN if english else _LONG_AGO_ZH).search(text) or _is_name(wish, text):
        return True
    if not (wish.timed or wish.repeats) and _SAID_OF_IT.match(text):
        return True
    clause = clause_of(wish, text)
    if (wish.timed or wish.repeats or wish.dates) and _DONE.match(clause):
        return True
    if wish.clocks and _ASKED.match(clause):
        return True
    return not wish.dates and _USUAL.search(clause) is not None


def _is_ahead(wish: Mention) -> bool:
    """Tomorrow, next week: nobody tells of what was done then."""
    return any((said.offset or 0) > 0 or (said.week or 0) > 0 for said in wish.dates)


# 小时候每天早上六点爷爷就叫我起床: somebody asked, but long ago.
_CHILDHOOD = re.compile(
    "(?:我|我们)?(?:小时候|小的时候|那年|那时候?|从前|年轻的?时候?|以前|当年(?![底末]))"
    "(?!.*(?:提醒|请|帮我|记得|闹[钟铃]|现在|今[天晚]|明天|后天|再叫|还是))"
)
_LONG_AGO_ZH = re.compile(
    "小时候|小的时候|那年|那时候|年轻的?时候|刚才(?![那说讲的])|当年(?![底末度])|那会儿.*(?:[^忘不到]了|过|没|的$)"
    "|那[天晚](?:.*(?:[^忘不到]了|[过着](?![去来]))|是周)|的时候.{0,4}还[在没].*呢|好像.*[了过]"
)
_LONG_AGO_EN = re.compile(
    r"\b(?:when|while) (?:i|we|he|she|they|my \w+) (?:was|were) "
    r"(?:a|an|little|young|small|younger|kids|children|in|at|\w+teen|\d+)\b"
    r"|(?<!get )(?<!be )(?<!am )(?<!getting )\bused to\b"
    r"|\bback in (?:(?:19|20)\d\d|the day)\b|^back (?:then|when)\b|\bin those days\b"
    "|^(?:the|my) (?:label|leaflet|sign|packet|recipe|instructions?) (?:on [a-z ]+ )?says?\\b"
)
# I took my pills at 8, 我五点就醒了: what was done; "I was thinking 5pm" still asks.
_DONE = re.compile(
    r"(?!.*\b(?:put|book|set|add|move)\b)"
    r"(?:i|we|he|she|they|it|you|everyone|nobody|(?:the|my|our|his|her) [a-z]+|[a-z]+)"
    r"(?: (?:just|already|only|all|both|never|nearly))? "
    r"(?:(?:was|were|wasn't|weren't)(?! (?:thinking|hoping|wondering|going|meant|supposed|planning"
    r"|told|moved|changed|pushed|booked|rescheduled|scheduled|set|put|postponed|asked|born))"
    r"|ate|woke|slept|went|came|forgot|met|saw|took|arrived|finished|drank|drove|ran"
    r"|flew|had(?! (?:to|better|a (?:call|meeting) (?:moved|scheduled)))|didn't)\b"
    "|[我他她]们?[^，,。]{1,8}(?:[就才](?:醒|睡着|起床|吃)|已经[^，,。]{1,6})[了的]$"
    "|[我他她]们?[^，,。]{2,10}过[^，,。]{0,4}了$|[^，,。]{2,10}有人[^，,。]{1,3}过[^，,。]{0,3}$"
)
# What somebody wants to know: did I miss anything at 3?
_ASKED = re.compile(
    "(?:did(?! you hear)|was|were|why|who) "
    "|(?:what|how)(?:'s| (?:did|was|were|happened|happens|time)) "
    "|has (?:he|she|it|the|my) |have (?:i|we|they) "
)
_USUAL = re.compile(
    r"(?:一般|通常|平时|往常|经常|向来|一向|总是|老是)[^，,。 ]{0,3}"
    r"(?:早上|晚上|上午|下午|中午|凌晨|[零一二两三四五六七八九十\d]+点|\d)"
)
# Friday is my favourite; April and June are my cousins.
_SAID_OF_IT = re.compile(
    r"[a-z]+ (?:is|was) (?:my|our|his|her|the|a|by far the) "
    r"(?:favou?rite|best|worst|longest|busiest|shortest|name)\b"
    r"|[a-z]+ and [a-z]+ (?:are|were) (?:my|our|his|her|both|the) "
    "|.*(?:老话|俗话|谚语|歌词)"
)


def _is_name(wish: Mention, text: str) -> bool:
    """我家猫叫初七; my dog's name is Sunday: what something is called."""
    start, end = min(wish.spans)[0], max(wish.spans, key=lambda span: span[1])[1]
    closed = end >= len(text) or text[end] in "，,。.;!?"
    return closed and _CALLED.search(text, 0, start) is not None


_CALLED = re.compile(
    r"(?:[^来去你先再]叫做?|名叫|名字?是|取名|改名|(?:外号|小名|网名|昵称)[叫是]?)$"
    r"|\b(?:name(?:'s| is| was)|(?:is|was|are|band|cat|dog|song) (?:named|called)) $"
)
