"""Reads the event log of a long life and says what was promised and not kept."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from clarion.base.events import StoredEvent
from clarion.base.ids import ReminderId
from clarion.reminders.decisions.decision import quiet_until, waits
from clarion.reminders.model import FINAL, Reminder
from clarion.store.sql import events
from clarion.store.sql.reminders.store import SqlReminders
from tests.soak.metrics import disagreements
from tests.soak.world import QUIET, World
from tests.support import build

PAGE = 1_000
UTC_ZONE = ZoneInfo("UTC")
ON_TIME = timedelta(seconds=1)
GAP = timedelta(seconds=11)  # ten seconds between two rings on one device, and one for the clock
WAITS_MAX = timedelta(minutes=30)  # a device is waited for no longer than that
# Which event promises what: the instant at which the next ring is due.
PROMISES = {
    "reminder.created": "trigger_at",
    "reminder.updated": "trigger_at",
    "reminder.snoozed": "until",
    "reminder.retried": "next_at",
    "reminder.waits": "next_at",
    "reminder.held": "until",
}
ANEW = ("reminder.snoozed", "reminder.updated")  # the attempts count from one again
ENDS = ("reminder.confirmed", "reminder.completed", "reminder.cancelled")
TWO_TEAMS = text(
    "SELECT team_id FROM dispatch_assignments WHERE closed_at IS NULL "
    "GROUP BY team_id HAVING count(*) > 1"
)


@dataclass
class Verdict:
    """`wrong` is empty when every promise was kept."""

    wrong: list[str] = field(default_factory=list)
    explained: Counter[str] = field(default_factory=Counter)
    rings: int = 0
    reminders: int = 0
    log: dict[str, list[StoredEvent]] = field(default_factory=dict)


def doubly_sent(conn: Connection) -> list[str]:
    """Teams that are in two places: there must never be one, at any instant."""
    return [row.team_id for row in conn.execute(TWO_TEAMS)]


async def everything(world: World) -> dict[str, list[StoredEvent]]:
    """What happened to each subject, in the order of its commits."""
    database = world.nodes[0].plug
    found: dict[str, list[StoredEvent]] = defaultdict(list)
    last = 0
    while page := await database.read(events.after, last, limit=PAGE):
        last = page[-1].sequence
        for each in page:
            found[each.subject].append(each)
    return found


async def judge(world: World) -> Verdict:
    log = await everything(world)
    verdict = Verdict(log=log)
    store = SqlReminders(world.nodes[0].plug, newcomer=build.user())
    told = _by_device(log)
    for subject, story in log.items():
        if not any(each.kind == "reminder.created" for each in story):
            continue
        reminder = await store.get(build.reminder(id=subject).id)
        verdict.reminders += 1
        verdict.wrong += [f"{subject}: {why}" for why in _life(world, reminder, story)]
        verdict.wrong += [f"{subject}: {why}" for why in _instants(world, story, told, verdict)]
        if reminder is not None:
            verdict.wrong += [f"{subject}: {why}" for why in _loud_at_night(reminder, story)]
    lost = world.made - {each for each in log if each in world.made}
    verdict.wrong += [f"{each}: nothing is known of it" for each in sorted(lost)]
    verdict.wrong += [*_spoken_once(world), *_in_order(world, log), *_asked_once(world, log)]
    verdict.wrong += [*_told_the_truth(world), *_over_with_its_series(log)]
    verdict.wrong += await _metrics(world, log, store)
    return verdict


async def _metrics(
    world: World, log: dict[str, list[StoredEvent]], store: SqlReminders
) -> list[str]:
    """Does each metric equal the log?"""
    known = [each for each, story in log.items() if story[0].kind == "reminder.created"]
    rows = [await store.get(ReminderId(each)) for each in known]
    rings = [ring for each in known for ring in await store.rings(ReminderId(each))]
    ordered = sorted((event for story in log.values() for event in story), key=_sequence)
    there = [row for row in rows if row is not None]
    pending = await SqlReminders(world.nodes[0].plug).pending()
    return disagreements(world.clock, ordered, there, rings, pending)


def _told_the_truth(world: World) -> list[str]:
    """Was anybody told "set" whom nobody could reach, without being told so?"""
    return [
        f"{one.reminder}: set at {one.at} with nobody to hear it, and told: {one.said}"
        for one in world.answers
        if not one.reachable and one.level != "nobody"
    ]


def _over_with_its_series(log: dict[str, list[StoredEvent]]) -> list[str]:
    """What a series had snoozed or was asking again ended with it."""
    ended = {each: story for each, story in log.items() if story[-1].kind == "series.ended"}
    wrong = []
    for subject, story in log.items():
        series = story[0].data.get("series") if story[0].kind == "reminder.created" else None
        if series not in ended:
            continue
        after = [one.kind for one in story if one.sequence > ended[series][-1].sequence]
        if "reminder.triggered" in after:
            wrong.append(f"{subject}: rang after its series had ended: {after}")
    return wrong


def _sequence(event: StoredEvent) -> int:
    return event.sequence


def _life(world: World, reminder: Reminder | None, story: Sequence[StoredEvent]) -> list[str]:
    """It ended, it ended once, and nothing rang after its end."""
    if reminder is None:
        return ["it is gone"]
    wrong = []
    if reminder.status not in FINAL and reminder.trigger_at <= world.clock.now():
        wrong.append(f"left {reminder.status} since {reminder.trigger_at}")
    kinds = [each.kind for each in story]
    ends = [number for number, kind in enumerate(kinds) if kind in ENDS]
    if ends and "reminder.triggered" in kinds[ends[0] :]:
        wrong.append(f"it rang after its end: {kinds}")
    if len(ends) > 1:
        wrong.append(f"it ended {len(ends)} times: {kinds}")
    told = {"reminder.triggered", "reminder.digest"} & set(kinds)
    excuse = {"reminder.cancelled", "reminder.confirmed", "reminder.waits"} & set(kinds)
    if reminder.status in FINAL and not told and not excuse and reminder.reason != "digest":
        wrong.append(f"nobody was told: {kinds} {reminder.reason}")
    if reminder.status == "timeout" and reminder.confirmation.required:
        wrong += _escalated(kinds)
    rings = [each.data["ring"] for each in story if each.kind == "reminder.triggered"]
    if len(rings) != len(set(rings)):
        wrong.append(f"one ring began twice: {rings}")
    return wrong


def _loud_at_night(reminder: Reminder, story: Sequence[StoredEvent]) -> list[str]:
    """What can wait is not rung in its owner's quiet hours."""
    quiet = QUIET.get(reminder.user_id)
    rings = [each.at for each in story if each.kind == "reminder.triggered"]
    if not waits(reminder):
        return []
    return [f"it rang at {at}, in quiet hours" for at in rings if quiet_until(quiet, UTC_ZONE, at)]


def _escalated(kinds: Sequence[str]) -> list[str]:
    if "contact.told" in kinds or "contact.not_told" in kinds or "reminder.escalated" not in kinds:
        return []
    return [f"escalated, and no contact was called: {kinds}"]


def _instants(
    world: World,
    story: Sequence[StoredEvent],
    told: dict[str, list[datetime]],
    verdict: Verdict,
) -> list[str]:
    """Every ring came when it was promised, or something explains why not."""
    wrong: list[str] = []
    promised, attempt = story[0].at, 0
    kind = ""
    for each in story:
        if each.kind in PROMISES:
            promised, kind = _instant(each.data[PROMISES[each.kind]]), each.kind
        if each.kind in ANEW:
            attempt = 0
        if each.kind != "reminder.triggered":
            continue
        verdict.rings += 1
        if int(each.data["attempt"]) < attempt:
            wrong.append(f"attempt {each.data['attempt']} came after {attempt}")
        attempt = int(each.data["attempt"])
        why = _explanation(world, each, promised, kind, told)
        if why is None:
            wrong.append(f"promised for {promised} by {kind}, rung at {each.at}")
        elif why:
            verdict.explained[why] += 1
        promised, kind = each.at, each.kind
    return wrong


def _explanation(
    world: World,
    ring: StoredEvent,
    promised: datetime,
    kind: str,
    told: dict[str, list[datetime]],
) -> str | None:
    """Empty when it was on time; None when nothing explains why it was not."""
    if abs(ring.at - promised) <= ON_TIME:
        return ""
    if ring.at < promised:
        early = kind in ("reminder.waits", "reminder.retried")
        return "a device came back" if early else _fault(world, ring.at, promised)
    if kind == "reminder.waits" and ring.at - promised <= WAITS_MAX:
        return "a device came back"  # looked for each minute, told once
    if (why := _fault(world, promised, ring.at)) is not None:
        return why
    device = told[str(ring.data["device"])]
    if any(timedelta() < ring.at - other <= GAP for other in device):
        return "the device was told something else"
    return None


def _fault(world: World, begins: datetime, ends: datetime) -> str | None:
    return next((why for a, b, why in world.faults if a <= ends and b >= begins), None)


def _by_device(log: dict[str, list[StoredEvent]]) -> dict[str, list[datetime]]:
    found: dict[str, list[datetime]] = defaultdict(list)
    for story in log.values():
        for each in story:
            if each.kind in ("reminder.triggered", "ring.moved"):
                found[str(each.data["device"])].append(each.at)
    return found


def _spoken_once(world: World) -> list[str]:
    """A device says a ring once; again only in a new session, after its line was cut."""
    wrong, last = [], dict[tuple[str, str], int]()
    for number, each in enumerate(world.outside.spoken):
        key = (each.ring.id, each.device)
        before = last.get(key)
        last[key] = number
        if before is not None and not any(before < cut <= number for cut in world.cuts):
            wrong.append(f"{key} was spoken twice at {each.at}")
    return wrong


def _in_order(world: World, log: dict[str, list[StoredEvent]]) -> list[str]:
    """Of those that rang at their one instant, the more urgent rang first."""
    if world.together:
        return []  # two servers that work side by side have no order between them
    wrong = []
    instants: dict[datetime, list[int]] = defaultdict(list)
    rung = sorted(
        (each.sequence, each.at, subject)
        for subject in world.burst
        for each in log[subject]
        if each.kind == "reminder.triggered" and each.data["attempt"] == 1
    )
    for _, at, subject in rung:
        created = log[subject][0].data["trigger_at"]
        if at == _instant(created) and _fault(world, at, at) is None:
            instants[at].append(world.burst[build.reminder(id=subject).id])
    for at, bases in instants.items():
        if bases != sorted(bases, reverse=True):
            wrong.append(f"at {at} they rang in the order {bases}")
    return wrong


def _asked_once(world: World, log: dict[str, list[StoredEvent]]) -> list[str]:
    """What a chat asked for was set once, however often the platform delivered it."""
    made = Counter(
        str(each.data["content"])
        for story in log.values()
        for each in story
        if each.kind == "reminder.created"
    )
    return [f"{words!r} was set {made[words]} times" for words in world.chatted if made[words] != 1]


def _instant(value: object) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
