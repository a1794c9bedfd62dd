"""Who is asked next, who answered, when it is over. Decisions about one question, pure."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from clarion.base.events import Event
from clarion.base.ids import ContactId, TaskId, new_id
from clarion.questions.events import PersonAsked, QuestionAnswered, QuestionEnded
from clarion.questions.model import AskedPerson, PutQuestion, QuestionStatus
from clarion.tasks.model import Level, Queue, Task

ASK = "question.ask"
DEADLINE = "question.deadline"
INFORM = "question.inform"


@dataclass(frozen=True, slots=True)
class Step:
    """What is written: the next version of the question, its tasks, its events."""

    question: PutQuestion | None = None
    tasks: tuple[Task, ...] = ()
    events: tuple[Event, ...] = ()
    drop: tuple[str, ...] = ()


LEAVE = Step()


def first_tasks(question: PutQuestion, now: datetime) -> tuple[Task, ...]:
    ends = _task(question, DEADLINE, question.deadline, now, "deadline")
    return (ask_task(question, 0, now, now), ends)


def ask_task(question: PutQuestion, place: int, at: datetime, now: datetime) -> Task:
    return _task(question, ASK, at, now, f"ask:{place}", place=place)


def _task(
    question: PutQuestion, kind: str, at: datetime, now: datetime, name: str, **more: object
) -> Task:
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind=kind,
        due_at=at,
        payload={"question": question.id, **more},
        base=Level.HIGH,
        queue=Queue.RETRIES,
        key=f"{question.id}:{name}",
        source=f"user:{question.user_id}",
    )


def told(question: PutQuestion, place: int, now: datetime) -> Step:
    """They were told; the next one is asked when they say nothing."""
    who = question.people[place]
    following = next_tasks(question, place, now, timedelta(seconds=question.wait))
    if not question.is_open or question.was_asked(who):
        return Step(tasks=following)
    after = replace(
        question,
        version=question.version + 1,
        asked=(*question.asked, AskedPerson(who, now)),
    )
    happened = PersonAsked(subject=question.id, user=question.user_id, contact=who)
    return Step(after, following, (happened,))


def next_tasks(
    question: PutQuestion, place: int, now: datetime, wait: timedelta = timedelta()
) -> tuple[Task, ...]:
    if not question.is_open or place + 1 >= len(question.people):
        return ()
    return (ask_task(question, place + 1, now + wait, now),)


def answered(question: PutQuestion, by: ContactId, answer: str, now: datetime) -> Step:
    """The first answer counts; the others who were asked hear it."""
    if not question.is_open:
        return LEAVE
    after = replace(
        question,
        version=question.version + 1,
        status=QuestionStatus.ANSWERED,
        answer=answer,
        answered_by=by,
        answered_at=now,
    )
    happened = QuestionAnswered(
        subject=question.id, user=question.user_id, contact=by, answer=answer
    )
    others = [one.contact_id for one in question.asked if one.contact_id != by]
    hear = tuple(_task(question, INFORM, now, now, f"inform:{one}", contact=one) for one in others)
    return Step(after, hear, (happened,), open_keys(question))


def ended(question: PutQuestion, status: QuestionStatus) -> Step:
    if not question.is_open:
        return LEAVE
    after = replace(question, version=question.version + 1, status=status)
    happened = QuestionEnded(subject=question.id, user=question.user_id, status=status.value)
    return Step(after, events=(happened,), drop=open_keys(question))


def open_keys(question: PutQuestion) -> tuple[str, ...]:
    asks = tuple(f"{question.id}:ask:{place}" for place in range(len(question.people)))
    return (*asks, f"{question.id}:deadline")
