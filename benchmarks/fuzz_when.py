"""Two hundred thousand strings for the parser: random, mutated, nested and very long.

`python -m benchmarks.fuzz_when [count] [seed]` fails at the first exception, and when a line of
ten thousand characters takes longer than fifty milliseconds of processor time.
"""

import random
import sys
from collections.abc import Iterator
from datetime import datetime
from time import perf_counter, process_time
from zoneinfo import ZoneInfo

from clarion.language.batch import answer
from clarion.language.when import parse
from clarion.language.when.words import words

SHANGHAI = ZoneInfo("Asia/Shanghai")
BASE = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)
LONG = 10_000
LONG_SECONDS_MAX = 0.05
ATOMS = (
    *words(
        """
        今天 明天 后天 大后天 昨天 早上 上午 中午 下午 晚上 半夜 凌晨 点 点半 时 分 分钟 小时 天
        周 周一 周末 下周 下下周 上周 本月 下个月 月 月底 年 明年 号 日 农历 初 闰 正月 腊月 春节
        中秋 清明 除夕 前 后 之后 过 提前 每 每天 每隔 隔 从 开始 起 到 直到 为止 一共 次 连续
        除了 除外 和 、 ， 。 或 不 不对 改成 不用 提醒我 叫我 吃药 要确认 一 二 三 五 十 廿 百
        千 万 零 半 刻 差 两 第 最后 一个 个 工作日 法定工作日 整点 ( ) （ ） 《 》 : ： / - ~ .
        0 1 2 3 7 8 12 13 24 25 30 31 60 99 2026 2027 02-30 8:30 25:61 tomorrow today next last
        monday fridays every other each day week month year hour minutes in at on the of to from
        until for except and a an half past quarter noon midnight am pm o'clock march may 5th
        31st first remind me call mom twice three times 纽约时间 est utc+3 z +08:00 t 6-3 12.25
        这个时候 来 休息日 节假日 春天 第三天 隔周 双周 lunar leap spring business days since
        between 1430h 0830 */5 * 20261225t170000z 25-dec-2026 same time late early last
        """
    ),
    *(" ", '"', "'", "\n", "\t", "\x00", "\ud800", "\u200b", "🎂", "é", "İ", "ß"),
)
ALPHABET = (
    "明天8点半每周一二三四五六日提醒我吃药，。:/-()《》 abcdefgmnoprstuwy0123456789\x00\ud83d🎉"
)
SENTENCES = (
    "明天早上8点提醒我吃药，要确认",
    "每两个月洗一次空调，从12月5号上午九点开始提醒我",
    "农历每月初二和十六早上7点提醒我上香",
    "明天中午12点的火车，提前2小时提醒我动身",
    "remind me on the last friday of every month at 4pm to count the till",
    "every other tuesday at half past eight starting next week until december 31",
)


def strings(count: int, seed: int) -> Iterator[str]:
    """A mix of all kinds; about one in five hundred is very long."""
    dice = random.Random(seed)
    makers = (_words, _words, _words, _letters, _mutated, _mutated)
    for _ in range(count):
        yield _long(dice) if dice.random() < 0.002 else dice.choice(makers)(dice)


def _words(dice: random.Random) -> str:
    joint = dice.choice(("", "", " "))
    return joint.join(dice.choices(ATOMS, k=dice.randint(1, 14)))


def _letters(dice: random.Random) -> str:
    if dice.random() < 0.3:
        return "".join(chr(dice.randrange(0x110000)) for _ in range(dice.randint(0, 40)))
    return "".join(dice.choices(ALPHABET, k=dice.randint(0, 40)))


def _mutated(dice: random.Random) -> str:
    letters = list(dice.choice(SENTENCES))
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(letters) + 1)
        letters[place : place + dice.randint(0, 3)] = dice.choice(ATOMS)
    return "".join(letters)


def _long(dice: random.Random) -> str:
    unit = "".join(dice.choices(ATOMS, k=dice.randint(1, 4))) or "明"
    return (unit * (LONG // len(unit) + 1))[:LONG]


def check(text: str) -> float:
    """Read it every way; returns the processor time that `parse` alone took."""
    started = process_time()
    parse(text, BASE, SHANGHAI)
    spent = process_time() - started
    found = answer(text, BASE, SHANGHAI)
    start, end = found["span"]
    assert 0 <= start <= end <= len(text), f"span {found['span']} of {text!r}"
    return spent


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261116
    slowest, long_lines, began = 0.0, 0, perf_counter()
    for text in strings(count, seed):
        try:
            spent = check(text)
        except Exception:
            print(f"failed on {text[:200]!r}")
            raise
        if len(text) >= LONG:
            long_lines += 1
            slowest = max(slowest, spent)
    print(f"{'strings':<28}{count:>12,}")
    print(f"{'of ten thousand letters':<28}{long_lines:>12,}")
    print(f"{'slowest of these, ms':<28}{slowest * 1000:>12.1f}")
    print(f"{'seconds in all':<28}{perf_counter() - began:>12.1f}")
    assert slowest <= LONG_SECONDS_MAX, "a long line took too long"


if __name__ == "__main__":
    main()
