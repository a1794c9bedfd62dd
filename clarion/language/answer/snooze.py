"""The delay that a refusal asks for: a duration or a clock time, and only when one was said."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from clarion.language.answer import kinds as k
from clarion.language.answer import moments, moments_en
from clarion.language.answer.model import Answer
from clarion.language.answer.scan import Clause
from clarion.language.answer.stance import Reading, Stance
from clarion.language.script import HAN

_DELAYS = frozenset((Stance.PUT_OFF, Stance.UNABLE, Stance.STOP, Stance.REFUSED, Stance.NOT_DONE))
_PAST = re.compile(r"[MC][hq]*[Gt]|[MC][^LRJhr]*V[P的]")
_UNTIL = re.compile(r"还有|还要|还得|再有|估计|大概|差不多|\b(?:another|about|takes|left|more)\b")
_SOME = re.compile(r"[MCn]")


def add(answer: Answer, text: str, said: Sequence[Clause], readings: Sequence[Reading]) -> Answer:
    """The same answer with the snooze that its clauses name, the last one said."""
    for clause, reading in zip(reversed(said), reversed(readings), strict=True):
        letters = clause.letters
        delays = reading.stance in _DELAYS or _awaits(clause, reading)
        if not delays or not _SOME.search(letters) or _PAST.search(letters):
            continue
        found = _from(answer, clause)
        if found is not None:
            return found
    return answer


def _awaits(clause: Clause, reading: Reading) -> bool:
    """还有十分钟演完: how long until what is waited for."""
    return reading.stance is Stance.NOTHING and _UNTIL.search(clause.text) is not None


def _from(answer: Answer, clause: Clause) -> Answer | None:
    reader = moments if HAN(clause.text) or ":" in clause.text else moments_en
    clocks = [word for word in clause.words if word.kind == k.CLOCK]
    if clocks:
        said = reader.clock(clause.text)
        if said is not None:
            until, open_half, days = said
            return replace(
                answer, snooze_until=until, either_half=open_half, days_ahead=days, said=clause.text
            )
    if reader is moments_en:
        counted = moments_en.bare_minutes(clause.text)
        if counted is not None:
            return replace(answer, snooze=timedelta(minutes=counted))
    has_span = any(word.kind.startswith(k.SPAN) for word in clause.words)
    minutes = reader.minutes(clause.text) if has_span else None
    return None if minutes is None else replace(answer, snooze=timedelta(minutes=minutes))
