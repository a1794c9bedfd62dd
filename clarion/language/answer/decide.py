"""From what each clause says to what the reply says. The last stance counts; doubt is not a yes."""

import re
from collections.abc import Sequence
from typing import Final

from clarion.language.answer.model import Label
from clarion.language.answer.stance import BLOCKING, NEGATIVE, POSITIVE, Reading, Stance

Verdict = tuple[Label, Reading | None, str]

_AFTER_DONE_HARMLESS: Final = frozenset((Stance.STOP, Stance.NOT_NEEDED, Stance.REQUEST))
WAITS: Final = frozenset(
    ("等等", "等一下", "等下", "慢着", "且慢", "等会", "wait", "hold on", "hang on", "wait wait")
)
"""Said alone before or after a claim, these only hold the floor."""
# 做完了，累死了 is done; a pill that came up again, or a call that nobody took, is not.
_UNDOES: Final = re.compile(
    r"吐|接|通|占线|关机|threw|throw|vomit|answer|pick|voicemail|reach|busy"
)
# 药吃完了，得去买: the box is finished, not the dose.
_USED_UP: Final = re.compile(r"[完光没]|finish|used|gone|last")
_WANTING: Final = re.compile(r"买|没|断|缺|开|配|空|剩|left|more|out|empty|buy|refill|none")
_WORN: Final = re.compile(r"累|困|疼|痛|酸|tired|sore|exhausted|worn|hurt")
_THINKS: Final = re.compile(
    r"^我?(?:再|让我)?(?:看看|想想|想一想|看一下|瞧瞧)|let me (?:see|think|check)"
)
_FIRM: Final = frozenset((Stance.AGREED, Stance.AT_ONCE, Stance.PROMISED, Stance.THANKED))
_SAYS_SOMETHING: Final = POSITIVE | NEGATIVE | BLOCKING | {Stance.OTHER_THING}
_DELAYS: Final = NEGATIVE - {Stance.NOT_DONE}
_EMPTY: Final = frozenset((Stance.NOTHING, Stance.OTHER_THING, Stance.GRUMBLED))
_ACTS: Final = frozenset((Stance.AT_ONCE, Stance.DONE))


def decide(readings: Sequence[Reading]) -> Verdict:
    """The label, the clause that decided it, and why."""
    for reading in readings:
        if reading.stance is Stance.ELSEWHERE:
            return Label.UNCLEAR, reading, reading.rule
    last = _last_stance(readings)
    if not last:
        return Label.UNCLEAR, None, "taken back, and nothing said instead"
    negative = _negative(last)
    if negative is not None:
        return Label.DENIED, negative, negative.rule
    return _not_denied(last)


def _last_stance(readings: Sequence[Reading]) -> Sequence[Reading]:
    """What is left after the speaker's own corrections."""
    for place in range(len(readings) - 1, -1, -1):
        if not readings[place].corrects:
            continue
        rest = _without_lone_no(readings[place:])
        if any(r.stance in _SAYS_SOMETHING for r in rest):
            return rest
        before = [r for r in readings[:place] if r.stance in NEGATIVE]
        return before or []
    return readings


def _without_lone_no(rest: Sequence[Reading]) -> Sequence[Reading]:
    """The "no" of "wait, no, that was yesterday" corrects; it does not answer."""
    if len(rest) > 2 and rest[0].stance is Stance.NOTHING and rest[1].bare:
        return [rest[0], *rest[2:]]
    return rest


def _negative(readings: Sequence[Reading]) -> Reading | None:
    """The clause that denies, unless another clause outweighs it."""
    done = next((i for i, r in enumerate(readings) if r.stance is Stance.DONE), None)
    acts = max((i for i, r in enumerate(readings) if r.stance in _ACTS), default=-1)
    for place, reading in enumerate(readings):
        if reading.stance not in NEGATIVE:
            continue
        if done is not None and _outweighed_by_done(reading, place, done, readings[done].clause):
            continue
        if reading.stance is Stance.NOT_DONE and acts > place and not _delays(readings[place:]):
            continue
        if reading.rule == "not done, perhaps" and _doubts(readings[:place]):
            continue
        if reading.rule == "is not to be hurried" and acts >= 0:
            continue
        if reading.rule == "gives up" and any(r.stance in POSITIVE for r in readings[place + 1 :]):
            continue
        return reading
    return _contrast(readings)


def _doubts(readings: Sequence[Reading]) -> bool:
    """Maybe I did, maybe I did not."""
    return any(r.stance is Stance.DOUBTED for r in readings)


def _delays(readings: Sequence[Reading]) -> bool:
    return any(r.stance in _DELAYS for r in readings)


def _outweighed_by_done(reading: Reading, place: int, done: int, claim: str) -> bool:
    used_up = _USED_UP.search(claim) is not None and _WANTING.search(reading.clause) is not None
    if reading.stance in _AFTER_DONE_HARMLESS:
        return not (used_up and reading.stance is Stance.NOT_NEEDED)
    if place < done and (reading.bare or reading.rule == "asks to be let off"):
        return True  # 我能不吃吗，早吃了
    if place < done and reading.stance is Stance.UNABLE:
        return True
    if place < done and reading.rule == "later" and reading.clause in WAITS:
        return True
    if place < done or reading.contrasts:
        return False
    if reading.stance is Stance.UNABLE and _WORN.search(reading.clause):
        return True
    if reading.mentions_task:
        return False
    if reading.stance is Stance.UNABLE:
        return not used_up and _UNDOES.search(reading.clause) is None
    return reading.stance is Stance.PUT_OFF and reading.foreign


def _contrast(readings: Sequence[Reading]) -> Reading | None:
    """好的，只是我正抱着孩子: a "but" after an agreement takes it back, whatever it says."""
    agreed = False
    for reading in readings:
        if agreed and reading.contrasts and reading.stance in _EMPTY:
            return reading
        agreed = agreed or reading.stance in _FIRM | {Stance.MILDLY_AGREED}
    return None


def _not_denied(readings: Sequence[Reading]) -> Verdict:
    done = False
    for reading in readings:
        if done and reading.contrasts and reading.mentions_task and reading.stance in _EMPTY:
            return Label.UNCLEAR, reading, "done, but"
        done = done or reading.stance is Stance.DONE
    for place, reading in enumerate(readings):
        if reading.stance in BLOCKING and not _thought(readings, place):
            return Label.UNCLEAR, reading, reading.rule
    for wanted in (Stance.DONE, Stance.AT_ONCE, Stance.PROMISED, Stance.AGREED):
        for place, reading in enumerate(readings):
            if reading.stance is wanted and not _only_opens(readings, place):
                return Label.CONFIRMED, reading, reading.rule
    return _mild(readings)


def _thought(readings: Sequence[Reading], place: int) -> bool:
    """我看看……哦吃过了: thinking aloud, and then the answer."""
    return _THINKS.search(readings[place].clause) is not None and any(
        reading.stance is Stance.DONE for reading in readings[place + 1 :]
    )


def _only_opens(readings: Sequence[Reading], place: int) -> bool:
    """好，那我吃几颗呢: an agreement that only leads up to a question."""
    reading = readings[place]
    return (
        reading.stance is Stance.AGREED
        and len(readings) > place + 1
        and readings[place + 1].stance is Stance.ASKED
        and readings[place + 1].clause.startswith(("那", "so ", "but "))
    )


def _mild(readings: Sequence[Reading]) -> Verdict:
    """嗯 and 谢谢 agree when nothing else is said: they also open telephone calls."""
    for reading in readings:
        others = {r.stance for r in readings if r is not reading}
        alone = others <= {Stance.MILDLY_AGREED, Stance.THANKED, Stance.REQUEST}
        if reading.stance in (Stance.MILDLY_AGREED, Stance.THANKED) and alone:
            return Label.CONFIRMED, reading, reading.rule
    weightiest = next((r for r in readings if r.stance is not Stance.NOTHING), None)
    if weightiest is None:
        return Label.UNCLEAR, readings[0] if readings else None, "says nothing about the task"
    return Label.UNCLEAR, weightiest, weightiest.rule
