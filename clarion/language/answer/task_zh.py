"""Reads a Chinese content: its verb, its thing, and how its doing may be reported."""

import re

from clarion.language.answer import kinds as k
from clarion.language.answer import moments, rivals
from clarion.language.answer.families import CHINESE
from clarion.language.answer.family import Family
from clarion.language.answer.scan import CHINESE as CHINESE_WORDS
from clarion.language.answer.verbs_zh import (
    DRUGS,
    GENERIC_THINGS,
    GENERIC_VERBS,
    LOOSE_VERBS,
    TWO_LETTER_VERBS,
)

_PREFIX = re.compile(
    r"^(?:请|记得|记着|别忘了?|不要忘记|该|要|去|来|得|准时|按时|每[天晚早周月]|今[天晚早]|明[天晚早]|后天|早上|晚上|上午"
    r"|下午|中午|睡前|饭后|饭前|下班后?|(?:\d{1,2}|[一二两三四五六七八九十]{1,3})(?:点半?|:\d\d)"
    r"|给[^打发寄买做喂浇送换洗施]{1,4}(?=[打发寄买做喂浇送换洗施]))+"
)
_DONE_TAILS = ("了", "过了", "完了", "好了", "掉了", "掉", "上了", "上", "够了", "了吧", "掉吧")
_SOUND_TAILS = ("过了", "国了", "果了", "过啦", "完了", "完啦", "好了", "过", "完", "下去了")
_BODILY = frozenset("吃喝睡起练跑走量测躺")
_CARRIES = frozenset("提拎扔丢倒放搬拿送带牵寄发")
_MISREAD = frozenset((k.STOP, k.NOT_NEEDED, k.UNABLE, k.REFUSAL))


def words_of(content: str) -> tuple[dict[str, str], Family | None, bool]:
    """The task's own words, its family if any, and whether its verb says enough."""
    core = _PREFIX.sub("", content) or content
    family = family_of(core) or family_of(content)
    verb, thing = _split(core)
    words = dict.fromkeys(GENERIC_VERBS.split(), k.VERB)
    words |= dict.fromkeys(GENERIC_THINGS.split(), k.THING)
    words |= _own_words(family, verb, thing)
    words |= (
        dict.fromkeys(rivals.chinese(content), k.OTHER)
        | _drugs(content)
        | _time_of(content)
        | _under_way(verb, thing)
    )
    words |= _known_as_done(words)
    loose = (family is not None and family.loose) or verb in LOOSE_VERBS.split()
    return {word: kind for word, kind in words.items() if word}, family, loose


def is_action(content: str) -> bool:
    """Starts with a verb that we know, and names no time."""
    if len(content) > 12 or _PREFIX.match(content):
        return False
    verb, _ = _split(content)
    family = family_of(content)
    return len(verb) == 2 or (family is not None and verb in family.verbs.split())


def keys_of(content: str) -> list[str]:
    """What a paraphrase has to name: 降压药 of 吃降压药, 开会 of 三点开会."""
    core = _PREFIX.sub("", content) or content
    _, thing = _split(core)
    return [thing if len(thing) > 1 or (thing and is_action(content)) else core]


def is_bodily(content: str) -> bool:
    return not _BODILY.isdisjoint(content)


def family_of(core: str) -> Family | None:
    """The family with the longest sign in the content; ties go to the earlier."""
    best: Family | None = None
    longest = 0
    for family in CHINESE:
        for sign in family.signs.split():
            if len(sign) > longest and sign in core:
                best, longest = family, len(sign)
    return best


def _split(core: str) -> tuple[str, str]:
    """吃降压药 → 吃, 降压药."""
    length = 2 if core[:2] in TWO_LETTER_VERBS.split() else 1
    return core[:length], core[length:]


def _own_words(family: Family | None, verb: str, thing: str) -> dict[str, str]:
    words: dict[str, str] = {}
    if family is not None:
        words |= dict.fromkeys(family.things.split(), k.THING)
        words |= dict.fromkeys(family.verbs.split(), k.VERB)
        words |= dict.fromkeys(family.finished.split(), k.FINISHED)
        words |= dict.fromkeys(family.undone.split(), k.NOT_YET)
        words |= {f"{v}到": k.VERB + k.PERFECT for v in family.verbs.split() if v in _CARRIES}
        under_way = [v + end for v in family.verbs.split() for end in ("紧", "着呢")]
        words |= dict.fromkeys(under_way, k.DOING)
        for sound in family.sounds.split():
            words |= {sound + tail: k.FINISHED for tail in _SOUND_TAILS}
            words |= {no + sound: k.NOT_YET for no in ("没", "还没", "还妹")}
            words |= {soon + sound: k.DOING for soon in ("马上", "这就", "正在", "现在就")}
    if thing:
        words |= dict.fromkeys((thing, thing[-2:], thing[:2]), k.THING)
    words |= {verb: k.VERB, f"不{verb}": k.WILL_NOT + k.VERB, f"没{verb}": k.NOT_YET + k.VERB}
    if thing:
        words[verb + thing] = k.VERB + k.THING
    words |= dict.fromkeys(_scorned(verb), k.REFUSAL)
    words |= dict.fromkeys((f"刚{verb}", f"刚刚{verb}"), k.FINISHED)
    words |= {f"{where}{verb}了": k.NOT_YET for where in ("哪儿", "哪", "哪里", "我哪")}
    words |= {f"少{verb}了": k.PART + k.VERB, f"漏{verb}了": k.FORGETS}
    words |= {f"{verb}就{verb}": k.AT_ONCE, f"说{verb}就{verb}": k.AT_ONCE}
    words |= {f"{verb}妥": k.FINISHED, f"{verb}妥了": k.FINISHED}
    words |= {f"{verb}罢": k.FINISHED, f"{verb}罢了": k.FINISHED}
    words |= {f"唔{verb}": k.REFUSAL, f"唔使{verb}": k.NOT_NEEDED, f"未{verb}": k.NOT_YET}
    return words


def _scorned(verb: str) -> list[str]:
    """吃什么吃, 还吃啥: questions only in form."""
    said = [f"{verb}{what}{verb}" for what in ("什么", "啥", "个啥", "毛")]
    said += [f"还{verb}{what}" for what in ("什么", "啥", "个啥", "个屁", "它干嘛", "它干啥")]
    said += [f"{who}{verb}" for who in ("谁要", "谁爱", "谁想", "谁稀罕")]
    return [
        *said,
        f"要{verb}你{verb}",
        f"{verb}个屁",
        f"{verb}个头",
        f"{verb}你个头",
        f"{verb}个鬼",
    ]


def _drugs(content: str) -> dict[str, str]:
    """With 吃药 any medicine is meant; with 吃降压药 a cold remedy is another one."""
    named = [drug for drug in DRUGS.split() if drug in content]
    if "药" not in content and not named:
        return {}
    return {drug: k.THING if not named or drug in named else k.OTHER for drug in DRUGS.split()}


def _time_of(content: str) -> dict[str, str]:
    """The content's own times say nothing new when a reply repeats them."""
    words: dict[str, str] = {}
    for place in range(len(content)):
        kind, length = moments.at(content, place)
        if kind == k.CLOCK:
            words[content[place : place + length]] = k.FILLER
            words[f"{content[place : place + length]}见"] = k.ACK
        kind, length = CHINESE_WORDS.longest(content, place)
        if kind == k.FUTURE:
            words[content[place : place + length]] = k.FILLER
    if words:
        # The time that is meant is the content's own, so this is a promise and no delay.
        words |= dict.fromkeys(("到时候", "到时", "到点", "届时", "那时候", "那会儿"), k.FILLER)
    return words


def _under_way(verb: str, thing: str) -> dict[str, str]:
    """在打电话 is an obstacle to every task but 打电话."""
    doing: list[str] = []
    for what in (verb, verb + thing):
        doing += [f"{way}{what}" for way in ("在", "正在", "正", "已经在", "去", "这就", "马上")]
        doing += [
            f"{way}{what}{end}"
            for way in ("在", "正在", "正")
            for end in ("着", "呢", "着呢", "了")
        ]
        doing += [f"{what}着呢", f"{what}着", f"{what}呢", f"{what}紧", f"{what}去"]
    doing += [f"快{verb}完了", f"快{verb}好了", f"快{verb}完", f"{verb}着{thing}呢"]
    return dict.fromkeys(doing, k.DOING)


def _known_as_done(words: dict[str, str]) -> dict[str, str]:
    """关了 tells us to be quiet, unless the task is to close something."""
    verbs = [word for word, kind in words.items() if kind == k.VERB]
    said = [(verb + tail, tail) for verb in verbs for tail in _DONE_TAILS]
    return {
        word: k.FINISHED + k.SOFT if tail.endswith("吧") else k.FINISHED
        for word, tail in said
        if CHINESE_WORDS.words.get(word) in _MISREAD
    }
