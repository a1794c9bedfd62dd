"""The verbs about questions: put one, look at it, take it back, answer it by a link.

Put durably: a question goes on through restarts until somebody answers or its deadline comes.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, ClarionError
from clarion.base.ids import ContactId, UserId, make_key, new_id
from clarion.base.paging import Page
from clarion.base.signing import BadLink, opened, signed
from clarion.people.errors import NoSuchUser
from clarion.people.model import Actor, Contact, User
from clarion.people.ports import PeopleStore
from clarion.questions import asking
from clarion.questions.errors import NobodyToAsk, NoSuchQuestion, QuestionOver
from clarion.questions.events import QuestionPut
from clarion.questions.model import PutQuestion, QuestionId, QuestionStatus
from clarion.questions.ports import QuestionStore, QuestionTeller
from clarion.tasks.ports import Again, Claim, Result

log = logging.getLogger(__name__)

WAIT = 300  # seconds: people look at their phone within five minutes, or not for an hour
DEADLINE = timedelta(hours=1)
USUAL = {"zh": ("好", "不行"), "en": ("Yes", "No")}
SAID = {
    "zh": {"asks": "{who}想问：{text}", "answered": "{by}已经回答：{answer}（{text}）"},
    "en": {"asks": "{who} asks: {text}", "answered": "{by} has answered: {answer} ({text})"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLimits:
    text_letters_max: int = 500
    answers_max: int = 6
    answer_letters_max: int = 60
    people_max: int = 20
    wait_least: int = 10
    horizon: timedelta = timedelta(days=30)
    page_max: int = 500


LIMITS = QuestionLimits()


@dataclass(frozen=True, slots=True)
class OpenedQuestion:
    """What somebody sees who was asked."""

    question: PutQuestion
    asker: User
    contact: Contact
    answered_by: str
    """By name; empty while nobody has."""


class Questions:
    """`address` is where our pages are: `https://clarion.example`."""

    def __init__(
        self,
        store: QuestionStore,
        people: PeopleStore,
        teller: QuestionTeller,
        clock: Clock,
        *,
        key: bytes,
        address: str,
        limits: QuestionLimits = LIMITS,
    ) -> None:
        self._store = store
        self._people = people
        self._teller = teller
        self._clock = clock
        self._key = key
        self._address = address.rstrip("/")
        self._limits = limits

    async def ask(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        text: str,
        people: Sequence[str],
        answers: Sequence[str] = (),
        wait: int = WAIT,
        deadline: datetime | None = None,
        question_id: QuestionId | None = None,
        key: str | None = None,
    ) -> PutQuestion:
        """Ask these contacts, by name or id, one after the other. Nobody named: the whole ladder.

        With the id, or the key, of a question that was put before, that one as it is.
        """
        user = await self._user(actor, user_id)
        if question_id is not None and (known := await self._store.get(question_id)):
            return known
        now = self._clock.now()
        question = PutQuestion(
            id=question_id or QuestionId(new_id("qst", now)),
            user_id=user_id,
            text=self._text(text),
            answers=self._answers(answers or USUAL[user.language]),
            people=await self._whom(user_id, people),
            wait=self._wait(wait),
            deadline=self._deadline(deadline, now),
            created_at=now,
            created_by=actor.label,
        )
        happened = QuestionPut(
            subject=question.id, user=user_id, text=question.text, deadline=question.deadline
        )
        first = asking.first_tasks(question, now)
        said = {"text": text, "people": people, "answers": answers}
        once = make_key(user_id, key, **said, wait=wait, deadline=deadline)
        before = await self._store.add(question, first, [happened], now, once)
        return await self.get(actor, before) if before else question

    async def get(self, actor: Actor, question_id: QuestionId) -> PutQuestion:
        found = await self._store.get(question_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchQuestion(question_id)
        return found

    async def list(
        self, actor: Actor, user_id: UserId | None, *, limit: int = 50, cursor: str | None = None
    ) -> Page[PutQuestion]:
        """An admin without `user_id` sees everybody's."""
        owner = user_id if actor.admin else user_id or actor.user_id
        if not actor.admin and not actor.may_see(owner):
            raise NoSuchUser(owner or "")
        if not 1 <= limit <= self._limits.page_max:
            raise BadInput(f"The limit is from 1 to {self._limits.page_max}.")
        found = await self._store.all(user_id=owner, after=cursor or "", limit=limit + 1)
        more = len(found) > limit
        return Page(tuple(found[:limit]), found[limit - 1].id if more else None)

    async def cancel(self, actor: Actor, question_id: QuestionId) -> PutQuestion:
        """Nobody further is asked. Twice is harmless; what was answered stays so."""
        await self.get(actor, question_id)
        return await self._end(question_id, QuestionStatus.CANCELLED)

    async def name_of(self, contact_id: ContactId | None) -> str:
        found = await self._people.contact(contact_id) if contact_id else None
        return found.name if found else ""

    async def open(self, token: str) -> OpenedQuestion:
        """What a link is about. Raises BadLink."""
        question_id, _, contact_id = opened(self._key, token, self._clock.now()).partition(" ")
        question = await self._store.get(QuestionId(question_id))
        contact = await self._people.contact(ContactId(contact_id))
        asker = await self._people.user(question.user_id) if question else None
        if question is None or contact is None or asker is None:
            raise BadLink("This link is not valid.")
        by = await self.name_of(question.answered_by)
        return OpenedQuestion(question, asker, contact, by)

    async def answer(self, token: str, answer: str) -> OpenedQuestion:
        """Of two who press at once one answers; the other is shown what they said."""
        seen = await self.open(token)
        if answer not in seen.question.answers:
            raise BadInput("That is none of the answers.")
        if seen.question.status in (QuestionStatus.EXPIRED, QuestionStatus.CANCELLED):
            raise QuestionOver(seen.question.status.value)
        now = self._clock.now()
        by = seen.contact.id
        await self._store.change(
            seen.question.id, lambda one: asking.answered(one, by, answer, now), now
        )
        return await self.open(token)

    async def ask_next(self, claim: Claim) -> Again | None:
        """Tell one of them. First told, then written: twice is better than never."""
        now = self._clock.now()
        if claim.task.due_at > now:
            return Again(claim.task.due_at)
        question_id, place = QuestionId(claim.task.payload["question"]), claim.task.payload["place"]
        question = await self._store.get(question_id)
        if question is None or not question.is_open:
            return None
        contact = await self._people.contact(question.people[place])
        if contact is None or not contact.agreed_ways or question.was_asked(contact.id):
            passed_on = asking.Step(tasks=asking.next_tasks(question, place, now))
            await self._store.change(question_id, lambda _: passed_on, now)
            return None
        user = await self._people.user(question.user_id)
        try:
            await self._tell(question, contact, user)
        except ClarionError:
            # The next one is asked at once, and this one is tried again.
            following = asking.Step(tasks=asking.next_tasks(question, place, now))
            await self._store.change(question_id, lambda _: following, now)
            raise
        await self._store.change(question_id, lambda one: asking.told(one, place, now), now)
        log.info("question asked", extra={"question": question_id, "contact": contact.id})
        return None

    async def _tell(self, question: PutQuestion, contact: Contact, user: User | None) -> None:
        language = contact.language or (user.language if user else "en")
        who = (user.name or user.id) if user else ""
        text = SAID[language]["asks"].format(who=who, text=question.text)
        await self._teller.send(contact, question.text, text, self.link(question, contact.id))

    async def expire(self, claim: Claim) -> Again | None:
        now = self._clock.now()
        if claim.task.due_at > now:
            return Again(claim.task.due_at)
        question_id = QuestionId(claim.task.payload["question"])
        await self._store.change(
            question_id, lambda one: asking.ended(one, QuestionStatus.EXPIRED), now
        )
        return None

    async def inform(self, claim: Claim) -> Again | None:
        """Those who were asked besides hear who answered."""
        question = await self._store.get(QuestionId(claim.task.payload["question"]))
        contact = await self._people.contact(ContactId(claim.task.payload["contact"]))
        if question is None or contact is None or not contact.agreed_ways:
            return None
        user = await self._people.user(question.user_id)
        language = contact.language or (user.language if user else "en")
        text = SAID[language]["answered"].format(
            by=await self.name_of(question.answered_by), answer=question.answer, text=question.text
        )
        await self._teller.send(contact, question.text, text, "")
        return None

    async def as_task(self, claim: Claim) -> Again | Result:
        """A question as a task of the queue: it is done when somebody answered or nobody did."""
        payload = claim.task.payload
        question = await self.ask(
            Actor(None, admin=True, name=claim.task.source or "queue"),
            user_id=UserId(str(payload["user_id"])),
            text=str(payload["text"]),
            people=[str(one) for one in payload.get("people", ())],
            answers=[str(one) for one in payload.get("answers", ())],
            wait=int(payload.get("wait", WAIT)),
            deadline=self._clock.now()
            + timedelta(seconds=int(payload.get("seconds", DEADLINE.total_seconds()))),
            question_id=QuestionId(f"qst_{claim.task.id}"),
        )
        if question.is_open:
            return Again(min(self._clock.now() + POLL, question.deadline + POLL))
        at = question.answered_at
        return Result(
            {
                "question": question.id,
                "status": question.status.value,
                "answer": question.answer,
                "answered_by": await self.name_of(question.answered_by),
                "answered_at": at.isoformat() if at else None,
            }
        )

    def link(self, question: PutQuestion, contact_id: ContactId) -> str:
        until = question.deadline + timedelta(days=1)
        return f"{self._address}/q/{signed(self._key, f'{question.id} {contact_id}', until)}"

    async def _end(self, question_id: QuestionId, status: QuestionStatus) -> PutQuestion:
        now = self._clock.now()
        after = await self._store.change(question_id, lambda one: asking.ended(one, status), now)
        if after is None:
            raise NoSuchQuestion(question_id)
        return after

    async def _user(self, actor: Actor, user_id: UserId) -> User:
        found = await self._people.user(user_id)
        if found is None or not actor.may_see(user_id):
            raise NoSuchUser(user_id)
        return found

    async def _whom(self, user_id: UserId, named: Sequence[str]) -> tuple[ContactId, ...]:
        contacts = await self._people.contacts(user_id)
        agreed = [one for one in contacts if one.agreed_ways]
        ladder = agreed[: self._limits.people_max]  # of a long one, those who come first
        chosen = [self._one(agreed, name) for name in named] if named else ladder
        if not 0 < len(chosen) <= self._limits.people_max:
            raise NobodyToAsk(
                f"A question is for 1 to {self._limits.people_max} people.",
                hint="Add a contact first; they have to agree.",
            )
        return tuple(dict.fromkeys(one.id for one in chosen))

    def _one(self, contacts: Sequence[Contact], name: str) -> Contact:
        wanted = name.strip().casefold()
        for one in contacts:
            if wanted in (one.id, one.name.casefold()):
                return one
        known = ", ".join(one.name for one in contacts) or "nobody"
        raise NobodyToAsk(f"{name!r} cannot be asked.", hint=f"Who has agreed: {known}.")

    def _text(self, text: str) -> str:
        kept = text.strip()
        if not 0 < len(kept) <= self._limits.text_letters_max:
            raise BadInput(f"A question has 1 to {self._limits.text_letters_max} letters.")
        return kept

    def _answers(self, answers: Sequence[str]) -> tuple[str, ...]:
        kept = tuple(dict.fromkeys(one.strip() for one in answers))
        most, letters = self._limits.answers_max, self._limits.answer_letters_max
        if not 0 < len(kept) <= most or any(not 0 < len(one) <= letters for one in kept):
            raise BadInput(f"1 to {most} answers of at most {letters} letters each.")
        return kept

    def _wait(self, wait: int) -> int:
        most = int(self._limits.horizon.total_seconds())
        if not self._limits.wait_least <= wait <= most:
            raise BadInput(f"The wait is from {self._limits.wait_least} s on.")
        return wait

    def _deadline(self, deadline: datetime | None, now: datetime) -> datetime:
        at = deadline or now + DEADLINE
        if not now < at <= now + self._limits.horizon:
            raise BadInput(f"The deadline is within {self._limits.horizon.days} days.")
        return at


POLL = timedelta(seconds=5)
"""How often a task of the queue looks whether its question was answered."""
