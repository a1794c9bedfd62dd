"""Measured values: 三十六度七 answers "量体温", 666 does not."""

import re
from collections.abc import Callable

from clarion.language.answer.moments import number

_CN = "零〇一二两三四五六七八九十百"
_NUMBER = rf"(?:\d+(?:\.\d+)?|[{_CN}]+(?:点[{_CN}]+)?)"
_NUMBERS = re.compile(
    rf"(?P<whole>\d+(?:\.\d+)?|[{_CN}]+)(?:(?:点|度)(?P<tenth>\d|[零一二三四五六七八九半])(?![\d{_CN}]))?"
)
_ENGLISH = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))

# Words that may stand around a value without making it something else.
_AROUND = re.compile(
    r"'s|上面|下面|上压|下压|收缩压|舒张压|高压|低压|血压|血糖|体温|体重|心率|心跳|脉搏|血氧|空腹|餐后|饭后|刚才|刚刚|刚|量了|测了|量完了?|测完了?|量过了?|测过了?|称了|量的|测的|量出来|测出来|量得"
    r"|结果|显示|读数|数值|是|到|约|差不多|大概|左右|毫米汞柱|毫摩尔?|毫摩每升|摄氏度|华氏度|公斤|千克|斤|度|下|次|跳|每分钟|分钟|百分之|正常|挺正常|还行|有点高|有点低|偏高|偏低|不高|不低|不烧|没烧|没发烧|比|和|我|今天|今早|现在|的|了|啊|呀|吧|呢|嗯|哦|早上|上午|下午|晚上|一共|整|多|点|半|mmhg|mmol/?l?|mmol|kg|bpm|lbs?|pounds?|kilos?|degrees?|percent|over|point|and|a|it|is|was|says?|reads?|reading|my|the|at|about|just|came|out|to|of|got|i|blood|pressure|sugar|temperature|weight|pulse|celsius|fahrenheit|hundred|systolic|diastolic|beats?|per|minute|normal|bit|high|low|little|on|scale|fine|ok|okay|good|today|now|this|morning|read|took|measured|checked|weigh|weighed|stone"
)
_LETTERS = re.compile(r"[\u4e00-\u9fffa-z]+")

_FITS: dict[str, Callable[[list[float]], bool]] = {
    "pressure": lambda v: len(v) in (2, 3) and 70 <= v[0] <= 260 and 30 <= v[1] <= 160 and v[0] > v[1],
    "glucose": lambda v: len(v) == 1 and (1.5 <= v[0] <= 35 or 40 <= v[0] <= 500),
    "temperature": lambda v: len(v) == 1 and (34 <= v[0] <= 43 or 94 <= v[0] <= 108),
    "weight": lambda v: len(v) == 1 and 20 <= v[0] <= 500,
    "pulse": lambda v: len(v) == 1 and 35 <= v[0] <= 220,
    "oxygen": lambda v: len(v) == 1 and 60 <= v[0] <= 100,
}


def fits(reply: str, measure: str) -> bool:
    """Whether the whole reply is a value that such a measurement can give."""
    if not measure:
        return False
    found = _read(reply)
    if not found or not _FITS[measure](found):
        return False
    rest = _NUMBERS.sub(" ", _english_digits(reply))
    return not _LETTERS.search(_AROUND.sub(" ", rest))


def _read(reply: str) -> list[float]:
    text = _english_digits(reply)
    values: list[float] = []
    for found in _NUMBERS.finditer(text):
        whole = _chinese_value(found["whole"])
        if whole is None:
            return []
        tenth = found["tenth"]
        if tenth:
            whole += 0.5 if tenth == "半" else (number(tenth) or 0) / 10
        values.append(whole)
    return values


def _chinese_value(text: str) -> float | None:
    """一百三 is 130 when a value is told, 一百二十八 is 128."""
    short = re.fullmatch(r"([一二两三])百([一二三四五六七八九])", text)
    if short:
        return (number(short[1]) or 0) * 100 + (number(short[2]) or 0) * 10
    return number(text)


def _english_digits(text: str) -> str:
    """one twenty eight over eighty two → 128 over 82."""
    text = re.sub(r"\ba hundred\b", "one hundred", text)
    if not any(word in _ENGLISH for word in text.replace("-", " ").split()):
        return re.sub(r"(\d+)\s+point\s+(\d+)", r"\1.\2", text)
    out: list[str] = []
    group: list[int] = []
    for word in [*text.replace("-", " ").replace(",", " ").split(), ""]:
        if word in _ENGLISH:
            group.append(_ENGLISH[word])
            continue
        if word == "hundred" and group:
            group.append(-1)
            continue
        if group and not (word == "and" and -1 in group):
            out.append(str(_joined(group)))
            group = []
        if word and not (word == "and" and group):
            out.append(word)
    return re.sub(r"(\d+)\s+point\s+(\d+)", r"\1.\2", " ".join(out))


def _joined(parts: list[int]) -> int:
    """[1, 20, 8] → 128, [90, 8] → 98, [1, hundred, 20] → 120."""
    value = 0
    for part in parts:
        if part < 0:
            value *= 100
        elif 1 <= value <= 2 and part >= 10:
            value = value * 100 + part
        else:
            value += part
    return value
