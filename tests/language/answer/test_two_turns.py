"""What an UNCLEAR costs: scripted people answer the question that follows with a plain word.

The replies are those kept aside that do take a stance. A talk is settled when the reply, or the
plain word after Clarion's narrower question (吃了，还是还没吃？), is heard as it was meant.
"""

from zlib import crc32

import pytest

from clarion.language.answer.model import LABELS, Label
from clarion.language.answer.reader import read
from clarion.language.learned.corpus import Example, examples
from clarion.language.phrasing.words import VERBS, follow_up

FILES = ("everyday", "voices", "people")
SETTLED_MIN = 0.96
FALSE_YES_MAX = 0.004  # over both turns, of those who did not say yes
PLAIN = {
    "zh": {
        "done": ("{v}了", "好了", "{v}过了", "已经{v}了"),
        "doing": ("马上", "正在弄", "这就去"),
        "will": ("好的", "知道了", "嗯"),
        "later": ("等会儿", "晚点", "一会儿再说"),
        "no": ("不用了", "不要", "算了"),
        "undone": ("还没", "没有", "还没呢", "没{v}"),
        "cannot": ("还没", "没有", "不行"),
    },
    "en": {
        "done": ("done", "yes I did", "all done", "did it"),
        "doing": ("doing it now", "on it", "right away"),
        "will": ("ok", "yes", "I will"),
        "later": ("later", "not now", "in a bit"),
        "no": ("no", "no thanks", "nope"),
        "undone": ("not yet", "no", "no not yet"),
        "cannot": ("not yet", "no", "I can't"),
    },
}


def plain_word(said: Example) -> str:
    """What this person says when asked: the same one in every run."""
    content, reply = said.fields["content"], said.fields["reply"]
    words = PLAIN["en" if reply.isascii() else "zh"][said.fields["kind"]]
    verb = content[0] if content and content[0] in VERBS else "做"
    return words[crc32(reply.encode()) % len(words)].format(v=verb)


def talk(said: Example) -> tuple[bool, bool]:
    """Whether it is settled as it was meant, and whether a yes was heard that was none."""
    content, meant = said.fields["content"], LABELS[said.fields["kind"]]
    heard = read(said.fields["reply"], content).label
    if heard is Label.UNCLEAR:
        assert follow_up(content, lang="en" if content.isascii() else "zh")
        heard = read(plain_word(said), content).label
    return heard is meant, heard is Label.CONFIRMED and meant is not Label.CONFIRMED


@pytest.mark.timeout(120)  # two thousand talks, on a machine that may be busy
def test_most_talks_are_settled_within_two_turns() -> None:
    stances = [
        each
        for each in examples("replies")
        if each.file in FILES
        and each.is_aside("content", "reply")
        and LABELS[each.fields["kind"]] is not Label.UNCLEAR
    ]
    talks = [talk(each) for each in stances]
    no_yes = sum(LABELS[each.fields["kind"]] is not Label.CONFIRMED for each in stances)

    assert sum(settled for settled, _ in talks) >= SETTLED_MIN * len(talks)
    assert sum(false for _, false in talks) <= FALSE_YES_MAX * no_yes
