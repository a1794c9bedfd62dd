"""Rules and chats: the queries. A changed priority re-ranks what waits in the same transaction."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.base.errors import Stale
from clarion.chats.events import ChatReturned, RuleChanged, RulePriorityChanged
from clarion.chats.model import (
    Chat,
    ChatId,
    ChatKind,
    ChatPlace,
    ChatRule,
    Filters,
    RuleId,
    Waiting,
    group_of,
)
from clarion.chats.ports import RuleDraft
from clarion.store.sql import events
from clarion.store.sql.chats import lanes
from clarion.store.sql.chats.lanes import DONE, IN, OUT
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.chats import chats, inbox, outbox, rules
from clarion.store.sql.tasks import gates
from clarion.store.sql.tasks.views import ahead_of
from clarion.tasks.kinds import QUEUE
from clarion.tasks.model import Level, Queue, rank

_CHAT = select(chats).where(chats.c.id == bindparam("chat"))
_WITH_TITLE = select(rules, chats.c.title).join_from(
    rules, chats, rules.c.chat_id == chats.c.id, isouter=True
)


def chat_row(conn: Connection, chat_id: ChatId) -> Row[Any] | None:
    return conn.execute(_CHAT, {"chat": chat_id}).first()


def keep_chat(conn: Connection, chat: Chat, now: datetime) -> ChatId:
    """Store the chat with its present name, and return the id that it has now.

    A message from a dead chat brings it back.
    """
    row = chat_row(conn, chat.id)
    known = {"title": chat.title, "kind": chat.kind, "language": chat.language, "dead_at": None}
    if row is None:
        dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
        new = dialect.insert(chats).values(id=chat.id, spare_in=0, spare_out=0, **known)
        # Another server may receive the chat's first message at the same moment.
        conn.execute(new.on_conflict_do_nothing(index_elements=[chats.c.id]))
        return chat.id
    if row.moved_to:
        return ChatId(row.moved_to)
    # Written only after a change: all messages of the chat would wait for this one row.
    if any(getattr(row, name) != value for name, value in known.items()):
        conn.execute(update(chats).where(chats.c.id == chat.id).values(**known))
    if row.dead_at is not None:
        events.append(conn, [ChatReturned(subject=chat.id)], now)
    return chat.id


def chat_of(row: Row[Any]) -> Chat:
    return Chat(
        id=row.id,
        kind=ChatKind(row.kind),
        title=row.title,
        language=row.language,
        dead_at=row.dead_at,
        paused_until=row.paused_until,
        moved_to=row.moved_to,
    )


def rule_of(conn: Connection, chat_id: ChatId) -> ChatRule | None:
    """The rule of the chat; a topic has the rule of its group."""
    return _one(conn, rules.c.chat_id == group_of(chat_id))


def rule(conn: Connection, rule_id: RuleId) -> ChatRule | None:
    return _one(conn, rules.c.id == rule_id)


def all_rules(conn: Connection) -> list[ChatRule]:
    rows = conn.execute(_WITH_TITLE.order_by(rules.c.id)).all()
    dead = _dead_among(conn, {target for row in rows for target in row.targets})
    return [_rule(row, dead) for row in rows]


_PRIORITY = select(rules.c.priority, rules.c.weight).where(rules.c.chat_id == bindparam("chat"))


def priority_of(conn: Connection, chat_id: ChatId) -> int:
    return share_of(conn, chat_id)[0]


def share_of(conn: Connection, chat_id: ChatId) -> tuple[int, float | None]:
    """The chat's priority, and the weight that its rule names."""
    found = conn.execute(_PRIORITY, {"chat": group_of(chat_id)}).first()
    return (int(Level.NORMAL), None) if found is None else (int(found[0]), found[1])


def save(
    conn: Connection,
    chat_id: ChatId,
    draft: RuleDraft,
    by: str,
    now: datetime,
    version: int | None = None,
) -> ChatRule:
    before = rule_of(conn, chat_id)
    if version is not None and (before is None or before.version != version):
        raise Stale("The rule was changed meanwhile.", hint="Read it again.")
    was = before.priority if before else int(Level.NORMAL)
    _write(conn, chat_id, before, draft, by, now)
    after = rule_of(conn, chat_id)
    assert after is not None
    happened = RuleChanged(
        subject=f"rule:{after.id}", chat=chat_id, by=by, what="updated" if before else "created"
    )
    events.append(conn, [happened], now)
    if after.priority != was:
        _rerank(conn, after, was, by, now)
    return after


def remove(conn: Connection, rule_id: RuleId, by: str, now: datetime) -> bool:
    before = rule(conn, rule_id)
    if before is None:
        return False
    conn.execute(delete(rules).where(rules.c.id == rule_id))
    gone = RuleChanged(subject=f"rule:{rule_id}", chat=before.chat_id, by=by, what="deleted")
    events.append(conn, [gone], now)
    if before.priority != Level.NORMAL:
        _rerank(conn, _as_normal(before), before.priority, by, now)
    return True


def waiting(conn: Connection) -> dict[ChatId, int]:
    counted = (
        select(inbox.c.chat_id, func.count().label("waiting"))
        .where(inbox.c.state != DONE)
        .group_by(inbox.c.chat_id)
    )
    return {row.chat_id: row.waiting for row in conn.execute(counted)}


def depths(conn: Connection, now: datetime) -> list[Waiting]:
    counted = (
        select(inbox.c.base, func.count(), func.min(inbox.c.since))
        .where(inbox.c.state != DONE)
        .group_by(inbox.c.base)
        .order_by(inbox.c.base.desc())
    )
    found: dict[int, Waiting] = {}
    for base, count, oldest in conn.execute(counted):
        level = min(base, int(Level.CRITICAL))  # commands about the queue are above it
        seconds = (now - oldest).total_seconds()
        above = found.get(level, Waiting(level, 0, 0.0))
        found[level] = Waiting(level, above.count + count, max(above.oldest_seconds, seconds))
    return list(found.values())


def place(conn: Connection, chat_id: ChatId, now: datetime) -> ChatPlace:
    mine = rule_of(conn, chat_id)
    priority = int(Level.NORMAL) if mine is None else mine.priority
    messages = (inbox.c.chat_id == chat_id, inbox.c.state != DONE, inbox.c.base <= Level.CRITICAL)
    start_at = func.coalesce(inbox.c.start_at, inbox.c.since)
    query = select(func.count(), func.min(inbox.c.since), func.min(start_at)).where(*messages)
    count, oldest, first = conn.execute(query).one()
    if not count:
        return ChatPlace(priority=priority)
    ahead, per_second = ahead_of(conn, rank(first, priority), now)
    return ChatPlace(
        priority=priority,
        waiting=count,
        oldest_seconds=(now - oldest).total_seconds(),
        ahead=ahead,
        seconds=ahead / per_second if per_second else None if ahead else 0.0,
        paused=QUEUE + Queue.MESSAGES in gates.paused(conn),
    )


class SqlRules:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def rule_of(self, chat_id: ChatId) -> ChatRule | None:
        return await self._database.read(rule_of, chat_id)

    async def rule(self, rule_id: RuleId) -> ChatRule | None:
        return await self._database.read(rule, rule_id)

    async def rules(self) -> list[ChatRule]:
        return await self._database.read(all_rules)

    async def save(
        self, chat_id: ChatId, draft: RuleDraft, by: str, now: datetime, version: int | None = None
    ) -> ChatRule:
        return await self._database.write(save, chat_id, draft, by, now, version)

    async def delete(self, rule_id: RuleId, by: str, now: datetime) -> bool:
        return await self._database.write(remove, rule_id, by, now)

    async def waiting(self) -> dict[ChatId, int]:
        return await self._database.read(waiting)

    async def depths(self, now: datetime) -> list[Waiting]:
        return await self._database.read(depths, now)

    async def place(self, chat_id: ChatId, now: datetime) -> ChatPlace:
        return await self._database.read(place, chat_id, now)


def _write(
    conn: Connection,
    chat_id: ChatId,
    before: ChatRule | None,
    draft: RuleDraft,
    by: str,
    now: datetime,
) -> None:
    values: dict[str, Any] = {}
    if draft.priority is not None:
        values["priority"] = draft.priority
    if draft.targets is not None:
        values["targets"] = list(draft.targets)
    if draft.filters is not None:
        values["filters"] = draft.filters
    if draft.enabled is not None:
        values["enabled"] = draft.enabled
    if draft.weight is not None:
        values["weight"] = draft.weight or None
    if before is not None:
        values["version"] = before.version + 1
        conn.execute(update(rules).where(rules.c.id == before.id).values(**values))
        return
    fresh = {"priority": int(Level.NORMAL), "targets": [], "filters": {}, "enabled": True}
    made = {"chat_id": chat_id, "created_by": by, "created_at": now, "version": 1}
    conn.execute(insert(rules).values(**fresh | made | values))


def _rerank(conn: Connection, after: ChatRule, was: int, by: str, now: datetime) -> None:
    """Imported history stays bulk; the other messages of the chat follow its rule."""
    live = in_group(inbox.c.chat_id, after.chat_id) & (inbox.c.state != DONE)
    raised = update(inbox).where(live, inbox.c.base == was).values(base=after.priority)
    chats_of = list(conn.execute(raised.returning(inbox.c.chat_id)).scalars())
    moved = len(chats_of)
    for chat in sorted({after.chat_id, *chats_of}):
        lanes.rerank(conn, IN, chat, now)
    passed_on = in_group(outbox.c.source, after.chat_id) & (outbox.c.state != DONE)
    ours = update(outbox).where(passed_on, outbox.c.base == was).values(base=after.priority)
    for target in sorted(set(conn.execute(ours.returning(outbox.c.chat_id)).scalars())):
        lanes.rerank(conn, OUT, target, now)
    happened = RulePriorityChanged(
        subject=f"rule:{after.id}",
        chat=after.chat_id,
        before=was,
        after=after.priority,
        by=by,
        moved=moved,
    )
    events.append(conn, [happened], now)


def in_group(column: Any, chat_id: ChatId) -> Any:
    """The chat itself, and every topic of it."""
    return or_(column == chat_id, column.startswith(f"{chat_id}#", autoescape=True))


def _as_normal(gone: ChatRule) -> ChatRule:
    return ChatRule(id=gone.id, chat_id=gone.chat_id, chat_title=gone.chat_title)


def _one(conn: Connection, which: Any) -> ChatRule | None:
    row = conn.execute(_WITH_TITLE.where(which)).first()
    if row is None:
        return None
    return _rule(row, _dead_among(conn, row.targets))


def _dead_among(conn: Connection, targets: Collection[ChatId]) -> frozenset[ChatId]:
    if not targets:
        return frozenset()
    dead = select(chats.c.id).where(chats.c.id.in_(targets), chats.c.dead_at.is_not(None))
    return frozenset(conn.execute(dead).scalars())


def _rule(row: Row[Any], dead: frozenset[ChatId]) -> ChatRule:
    return ChatRule(
        id=row.id,
        chat_id=row.chat_id,
        chat_title=row.title or "",
        priority=row.priority,
        targets=tuple(row.targets),
        dead_targets=tuple(target for target in row.targets if target in dead),
        filters=filters_of(row.filters),
        enabled=row.enabled,
        weight=row.weight,
        created_by=row.created_by,
        created_at=row.created_at,
        version=row.version,
    )


def filters_of(kept: dict[str, Sequence[str]]) -> Filters:
    names = asdict(Filters())
    return Filters(**{name: tuple(kept[name]) for name in names if name in kept})  # type: ignore[arg-type]
