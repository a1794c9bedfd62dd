"""Joins Web Push: telephones and browsers that ring though no page is open."""

from datetime import timedelta

from clarion.app.parts import Parts
from clarion.app.services import Outside, ReminderServices
from clarion.base.errors import Unavailable
from clarion.doors.http.api.push import push_routes
from clarion.doors.http.health import Check
from clarion.doors.notify.push import PushChannel
from clarion.doors.notify.webpush import PushKey
from clarion.people.model import Device, DeviceKind
from clarion.reminders.links import RingTickets
from clarion.reminders.ports import Ring
from clarion.settings import Settings
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.people.store import SqlPeople

TICKET_LIFE = timedelta(hours=24)  # a yes that comes the next morning still counts


async def add_push(parts: Parts, services: ReminderServices, outside: Outside) -> None:
    settings, clock, people = parts.settings, parts.clock, SqlPeople(parts.database)
    key = PushKey(await parts.database.write(secret, "push"), contact_of(settings))
    tickets = RingTickets(await parts.database.write(secret, "tickets"))

    def ticket(ring: Ring) -> str:
        return tickets.issue(ring.id, ring.answer_by + TICKET_LIFE)

    async def forget(device: Device) -> None:
        now = await people.device(device.id)
        if now is not None and now.address == device.address:  # else it has subscribed again
            await people.remove_device(device.id, clock.now())

    channel = services.ways[DeviceKind.PUSH] = PushChannel(
        outside.sender,
        key,
        services.facts,
        clock,
        ticket=ticket,
        forget=forget,
        snooze=settings.snooze,
    )

    async def probe() -> None:
        if away := channel.away():
            raise Unavailable(away)

    parts.checks.append(Check("push", probe, required=False))
    if parts.instruments is not None:
        parts.instruments.outside_up.labels("push").set_function(lambda: not channel.away())
    parts.routers.append(push_routes(lambda: key.public, tickets, services.facts, clock))


def contact_of(settings: Settings) -> str:
    """Whom a push service may write to: some refuse a sender without one."""
    if settings.push_contact:
        return settings.push_contact
    public = settings.public_url
    return public if public.startswith("https://") else "mailto:clarion@example.com"
