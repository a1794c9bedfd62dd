"""How long one reply takes to read without an LLM, beside the keyword search it replaces."""

import random
import time
from collections.abc import Callable

from clarion.language.answer import read
from clarion.language.answer.tasks import understand

LIMIT_MICROSECONDS = 100
ROUNDS = 40
CONTENTS = ("吃药", "量血压", "喂猫", "take your medicine", "walk the dog")
REPLIES = (
    "好的", "嗯", "吃过了", "还没呢，这就去", "十分钟后再叫我", "明天上午九点再说吧", "收到，等我把碗洗了",
    "我刚刚当着你面不是吞下去了嘛", "应该是吃了吧，我记不清了", "喂，好，好，那咱们老地方见，挂了啊",
    "真不好意思，麻烦你专门来叫我，我这边客人还没走，等送走了他们我再打过去", "130/85", "👌",
    "got it, but I need to eat first", "I think I took it", "remind me in half an hour", "nah",
    "I can't, the bottle is empty", "of course I took it, why wouldn't I", "what's the weather like",
)  # fmt: skip
YES = ("好的", "知道了", "好", "嗯", "OK", "收到", "明白", "了解", "可以", "吃过了", "吃了", "做了", "完成了")
NO = ("等一下", "稍后", "待会", "一会儿", "还没", "没有", "不行")


def keywords(reply: str, content: str) -> str:
    """The floor: substring search, as fast as it is wrong."""
    if any(word in reply for word in YES):
        return "CONFIRMED"
    return "DENIED" if any(word in reply for word in NO) else "UNCLEAR"


def microseconds(work: Callable[[str, str], object]) -> list[float]:
    pairs = [(reply, content) for reply in REPLIES for content in CONTENTS] * ROUNDS
    random.Random(5).shuffle(pairs)
    taken = []
    for reply, content in pairs:
        began = time.perf_counter()
        work(reply, content)
        taken.append((time.perf_counter() - began) * 1e6)
    return sorted(taken)


def cold() -> float:
    """A content that was never seen: its words are worked out first."""
    understand.cache_clear()
    began = time.perf_counter()
    read("吃过了", "吃药")
    return (time.perf_counter() - began) * 1e6


def main() -> None:
    print(f"{'µs a reply':<22}{'mean':>8}{'p50':>8}{'p95':>8}{'p99':>8}")
    for name, work in (("rules", read), ("keyword search (floor)", keywords)):
        taken = microseconds(work)
        mean = sum(taken) / len(taken)
        marks = [taken[int(len(taken) * share)] for share in (0.5, 0.95, 0.99)]
        print(f"{name:<22}{mean:>8.1f}" + "".join(f"{mark:>8.1f}" for mark in marks))
        if work is read and mean > LIMIT_MICROSECONDS:
            raise SystemExit(f"over {LIMIT_MICROSECONDS} µs a reply")
    print(f"first reply to a new content: {cold():.0f} µs")


if __name__ == "__main__":
    main()
