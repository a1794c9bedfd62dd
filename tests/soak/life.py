"""What people, devices and bad luck do, drawn from a seed."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from clarion.base.ids import DeviceId, ReminderId, TaskId
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message, PersonId
from clarion.dispatch.model import EventId, Severity, TeamId, TeamStatus
from clarion.reminders.decisions.decision import DEADLINE, RING
from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from clarion.store.sql.chats.inbox import SqlInbox
from clarion.tasks.model import Task
from clarion.tasks.ports import Claim
from tests.soak.server import Node
from tests.soak.world import QUIET, TEAMS, USERS, Answer, World
from tests.support.clarion_by_hand import ADMIN
from tests.support.dispatching import event

ANSWERS = ("吃过了", "yes, done", "还没有", "等会儿", "十分钟后再提醒我", "什么？", "no")
OPEN = (ReminderStatus.PENDING, ReminderStatus.TRIGGERED)
Happening = Callable[[World], Awaitable[None]]


async def somebody_wants_to_be_reminded(world: World) -> None:
    luck = world.random
    user, number = luck.choice(USERS), world.counts.get("reminders", 0)
    at = world.clock.now() + timedelta(seconds=luck.randint(5, 7200))
    confirm = ConfirmationConfig(
        required=luck.random() < 0.6, timeout=60, retry_interval=30, max_retries=luck.randint(1, 3)
    )
    base = luck.choice((10, 50, 50, 50, 80, 100))

    async def ask(node: Node) -> ReminderId:
        made = await node.services.reminders.create(
            ADMIN,
            user_id=user,
            content=f"task {number}",
            trigger_at=at,
            confirmation=confirm,
            base=base,
            key=f"key-{number}",
        )
        reachable = world.is_reachable(user)
        heard = (await node.services.reminders.guarantees([made])).get(made.id)
        if heard is not None:
            now = world.clock.now()
            told = Answer(made.id, now, heard.level, heard.sentence, reachable)
            world.answers.append(told)
        return made.id

    world.count("reminders")
    asked = {await world.do(ask) for _ in range(luck.choice((1, 1, 2)))} - {None}
    assert len(asked) <= 1, f"one request made {asked}"
    world.made.update(one for one in asked if one is not None)


async def everybody_is_called_at_once(world: World) -> None:
    at = world.clock.now() + timedelta(minutes=30)
    bases = world.random.sample(range(0, 100, 7), len(USERS))
    for user, base in zip(USERS, bases, strict=True):
        made = await world.do(
            lambda node, user=user, base=base: node.services.reminders.create(  # type: ignore[misc]
                ADMIN, user_id=user, content=f"burst {base}", trigger_at=at, base=base
            )
        )
        if made is not None:
            world.made.add(made.id)
            world.burst[made.id] = base
    world.count("bursts")


async def something_repeats(world: World) -> None:
    number = world.counts.get("series", 0)
    user = USERS[number % len(USERS)]
    hour = world.random.randint(0, 23)
    world.count("series")
    await world.do(
        lambda node: node.services.reminders.series.create(
            ADMIN, user_id=user, content="daily", pattern=f"15 {hour} * * *", key=f"daily-{number}"
        )
    )


async def somebody_answers(world: World) -> None:
    """The last ring on some device; the words may arrive twice, on two servers."""
    if not world.outside.spoken:
        return
    ring = world.random.choice(world.outside.spoken[-5:]).ring
    words = world.random.choice(ANSWERS)
    for _ in range(world.random.choice((1, 1, 2))):
        await world.do(lambda node: node.services.facts.answered(ring.id, words))
    world.count("answers")


async def somebody_presses(world: World) -> None:
    if not world.outside.spoken:
        return
    ring = world.random.choice(world.outside.spoken[-5:]).ring
    button = world.random.choice(("confirm", "confirm", "snooze", "cancel"))
    for _ in range(2):
        await world.do(lambda node: node.services.facts.pressed(ring.id, button))
    world.count("buttons")


async def plans_change(world: World) -> None:
    user = world.random.choice(USERS)
    page = await world.do(
        lambda node: node.services.reminders.list(ADMIN, user_id=user, status=OPEN)
    )
    if page is None or not page.items:
        return
    found = world.random.choice(page.items)
    later = world.clock.now() + timedelta(minutes=world.random.randint(1, 60))
    verb = world.random.choice(("snooze", "cancel", "move"))
    if verb == "snooze":
        await world.do(lambda node: node.services.reminders.snooze(ADMIN, found.id))
    elif verb == "cancel":
        await world.do(lambda node: node.services.reminders.cancel(ADMIN, found.id))
    else:
        await world.do(
            lambda node: node.services.reminders.update(ADMIN, found.id, trigger_at=later)
        )
    world.count("changes")


async def a_chat_asks(world: World) -> None:
    """The platform delivers the same update twice, as it does when an answer got lost."""
    number = world.counts.get("chat requests", 0)
    words = f"浇花{number}号"
    name = f"console:room-{number % 3}"
    message = Message(
        update=f"update-{number}",
        chat=Chat(id=ChatId(name), kind=ChatKind.PRIVATE, title="room"),
        sender=ChatSender(id=PersonId(name), name="Ana"),
        text=f"{world.random.randint(5, 90)}分钟后提醒我{words}",
        sent_at=world.clock.now(),
    )
    for _ in range(2):
        await world.do(lambda node: SqlInbox(node.plug).take_in([message], world.clock.now()))
    world.chatted.add(words)
    world.count("chat requests")


async def a_device_comes_or_goes(world: World) -> None:
    device = f"{world.random.choice(USERS)}-{world.random.choice(('hall', 'bed'))}"
    back = device in world.outside.away
    world.outside.away ^= {device}
    await world.do(
        lambda node: node.services.facts.seen(DeviceId(device), online=back, through="soak")
    )
    world.count("devices came or went")


async def a_page_is_loaded_anew(world: World) -> None:
    """Closed and opened again within seconds: a new session of the same device."""
    device = f"{world.random.choice(USERS)}-{world.random.choice(('hall', 'bed'))}"
    if device in world.outside.away:
        return
    for online in (False, True):
        await world.do(
            lambda node, online=online: node.services.facts.seen(  # type: ignore[misc]
                DeviceId(device), online=online, through="soak"
            )
        )
        await world.live(timedelta(seconds=world.random.randint(1, 20)))
    world.count("pages loaded anew")


async def a_device_is_busy(world: World) -> None:
    """Somebody talks to it for a minute; what is rung meanwhile is told after that."""
    device = DeviceId(f"{world.random.choice(USERS)}-hall")
    begun = world.clock.now()
    world.outside.busy.setdefault(device, [])
    await world.live(timedelta(seconds=world.random.randint(10, 100)))
    for ring in world.outside.busy.pop(device, []):
        await world.do(lambda node, ring=ring: node.channel.ring(ring))  # type: ignore[misc]
    world.fault("busy device", begun, world.clock.now())


async def somebody_moves(world: World) -> None:
    """To another zone, and their series with them. Those with quiet hours stay at home."""
    user = world.random.choice([one for one in USERS if one not in QUIET])
    zone = world.random.choice(("UTC", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu"))
    await world.do(lambda node: node.services.people.update_user(ADMIN, user, zone=zone))
    world.count("moves to another zone")


async def a_series_ends(world: World) -> None:
    page = await world.do(lambda node: node.services.reminders.series.list(ADMIN, limit=50))
    running = [one for one in page.items if one.ended_at is None] if page else []
    if not running:
        return
    ended = world.random.choice(running)
    for _ in range(2):
        await world.do(lambda node: node.services.reminders.series.end(ADMIN, ended.id))
    world.count("series ended")


async def something_happens_in_town(world: World) -> None:
    number = world.counts.get("events", 0)
    name = f"event-{number}"
    severity = world.random.choice(tuple(Severity))
    told = event(name, now=world.clock.now(), severity=severity)
    world.count("events")
    await world.do(lambda node: node.sent.desk.report(told))
    for _ in range(2):
        await world.do(lambda node: node.sent.dispatch.request(EventId(name), key=f"plan-{name}"))
    await world.live(timedelta(seconds=5))
    await the_radio_answers(world)


async def the_radio_answers(world: World) -> None:
    """Whoever was called last goes, or says that they cannot."""
    calls = [one.ring for one in world.outside.spoken if one.device.startswith("radio-")]
    words = world.random.choice(("收到，马上出发", "收到", "收到", "不行，去不了"))
    if calls:
        await world.do(lambda node: node.services.facts.answered(calls[-1].id, words))


async def a_team_comes_home(world: World) -> None:
    name = TeamId(world.random.choice(TEAMS))
    found = await world.do(lambda node: node.sent.desk.team(name))
    if found is None:
        return
    if found.status is TeamStatus.UNAVAILABLE:
        await world.do(lambda node: node.sent.desk.move_team(name, TeamStatus.STANDBY))
    elif found.status is TeamStatus.DEPLOYED:
        for _ in range(2):
            await world.do(lambda node: node.sent.desk.complete(name))
        world.count("teams home")


async def a_task_comes_again(world: World) -> None:
    """Whatever was done once is delivered once more, late and out of order."""
    if not world.outside.spoken:
        return
    told = world.random.choice(world.outside.spoken).ring
    payload = {"reminder": told.reminder_id, "ring": told.id, "attempt": told.attempt}
    kind = world.random.choice((RING, DEADLINE))
    task = Task(TaskId("tsk_again"), kind, world.clock.now(), payload)
    await world.do(lambda node: node.deliver(Claim(task, 1, fence=1)))
    world.count("duplicate deliveries")


async def a_server_dies(world: World) -> None:
    world.random.choice(world.nodes).plug.pull(world.random.randint(1, 40))


async def servers_are_replaced(world: World) -> None:
    await world.staff()


async def the_power_is_out(world: World) -> None:
    begun = world.clock.now()
    for node in world.nodes:
        node.plug.pull(0)
    dark = timedelta(minutes=world.random.randint(1, 45))
    world.clock.advance(dark)
    world.fault("outage", begun, world.clock.now())
    await world.bury()
    await world.staff()


async def the_network_splits(world: World) -> None:
    """Some homes are cut off at once, nobody says goodbye, and all come back together."""
    homes = world.random.sample(USERS, len(USERS) // 2)
    gone = {f"{user}-{place}" for user in homes for place in ("hall", "bed")} - world.outside.away
    world.outside.away |= gone
    world.cut_off |= gone
    world.cut()
    await world.live(timedelta(minutes=world.random.randint(1, 20)))
    world.outside.away -= gone
    world.cut_off -= gone
    for device in sorted(gone):
        await world.do(
            lambda node, name=device: node.services.facts.seen(  # type: ignore[misc]
                DeviceId(name), online=True, through="soak"
            )
        )
    world.count("network splits")


async def a_server_loses_the_database(world: World) -> None:
    """For some minutes nothing answers it, and half of what it writes is written all the same."""
    if len(world.nodes) < 2:
        return
    node, begun = world.random.choice(world.nodes), world.clock.now()
    node.plug.part(world.random)
    await world.live(timedelta(minutes=world.random.randint(1, 10)))
    node.plug.join()
    world.fault("partition", begun, world.clock.now())


async def redis_dies(world: World) -> None:
    """It forgets everything, or only hangs; meanwhile somebody has to be sent."""
    if world.redis is None:
        return
    dies = world.random.random() < 0.7
    world.redis.kill() if dies else world.redis.pause()
    await something_happens_in_town(world)
    await world.live(timedelta(minutes=world.random.randint(0, 10)))
    world.redis.start() if dies else world.redis.resume()
    world.count("Redis deaths" if dies else "Redis hung")


async def the_clock_jumps(world: World) -> None:
    """Forward by up to twenty minutes, or back by up to five."""
    before = world.clock.now()
    world.clock.jump(timedelta(seconds=world.random.randint(-300, 1200)))
    after = world.clock.now()
    world.fault("clock jump", min(before, after), max(before, after))


HAPPENINGS: dict[Happening, float] = {
    somebody_wants_to_be_reminded: 30,
    everybody_is_called_at_once: 1,
    something_repeats: 1,
    somebody_answers: 20,
    somebody_presses: 8,
    plans_change: 6,
    a_chat_asks: 5,
    a_device_comes_or_goes: 5,
    a_page_is_loaded_anew: 2,
    a_device_is_busy: 2,
    somebody_moves: 1,
    a_series_ends: 0.5,
    something_happens_in_town: 4,
    a_team_comes_home: 8,
    a_task_comes_again: 6,
    a_server_dies: 5,
    servers_are_replaced: 4,
    the_power_is_out: 0.5,
    the_network_splits: 1,
    a_server_loses_the_database: 1,
    redis_dies: 0.7,
    the_clock_jumps: 0.7,
}


async def live(world: World, days: float, look: Callable[[], Awaitable[None]]) -> None:
    """`look` is called after every happening."""
    left = timedelta(days=days)
    kinds, weights = list(HAPPENINGS), list(HAPPENINGS.values())
    while left > timedelta():
        nap = timedelta(seconds=world.random.expovariate(1 / 300))
        await world.live(min(nap, left))
        left -= nap
        await world.random.choices(kinds, weights)[0](world)
        await look()


async def calm_down(world: World) -> None:
    """Everybody is home, nothing breaks any more, and what is open comes to its end."""
    await world.staff()
    for device in sorted(world.outside.away):
        world.outside.away.discard(device)
        await world.do(
            lambda node, name=device: node.services.facts.seen(  # type: ignore[misc]
                DeviceId(name), online=True, through="soak"
            )
        )
    await world.live(timedelta(hours=10))
