"""Words that can mean only one thing stand over what was learned. Pure."""

import re

from clarion.language import answer as answers
from clarion.language import request as requests
from clarion.language.understand import Meaning, Situation, understand

SURE = 0.5  # below this a call for help is asked about before contacts are told
HARDLY = 0.9  # below this a plain answer to what rings is no call for help
PLAINLY = frozenset({"done", "doing", "will", "later", "no", "undone"})
"""Kinds of an answer in which nobody is hurt; who *cannot* may be."""
ABOUT_REMINDERS = frozenset({"create", "list", "cancel", "change", "snooze", "stop", "distress"})
MISHEARD = frozenset({"list", "chat", "correct", "answer"})
"""As what a refusal is taken when nothing rings."""
CLAUSE = re.compile(r"(?<=[，,。.;；!！?？\s])")
CANCELS = re.compile(
    r"^\W*(?:请|帮我|麻烦|给我)?(?:把.{1,12})?(?:取消|删除|删掉)(?!不|没)|"
    r"(?<![别不要没])(?:取消|删)(?:了|掉|吧|一下)*\W*$|"
    r"^\W*(?:please |can you |could you )?(?:cancel|delete|remove)\b",
    re.IGNORECASE,
)
NO_MORE = re.compile(
    r"(?:以后|今后|再也|永远).{0,4}(?:不用|不要|别)|.的(?:就|都)?(?:不用|不要)(?:提醒|叫)?了|"
    r"\bno more\b|\bnot any ?more\b",
    re.IGNORECASE,
)
LEFT_ALONE = re.compile(
    r"^\W*(?:你?别(?:烦|吵|闹|理)|闭嘴|烦死|(?:leave|let) me alone|shut up|be quiet)", re.IGNORECASE
)
TAKES_BACK = re.compile(
    r"撤|恢复|恢復|復原|还原|還原|反悔|后悔|不算|作数|算数|当我没|當我|[搞弄说按记听删]错|误|手快|找回|[加改退弄拿攞变]回|"
    r"回[来去]|返|还给|原来|原样|别(?:[设删改记]|取消|动|通知|开始|当真)|不设|不是这|唔[要好]|停|去掉|没说|没吃|没做|冇|"
    r"^\W*(?:哦|啊|哎|那|都|算了|不)*(?:算了|不要|不用|不了|删了|取消)|开玩笑|说着玩|"
    r"\b(?:undo|undid|revert|restore|reverse|back|scratch|scrap|never ?mind|forget|mistake|"
    r"accident|oops|un-?\w+e|that off|actually|bother|wasn'?t|ctrl|only meant|don'?t|didn'?t|"
    r"haven'?t|cancel|like before|the way it was|wrong)\b",
    re.IGNORECASE,
)
WISH = re.compile(r"确认|(?:等|要|听)我?.{0,3}(?:回答|回话|答应|说一声)|\bconfirm", re.IGNORECASE)
LISTS = re.compile(
    r"提醒|闹钟|有(?:什么|哪些|几|啥)|还有|几点|什么时候|下一?个|\b(?:reminders?|alarms?|next|today|"
    r"tomorrow|when|list|coming up|have i got|do i have)\b",
    re.IGNORECASE,
)
REPEATS = re.compile(
    r"再|重复|重說|重说|没听|听不|啥|什么[？?]?$|说慢|\b(?:repeat|again|pardon|say|said|sorry|what\?*$|"
    r"catch|hear|come)\b",
    re.IGNORECASE,
)
CHANGES = re.compile(
    r"(?:推迟|推后|延后|挪|改|提前)(?:到|成)?.|"
    r"^\W*(?:please |can you )?(?:put|push|move|postpone|delay|reschedule|bring)\b.*"
    r"\b(?:off|back|to|till|until|by|forward)\b",
    re.IGNORECASE,
)
SWAPS = re.compile(
    r"不是(?P<old>[^，,。 ]+?)[，, ]*(?:而)?是(?P<new>[^，,。 ]+)|"
    r"\bnot (?P<old_en>[\w ]+?),? but (?P<new_en>[\w ]+)",
    re.IGNORECASE,
)
READS_OUT = re.compile(
    r"(?:什么|哪些|几个|几条|啥)(?:提醒|闹钟)|(?:提醒|闹钟)(?:都)?有(?:什么|哪些|几|啥)|"
    r"\b(?:list|read)(?: out)? my (?:reminders|alarms)|\bwhat reminders\b",
    re.IGNORECASE,
)
CORRECTS = re.compile(
    r"不对|不是|错|是说|我说的?是|应该|改|还是|换|\b(?:no|sorry|wait|actually|meant|make|instead|rather|oops)\b",
    re.IGNORECASE,
)
ASKS_THE_TIME = re.compile(
    r"^\W*(?:请问|那)?(?:现在|这会儿?)?(?:是)?几点(?:钟|了|啦)+\W*$|^\W*(?:现在|这会儿?)(?:是)?几点\W*$|"
    r"^\W*今天(?:是)?(?:星期|礼拜|周)几\W*$|^\W*今天(?:是)?几[号月].{0,3}\W*$|"
    r"^\W*what(?:'s| is)? (?:the )?(?:time|day|date)(?: is it)?(?: now| today)?\W*$|"
    r"^\W*what day is it\b",
    re.IGNORECASE,
)
IS_WELL = re.compile(
    r"没事[了啦儿]|我没事|没什么事|不用(?:再)?(?:叫|通知|来|找|管|告诉)|别(?:叫|通知|告诉)(?:他|她|人)|"
    r"误会|误报|误触|虚惊|开玩笑|闹着玩|[搞弄按说喊]错|好多了|没摔|没大碍|不要紧|"
    r"\bfalse alarm\b|\bi(?:'m| am) (?:fine|ok|okay|all ?right|alright|good|well|safe)\b|"
    r"\b(?:all good|all ok|all is well|just kidding|kidding|joking|by (?:mistake|accident)|"
    r"did(?:n'?t| not) mean (?:it|to|that)|no need to (?:call|tell|come)|"
    r"do(?:n'?t| not) (?:call|tell) (?:them|him|her|any)|call (?:it|them) off|never ?mind)\b",
    re.IGNORECASE,
)
IS_NOT_WELL = re.compile(
    r"[吗么吧][？?]?\W*$|[？?]\W*$|不是.{0,4}没事|但|可是|不过|就是|还[在是有]?.{0,3}(?:疼|痛|晕|流血|难受|不舒服|起不)|起不来|动不了|"
    r"\b(?:not|n't) (?:fine|ok|okay|all ?right|alright|good|well|safe|a joke|joking|kidding)\b|"
    r"\b(?:but|except|though|hurts?|pain|bleeding|dizzy|can'?t|cannot|unless)\b",
    re.IGNORECASE,
)


def surely(meaning: Meaning, text: str, situation: Situation) -> Meaning:
    """What was learned, corrected where the words leave no doubt."""
    first = meaning.intents[0]
    if "distress" in meaning.intents and situation.ringing and meaning.confidence < HARDLY:
        # 我们去不了, said to a call, is a no rather than a cry for help.
        read = answers.read(text, situation.ringing)
        known = read.label is not answers.Label.UNCLEAR
        if known and (meaning.confidence < SURE or read.kind in PLAINLY):
            return Meaning(("answer",), "", meaning.confidence)
    if meaning.intents == ("undo",) and LEFT_ALONE.search(text):
        return Meaning(("stop",), "", 1.0)
    if meaning.intents == ("undo",) and not situation.ringing:
        meaning = _undo(meaning, text)
    idle = not situation.ringing and not situation.asked
    refuses = {"create"} | (MISHEARD if idle else frozenset())
    if first in refuses and requests.takes_away(text):
        return Meaning(("cancel",), meaning.detail, 1.0)
    meaning = _plainly(meaning, text, idle=idle)
    first = meaning.intents[0]
    if first in ABOUT_REMINDERS or not CANCELS.search(text):
        return meaning
    return Meaning(("cancel",), meaning.detail, 1.0)


def _plainly(meaning: Meaning, text: str, *, idle: bool) -> Meaning:
    """What is read out, moved or put right, taken for talk."""
    first = meaning.intents[0]
    if first in {"repeat", "chat", "help", "aside"} and READS_OUT.search(text):
        return Meaning(("list",), "", 1.0)
    if first == "repeat" and LISTS.search(text) and not REPEATS.search(text):
        return Meaning(("list",), "", 1.0)
    if idle and first in {"list", "chat"} and CHANGES.search(text):
        return Meaning(("change",), "", 1.0)
    if idle and first in {"chat", "aside", "answer"} and SWAPS.search(text):
        return Meaning(("correct",), "", 1.0)
    return meaning


def _undo(meaning: Meaning, text: str) -> Meaning:
    """看新闻的不要了 and 要等我回答 take nothing back: they are about a reminder."""
    if NO_MORE.search(text):
        return Meaning(("cancel",), "", 1.0)
    if not TAKES_BACK.search(text):
        return Meaning(("change",) if WISH.search(text) else ("chat",), "", 1.0)
    return meaning


def is_well(text: str) -> bool:
    """没事了, "false alarm": said plainly, and nothing with it that says otherwise."""
    return IS_WELL.search(text) is not None and IS_NOT_WELL.search(text) is None


def divided(text: str, intents: tuple[str, ...], situation: Situation) -> list[str]:
    """The part of the text for each of two intents; the whole of it for both when none is seen."""
    cuts = [found.start() for found in CLAUSE.finditer(text) if 0 < found.start() < len(text)]
    for cut in cuts:
        head, tail = text[:cut], text[cut:]
        first = understand(head, situation).intents
        second = understand(tail, Situation()).intents
        if first == intents[:1] and second[:1] == intents[1:2]:
            return [head, tail]
    return [text] * len(intents)
