"""How long one reply takes to read without an LLM, beside the keyword search it replaces."""

import random
import time
from collections.abc import Callable

from clarion.language.answer.reader import read
from clarion.language.learned import load

LIMIT_MICROSECONDS = 300
ROUNDS = 40
CONTENTS = ("吃药", "量血压", "喂猫", "take your medicine", "walk the dog")
REPLIES = (
    "好的",
    "嗯",
    "吃过了",
    "还没呢，这就去",
    "十分钟后再叫我",
    "明天上午九点再说吧",
    "收到，等我把碗洗了",
    "我刚才不是当着你面吞了嘛",
    "应该是吃了吧，我记不清了",
    "喂，好，好，那就老地方见，挂了啊",
    "真不好意思，还麻烦你来叫我，我这边客人没走，等送走他们我再去",
    "130/85",
    "👌",
    "got it, but I need to eat first",
    "I think I took it",
    "remind me in half an hour",
    "nah",
    "I can't, the bottle is empty",
    "of course I took it, why wouldn't I",
    "what's the weather like",
)
YES = ("好的", "知道了", "好", "嗯", "OK", "收到", "明白", "可以", "吃过了", "吃了", "完成了")
NO = ("等一下", "稍后", "待会", "一会儿", "还没", "没有", "不行")


def keywords(reply: str, content: str) -> str:
    """The floor: substring search, as fast as it is wrong."""
    if any(word in reply for word in YES):
        return "CONFIRMED"
    return "DENIED" if any(word in reply for word in NO) else "UNCLEAR"


def rounds(work: Callable[[str, str], object]) -> list[float]:
    """Processor microseconds a reply in each round, sorted.

    The best round is the program's own cost; the others also pay for its neighbours' caches.
    """
    pairs = [(reply, content) for reply in REPLIES for content in CONTENTS]
    random.Random(5).shuffle(pairs)
    means = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for reply, content in pairs:
            work(reply, content)
        means.append((time.process_time() - began) * 1e6 / len(pairs))
    return sorted(means)


def cold() -> float:
    """The very first reply: the weights are read from disk."""
    load.cache_clear()
    began = time.process_time()
    read("吃过了", "吃药")
    return (time.process_time() - began) * 1e6


def main() -> None:
    print(f"{'µs a reply':<24}{'best':>8}{'median':>8}{'worst':>8}   of {ROUNDS} rounds")
    for name, work in (("rules and model", read), ("keyword search (floor)", keywords)):
        means = rounds(work)
        median = means[len(means) // 2]
        print(f"{name:<24}{means[0]:>8.1f}{median:>8.1f}{means[-1]:>8.1f}")
        if work is read and means[0] > LIMIT_MICROSECONDS:
            raise SystemExit(f"over {LIMIT_MICROSECONDS} µs a reply")
    print(f"first reply of all: {cold():.0f} µs")


if __name__ == "__main__":
    main()
