"""What reminders refuse, and why. The codes are listed in docs/errors.md."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from clarion.base.errors import Conflict, NotFound, Unavailable, Unprocessable


class Unreachable(Unavailable):
    """A channel is sure that this device cannot be reached now. Another device rings."""

    code = "unreachable"


class NoSuchReminder(NotFound):
    code = "no_such_reminder"

    def __init__(self, reminder_id: str) -> None:
        super().__init__(f"There is no reminder {reminder_id!r}.")


class NoSuchSeries(NotFound):
    code = "no_such_series"

    def __init__(self, series_id: str) -> None:
        super().__init__(f"There is no series {series_id!r}.")


class ReminderOver(Conflict):
    code = "reminder_over"

    def __init__(self, reminder_id: str, status: str) -> None:
        super().__init__(
            f"Reminder {reminder_id!r} is {status}.",
            hint="It is over. Set a new one instead.",
            details={"status": status},
        )


class NotRinging(Conflict):
    code = "not_ringing"

    def __init__(self, reminder_id: str) -> None:
        super().__init__(
            f"Reminder {reminder_id!r} does not ring yet, so there is nothing to put off.",
            hint="Say how long or until when, or give it another time.",
        )


class NotPending(Conflict):
    code = "not_pending"

    def __init__(self, reminder_id: str, status: str) -> None:
        super().__init__(
            f"Reminder {reminder_id!r} is {status}; only a pending one can be changed.",
            hint="Snooze, confirm or cancel it instead.",
            details={"status": status},
        )


class SeriesOver(Conflict):
    code = "series_over"

    def __init__(self, series_id: str) -> None:
        super().__init__(f"Series {series_id!r} has ended.", hint="Set a new one instead.")


# A person's mistake is explained in their language, in `detail` and in `hint`.
_SAID = {
    "past": ("这个时间已经过去了：{at}。", "{at} is in the past."),
    "past_hint": ("要改成{readback}吗？", "Did you mean {readback}?"),
    "far": ("{at}太远了，最多{days}天以内。", "{at} is more than {days} days ahead."),
    "far_hint": ("请选早一点的时间。", "Choose an earlier time."),
    "often": ("这样响得太频繁了。", "That is too often to ring."),
    "often_hint": (
        "两次之间至少隔{least}秒。",
        "Leave at least {least} seconds between rings.",
    ),
    "missing": ("还不清楚什么时候提醒。", "It is not clear when this should ring."),
    "impossible": ("没有这样的时间。", "That time cannot be."),
    "nothing": (
        "没有说要提醒什么，所以什么都没有设。",
        "It was not said what to remind of: nothing was set.",
    ),
    "nothing_hint": ("要提醒什么？", "What should the reminder be about?"),
    "whom": (
        "不能替您提醒{person}，所以什么都没有设。",
        "You may not remind {person}, so nothing was set.",
    ),
    "whom_hint": (
        "要对方先把您加为联系人。",
        "They have to make you one of their contacts first.",
    ),
}


def _shown(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def _say(key: str, language: str, **facts: object) -> str:
    chinese, english = _SAID[key]
    return (chinese if language == "zh" else english).format(**facts)


class TimePast(Unprocessable):
    code = "time_past"

    def __init__(
        self, at: datetime, proposal: datetime, readback: str, language: str = "en"
    ) -> None:
        super().__init__(
            _say("past", language, at=_shown(at)),
            hint=_say("past_hint", language, readback=readback),
            details={"proposal": proposal.isoformat(), "readback": readback},
        )


class TooFarAhead(Unprocessable):
    code = "too_far_ahead"

    def __init__(self, at: datetime, horizon: timedelta, language: str = "en") -> None:
        super().__init__(
            _say("far", language, at=_shown(at), days=horizon.days),
            hint=_say("far_hint", language),
        )


class RingsTooOften(Unprocessable):
    """More often than the setting allows, however it was asked for: words, cron, RRULE."""

    code = "rings_too_often"

    def __init__(self, least: timedelta, language: str = "en") -> None:
        seconds = int(least.total_seconds())
        why, what = _say("often", language), _say("often_hint", language, least=seconds)
        joint = "" if language == "zh" else " "
        super().__init__(why, hint=what, details={"least": seconds, "readback": why + joint + what})


class MissingTime(Unprocessable):
    """The words do not say when. `what` is missing; `candidates` are instants to offer."""

    code = "missing_time"

    def __init__(
        self, what: str, candidates: Sequence[datetime], readback: str, language: str = "en"
    ) -> None:
        super().__init__(
            _say("missing", language),
            hint=readback,
            details={
                "what": what,
                "candidates": [at.isoformat() for at in candidates],
                "readback": readback,
            },
        )


class MissingContent(Unprocessable):
    """The words say when, but not what."""

    code = "missing_content"

    def __init__(self, language: str) -> None:
        question = _say("nothing_hint", language)
        super().__init__(_say("nothing", language), hint=question, details={"readback": question})


class MayNotRemind(Unprocessable):
    """The reminder is for a person who does not have the speaker as a contact."""

    code = "may_not_remind"

    def __init__(self, person: str, language: str) -> None:
        super().__init__(
            _say("whom", language, person=person),
            hint=_say("whom_hint", language),
            details={"person": person},
        )


class ImpossibleTime(Unprocessable):
    """The words name a time that does not exist or has passed: 30 February, yesterday."""

    code = "impossible_time"

    def __init__(
        self, why: str, proposal: datetime | None, readback: str, language: str = "en"
    ) -> None:
        super().__init__(
            _say("impossible", language),
            hint=readback,
            details={
                "why": why,
                "proposal": proposal.isoformat() if proposal else None,
                "readback": readback,
            },
        )


class NeverRings(Unprocessable):
    code = "never_rings"


class NoRequest(Unprocessable):
    """The sentence asks to end a reminder, not to set one."""

    code = "no_request"

    def __init__(self, language: str) -> None:
        chinese = language == "zh"
        super().__init__(
            "这句话不是要设提醒，所以什么都没有设。"
            if chinese
            else "This asks for no reminder, so nothing was set.",
            hint="要取消请说“取消吃药的提醒”。"
            if chinese
            else 'To cancel one, say "cancel the pills reminder" in a chat, or use its id.',
        )
