"""Reads a reply to a reminder: yes, no, later, or not an answer. Pure, and never raises."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from clarion.language.answer import grammar_en, grammar_zh, kinds, snooze, values
from clarion.language.answer.decide import WAITS, decide
from clarion.language.answer.model import Answer, Label
from clarion.language.answer.scan import Clause, clauses
from clarion.language.answer.stance import BLOCKING, POSITIVE, Reading, Stance
from clarion.language.answer.task import Task
from clarion.language.answer.tasks import understand
from clarion.language.script import HAN, fold

_TURNS = frozenset((Stance.REFUSED, Stance.NOTHING))
_DOES = frozenset((Stance.AT_ONCE, Stance.PROMISED, Stance.DONE))
_YIELDS = ("好吧", "那好吧", "行吧", "那行", "ok fine", "okay fine", "fine")
# Nobody says this to a reminder: it is text for a machine, and confirms nothing.
_FOR_MACHINES = re.compile(
    r"[{}<>`\\]|ignore (?:your|all|the|any|previous|prior)|disregard|instructions?\b|system prompt|"
    r"you are now an? |忽略.{0,6}(?:指令|规则|提示|要求)|无视.{0,6}(?:指令|规则)|提示词|"
    r"输出.{0,4}(?:confirm|确认)|你是一?个?(?:ai|人工智能|语言模型)|as confirmed|"
    r"(?:改成|改为|设为|设成|标记为|标记成|标为).{0,3}(?:完成|确认|confirm)"
)

REPLY_CHARACTERS_MAX = 2000  # five minutes of speech; what comes after is not about one pill


def read(
    reply: str,
    content: str,
    *,
    now: datetime | None = None,
    zone: ZoneInfo | None = None,
    keywords: Sequence[str] = (),
) -> Answer:
    """What the reply says about the reminder.

    `keywords` are words of assent that this reminder's owner added: they agree when they stand
    as a clause of their own, and never outweigh a refusal, a delay or a question.
    """
    text = fold(reply[:REPLY_CHARACTERS_MAX])
    task = understand(content)
    if values.fits(text, task.measures):
        return Answer(Label.CONFIRMED, f"“{reply.strip()}”: a measured value")
    if _FOR_MACHINES.search(text):
        return Answer(Label.UNCLEAR, "text for a machine, not an answer")
    readings, said = _readings(text, task, keywords)
    if not readings:
        return Answer(Label.UNCLEAR, "nothing was said")
    label, reading, rule = decide(readings)
    reason = f"“{reading.clause}”: {rule}" if reading else rule
    if label is not Label.DENIED:
        return Answer(label, reason)
    return snooze.add(Answer(label, reason), text, said, readings)


def readings_of(reply: str, content: str) -> tuple[list[Reading], list[Clause]]:
    """What each clause says, for those who need more than the label."""
    return _readings(fold(reply[:REPLY_CHARACTERS_MAX]), understand(content), ())


def _readings(text: str, task: Task, keywords: Sequence[str]) -> tuple[list[Reading], list[Clause]]:
    chinese = HAN(text) is not None or not any("a" <= letter <= "z" for letter in text)
    said = clauses(text, task.words) if chinese else grammar_en.clauses(text, task)
    said = [clause for clause in said if clause.letters] or said
    read_one = grammar_zh.read_clause if chinese else grammar_en.read_clause
    own = {fold(keyword) for keyword in keywords}
    readings = [
        Reading(Stance.AGREED, "one of the reminder's own words", clause.text)
        if own and _bare(clause.text) in own
        else Reading(Stance.DONE, "a measured value", clause.text)
        if task.measures and values.fits(clause.text, task.measures)
        else read_one(clause, task)
        for clause in said
    ]
    readings = [_gives_up(r, c) for r, c in zip(readings, said, strict=True)]
    return _turned(_yielding(readings)), said


def _yielding(readings: list[Reading]) -> list[Reading]:
    """No... okay fine, I'll do it now: giving way takes the refusal back."""
    return [
        here._replace(corrects=True)
        if here.stance in POSITIVE and after.stance in _DOES and _yields(here.clause)
        else here
        for here, after in pairwise(readings)
    ] + readings[-1:]


def _yields(clause: str) -> bool:
    return clause.lstrip("唉哎嗯那哦噢呃额诶啊").startswith(_YIELDS)


def _turned(readings: list[Reading]) -> list[Reading]:
    """A lone 不 or 等等 between two stances takes the first one back."""
    out = list(readings)
    for place in range(1, len(readings) - 1):
        here, after = readings[place : place + 2]
        done = any(reading.stance is Stance.DONE for reading in readings[:place])
        lone_no = here.bare and after.stance in POSITIVE and here.stance in _TURNS
        lone_no = lone_no or (here.clause == "不是" and done)
        lone_no = lone_no or (here.rule == "gives up" and after.stance in POSITIVE)
        lone_no = lone_no or (here.bare and done and after.stance in BLOCKING)
        waits = here.clause in WAITS and done
        if lone_no or waits:
            out[place] = here._replace(stance=Stance.NOTHING, corrects=True, bare=False)
    return out


def _bare(clause: str) -> str:
    return clause.strip(" 了啦啊呀哦呢的!.")


def _gives_up(reading: Reading, clause: Clause) -> Reading:
    """算了 refuses by itself; 算了，现在就做 and 好吧我吃 take back what came before."""
    if reading.mentions_task and reading.stance in POSITIVE and _yields(clause.text):
        return reading._replace(corrects=True)
    if not clause.letters.startswith(kinds.GIVES_UP):
        return reading
    if len(clause.letters) == 1 or reading.stance is Stance.NOTHING:
        return Reading(Stance.REFUSED, "gives up", clause.text)
    return reading._replace(corrects=True)
