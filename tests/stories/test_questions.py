"""A question to people: asked in an order, until one answers or its time is over."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from bullmq import Queue as BullQueue

from clarion.app.cluster import Adoption
from clarion.app.questions import question_kinds
from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Unavailable
from clarion.base.ids import TaskId, UserId
from clarion.base.signing import BadLink
from clarion.people.errors import NoSuchUser
from clarion.people.model import Actor, Contact
from clarion.people.service import People
from clarion.questions.errors import NobodyToAsk, NoSuchQuestion
from clarion.questions.model import PutQuestion, QuestionStatus
from clarion.questions.service import Questions
from clarion.store.redis.bridge import Intake
from clarion.store.redis.client import steady_client
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.questions import SqlQuestions
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kinds
from clarion.tasks.model import Task
from clarion.tasks.workers import DueTasks, Workers
from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, AS_ANA, at
from tests.support.clock import START, ManualClock
from tests.support.databases import opened, sqlite_file
from tests.support.drive import Driver
from tests.support.fakes.dying import Died, DyingDatabase
from tests.support.services import RedisServer

NEVER = 1_000_000


@dataclass
class Phones:
    """Everybody's telephone, however often a server was started anew."""

    told: list[tuple[str, str]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)

    async def send(self, contact: Contact, title: str, text: str, link: str) -> None:
        if contact.name in self.dead:
            raise Unavailable("Nobody picks up.", retry_after=60)
        self.told.append((contact.name, text))
        self.links.append(link)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.told]

    def token(self, name: str) -> str:
        links = [link for link, (who, _) in zip(self.links, self.told, strict=True) if who == name]
        return links[0].rpartition("/")[2]


@dataclass
class Office:
    questions: Questions
    people: People
    phones: Phones
    tasks: SqlTasks
    driver: Driver
    clock: Clock

    async def ask(self, *people: str, **fields: Any) -> PutQuestion:
        given = {"text": "Shall I deploy?", "wait": 300, **fields}
        return await self.questions.ask(AS_ANA, user_id=ANA, people=people, **given)

    async def on(self, minutes: float) -> None:
        await self.driver.fast_forward(timedelta(minutes=minutes))

    async def look(self, question: PutQuestion) -> PutQuestion:
        return await self.questions.get(ADMIN, question.id)


def staffed(database: Database, clock: ManualClock, phones: Phones) -> Office:
    store = SqlPeople(database)
    questions = Questions(
        SqlQuestions(database), store, phones, clock, key=b"for tests", address="https://x.test"
    )
    tasks = SqlTasks(database)
    workers = Workers(tasks, Kinds(*question_kinds(questions)), clock)
    driver = Driver(clock, DueTasks(workers))
    return Office(questions, People(store, clock), phones, tasks, driver, clock)


async def furnish(office: Office, names: Sequence[str] = ("Sue", "Tom")) -> None:
    await office.people.add_user(ADMIN, user_id=ANA, name="Ana", language="en", zone="UTC")
    for order, name in enumerate(names):
        await office.people.add_contact(
            ADMIN, user_id=ANA, name=name, address=f"ntfy://{name}", order=order
        )


@pytest.fixture
async def office(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Office]:
    async with opened(await sqlite_file(tmp_path)) as database:
        made = staffed(database, clock, Phones())
        await furnish(made)
        yield made


async def test_one_after_the_other_is_asked_until_one_answers(office: Office) -> None:
    question = await office.ask("Sue", "Tom", answers=["Go", "Wait"])

    await office.on(1)
    first = list(office.phones.names)
    await office.on(6)
    await office.questions.answer(office.phones.token("Tom"), "Wait")
    await office.on(60)

    found = await office.look(question)
    assert first == ["Sue"]
    assert (found.status, found.answer) == (QuestionStatus.ANSWERED, "Wait")
    assert await office.questions.name_of(found.answered_by) == "Tom"
    assert office.phones.told[-1] == ("Sue", "Tom has answered: Wait (Shall I deploy?)")


async def test_who_answers_at_once_spares_the_others(office: Office) -> None:
    await office.ask()
    await office.on(1)

    await office.questions.answer(office.phones.token("Sue"), "Yes")
    await office.on(60)

    assert office.phones.names == ["Sue"]


async def test_without_an_answer_the_deadline_ends_it(office: Office) -> None:
    question = await office.ask(deadline=at(9))

    await office.on(90)

    assert (await office.look(question)).status is QuestionStatus.EXPIRED
    assert office.phones.names == ["Sue", "Tom"]


async def test_a_phone_that_is_dead_does_not_hold_up_the_question(office: Office) -> None:
    office.phones.dead.add("Sue")
    await office.ask(wait=3_000)

    await office.on(1)

    assert office.phones.names == ["Tom"]


async def test_of_two_who_answer_at_once_one_counts(office: Office) -> None:
    question = await office.ask(wait=60)
    await office.on(3)
    tokens = [office.phones.token(name) for name in ("Sue", "Tom")]

    shown = await asyncio.gather(
        office.questions.answer(tokens[0], "Yes"), office.questions.answer(tokens[1], "No")
    )

    assert shown[0].question.answer == shown[1].question.answer
    assert (await office.look(question)).version == 4  # asked twice, answered once


async def test_a_question_that_was_taken_back_asks_nobody_further(office: Office) -> None:
    question = await office.ask()
    await office.on(1)

    await office.questions.cancel(AS_ANA, question.id)
    await office.on(60)

    assert office.phones.names == ["Sue"]


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"people": ("Nobody",)}, NobodyToAsk),
        ({"text": " "}, BadInput),
        ({"answers": [""]}, BadInput),
        ({"answers": [str(one) for one in range(7)]}, BadInput),
        ({"wait": 1}, BadInput),
        ({"deadline": START}, BadInput),
    ],
)
async def test_what_cannot_be_asked_is_refused(
    office: Office, fields: dict[str, Any], refused: type[Exception]
) -> None:
    people = fields.pop("people", ())

    with pytest.raises(refused):
        await office.ask(*people, **fields)


async def test_who_has_not_agreed_is_not_asked(office: Office) -> None:
    await office.people.add_contact(AS_ANA, user_id=ANA, name="Eve", address="ntfy://eve")

    with pytest.raises(NobodyToAsk):
        await office.ask("Eve")


async def test_nobody_sees_the_questions_of_others(office: Office) -> None:
    question = await office.ask()
    bo = Actor(UserId("bo"))

    with pytest.raises(NoSuchQuestion):
        await office.questions.get(bo, question.id)
    with pytest.raises(NoSuchUser):
        await office.questions.ask(bo, user_id=ANA, text="?", people=())


async def test_a_link_of_one_answers_nothing_else(office: Office) -> None:
    await office.ask()
    await office.on(1)
    token = office.phones.token("Sue")

    with pytest.raises(BadInput):
        await office.questions.answer(token, "something else")
    with pytest.raises(BadLink):
        await office.questions.answer(token[:-4] + "AAAA", "Yes")


async def test_a_task_of_the_queue_asks_and_its_result_is_the_answer(office: Office) -> None:
    task = Task(
        id=TaskId("tsk_1"),
        kind="ask_person",
        due_at=START,
        payload={"user_id": ANA, "text": "Deploy?", "people": ["Sue"]},
    )
    await office.tasks.add([task], START)
    await office.on(1)

    await office.questions.answer(office.phones.token("Sue"), "Yes")
    await office.on(1)

    record = await office.tasks.get(task.id)
    assert record is not None
    assert record.result is not None
    assert '"answer":"Yes"' in str(record.result).replace(" ", "").replace("'", '"')
    assert office.phones.names == ["Sue"], "asked once, however often the task looked"


async def test_a_job_of_bullmq_asks_and_gets_the_answer_back(
    office: Office, redis_server: RedisServer, clock: ManualClock
) -> None:
    client = steady_client(redis_server.url)
    intake = Intake(client, Adoption(office.tasks, clock), clock)
    queue = BullQueue("messages", {"connection": client})
    asks = {"payload": {"user_id": ANA, "text": "Deploy?", "people": ["Sue"]}}
    job = await queue.add("ask_person", asks, {"removeOnComplete": False})
    await intake.run_once()
    await office.on(1)

    await office.questions.answer(office.phones.token("Sue"), "Yes")
    await office.on(1)
    await intake.run_once()

    [done] = await queue.getJobs(["completed"], 0, -1, True)
    assert done.id == job.id
    assert (done.returnvalue["answer"], done.returnvalue["answered_by"]) == ("Yes", "Sue")
    await client.aclose()


async def lived(tmp_path: Path, after: int) -> tuple[Phones, QuestionStatus, int]:
    """A question that Tom answers at the end, with one power cut; a minute later it goes on."""
    url = await sqlite_file(tmp_path)
    clock, phones, commits = ManualClock(START), Phones(), 0
    async with opened(url) as database:
        office = staffed(database, clock, phones)
        await furnish(office)
        question = await office.ask(wait=60, deadline=at(10))
    for cut in (after, NEVER):
        async with opened(url) as database:
            dying = DyingDatabase(database, cut)
            office = staffed(dying, clock, phones)
            try:
                await office.driver.until(max(at(8, 30), clock.now()))
                await office.questions.answer(phones.token("Tom"), "Yes")
                await office.driver.until(max(at(11), clock.now()))
            except Died:
                clock.advance(timedelta(minutes=1))
            commits = commits or dying.commits
    async with opened(url) as database:
        found = await SqlQuestions(database).get(question.id)
    assert found is not None
    return phones, found.status, commits


@pytest.mark.timeout(120)
async def test_a_crash_after_any_commit_loses_no_question(tmp_path: Path) -> None:
    _, _, commits = await lived(tmp_path, NEVER)

    for after in range(1, commits + 1):
        phones, status, _ = await lived(tmp_path, after)
        said = f"power cut after commit {after}: {phones.told}"
        assert status is QuestionStatus.ANSWERED, said
        asked = [name for name, text in phones.told if text.startswith("Ana asks")]
        assert 1 <= asked.count("Sue") <= 2, said
        assert 1 <= asked.count("Tom") <= 2, said
