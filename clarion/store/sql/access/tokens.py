"""Queries about tokens, login codes and secret calendar addresses."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from clarion.access.events import LoggedIn, TokenMade, TokenRevoked
from clarion.access.tokens import KeptToken, Token, TokenId, TokenKind, scopes_in
from clarion.base.ids import DeviceId, UserId
from clarion.store.sql import events, idempotency
from clarion.store.sql.engine.database import Database, brief, send_signal
from clarion.store.sql.tables.access import (
    calendars,
    login_codes,
    oauth_clients,
    oauth_codes,
    oauth_secrets,
    tokens,
)

ACCESS, REFRESH = "access", "refresh"
CONNECTED_MAX = 200  # more assistants than a household has; the latest are shown
CHANNEL = "clarion_tokens"  # sent when a token was revoked: servers clear their cache


def add(conn: Connection, token: Token, hash_: str) -> None:
    conn.execute(insert(tokens).values({**values_of(token), "hash": hash_}))
    made = TokenMade(
        subject=token.id, user=token.user_id, token_kind=token.kind.value, name=token.name
    )
    events.append(conn, [made], token.created_at)


@brief
def find(conn: Connection, token_id: str, presented: str = "") -> KeptToken | None:
    row = conn.execute(select(tokens).where(tokens.c.id == token_id)).one_or_none()
    if row is None:
        return None
    if row.client_id is None:
        return KeptToken(token_in(row), row.hash)
    secrets = oauth_secrets.c
    query = select(oauth_secrets).where(
        secrets.hash == presented, secrets.token_id == token_id, secrets.purpose == ACCESS
    )
    access = conn.execute(query).one_or_none()
    if access is None:
        return KeptToken(token_in(row), row.hash)
    return KeptToken(replace(token_in(row), expires_at=access.expires_at), access.hash)


def page(conn: Connection, user_id: str | None, after: str, limit: int) -> list[Token]:
    by_hand = tokens.c.client_id.is_(None)
    query = select(tokens).where(tokens.c.id > after, by_hand).order_by(tokens.c.id).limit(limit)
    if user_id is not None:
        query = query.where(tokens.c.user_id == user_id)
    return [token_in(row) for row in conn.execute(query)]


def connected(conn: Connection, user_id: str | None) -> list[Token]:
    good = tokens.c.client_id.is_not(None), tokens.c.revoked_at.is_(None)
    query = select(tokens).where(*good).order_by(tokens.c.id.desc()).limit(CONNECTED_MAX)
    if user_id is not None:
        query = query.where(tokens.c.user_id == user_id)
    return [token_in(row) for row in conn.execute(query)]


def revoke(conn: Connection, token_id: str, at: datetime) -> Token | None:
    good = tokens.c.id == token_id, tokens.c.revoked_at.is_(None)
    if conn.execute(update(tokens).where(*good).values(revoked_at=at)).rowcount:
        send_signal(conn, CHANNEL)
        kept = find(conn, token_id)
        assert kept is not None
        gone = TokenRevoked(subject=token_id, user=kept.token.user_id)
        events.append(conn, [gone], at)
        return kept.token
    kept = find(conn, token_id)
    return kept.token if kept else None


def revoke_of(
    conn: Connection, at: datetime, *, user_id: str | None = None, device_id: str | None = None
) -> int:
    """Revoke every token of a user or device; call it in the transaction that removes them."""
    owner = tokens.c.user_id == user_id if user_id else tokens.c.device_id == device_id
    ids = conn.execute(select(tokens.c.id).where(owner, tokens.c.revoked_at.is_(None))).scalars()
    return sum(1 for token_id in ids.all() if revoke(conn, token_id, at))


def touch(conn: Connection, token_id: str, at: datetime) -> None:
    conn.execute(update(tokens).where(tokens.c.id == token_id).values(used_at=at))


def add_login(conn: Connection, hash_: str, expires_at: datetime, user_id: str | None) -> None:
    conn.execute(insert(login_codes).values(hash=hash_, expires_at=expires_at, user_id=user_id))


def take_login(conn: Connection, hash_: str, session: Token, session_hash: str) -> Token | None:
    """The DELETE decides: of two requests with the same code, only one deletes the row."""
    query = (
        delete(login_codes)
        .where(login_codes.c.hash == hash_, login_codes.c.expires_at > session.created_at)
        .returning(login_codes.c.user_id)
    )
    row = conn.execute(query).one_or_none()
    if row is None:
        return None
    made = Token(
        id=session.id,
        kind=TokenKind.USER if row.user_id else TokenKind.ADMIN,
        created_at=session.created_at,
        user_id=UserId(row.user_id) if row.user_id else None,
        name=session.name,
        expires_at=session.expires_at,
    )
    conn.execute(insert(tokens).values({**values_of(made), "hash": session_hash}))
    events.append(conn, [LoggedIn(subject=made.id, user=made.user_id)], made.created_at)
    return made


def forget_expired(conn: Connection, before: datetime) -> int:
    gone = (
        delete(login_codes).where(login_codes.c.expires_at < before),
        delete(tokens).where((tokens.c.expires_at < before) | (tokens.c.revoked_at < before)),
        delete(oauth_codes).where(oauth_codes.c.expires_at < before),
        delete(oauth_secrets).where(oauth_secrets.c.expires_at < before),
        delete(oauth_clients).where(oauth_clients.c.created_at < before, unconnected()),
    )
    return idempotency.forget(conn, before) + sum(conn.execute(query).rowcount for query in gone)


def unconnected() -> ColumnElement[bool]:
    """Programs that nobody has connected."""
    return oauth_clients.c.id.not_in(
        select(tokens.c.client_id).where(tokens.c.client_id.is_not(None))
    )


def set_calendar(conn: Connection, user_id: str, hash_: str, now: datetime) -> None:
    values = {"hash": hash_, "made_at": now}
    changed = conn.execute(update(calendars).where(calendars.c.user_id == user_id).values(values))
    if not changed.rowcount:
        conn.execute(insert(calendars).values({**values, "user_id": user_id}))


def calendar_hash(conn: Connection, user_id: str) -> str | None:
    return conn.execute(select(calendars.c.hash).where(calendars.c.user_id == user_id)).scalar()


def values_of(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "kind": token.kind.value,
        "user_id": token.user_id,
        "device_id": token.device_id,
        "name": token.name,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
        "used_at": token.used_at,
        "client_id": token.client_id,
        "scopes": None if token.scopes is None else " ".join(token.scopes),
        "resource": token.resource,
    }


def token_in(row: Row[Any]) -> Token:
    return Token(
        id=TokenId(row.id),
        kind=TokenKind(row.kind),
        created_at=row.created_at,
        user_id=UserId(row.user_id) if row.user_id else None,
        device_id=DeviceId(row.device_id) if row.device_id else None,
        name=row.name,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        used_at=row.used_at,
        client_id=row.client_id,
        scopes=None if row.scopes is None else scopes_in(row.scopes),
        resource=row.resource or "",
    )


class SqlTokens:
    """`TokenStore` and `AddressStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, token: Token, hash_: str) -> None:
        await self._db.write(add, token, hash_)

    async def find(self, token_id: TokenId, presented: str = "") -> KeptToken | None:
        return await self._db.read(find, token_id, presented)

    async def all(self, *, user_id: UserId | None, after: str, limit: int) -> list[Token]:
        return await self._db.read(page, user_id, after, limit)

    async def connected(self, *, user_id: UserId | None) -> list[Token]:
        return await self._db.read(connected, user_id)

    async def revoke(self, token_id: TokenId, at: datetime) -> Token | None:
        return await self._db.write(revoke, token_id, at)

    async def touch(self, token_id: TokenId, at: datetime) -> None:
        await self._db.write(touch, token_id, at)

    async def add_login(self, hash_: str, expires_at: datetime, user_id: UserId | None) -> None:
        await self._db.write(add_login, hash_, expires_at, user_id)

    async def take_login(self, hash_: str, session: Token, session_hash: str) -> Token | None:
        return await self._db.write(take_login, hash_, session, session_hash)

    async def forget_expired(self, before: datetime) -> int:
        return await self._db.write(forget_expired, before)

    async def set_calendar(self, user_id: UserId, hash_: str, now: datetime) -> None:
        await self._db.write(set_calendar, user_id, hash_, now)

    async def calendar_hash(self, user_id: UserId) -> str | None:
        return await self._db.read(calendar_hash, user_id)
