"""Measured values: 三十六度七 answers "量体温", 666 does not."""

import re
from collections.abc import Callable

from clarion.language.answer.moments import number
from clarion.language.answer.moments_en import VALUES
from clarion.language.when.words import words

_CN = "零〇一二两三四五六七八九十百"
_NUMBERS = re.compile(
    rf"(?P<whole>\d+(?:\.\d+)?|[{_CN}]+)"
    rf"(?:(?:点|度)(?P<tenth>\d|[零一二三四五六七八九]|(?<=度)半)(?![\d{_CN}]))?"
)
# Words that may stand around a value without making it something else. No 点 and no "at": what
# they stand beside may be a time of day.
_BESIDE = words(
    "半 又 高 低 高了 低了 挺 偏 还 有点 太 不错 稳定 都 上面 下面 上压 下压 收缩压 "
    "舒张压 高压 低压 血压 血糖 体温 体重 心率 心跳 脉搏 血氧 空腹 "
    "餐后 饭后 刚才 刚刚 刚 量了 测了 量完了 量完 测完了 测完 量过了 量过 测过了 测过 称了 "
    "量的 测的 量出来 测出来 量得 结果 显示 读数 数值 差不多 大概 左右 毫米汞柱 毫摩尔 毫摩 "
    "摄氏度 华氏度 公斤 千克 斤 度 次 跳 每分钟 百分之 挺正常 正常 还行 有点高 有点低 偏高 "
    "偏低 不高 不低 不烧 没烧 没发烧 今天 今早 现在 比 和 我 的 了 啊 呀 吧 呢 嗯 哦 一共 整 "
    "多 是 到 约 下 mmhg mmol/l mmol kg bpm pounds pound lbs lb kilos kilo degrees degree "
    "percent over point and a it 's is was says say reads reading my the about just came out "
    "of got i blood pressure sugar temperature weight pulse celsius fahrenheit hundred "
    "systolic diastolic beats normal bit high low little fine okay ok good today now this "
    "morning read took measured checked weighed weigh stone top bottom number"
)
_AROUND = re.compile(
    "|".join(
        [*map(re.escape, sorted(_BESIDE, key=len, reverse=True)), "per minute", "on the scale"]
    )
)
_LETTERS = re.compile(r"[\u4e00-\u9fffa-z]+")

_FITS: dict[str, Callable[[list[float]], bool]] = {
    "pressure": lambda v: (
        len(v) in (2, 3) and 70 <= v[0] <= 260 and 30 <= v[1] <= 160 and v[0] > v[1]
    ),
    "glucose": lambda v: len(v) == 1 and (1.5 <= v[0] <= 35 or 40 <= v[0] <= 500),
    "temperature": lambda v: len(v) == 1 and (34 <= v[0] <= 43 or 94 <= v[0] <= 108),
    "weight": lambda v: len(v) == 1 and 20 <= v[0] <= 500,
    "pulse": lambda v: len(v) == 1 and 35 <= v[0] <= 220,
    "oxygen": lambda v: len(v) == 1 and 60 <= v[0] <= 100,
}


_MEASURES: dict[str, re.Pattern[str]] = {
    "pressure": re.compile(r"血压|blood pressure|\bbp\b"),
    "glucose": re.compile(r"血糖|blood sugar|glucose|\bsugars?\b.*check|check.*\bsugars?\b"),
    "temperature": re.compile(r"体温|量.*温度|测温|temperature"),
    "weight": re.compile(r"体重|称重|\bweigh|\bweight\b"),
    "pulse": re.compile(r"心率|心跳|脉搏|\bpulse\b|heart rate"),
    "oxygen": re.compile(r"血氧|oxygen|\bspo2\b"),
}


def measured_by(content: str) -> str:
    """What a folded content asks to measure; empty if nothing."""
    return next((name for name, sign in _MEASURES.items() if sign.search(content)), "")


def _names_another(reply: str, measure: str) -> bool:
    """血压一百三 is no answer to "测血糖"."""
    named = {name for name, sign in _MEASURES.items() if sign.search(reply)}
    return bool(named) and measure not in named


def fits(reply: str, measure: str) -> bool:
    """Whether the whole reply is a value that such a measurement can give."""
    if not measure or _names_another(reply, measure):
        return False
    found = _read(reply)
    if "低压" in reply and "高压" in reply and reply.index("低压") < reply.index("高压"):
        found.reverse()
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
    """Numbers in figures: one twenty eight over eighty two → 128 over 82."""
    text = re.sub(r"\ba hundred\b", "one hundred", text)
    if not any(word in VALUES for word in text.replace("-", " ").split()):
        return re.sub(r"(\d+)\s+point\s+(\d+)", r"\1.\2", text)
    out: list[str] = []
    group: list[int] = []
    for word in [*text.replace("-", " ").replace(",", " ").split(), ""]:
        if word in VALUES:
            group.append(VALUES[word])
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
