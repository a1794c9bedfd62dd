"""Reminders and series as they travel: what comes in, what goes out."""

from datetime import date, time
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import Field

from clarion.doors.http.api.live import EventOut
from clarion.doors.http.conventions import (
    PREFIX,
    Id,
    Instant,
    Patch,
    Shape,
    answer_json,
    said,
    shaped,
)
from clarion.people.model import (
    LONG_AGO,
    AwayDays,
    EscalationPolicy,
    PersonAbsence,
    QuietHours,
)
from clarion.reminders.guarantee import Guarantee, Surety
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus, Series, needs_of
from clarion.reminders.natural import Created, Preview
from clarion.reminders.service import Reminders

EXAMPLE = "明天早上8点提醒我吃药，要确认"
DAY = 86_400
Content = Annotated[
    str,
    Field(
        min_length=1, max_length=500, pattern=r"\S", examples=["吃药"], description="What to tell."
    ),
]
Sentence = Annotated[
    str,
    Field(min_length=1, max_length=2000, pattern=r"\S", examples=[EXAMPLE, "in 10 minutes: tea"]),
]
Base = Annotated[
    int, Field(ge=0, le=100, description="critical 100, high 50, normal 10, bulk 0", examples=[10])
]
Owner = Annotated[Id | None, Field(description="For admin tokens: for whom. Others leave it out.")]
Context = Annotated[dict[str, Any], Field(description="Anything worth knowing when it is told.")]


class DaysShape(Shape):
    first: date
    last: date = Field(description="Included.")


class Escalation(Shape):
    """How contacts are told when nobody confirms."""

    rounds: int = Field(1, ge=1, le=20, description="How often the ladder is climbed.")
    pause: int = Field(600, ge=60, le=DAY, description="Seconds between two rounds.")
    all_must: list[Annotated[int, Field(ge=-1000, le=1000)]] = Field(
        default_factory=list,
        max_length=50,
        description="Orders of the steps in which everybody has to be on it, not just one.",
    )
    only: list[Id] = Field(
        default_factory=list,
        max_length=50,
        description="Contacts and rotations that are called at all; empty: everybody.",
    )


class Confirmation(Shape):
    """Whether somebody has to say yes, and how patiently we ask."""

    required: bool = False
    timeout: int = Field(300, ge=5, le=DAY, description="Seconds to wait for an answer.")
    retry_interval: int = Field(60, ge=5, le=DAY, description="Seconds until it asks again.")
    max_retries: int = Field(3, ge=1, le=20)
    confirm_keywords: list[Annotated[str, Field(min_length=1, max_length=50)]] = Field(
        default_factory=list, max_length=50, examples=[["吃了"]]
    )
    needs: Literal["", "heard", "done"] = Field(
        "",
        description="Which yes counts: heard (done or aware) or done. Left out: done for"
        " medicines, else heard.",
    )
    escalation: Escalation | None = Field(
        None, description="How contacts are told of it. Left out: as the person has it."
    )


class ReminderIn(Shape):
    content: Content
    trigger_at: Instant
    user_id: Owner = None
    device_id: Id | None = Field(None, description="Left out: wherever the user can be found.")
    confirmation: Confirmation | None = None
    base: Base | None = None
    context: Context = Field(default_factory=dict)


class ReminderPatch(Patch):
    content: Content = "-"
    trigger_at: Instant = "2030-01-01T00:00:00Z"  # type: ignore[assignment]  # never used: see `given`
    device_id: Id | None = None
    confirmation: Confirmation = Field(default_factory=lambda: Confirmation.model_validate({}))
    base: Base = 10
    context: Context = Field(default_factory=dict)


class NaturalIn(Shape):
    text: Sentence
    user_id: Owner = None
    device_id: Id | None = None
    said_at: Instant | None = Field(
        None, description='When it was said: "in ten minutes" counts from it. Now by default.'
    )


class PreviewIn(Shape):
    text: Sentence = Field(description="A sentence, a cron expression or an RRULE.")
    n: int = Field(5, ge=1, le=100)
    user_id: Owner = None
    unfinished: bool = Field(
        False, description="Somebody is still typing: what is missing is an answer, not an error."
    )


class SnoozeIn(Shape):
    duration: int | None = Field(None, ge=1, le=30 * DAY, description="Seconds from now.")
    until: Instant | None = None


class ConfirmIn(Shape):
    by: str = Field("", max_length=100, description="Who did it, when it was not the user.")


class WayOut(Shape):
    kind: str = Field(description="device or contact")
    id: str
    name: str
    level: Surety
    state: str = Field(description="online, message, away, unserved or contact")
    seen_at: str | None
    proved_at: str | None = Field(description="When it was last heard to the end or answered.")
    after: int = Field(description="Seconds after it is due until this way is tried.")


class GuaranteeOut(Shape):
    """Who will hear it, as things are now. It is no part of the version."""

    level: Surety
    sentence: str = Field(description="What will happen, or what to do: say it to the person.")
    ways: list[WayOut] = Field(description="In the order in which they are tried.")


class ReminderFacts(Shape):
    """Without its guarantee, which changes while the reminder does not."""

    id: str
    user_id: str
    content: str
    trigger_at: str = Field(examples=["2030-01-07T00:00:00.000Z"])
    status: ReminderStatus
    attempt: int
    device_id: str | None
    confirmation: Confirmation
    base: int
    series_id: str | None
    planned_at: str | None
    answer_by: str | None
    reason: str
    confirmed_by: str
    context: dict[str, Any]
    created_at: str
    ended_at: str | None
    unreached_since: str | None = Field(
        description="Since when it is due and no device could be reached."
    )
    version: int


class ReminderOut(ReminderFacts):
    guarantee: GuaranteeOut | None = Field(None, description="Who will hear it; none when over.")


class ReminderPage(Shape):
    items: list[ReminderOut]
    next_cursor: str | None


class ReminderHistory(Shape):
    items: list[EventOut]


class SeriesIn(Shape):
    content: Content
    pattern: Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")] = Field(
        description="Cron, an RRULE, or words.", examples=["0 8 * * *", "每天早上8点"]
    )
    user_id: Owner = None
    device_id: Id | None = None
    confirmation: Confirmation | None = None
    base: Base | None = None
    end_date: Instant | None = None
    count: int | None = Field(None, ge=1, le=10_000)
    zone: str | None = Field(None, min_length=1, max_length=64)
    context: Context = Field(default_factory=dict)


class SeriesPatch(Patch):
    content: Content = "-"
    pattern: Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")] = "0 8 * * *"
    device_id: Id | None = None
    confirmation: Confirmation = Field(default_factory=lambda: Confirmation.model_validate({}))
    base: Base = 10
    end_date: Instant | None = None
    count: int | None = Field(None, ge=1, le=10_000)
    zone: str = Field("UTC", min_length=1, max_length=64)
    context: Context = Field(default_factory=dict)


class SeriesOut(Shape):
    id: str
    user_id: str
    content: str
    pattern: str
    zone: str
    device_id: str | None
    confirmation: Confirmation
    base: int
    enabled: bool
    next_at: str | None
    current: str | None = Field(description="The reminder that waits for `next_at`.")
    ends_at: str | None
    ended_at: str | None
    count: int | None
    made: int
    missed: int
    skipped: list[str]
    context: dict[str, Any]
    created_at: str
    version: int


class SeriesPage(Shape):
    items: list[SeriesOut]
    next_cursor: str | None


class NaturalOut(Shape):
    reminder: ReminderOut | None
    series: SeriesOut | None
    readback: str = Field(description="What was understood, in words: say it back.")
    guarantee: GuaranteeOut | None = Field(description="Who will hear it, and how sure that is.")
    person: str = Field("", description="Who is told, where it is somebody else: your wife.")


class PreviewOut(Shape):
    times: list[str]
    readback: str
    content: str
    confirm: bool = Field(description="Whether somebody will have to say yes.")
    missing: str = Field("", description="What an unfinished sentence still lacks.")


def confirmation_in(confirmation: Confirmation | None) -> ConfirmationConfig | None:
    if confirmation is None:
        return None
    return ConfirmationConfig(
        required=confirmation.required,
        timeout=confirmation.timeout,
        retry_interval=confirmation.retry_interval,
        max_retries=confirmation.max_retries,
        confirm_keywords=tuple(confirmation.confirm_keywords),
        needs=confirmation.needs,
        escalation=escalation_in(confirmation.escalation),
    )


def escalation_in(policy: Escalation | None) -> EscalationPolicy | None:
    if policy is None:
        return None
    return EscalationPolicy(policy.rounds, policy.pause, tuple(policy.all_must), tuple(policy.only))


def escalation_out(policy: EscalationPolicy | None) -> dict[str, Any] | None:
    return shaped(Escalation, policy) if policy is not None else None


def days_in(days: list[DaysShape]) -> tuple[AwayDays, ...]:
    return tuple(AwayDays(one.first, one.last) for one in days)


def days_out(days: tuple[AwayDays, ...]) -> list[dict[str, str]]:
    return [{"first": one.first.isoformat(), "last": one.last.isoformat()} for one in days]


def confirmation_out(config: ConfirmationConfig, content: str) -> dict[str, Any]:
    needs = config.needs or needs_of(content)
    policy = escalation_out(config.escalation)
    return shaped(Confirmation, config, needs=needs, escalation=policy)


def guarantee_out(found: Guarantee | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return shaped(GuaranteeOut, found, ways=[shaped(WayOut, way) for way in found.ways])


def reminder_out(reminder: Reminder) -> dict[str, Any]:
    confirmation = confirmation_out(reminder.confirmation, reminder.content)
    return shaped(ReminderFacts, reminder, confirmation=confirmation)


def series_out(series: Series) -> dict[str, Any]:
    confirmation = confirmation_out(series.confirmation, series.content)
    skipped = [said(at) for at in series.skipped]
    return shaped(SeriesOut, series, confirmation=confirmation, skipped=skipped)


def natural_out(made: Created) -> dict[str, Any]:
    heard = guarantee_out(made.guarantee)
    return {
        "reminder": {**reminder_out(made.reminder), "guarantee": heard} if made.reminder else None,
        "series": series_out(made.series) if made.series else None,
        "readback": made.readback,
        "guarantee": heard,
        "person": made.person,
    }


def preview_out(preview: Preview) -> dict[str, Any]:
    return {
        "times": [at.isoformat() for at in preview.times],
        "readback": preview.readback,
        "content": preview.content,
        "confirm": preview.confirm,
        "missing": "",
    }


TimeOfDay = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["22:00"])]


class Quiet(Shape):
    """Over midnight when `ends` is the smaller."""

    begins: TimeOfDay
    ends: TimeOfDay


class AbsenceShape(Shape):
    """While it lasts the person is not rung; their series go on afterwards."""

    begins: Instant | None = Field(None, description="Left out: at once.")
    ends: Instant | None = Field(None, description="Left out: until somebody ends it.")
    medicines: Literal["ring", "pause"] = Field(
        "ring", description="Whether what must be done, and what is critical, rings all the same."
    )


def absence_in(absence: AbsenceShape | None) -> PersonAbsence | None:
    if absence is None:
        return None
    return PersonAbsence(
        begins=absence.begins or LONG_AGO,
        ends=absence.ends,
        medicines=absence.medicines == "ring",
    )


def absence_out(absence: PersonAbsence | None) -> dict[str, Any] | None:
    if absence is None:
        return None
    return {
        "begins": said(absence.begins),
        "ends": said(absence.ends),
        "medicines": "ring" if absence.medicines else "pause",
    }


def quiet_in(quiet: Quiet | None) -> QuietHours | None:
    if quiet is None:
        return None
    return QuietHours(time.fromisoformat(quiet.begins), time.fromisoformat(quiet.ends))


def quiet_out(quiet: QuietHours | None) -> dict[str, str] | None:
    if quiet is None:
        return None
    return {"begins": f"{quiet.begins:%H:%M}", "ends": f"{quiet.ends:%H:%M}"}


async def created(reminders: Reminders, reminder: Reminder) -> Response:
    where = {"Location": f"{PREFIX}/reminders/{reminder.id}"}
    body = await whole(reminders, reminder)
    return answer_json(body, HTTPStatus.CREATED, version=reminder.version, headers=where)


async def current(reminders: Reminders, reminder: Reminder) -> Response:
    return answer_json(await whole(reminders, reminder), version=reminder.version)


async def whole(reminders: Reminders, reminder: Reminder) -> dict[str, Any]:
    found = await reminders.guarantees([reminder])
    return {**reminder_out(reminder), "guarantee": guarantee_out(found.get(reminder.id))}
