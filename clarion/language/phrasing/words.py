"""Puts a reminder into words: by attempt, hour and lateness, always short enough to say.

Words that an LLM wrote are checked here before they are said in a reminder's name.
"""

import re
import zlib
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from clarion.language.learned.tokens import stem, words_of
from clarion.language.phrasing import templates as t
from clarion.language.script import HAN, fold
from clarion.language.when.words import words

_TO_YOU = {
    "my": "your",
    "mine": "yours",
    "me": "you",
    "myself": "yourself",
    "i": "you",
    "i'm": "you're",
    "i've": "you've",
    "i'll": "you'll",
    "i'd": "you'd",
    "our": "your",
    "ours": "yours",
}
_SELF = re.compile(
    r"\b(?P<be>i (?:am|was)|am i|was i)\b|(?<![\w'.])(?:"
    + "|".join(sorted(_TO_YOU, key=len, reverse=True))
    + r")(?![\w'@]|\.\w)",
    re.IGNORECASE,
)
_BE = {"i am": "you are", "i was": "you were", "am i": "are you", "was i": "were you"}


def to_listener(content: str, lang: str) -> str:
    """English only, and only whole words: "take my pills" is "take your pills"."""
    if lang == "zh" or not content.isascii():
        return content
    return _SELF.sub(_to_you, content.replace("\u2019", "'"))


def _to_you(found: re.Match[str]) -> str:
    said = found[0]
    if said == "i" and found.end() == len(found.string):
        return said  # vitamin i
    you = _BE[said.lower()] if found["be"] else _TO_YOU[said.lower()]
    return you[0].upper() + you[1:] if said[0].isupper() and found.start() == 0 else you


_TIME_FIRST: Final = re.compile(
    r"^(?:请|记得|记着|别忘了?|不要忘记|该|要|去|来|得|准时|按时|每[天晚早周月]|今[天晚早]|明[天晚早]|后天|"
    r"早上|晚上|上午|下午|中午|睡前|饭后|饭前|下班后?|"
    r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})(?:点半?|:\d\d))+"
)
_VERBS_ZH: Final = frozenset(
    "丢买交付倒做充关写冲刮刷剪发取叠吃吞喂喝回寄带开弹戴打扔扫抄投报抹拖拿挂换接搬擦收敷晒晾服查泡注洗浇测涂滴"
    "灌熄画看睡称签练缴背补订读贴跑跳还送遛量铺锁领食饮验"
)
_PAIRS_ZH: Final = frozenset(
    words(
        "锻炼 检查 打扫 整理 复习 预习 预约 缴纳 参加 更换 准备 提交 测量 收拾 联系 回复 关闭 "
        "充电 练习 背诵 打卡 签到 服用 注射 采购 修剪 登记 申请 报名 清理 下单 挂号 出发 学习 "
        "休息 运动 健身 起床 拉伸 反锁 填写 发送 取消 更新 备份 汇报 审批 续费 投票 领取 归还 "
        "清洗 冥想 散步 跑步 消毒 洗漱"
    )
)
_VERBS_EN: Final = frozenset(
    words(
        "take do eat drink feed give go get pay send buy bring write read run swim call walk "
        "water lock wash check brush fix turn clean charge close open put pick practice "
        "practise make book order change measure test apply stretch exercise study review "
        "submit finish return renew sign email text reply visit move lift rest sleep wake "
        "meet prepare pack mail empty fold sweep mop vacuum iron"
    )
)


def is_action(content: str) -> bool:
    """A plain thing to do (吃药, take your pills), not a note with a time or a subject."""
    folded = fold(content)
    if not HAN(folded):
        return folded.split(" ", 1)[0] in _VERBS_EN and len(folded) <= 30
    if len(folded) > 12 or _TIME_FIRST.match(folded):
        return False
    return folded[:2] in _PAIRS_ZH or folded[0] in _VERBS_ZH


def names_task(text: str, content: str) -> bool:
    """Whether a folded text speaks of this content: its words, or the thing it is about."""
    folded = fold(content)
    if folded in text:
        return True
    if HAN(folded):
        core = _TIME_FIRST.sub("", folded) or folded
        thing = core[2 if core[:2] in _PAIRS_ZH else 1 :]
        return (thing if len(thing) > 1 or (thing and is_action(content)) else core) in text
    said = {stem(word) for word in re.findall(r"[a-z]+", text)}
    things = {word for word in words_of(folded) if word not in {stem(v) for v in _VERBS_EN}}
    return bool(things or words_of(folded)) and (things or words_of(folded)) <= said


CHARACTERS_MAX: Final = 50
FOLLOW_UP_MAX: Final = {"zh": 20, "en": 50}
VERBS: Final = frozenset("吃喝量打测擦洗买拿取倒浇喂关锁做写交寄")  # 吃药: 吃了，还是还没吃？
LATE_FROM: Final = timedelta(minutes=5)  # below that nobody feels it was late


def tone(attempt: int) -> str:
    """温和提醒 at first, 友好催促 the second time, 认真强调 from the third on."""
    return t.GENTLE if attempt <= 1 else t.NUDGING if attempt == 2 else t.EARNEST


def phrase(
    content: str,
    *,
    attempt: int,
    confirm: bool,
    name: str = "",
    lang: str = "zh",
    local_hour: int,
    late: timedelta | None = None,
    seed: str = "",
) -> str:
    """The words of this attempt, at most 50 characters. The same seed gives the same words."""
    lang = _known(lang)
    content = to_listener(" ".join(content.split()).rstrip("。.!！"), lang)
    kind = "do" if is_action(content) else "note"
    choice = f"{seed}/{attempt}"
    fields = {"c": content, "h": _greeting(lang, local_hour), "n": _called(name, lang)}
    if late is not None and late >= LATE_FROM and attempt <= 1:
        fields["t"] = _how_late(late, lang)
        wordings = _turned(t.LATE[lang, confirm], choice)
    elif confirm:
        wordings = _turned(t.ASKING[lang, tone(attempt), kind], choice)
    else:
        wordings = _turned(t.TELLING[lang, kind], choice)
    without = fields | {"h": ""}
    bare = without | {"n": ""}
    tries = [(w, f) for f in (fields, without, bare) for w in wordings]
    tries += [(w, bare) for w in t.SHORT[lang]]
    return _first_that_fits(tries, content, CHARACTERS_MAX)


def follow_up(content: str, *, lang: str = "zh", seed: str = "") -> str:
    """Asks once whether it is done: at most 20 characters in Chinese, 50 in English."""
    lang = _known(lang)
    content = to_listener(" ".join(content.split()).rstrip("。.!！"), lang)
    kind = "do" if is_action(content) else "note"
    fields = {"c": content, "v": content[:1]}
    if kind == "do" and lang == "zh" and content[:1] in VERBS and len(content) > 1:
        kind = "verb"
    tries = [(w, fields) for w in _turned(t.FOLLOW_UPS[lang, kind], seed)]
    tries += [(w, fields) for w in _turned(t.FOLLOW_UPS[lang, "any"], seed)]
    return _first_that_fits(tries, content, FOLLOW_UP_MAX[lang])


def check_back(content: str, *, lang: str = "zh", seed: str = "") -> str:
    """Asks what became of a promise, at most 50 characters."""
    lang = _known(lang)
    content = " ".join(content.split()).rstrip("。.!！")
    kind = "do" if is_action(content) else "note"
    tries = [(w, {"c": content}) for w in _turned(t.CHECK_BACKS[lang, kind], seed)]
    tries += [(w, {"c": content}) for w in t.CHECK_BACKS[lang, "any"]]
    return _first_that_fits(tries, content, CHARACTERS_MAX)


def _known(lang: str) -> str:
    return "en" if lang.lower().startswith("en") else "zh"


def _turned(wordings: Sequence[str], seed: str) -> list[str]:
    """All wordings, beginning at a place that depends on the seed alone."""
    start = zlib.crc32(seed.encode()) % len(wordings)
    return [*wordings[start:], *wordings[:start]]


def _greeting(lang: str, hour: int) -> str:
    return next(words for start, words in reversed(t.GREETINGS[lang]) if hour % 24 >= start)


def _called(name: str, lang: str) -> str:
    return f"{name}，" if name and lang == "zh" else f"{name}, " if name else ""


def _how_late(late: timedelta, lang: str) -> str:
    minutes = int(late.total_seconds() // 60)
    number, zh, en = (minutes, "分钟", "min") if minutes < 60 else (minutes // 60, "小时", "h")
    return f"{number}{zh}" if lang == "zh" else f"{number} {en}"


def _first_that_fits(tries: Iterable[tuple[str, dict[str, str]]], content: str, limit: int) -> str:
    for wording, fields in tries:
        said = wording.format(**fields)
        if len(said) <= limit:
            first = said[0].upper()
            return (first if len(first) == 1 else said[0]) + said[1:]  # ß would become two
    return content if len(content) <= limit else f"{content[: limit - 1]}…"


_LINK: Final = re.compile(
    r"https?:|www\.|\w\.(?:com|cn|net|org|io|me|ly)\b|@\w|\]\(|<[a-z/]", re.IGNORECASE
)
_MARKUP: Final = re.compile(
    r"[\n\r\t`{}|\\]|\*\*|^#|^\s*[-*] |^(?:assistant|system|user)\s*:", re.IGNORECASE
)
# A reminder that talks its hearer out of the task is worse than none; 别忘了 does not.
_DISSUADES: Final = re.compile(
    r"不用|不必|不需要|无需|不要(?!忘|担心)|别(?!忘|急|担心|光顾|拖|让)|取消|停止|跳过|不再|"
    r"已经(?:完成|确认|吃|做)|\bno need|\bdo(?:n't| not)(?! forget| worry| miss)|\bskip|\bcancel|"
    r"\bstop|\bnever\b|\balready",
    re.IGNORECASE,
)
_DIGITS_LONG: Final = re.compile(r"\d{5,}")


def is_sayable(text: str, content: str, lang: str) -> bool:
    """Short enough, in the user's language, about this task, and nothing in it to follow."""
    return len(text) <= CHARACTERS_MAX and _is_clean(text, lang) and names_task(fold(text), content)


def is_askable(text: str, lang: str) -> bool:
    """A follow-up: a short clean question."""
    limit = FOLLOW_UP_MAX["zh" if lang == "zh" else "en"]
    asks = text.endswith(("?", "？", "吗", "呢", "没", "没有"))
    return asks and len(text) <= limit and _is_clean(text.replace("已经", ""), lang)


def _is_clean(text: str, lang: str) -> bool:
    if not text or text != text.strip() or not text.isprintable():
        return False
    if any(pattern.search(text) for pattern in (_LINK, _MARKUP, _DISSUADES, _DIGITS_LONG)):
        return False
    return (HAN(text) is not None) == (lang == "zh")
